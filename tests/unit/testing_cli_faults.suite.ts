import { assert } from "chai";
import fc from "fast-check";
import { query } from "../../mod.ts";
import {
  type CliScript,
  type CliStep,
  frame,
  type JsonObject,
  scriptedCli,
  type ScriptedCliOptions,
  ScriptError,
  step,
  virtualClock,
} from "../../src/testing/mod.ts";
import { rejection } from "../harness/rejects.ts";
import { suite, type TestContext } from "../harness/suite.ts";
import { throwsWith } from "../harness/throws.ts";

/** Everything a script writes before the input ends, chunk by chunk. */
async function output(t: TestContext, script: CliScript, options?: ScriptedCliOptions): Promise<string[]> {
  const transport = scriptedCli(script, options).transport();
  t.cleanup(() => transport.close({ graceMs: 0 }));
  await transport.writable.getWriter().close();
  const chunks: string[] = [];
  const reader = transport.readable.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    chunks.push([...next.value as Uint8Array].map((byte) => String.fromCharCode(byte)).join(""));
  }
  transport.verify();
  return chunks;
}

function problemsOf(script: unknown, options?: unknown): readonly string[] {
  const error = throwsWith(() => scriptedCli(script as CliScript, options as ScriptedCliOptions), ScriptError);
  assert.strictEqual(error.code, "script_invalid");
  return error.problems;
}

const NAMED = { type: "x", uuid: "u", session_id: "s" };
const LINE = JSON.stringify(NAMED) + "\n";

