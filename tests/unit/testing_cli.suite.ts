import { assert } from "chai";
import {
  type CliScript,
  frame,
  type JsonObject,
  scriptedCli,
  type ScriptedCliOptions,
  type ScriptedCliTransport,
  ScriptError,
  step,
  type TransportExit,
} from "../../src/testing/mod.ts";
import { rejectsWith } from "../harness/rejects.ts";
import { suite, type TestContext } from "../harness/suite.ts";

/** A host as simple as can be: lines in, frames out. */
class Host {
  readonly transport: ScriptedCliTransport;
  readonly frames: JsonObject[] = [];
  /** Everything the double wrote, as text. */
  output = "";
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #drained: Promise<void>;
  #wake: () => void = () => {};

  constructor(transport: ScriptedCliTransport) {
    this.transport = transport;
    this.#writer = transport.writable.getWriter();
    this.#drained = this.#drain();
  }

  send(...frames: JsonObject[]): Promise<void> {
    return this.raw(frames.map((item) => JSON.stringify(item) + "\n").join(""));
  }

  raw(data: string | Uint8Array): Promise<void> {
    return this.#writer.write(typeof data === "string" ? new TextEncoder().encode(data) : data);
  }

  /** The first frame that fits, waiting for it; the body's time limit ends a vain wait. */
  async next(fits: (frame: JsonObject) => boolean): Promise<JsonObject> {
    for (;;) {
      const found = this.frames.find(fits);
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => this.#wake = resolve);
    }
  }

  async end(): Promise<TransportExit> {
    await this.#writer.close().catch(() => {}); // a double that is gone takes no end of input either
    await this.#drained;
    return await this.transport.exited;
  }

  async #drain(): Promise<void> {
    const reader = this.transport.readable.getReader();
    const decoder = new TextDecoder();
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      this.output += decoder.decode(next.value as Uint8Array, { stream: true });
      const lines = this.output.split("\n").slice(0, -1);
      for (const line of lines.slice(this.frames.length)) this.frames.push(parse(line));
      this.#wake();
    }
  }
}

function parse(line: string): JsonObject {
  try {
    return JSON.parse(line) as JsonObject;
  } catch {
    return { type: "unparsable" };
  }
}

function play(t: TestContext, script: CliScript, options?: ScriptedCliOptions): Host {
  const transport = scriptedCli(script, { deadlineMs: 5_000, ...options }).transport();
  t.cleanup(() => transport.close({ graceMs: 0 }));
  return new Host(transport);
}

const INITIALIZE = { type: "control_request", request_id: "i", request: { subtype: "initialize" } };

function user(content: JsonObject["content"], uuid?: string): JsonObject {
  return { type: "user", message: { role: "user", content }, ...(uuid === undefined ? {} : { uuid }) };
}

function control(subtype: string, id: string, fields: JsonObject = {}): JsonObject {
  return { type: "control_request", request_id: id, request: { subtype, ...fields } };
}

function answerTo(request: JsonObject, response: JsonObject): JsonObject {
  return { type: "control_response", response: { subtype: "success", request_id: request.request_id, response } };
}

function shape(item: JsonObject): string {
  return [item.type, item.subtype, item.state].filter((word) => typeof word === "string").join("/");
}

const isResult = (item: JsonObject) => item.type === "result";
const isAnswer = (id: string) => (item: JsonObject) =>
  item.type === "control_response" && (item.response as JsonObject).request_id === id;

