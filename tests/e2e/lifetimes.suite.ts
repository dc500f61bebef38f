/** When input ends and how a query ends, on the real CLI: the rules of lifetimes, case by case. */
import { assert } from "chai";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deferred } from "../../src/core/deferred.ts";
import { PromptError, query } from "../../mod.ts";
import { block, scriptedCli, step, turn } from "../../src/testing/mod.ts";
import { rejection } from "../harness/rejects.ts";
import { suite, type TestContext } from "../harness/suite.ts";
import { until } from "../harness/until.ts";
import { killWith, newMark, pause, runningWith } from "../runtime/children.ts";
import { STUBBORN_SERVER } from "./stubborn_server.ts";
import { CUT_SHORT, DONE, Scene, texts, userMessage } from "./real_query.ts";

const BASH = { allowedTools: ["Bash"] };

export default suite("lifetimes", (test) => {
  test("a plain prompt: init, answer, result, and the process leaves by itself with code 0 (G01)", async (t) => {
    const lines: string[] = [];
    const options = { stderr: (line: string): void => void lines.push(line) };
    const scene = await Scene.start(t, { script: [turn.text("hello")], prompt: "hi", options });
    await scene.drain();
    assert.isEmpty(lines, "a quiet run, and nothing of ours (E07 E10)");
    assert.include(transcripts(scene), '"text":"hello"', "it is saved (F09)");
    assert.deepEqual(scene.kinds(), ["system/init", "assistant", "result/success"]);
    assert.deepEqual(texts(scene.messages), ["hello"]);
    scene.gone(DONE);
    assert.deepEqual(await scene.query.next(), { done: true, value: undefined });
  });

  test("a prompt with hooks: every tool call is seen before it runs, and the answers count (G02)", async (t) => {
    const scene = await Scene.start(t, {
      script: [
        turn.toolUse("Bash", { command: "echo one", description: "d" }),
        turn.toolUse("Bash", { command: "echo two", description: "d" }),
        turn.text("done"),
      ],
      prompt: "go",
      options: ({ watch }) => ({ ...BASH, hooks: watch }),
    });
    await scene.drain();
    assert.deepEqual(scene.hooked, ["echo one", "echo two"]);
    assert.deepEqual([scene.toolOutput(1), scene.toolOutput(2)], ["hooked\none", "hooked\ntwo"]);
    const call = ["assistant", "user"];
    assert.deepEqual(scene.kinds(), ["system/init", ...call, ...call, "assistant", "result/success"]);
    scene.gone(DONE);
  });

  test("two prompts, the second written on the first result, with a hook (G03)", async (t) => {
    const first = deferred<void>();
    const scene = await Scene.start(t, {
      script: [
        turn.text("one"),
        turn.toolUse("Bash", { command: "echo late", description: "d" }),
        turn.text("two"),
      ],
      prompt: async function* () {
        yield userMessage("first");
        await first.promise;
        yield userMessage("second");
      },
      options: ({ watch }) => ({ ...BASH, hooks: watch }),
    });
    await scene.until((message) => message.type === "result");
    first.resolve();
    await scene.drain();
    assert.lengthOf(scene.results(), 2);
    assert.deepEqual(scene.hooked, ["echo late"]);
    assert.strictEqual(scene.toolOutput(2), "hooked\nlate", "the hook of the second turn was answered");
    assert.deepEqual(texts(scene.messages), ["one", "two"]);
    scene.gone(DONE);
  });

  test(
    "a consumer that sleeps 15 s with 100 MB pending after the end of input loses nothing; nobody is ended",
    async (t) => {
      const size = 50_000_000;
      const scene = await Scene.start(t, {
        script: [
          turn.toolUse("Bash", { command: "sleep 2", description: "d", run_in_background: true }),
          turn.text("started"),
          // The CLI must still have work: one that is leaving cuts off what nobody reads.
          turn.blocks(
            [
              block.text("x".repeat(size)),
              block.toolUse("Bash", { command: "until [ -e go ]; do sleep 0.2; done", description: "d" }),
            ],
            { chunkChars: 65_536 },
          ),
          turn.text("finished"),
        ],
        prompt: "go",
        // The ceiling ends the input; the turn that the shell's end starts floods after it.
        options: {
          ...BASH,
          includePartialMessages: true,
          tether: { timeouts: { backgroundMs: 100, graceMs: 30_000 } },
        },
      });
      const happened = (): string[] => scene.diagnostics.map((event) => event.kind);
      await scene.until((message) => message.type === "result");
      while (!happened().includes("consumer_stalled")) await pause(50);
      assert.deepEqual(happened(), ["background_ceiling", "consumer_stalled"]);
      await pause(15_000);
      let partial = 0;
      let whole = 0;
      let result = "";
      for await (const message of scene.query) {
        if (message.type === "stream_event") partial += deltaLength(message.event);
        else if (message.type === "assistant") whole += texts([message]).join("").length;
        else if (message.type === "result" && message.subtype === "success") result = message.result;
        if (whole === size) await writeFile(join(scene.folders.cwd, "go"), "");
      }
      const last = "finished".length;
      assert.deepEqual({ partial, whole, result }, { partial: size + last, whole: size + last, result: "finished" });
      scene.gone(DONE);
    },
    { timeoutMs: 150_000 },
  );

  test("a background shell that ends after the first result: the turn it starts is hooked and delivered", async (t) => {
    const scene = await Scene.start(t, {
      script: [
        turn.toolUse("Bash", { command: "sleep 1; echo bg", description: "d", run_in_background: true }),
        turn.text("started"),
        turn.toolUse("Bash", { command: "echo follow-up", description: "d" }),
        turn.text("finished"),
      ],
      prompt: "go",
      options: ({ watch }) => ({ ...BASH, hooks: watch }),
    });
    await scene.drain();
    assert.deepEqual(scene.hooked, ["sleep 1; echo bg", "echo follow-up"]);
    assert.strictEqual(scene.toolOutput(3), "hooked\nfollow-up", "the hook of the second turn was answered");
    assert.lengthOf(scene.results(), 2);
    assert.deepEqual(texts(scene.messages), ["started", "finished"]);
    scene.gone(DONE);
  });

  test("a background agent: its permission questions are answered after the first result (G17, J14)", async (t) => {
    const asked: string[] = [];
    const scene = await Scene.start(t, {
      script: {
        match: [{
          name: "agent",
          when: (request) => request.kind === "main" && request.agentId !== undefined,
          turns: [
            turn.stall({ ms: 1_500, then: turn.toolUse("Bash", { command: "touch by-agent", description: "d" }) }),
            turn.text("agent done"),
          ],
        }],
        main: [
          turn.toolUse("Agent", { description: "d", prompt: "do it", subagent_type: "general-purpose" }),
          turn.text("launched"),
          turn.text("heard of it"),
        ],
      },
      prompt: "go",
      options: {
        allowedTools: ["Agent", "Task"],
        canUseTool: (name, input, { agentID }) => {
          asked.push(`${name} ${agentID === undefined ? "main" : "agent"}`);
          return Promise.resolve({ behavior: "allow", updatedInput: input });
        },
      },
    });
    await scene.drain();
    assert.deepEqual(asked, ["Bash agent"]);
    assert.isTrue(existsSync(join(scene.folders.cwd, "by-agent")), "its command ran");
    assert.isAtLeast(scene.results().length, 2);
    assert.deepEqual(texts(scene.messages).slice(-1), ["heard of it"]);
    scene.gone(DONE);
  });

  test("endless background work meets the ceiling, and ends with the CLI", async (t) => {
    const { mark, command } = endless(t);
    const scene = await Scene.start(t, {
      script: [
        turn.toolUse("Bash", { command, description: "d", run_in_background: true }),
        turn.text("started"),
        ...Array.from({ length: 3 }, () => turn.text("told")),
      ],
      prompt: "go",
      options: { ...BASH, tether: { timeouts: { backgroundMs: 2_000, graceMs: 1_000 } } },
    });
    await scene.drain();
    assert.isAtLeast(scene.results().length, 1);
    assert.strictEqual(texts(scene.messages)[0], "started");
    const ceiling = scene.diagnostics.find((event) => event.kind === "background_ceiling");
    assert.deepEqual(ceiling, { kind: "background_ceiling", tasks: 1, afterMs: 2_000 });
    // What the CLI leaves with at a SIGTERM, which our grace brings.
    scene.gone({ code: 143, signal: null, forced: true });
    await until(() => runningWith(mark).length === 0);
  });

  test("an empty iterable ends at once, without a message and without an error", async (t) => {
    const scene = await Scene.start(t, { script: [], prompt: (async function* () {})() });
    assert.deepEqual(await scene.drain(), []);
    scene.gone(DONE);
    assert.deepEqual(scene.model.requests, []);
  });

  test("an iterable that throws: the running turn completes, then the loop rejects with the user's error (G11)", async (t) => {
    const mine = new RangeError("mine");
    const scene = await Scene.start(t, {
      script: [turn.toolUse("Bash", { command: "echo x", description: "d" }), turn.text("still answered")],
      prompt: async function* () {
        yield userMessage("go");
        throw mine;
      },
      options: ({ watch }) => ({ ...BASH, hooks: watch }),
    });
    const error = await rejection(scene.drain());
    assert.instanceOf(error, PromptError);
    assert.strictEqual((error as PromptError).cause, mine);
    assert.strictEqual(scene.toolOutput(1), "hooked\nx", "its hook was answered");
    assert.deepEqual(texts(scene.messages), ["still answered"]);
    assert.lengthOf(scene.results(), 1);
    scene.gone(DONE);
    assert.deepEqual(await scene.query.next(), { done: true, value: undefined });
  });

  test("interrupt in mid-stream ends as a result, not as an error", async (t) => {
    const scene = await Scene.start(t, {
      script: [turn.text("a long answer that never ends", { chunkChars: 4, stallAfter: 3 })],
      prompt: "go",
      options: { includePartialMessages: true },
    });
    await scene.until((message) => message.type === "stream_event" && deltaLength(message.event) > 0);
    assert.deepEqual(await scene.query.interrupt(), { still_queued: [] });
    await scene.drain();
    assert.deepInclude(scene.results()[0], { subtype: "error_during_execution", terminal_reason: "aborted_streaming" });
    scene.gone(CUT_SHORT);
  });

  test("interrupt in a tool stops the tool", async (t) => {
    const { mark, command } = endless(t);
    const scene = await Scene.start(t, {
      script: [turn.toolUse("Bash", { command, description: "d" })],
      prompt: "go",
      options: BASH,
    });
    await until(() => runningWith(mark).some(({ commandLine }) => commandLine.startsWith("sh ")));
    await scene.query.interrupt();
    await scene.drain();
    assert.deepInclude(scene.results()[0], { subtype: "error_during_execution", terminal_reason: "aborted_tools" });
    scene.gone(CUT_SHORT);
    await until(() => runningWith(mark).length === 0);
  });

  test("interrupt with a question open aborts the question and writes no answer", async (t) => {
    const open = deferred<AbortSignal>();
    const scene = await Scene.start(t, {
      script: [turn.toolUse("Bash", { command: "touch x", description: "d" })],
      prompt: "go",
      options: {
        canUseTool: (_name, _input, { signal }) => {
          open.resolve(signal);
          return new Promise(() => {});
        },
      },
    });
    const drained = scene.drain();
    const signal = await open.promise;
    assert.isFalse(signal.aborted);
    await scene.query.interrupt();
    await drained;
    assert.isTrue(signal.aborted);
    assert.deepInclude(scene.results()[0], { subtype: "error_during_execution", terminal_reason: "aborted_tools" });
    assert.isFalse(existsSync(join(scene.folders.cwd, "x")), "its command never ran");
    scene.gone(CUT_SHORT);
  });

  test("an interrupt before the turn has begun waits for it", async (t) => {
    const scene = await Scene.start(t, { script: [turn.stall()], prompt: "go" });
    const receipt = scene.query.interrupt();
    await scene.drain();
    assert.deepEqual(await receipt, { still_queued: [] });
    assert.deepInclude(scene.results()[0], { subtype: "error_during_execution" });
    scene.gone(CUT_SHORT);
  });

  test("break ends the CLI in mid-turn, its servers too, and takes away what was written for it (F16 F19)", async (t) => {
    const { mark } = endless(t);
    const written = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith("tether-launch-"));
    const scene = await Scene.start(t, {
      script: [turn.stall()],
      prompt: "go",
      options: {
        mcpServers: { stubborn: { type: "stdio", command: "sh", args: ["-c", STUBBORN_SERVER, mark] } },
        tether: { isolateConfig: true },
      },
    });
    for await (const message of scene.query) {
      assert.strictEqual(message.type, "system");
      assert.isNotEmpty(runningWith(mark));
      assert.lengthOf(written(), 1);
      break;
    }
    scene.gone(CUT_SHORT);
    assert.isEmpty(written());
    await until(() => runningWith(mark).length === 0);
  });

  test("return() and throw() end the CLI and settle when it is gone", async (t) => {
    const first = await Scene.start(t, { script: [turn.stall()], prompt: "go" });
    await first.until((message) => message.type === "system");
    assert.deepEqual(await first.query.return(), { done: true, value: undefined });
    first.gone(CUT_SHORT);
    const second = await Scene.start(t, { script: [turn.stall()], prompt: "go" });
    await second.until((message) => message.type === "system");
    const mine = new Error("mine");
    assert.strictEqual(await rejection(second.query.throw(mine)), mine);
    second.gone(CUT_SHORT);
  });

  test("abort rejects with the signal's own reason, when the CLI is gone (F11 F22)", async (t) => {
    const abort = new AbortController();
    const scene = await Scene.start(t, {
      script: [turn.stall()],
      prompt: "go",
      options: { abortController: abort },
    });
    await scene.until((message) => message.type === "system");
    const reason = { whatever: "the user gave" };
    const pending = rejection(scene.query.next());
    abort.abort(reason);
    assert.strictEqual(await pending, reason);
    scene.gone(CUT_SHORT);
    assert.deepEqual(await scene.query.next(), { done: true, value: undefined });
  });

  test("abort before the start starts nothing (F23)", async (t) => {
    const abort = new AbortController();
    const reason = new Error("too late");
    abort.abort(reason);
    const scene = await Scene.start(t, { script: [], prompt: "go", options: { abortController: abort } });
    assert.strictEqual(await rejection(scene.drain()), reason);
    assert.deepEqual(scene.diagnostics, []);
  });

  test("close twice, at once and later, is one close; a loop that waits elsewhere ends (F10 F17)", async (t) => {
    const scene = await Scene.start(t, { script: [turn.stall()], prompt: "go" });
    const drained = scene.drain();
    await scene.model.waitForRequest(1);
    const both = [scene.query.close(), scene.query.close()];
    await Promise.all(both);
    scene.gone(CUT_SHORT);
    await drained;
    await scene.query.close();
    assert.deepEqual(await scene.query.next(), { done: true, value: undefined });
  });

  test("close at once starts nothing (F23)", async (t) => {
    const scene = await Scene.start(t, { script: [], prompt: "go" });
    await scene.query.close();
    assert.deepEqual(await scene.drain(), []);
    assert.deepEqual(scene.diagnostics, []);
  });

  test("async dispose ends the CLI", async (t) => {
    const scene = await Scene.start(t, { script: [turn.stall()], prompt: "go" });
    await scene.until((message) => message.type === "system");
    await scene.query[Symbol.asyncDispose]();
    scene.gone(CUT_SHORT);
  });

  test("one signal shared by 50 queries ends them all, with one listener and no warning (F21)", async (t) => {
    const abort = new AbortController();
    let listeners = 0;
    let most = 0;
    const { signal } = abort;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      most = Math.max(most, ++listeners);
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners--;
      remove(...args);
    };
    const scenes = await Promise.all(
      Array.from(
        { length: 6 },
        () => Scene.start(t, { script: [turn.stall()], prompt: "go", options: { abortController: abort } }),
      ),
    );
    // The others share the signal just as well without a process of 200 MB for each.
    const others = Array.from({ length: 44 }, () => {
      const transport = scriptedCli([step.begin(), step.hang()]).transport();
      const other = query({ prompt: "go", options: { abortController: abort, tether: { transport } } });
      t.cleanup(() => other.close());
      return { query: other, transport };
    });
    for (const other of others) assert.strictEqual((await other.query.next()).value?.type, "system");
    const ends = [...scenes.map((scene) => scene.drain()), ...others.map((other) => other.query.next())].map(rejection);
    await Promise.all(scenes.map((scene) => scene.model.waitForRequest(1, { timeoutMs: 100_000 })));
    assert.isAtMost(most, 1);
    const reason = new Error("all of you");
    abort.abort(reason);
    for (const end of await Promise.all(ends)) assert.strictEqual(end, reason);
    for (const scene of scenes) scene.gone(CUT_SHORT);
    for (const other of others) await other.transport.exited;
  }, { timeoutMs: 60_000 });

  test("the ReadableStream view gives the same messages; there is one consumer", async (t) => {
    const scene = await Scene.start(t, { script: [turn.text("hello")], prompt: "hi" });
    const stream = scene.query.readable;
    const reader = stream.getReader();
    assert.throws(() => stream.getReader(), TypeError);
    assert.instanceOf(await rejection(scene.query.next()), TypeError);
    const types: string[] = [];
    for (let item = await reader.read(); !item.done; item = await reader.read()) types.push(item.value.type);
    assert.deepEqual(types, ["system", "assistant", "result"]);
    scene.gone(DONE);

    const iterated = await Scene.start(t, { script: [turn.text("hello")], prompt: "hi" });
    await iterated.drain();
    assert.throws(() => iterated.query.readable, TypeError);
  });

  test("cancelling the ReadableStream view ends the CLI", async (t) => {
    const scene = await Scene.start(t, { script: [turn.stall()], prompt: "go" });
    const reader = scene.query.readable.getReader();
    await reader.read();
    await reader.cancel();
    scene.gone(CUT_SHORT);
  });

  test("a prompt may be a ReadableStream", async (t) => {
    const scene = await Scene.start(t, {
      script: [turn.text("hello")],
      prompt: new ReadableStream({
        start(controller) {
          controller.enqueue(userMessage("from a stream"));
          controller.close();
        },
      }),
    });
    await scene.drain();
    assert.include(JSON.stringify(scene.model.requests[0]?.messages), "from a stream");
    scene.gone(DONE);
  });
});

/** A command that runs until somebody ends it, and the mark on its command line. */
function endless(t: TestContext): { readonly mark: string; readonly command: string } {
  const mark = newMark();
  t.cleanup(() => killWith(mark));
  return { mark, command: `sh -c 'while :; do sleep 1; done' ${mark}` };
}

/** What the CLI has saved of its conversations. */
function transcripts({ folders }: Scene): string {
  const projects = join(folders.configDir, "projects");
  const names = (readdirSync(projects, { recursive: true }) as string[]).filter((name) => name.endsWith(".jsonl"));
  return names.map((name) => readFileSync(join(projects, name), "utf8")).join("");
}

/** Length of the text in one streaming event. */
function deltaLength(event: unknown): number {
  const text = (event as { delta?: { text?: unknown } }).delta?.text;
  return typeof text === "string" ? text.length : 0;
}