export default suite("scripted CLI, faults", (test) => {
  test("pieces have the sizes they are given, again and again, and are all of it", async (t) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 4 }),
        fc.integer({ min: -60, max: 60 }),
        async (sizes, upTo) => {
          const chunks = await output(t, [step.pieces(NAMED, { sizes, upTo })]);
          const text = LINE.slice(0, upTo < 0 ? Math.max(0, LINE.length + upTo) : upTo);
          assert.strictEqual(chunks.join(""), text);
          chunks.slice(0, -1).forEach((chunk, index) => assert.lengthOf(chunk, sizes[index % sizes.length]!));
        },
      ),
      { seed: 7, numRuns: 60 },
    );
  });

  test("bytes are written in place of others, counted from either end of the line", async (t) => {
    const at = (place: number, bytes: number[]) => output(t, [step.pieces(NAMED, { corrupt: { at: place, bytes } })]);
    assert.deepEqual(await at(2, [0xff, 0x80]), [`{"\xff\x80${LINE.slice(4)}`]);
    assert.deepEqual(await at(-1, [0x5d]), [`${LINE.slice(0, -2)}]\n`]);
    assert.deepEqual(await at(10_000, [0x5d]), [LINE]);
    assert.deepEqual(await at(-10_000, [0x5d]), [`]${LINE.slice(1)}`]);
  });

  test("pauses between pieces and sleeps are counted by the clock that is given", async (t) => {
    const clock = virtualClock();
    const transport = scriptedCli([step.sleep(60_000), step.pieces(NAMED, { sizes: 20, pauseMs: 60_000 })], { clock })
      .transport();
    t.cleanup(() => transport.close({ graceMs: 0 }));
    const reader = transport.readable.getReader();
    let text = "";
    const all = (async () => {
      for (let next = await reader.read(); !next.done; next = await reader.read()) {
        text += new TextDecoder().decode(next.value as Uint8Array);
      }
    })();
    await clock.pass(59_999);
    assert.strictEqual(text, "");
    await clock.pass(1);
    assert.strictEqual(text, LINE.slice(0, 20));
    await clock.pass(60_000);
    assert.strictEqual(text, LINE.slice(0, 40));
    await transport.writable.getWriter().close();
    await clock.pass(60_000);
    await all;
    assert.strictEqual(text, LINE);
  });

  test("a frame in pieces comes to the host whole; a torn one at the end is no success (D05)", async (t) => {
    const whole = scriptedCli([step.begin(), step.pieces(frame.assistant("Grüße"), { sizes: [1, 3] }), step.finish()]);
    const transport = whole.transport();
    const types: string[] = [];
    for await (const message of query({ prompt: "hi", options: { tether: { transport } } })) types.push(message.type);
    assert.deepEqual(types, ["system", "assistant", "result"]);
    transport.verify();

    const torn = scriptedCli([step.begin(), step.pieces(frame.result("x"), { upTo: -9 }), step.exit(0)]).transport();
    const run = query({ prompt: "hi", options: { tether: { transport: torn } } });
    t.cleanup(() => run.close());
    const error = await rejection((async () => {
      for await (const _ of run);
    })());
    assert.strictEqual((error as { name?: string }).name, "CLIJSONDecodeError");
  });

  test("a CLI that lets go of its input fails the writes of the host", async (t) => {
    const transport = scriptedCli([step.closeInput(), step.emit({ type: "up" }), step.hang()]).transport();
    t.cleanup(() => transport.close({ graceMs: 0 }));
    await transport.readable.getReader().read();
    const error = await rejection(transport.writable.getWriter().write(new Uint8Array([1])));
    assert.match((error as Error).message, /no longer reads/);
  });

  test("initialize is answered with what the CLI says of each field that it was sent, and of no other", async (t) => {
    const answers = await Promise.all([
      {},
      {
        hooks: {},
        settings: {},
        managedSettings: {},
        disallowedTools: [],
        mcpServers: {},
        plugins: [],
        sdkMcpServerManifests: { calc: {} },
      },
    ].map(async (fields) => {
      const transport = scriptedCli([step.initialize({ account: { email: "a@b.cd" } })]).transport();
      t.cleanup(() => transport.close({ graceMs: 0 }));
      const request = { type: "control_request", request_id: "1", request: { subtype: "initialize", ...fields } };
      await transport.writable.getWriter().write(new TextEncoder().encode(JSON.stringify(request) + "\n"));
      const { value } = await transport.readable.getReader().read();
      const answer = JSON.parse(new TextDecoder().decode(value as Uint8Array)) as {
        response: { response: JsonObject };
      };
      return answer.response.response;
    }));
    const said = answers.map((answer) => Object.keys(answer).filter((name) => /_applied$|_parked$/.test(name)).sort());
    assert.deepEqual(said, [[], [
      "disallowed_tools_applied",
      "hooks_applied",
      "managed_settings_applied",
      "mcp_servers_applied",
      "plugins_applied",
      "sdk_mcp_manifests_parked",
      "settings_applied",
    ]]);
    assert.deepEqual(answers[1]!.sdk_mcp_manifests_parked, { calc: "parked" });
    assert.deepEqual(answers[1]!.account, { email: "a@b.cd" });
    assert.typeOf(answers[0]!.pid, "number");
  });

  test("a script that cannot be played is refused at once, with everything that is wrong", () => {
    assert.deepEqual(
      problemsOf([
        step.eof,
        { type: "result" },
        undefined,
        [step.sleep(-1), step.exit(256), step.kill("SIGHUP" as "SIGTERM")],
        step.answered("nobody"),
        step.ask({ tool_name: "Bash" }),
        step.emit("text" as unknown as JsonObject),
        step.pieces(NAMED, { sizes: 0 }),
        step.pieces(NAMED, { corrupt: { at: 0, bytes: [256] } }),
        step.run("code" as unknown as () => void),
        step.user(5 as unknown as string),
      ]),
      [
        "step 1 is a function: call it, as in step.eof()",
        "step 2 is no step: make it with step.…(), a frame with step.emit()",
        "step 3 is no step",
        "step 4 (sleep): its time must be a number of milliseconds, 0 or more",
        "step 5 (exit): an exit code is a whole number from 0 to 255",
        "step 6 (kill): its signal must be SIGKILL, SIGTERM or SIGINT",
        "step 8 (ask): its request must be an object with a subtype",
        "step 9 (emit): each of its frames must be an object",
        "step 10 (pieces): its sizes must be whole numbers, 1 or more",
        "step 11 (pieces): what is corrupted needs a whole number for its place, and bytes from 0 to 255",
        "step 12 (run): it must be given a function",
        'step 7 (answered): nothing is asked before it under the name "nobody"',
      ],
    );
    assert.deepEqual(problemsOf("no list"), ["a script is a list of steps"]);
    assert.deepEqual(
      problemsOf([], { cli: "new", eof: 1, deadlineMs: -1, answers: { x: 1 }, deadline: 5, clock: {} }),
      [
        'cli must be "current" or "old"',
        'eof must be "exit" or "ignore"',
        "deadlineMs must be a number of milliseconds, 0 or more",
        "answers must be an object of objects, or null for no answer",
        '"deadline" is no setting',
        "clock must be a clock",
      ],
    );
  });

  test("a name that code may have asked under is not refused", () => {
    scriptedCli([step.run(() => {}), step.answered("x")]);
    scriptedCli([step.ask({ subtype: "elicitation" }, { as: "x" }), step.cancel("x") as CliStep]);
  });

  test("what came instead is told", async (t) => {
    const transport = scriptedCli([step.request("set_model")], { deadlineMs: 20 }).transport();
    t.cleanup(() => transport.close({ graceMs: 0 }));
    const line = { type: "user", message: { role: "user", content: "hi" } };
    await transport.writable.getWriter().write(new TextEncoder().encode(JSON.stringify(line) + "\n"));
    await transport.played;
    assert.deepEqual(transport.problems, [
      "waited 20 ms for the control request set_model in vain; what came instead: user",
    ]);
  });
});