export default suite("scripted CLI", (test) => {
  test("plays a turn as the CLI does: state, lifecycle, init, text, result", async (t) => {
    const host = play(t, [step.initialize({ account: { email: "a@b.c" } }), step.turn("Hello!")]);
    await host.send(INITIALIZE, user("hi", "u-1"));
    const result = await host.next(isResult);
    assert.deepInclude(await host.end(), { code: 0, signal: null });
    assert.deepEqual(host.frames.map(shape), [
      "control_response",
      "system/session_state_changed/running",
      "command_lifecycle/queued",
      "command_lifecycle/started",
      "system/init",
      "assistant",
      "result/success",
      "command_lifecycle/completed",
      "system/session_state_changed/idle",
    ]);
    assert.strictEqual(result.result, "Hello!");
    assert.deepEqual(result.user_message_uuids, ["u-1"]);
    const reply = (host.frames[0]!.response as JsonObject).response as JsonObject;
    assert.deepEqual(reply.account, { email: "a@b.c" });
    assert.strictEqual(reply.claude_code_version, "2.1.332");
    assert.deepEqual((host.frames[0]!.response as JsonObject).pending_permission_requests, []);
    const named = host.frames.slice(1);
    assert.strictEqual(new Set(named.map((item) => item.session_id)).size, 1);
    assert.strictEqual(new Set(named.map((item) => item.uuid)).size, named.length);
    host.transport.verify();
  });

  test("an old CLI sends neither lifecycle nor states", async (t) => {
    const host = play(t, [step.turn("Hello!")], { cli: "old" });
    await host.send(user("hi", "u-1"));
    await host.next(isResult);
    await host.end();
    assert.deepEqual(host.frames.map(shape), ["system/init", "assistant", "result/success"]);
  });

  test("lines that come during a turn are queued at once, and the session is idle after the last", async (t) => {
    const host = play(t, [
      step.turn("one", { during: [step.request("go")] }),
      step.turn("two"),
    ]);
    await host.send(user("a", "u-1"), user("b", "u-2"));
    const queued = await host.next((item) => item.command_uuid === "u-2");
    assert.strictEqual(queued.state, "queued");
    assert.isUndefined(host.frames.find(isResult));
    await host.send(control("go", "g"));
    await host.next((item) => item.result === "two");
    await host.end();
    assert.deepEqual(
      host.frames.flatMap((item) => item.subtype === "session_state_changed" ? [item.state] : []),
      ["running", "idle"],
    );
    // Whether the second line arrives before the first has started is the host's timing.
    const lives = host.frames.flatMap((item) =>
      item.type === "command_lifecycle" ? [`${item.command_uuid} ${item.state}`] : []
    );
    assert.deepEqual(lives.filter((life) => life !== "u-2 queued"), [
      "u-1 queued",
      "u-1 started",
      "u-1 completed",
      "u-2 started",
      "u-2 completed",
    ]);
    assert.isBelow(lives.indexOf("u-2 queued"), lives.indexOf("u-1 completed"));
  });

  test("asks the host and checks the answer; a permission puts the session on hold", async (t) => {
    const request = { subtype: "can_use_tool", tool_name: "Bash", input: {}, tool_use_id: "t" };
    const host = play(t, [
      step.turn("done", { during: [step.ask(request, { check: { response: { behavior: "allow" } } })] }),
    ]);
    await host.send(user("hi"));
    const asked = await host.next((item) => item.type === "control_request");
    assert.deepEqual(asked.request, request);
    await host.send(answerTo(asked, { behavior: "allow", updatedInput: {} }));
    await host.next(isResult);
    await host.end();
    assert.deepEqual(
      host.frames.flatMap((item) => item.subtype === "session_state_changed" ? [item.state] : []),
      ["running", "requires_action", "running", "idle"],
    );
    host.transport.verify();
  });

  test("an answer that does not fit ends the play with a problem and code 70", async (t) => {
    const host = play(t, [
      step.ask({ subtype: "hook_callback", callback_id: "h", input: {} }, { check: { response: { ok: true } } }),
      step.turn("never"),
    ]);
    const asked = await host.next((item) => item.type === "control_request");
    await host.send(answerTo(asked, { ok: false }));
    const exit = await host.end();
    assert.strictEqual(exit.code, 70);
    assert.match(exit.stderrTail, /scriptedCli: the answer to hook_callback does not fit/);
    assert.lengthOf(host.transport.problems, 1);
    const { problems } = await rejectsWith(Promise.resolve().then(() => host.transport.verify()), ScriptError);
    assert.match(problems[1]!, /not played: begin, emit, finish/);
  });

  test("asks without waiting, takes one back, collects the other", async (t) => {
    const host = play(t, [
      step.ask({ subtype: "can_use_tool", tool_name: "A" }, { as: "a" }),
      step.ask({ subtype: "can_use_tool", tool_name: "B" }, { as: "b", requestId: "own-id" }),
      step.cancel("a"),
      step.answered("b", { subtype: "success" }),
    ]);
    const cancel = await host.next((item) => item.type === "control_cancel_request");
    const [first, second] = host.frames.filter((item) => item.type === "control_request");
    assert.strictEqual(cancel.request_id, first!.request_id);
    assert.strictEqual(second!.request_id, "own-id");
    await host.send(answerTo(second!, {}));
    await host.end();
    host.transport.verify();
  });

  test("control requests no step takes are answered by default, those a step takes wait for it", async (t) => {
    const host = play(t, [
      step.user("go"),
      step.request("set_model", (request) => ({ response: { got: request.model } })),
    ], {
      answers: { own: { mine: true }, quiet: null },
    });
    await host.send(
      control("set_model", "1", { model: "m" }),
      control("nonsense", "2"),
      control("own", "3"),
      control("quiet", "4"),
      control("initialize", "5"),
      control("interrupt", "6"),
    );
    const refused = await host.next(isAnswer("2"));
    assert.deepEqual(refused.response, {
      subtype: "error",
      request_id: "2",
      error: "Unsupported control request subtype: nonsense",
      error_code: "unsupported_request",
    });
    assert.deepEqual(((await host.next(isAnswer("3"))).response as JsonObject).response, { mine: true });
    await host.next(isAnswer("5"));
    assert.deepEqual(((await host.next(isAnswer("6"))).response as JsonObject).response, { still_queued: [] });
    assert.isUndefined(host.frames.find(isAnswer("1")), "its step has not come yet");
    await host.send(user("go"), control("set_model", "7", { model: "n" }));
    assert.deepEqual(((await host.next(isAnswer("1"))).response as JsonObject).response, { got: "m" });
    assert.deepEqual(((await host.next(isAnswer("7"))).response as JsonObject).response, { model: "n" });
    await host.end();
    assert.isUndefined(host.frames.find(isAnswer("4")));
    host.transport.verify();
  });

  test("a reply may be an error, or stay away", async (t) => {
    const host = play(t, [
      step.request("a", { error: "no", errorCode: "not_now" }),
      step.request("b", { silent: true }),
      step.request("c"),
    ]);
    await host.send(control("a", "1"), control("b", "2"), control("c", "3"));
    assert.deepEqual((await host.next(isAnswer("1"))).response, {
      subtype: "error",
      request_id: "1",
      error: "no",
      error_code: "not_now",
    });
    assert.deepEqual((await host.next(isAnswer("3"))).response, { subtype: "success", request_id: "3" });
    await host.end();
    assert.isUndefined(host.frames.find(isAnswer("2")));
  });

  test("an expectation that nobody meets ends at its deadline with a clear problem", async (t) => {
    const host = play(t, [step.request("set_model")], { deadlineMs: 1 });
    const exit = await host.transport.exited;
    assert.strictEqual(exit.code, 70);
    assert.deepEqual(host.transport.problems, ["waited 1 ms for the control request set_model in vain"]);
    await host.end();
  });

  test("an expectation whose input ends fails at once", async (t) => {
    const host = play(t, [step.user("the other text")]);
    await host.send(user("this text"));
    assert.strictEqual((await host.end()).code, 70);
    assert.deepEqual(host.transport.problems, [
      'input ended while it waited for a user line that says "the other text"; what came instead: user',
    ]);
  });

  test("a play that would last for ever is ended", async (t) => {
    const host = play(t, [step.hang()], { lifetimeMs: 1 });
    assert.strictEqual((await host.end()).code, 70);
    assert.match(host.transport.problems[0]!, /not over after 1 ms/);
  });

  test("lines of the user that no step takes are a problem", async (t) => {
    const host = play(t, [step.turn("one")]);
    await host.send(user("a"), user("b"));
    await host.next(isResult);
    await host.end();
    assert.deepEqual(host.transport.problems, ["1 user lines came that no step took"]);
  });

  test("malformed lines end it as they end the CLI; odd ones do not (H: odd input)", async (t) => {
    const fatal = ["nonsense", "null", '{"type":"control_request"}', '{"type":"user"}', '{"type":"user","message":{}}'];
    for (const line of fatal) {
      const host = play(t, [step.hang()]);
      await host.raw(line + "\n");
      const exit = await host.end();
      assert.strictEqual(exit.code, 1, line);
      assert.match(exit.stderrTail, /Error parsing streaming input line/);
      assert.lengthOf(host.transport.problems, 1);
    }
    const host = play(t, [step.turn("fine")]);
    await host.raw('\n\r\n[1]\n"x"\n\uFEFF{"type":"keep_alive"}\r\n{"type":"unheard_of"}\n{"no":"type"}\n');
    await host.send(user("hi"));
    await host.next(isResult);
    assert.strictEqual((await host.end()).code, 0);
    assert.deepEqual(host.transport.problems, []);
  });

  test("input that arrives in any pieces is put together", async (t) => {
    const host = play(t, [step.user("añ😀b"), step.turn("ok")]);
    for (const byte of new TextEncoder().encode(JSON.stringify(user("añ😀b")) + "\n")) {
      await host.raw(new Uint8Array([byte]));
    }
    await host.send(user([{ type: "text", text: "x" }]));
    await host.next(isResult);
    await host.end();
    host.transport.verify();
  });

  test("a text pattern fits a prompt in blocks too", async (t) => {
    const host = play(t, [step.user("hello"), step.turn("ok", { user: { message: { content: [{ type: "text" }] } } })]);
    await host.send(user([{ type: "text", text: "hello" }]), user([{ type: "text", text: "other" }]));
    await host.next(isResult);
    await host.end();
    host.transport.verify();
  });

  test("raw bytes go out untouched, and frames whose names are given keep them", async (t) => {
    const host = play(t, [
      step.raw("a banner\n"),
      step.raw(new Uint8Array([0x7b, 0x22, 0xc3])),
      step.raw(new Uint8Array([0xa9, 0x22, 0x3a, 0x31, 0x7d, 0x0a])),
      step.emit({ type: "x", uuid: "u", session_id: "s" }, { type: "keep_alive" }),
    ]);
    await host.end();
    assert.deepEqual(host.output.split("\n"), [
      "a banner",
      '{"é":1}',
      '{"type":"x","uuid":"u","session_id":"s"}',
      '{"type":"keep_alive"}',
      "",
    ]);
  });

  test("an error result makes the exit code 1 at the end of input, as the CLI's", async (t) => {
    const host = play(t, [step.begin(), step.finish({ result: frame.errorResult(["broken"]) })]);
    await host.send(user("hi"));
    await host.next(isResult);
    assert.strictEqual((await host.end()).code, 1);
  });

  test("exit and kill end it in mid-script", async (t) => {
    const left = play(t, [step.stderr("some words\n"), step.exit(3), step.turn("never")]);
    assert.deepEqual(await left.end(), { code: 3, signal: null, stderrTail: "some words\n" });
    assert.deepEqual(left.transport.unplayed, ["begin", "emit", "finish"]);
    const killed = play(t, [step.kill("SIGKILL")]);
    assert.deepInclude(await killed.end(), { code: null, signal: "SIGKILL" });
  });

  test("end_session is answered, and ends it without the end of input", async (t) => {
    const host = play(t, [step.turn("bye")]);
    await host.send(user("hi"));
    await host.next(isResult);
    await host.send(control("end_session", "e"));
    assert.deepInclude(await host.transport.exited, { code: 0, signal: null });
    await host.end();
    assert.deepEqual((host.frames.find(isAnswer("e")))!.response, { subtype: "success", request_id: "e" });
    host.transport.verify();
  });

  test("it can end its output and wait for the end of input", async (t) => {
    const host = play(t, [step.closeOutput(), step.eof(), step.exit(5)]);
    const reading = host.end();
    assert.strictEqual((await reading).code, 5);
    host.transport.verify();
  });

  test("it can stop reading: writes of the host pile up", async (t) => {
    const transport = scriptedCli([step.stopReading(), step.hang()]).transport({ capacityBytes: 10 });
    t.cleanup(() => transport.close({ graceMs: 0 }));
    const writer = transport.writable.getWriter();
    let accepted = 0;
    const writing = (async () => {
      for (;;) {
        await writer.write(new TextEncoder().encode("12345"));
        accepted++;
      }
    })().catch(() => {});
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setTimeout(resolve, 0));
    assert.isBelow(accepted, 5);
    await transport.close({ graceMs: 0 });
    await writing;
  });

  test("it obeys SIGTERM with code 143, or ignores it and the end of input", async (t) => {
    const obeying = play(t, [step.hang()]);
    await obeying.transport.close({ graceMs: 0 });
    assert.deepInclude(await obeying.end(), { code: 143, signal: null });
    const stubborn = scriptedCli([], { eof: "ignore", sigterm: "ignore" }).transport({ graceMs: 1, termMs: 1 });
    t.cleanup(() => stubborn.close({ graceMs: 0 }));
    await stubborn.close();
    assert.deepInclude(await stubborn.exited, { code: null, signal: "SIGKILL" });
    assert.deepEqual(await stubborn.played, { code: null, signal: "SIGKILL" });
  });

  test("a host that stops reading ends it", async (t) => {
    const transport = scriptedCli([step.emit({ type: "x" }), step.emit({ type: "y" }), step.hang()]).transport({
      capacityBytes: 1,
    });
    t.cleanup(() => transport.close({ graceMs: 0 }));
    await transport.readable.cancel();
    assert.strictEqual((await transport.exited).code, 1);
  });

  test("code as a step sees what came, asks, answers and plays further steps", async (t) => {
    const seen: string[] = [];
    const host = play(t, [
      step.run(async (stage) => {
        const line = await stage.expect({ type: "user" }, "a user line");
        seen.push(shape(line), String(stage.received.length), String(stage.inputEnded));
        const request = await stage.expect({ request: { subtype: "custom" } });
        await stage.reply(request, { response: { from: "code" } });
        const answer = await stage.ask({ subtype: "elicitation", message: "?" });
        seen.push(String((answer.response as JsonObject).action));
        await stage.raw(JSON.stringify({ type: "by_hand", session_id: stage.sessionId }) + "\n");
        await stage.play([step.emit({ type: "played" })]);
      }, ["custom"]),
    ]);
    await host.send(user("hi"), control("custom", "c"));
    assert.deepEqual(((await host.next(isAnswer("c"))).response as JsonObject).response, { from: "code" });
    const asked = await host.next((item) => item.type === "control_request");
    await host.send(answerTo(asked, { action: "decline" }));
    await host.next((item) => item.type === "played");
    await host.end();
    assert.deepEqual(seen, ["user", "2", "false", "decline"]);
    host.transport.verify();
  });

  test("code that throws is a problem", async (t) => {
    const host = play(t, [step.run(() => {
      throw new Error("oh no");
    })]);
    assert.strictEqual((await host.end()).code, 70);
    assert.deepEqual(host.transport.problems, ["oh no"]);
  });

  test("one script can be played many times", async (t) => {
    const cli = scriptedCli([step.turn("again")]);
    for (let round = 0; round < 3; round++) {
      const transport = cli.transport();
      t.cleanup(() => transport.close({ graceMs: 0 }));
      const host = new Host(transport);
      await host.send(user("hi"));
      await host.next(isResult);
      await host.end();
      transport.verify();
      assert.lengthOf(transport.received, 1);
    }
  });

  test("background work: a finish that is not idle, frames of tasks, a follow-up turn", async (t) => {
    const host = play(t, [
      step.begin(),
      step.emit(frame.backgroundTasks([{ task_id: "t1", task_type: "local_agent", description: "d" }])),
      step.emit(frame.taskStarted("t1")),
      step.assistant("launched"),
      step.finish({ idle: false }),
      step.emit(frame.taskNotification("t1"), frame.backgroundTasks([]), frame.init()),
      step.assistant("it is done"),
      step.finish({ fields: { origin: { kind: "task-notification" } } }),
    ]);
    await host.send(user("hi", "u"));
    const last = await host.next((item) => item.result === "it is done");
    assert.deepEqual(last.origin, { kind: "task-notification" });
    await host.end();
    const states = host.frames.flatMap((item) => item.subtype === "session_state_changed" ? [item.state] : []);
    assert.deepEqual(states, ["running", "idle"]);
    assert.strictEqual(host.frames.findLast((item) => item.state === "idle"), host.frames.at(-1));
  });
});
