/** The custom transport with methods, as the official SDKs have it: through a whole query, on a double of the CLI. */
import { assert } from "chai";
import {
  CLIConnectionError,
  OptionError,
  type Options,
  ProcessError,
  type Query,
  query,
  ResultError,
  type SDKMessage,
  type SDKUserMessage,
} from "../../mod.ts";
import {
  type CliScript,
  memoryTransportPair,
  scriptedCli,
  type ScriptedCliTransport,
  step,
} from "../../src/testing/mod.ts";
import { rejection, rejectsWith } from "../harness/rejects.ts";
import { suite, type TestContext } from "../harness/suite.ts";
import { throwsWith } from "../harness/throws.ts";
import { type Misbehaviour, TransportMethods } from "../harness/transport_methods.ts";
import { until } from "../harness/until.ts";

interface Scene {
  readonly query: Query;
  readonly methods: TransportMethods;
  readonly cli: ScriptedCliTransport;
  readonly messages: SDKMessage[];
  drain(): Promise<void>;
}

interface Setting {
  readonly prompt?: Parameters<typeof query>[0]["prompt"];
  readonly tether?: Options["tether"];
  readonly instead?: Misbehaviour;
}

function play(t: TestContext, script: CliScript, { prompt = "hi", tether, instead }: Setting = {}): Scene {
  const cli = scriptedCli(script).transport();
  const methods = new TransportMethods(cli, instead);
  const messages: SDKMessage[] = [];
  const running = query({
    prompt,
    options: { tether: { transport: methods, ...tether, timeouts: { termMs: 20, ...tether?.timeouts } } },
  });
  t.cleanup(() => running.close());
  return {
    query: running,
    methods,
    cli,
    messages,
    async drain() {
      for await (const message of running) messages.push(message);
    },
  };
}

/** `transport_failed`, and what was behind it. */
function assertFailed(error: unknown, cause: unknown): void {
  assert.instanceOf(error, CLIConnectionError);
  assert.propertyVal(error, "code", "transport_failed");
  assert.strictEqual((error as Error).cause, cause);
}

const BROKEN = new Error("broken on purpose");
const breaks = (): never => {
  throw BROKEN;
};
const hangs = (): Promise<void> => new Promise(() => {});

export default suite("method_transport", (test) => {
  test("each method is called when it is due: connect first, whole lines, one end of input, one close", async (t) => {
    const scene = play(t, [step.turn("Hello!")], {
      instead: { connect: () => new Promise((go) => setTimeout(go, 5)) },
    });
    await scene.drain();
    assert.deepEqual(scene.messages.map((message) => message.type), ["system", "assistant", "result"]);
    assert.deepEqual(scene.methods.calls.filter((call) => call !== "readMessages"), [
      "connect",
      "write initialize",
      "write user",
      "endInput",
      "close",
    ]);
    assert.strictEqual(scene.methods.calls[0], "connect", "nothing goes before it");
    scene.cli.verify();
  });

  test("control requests and their answers pass both ways while messages flow", async (t) => {
    const ask = { subtype: "can_use_tool", tool_name: "Bash", input: { command: "ls" }, tool_use_id: "t1" };
    const cli = scriptedCli([step.begin(), step.ask(ask), step.finish()]).transport();
    const running = query({
      prompt: "hi",
      options: {
        canUseTool: () => Promise.resolve({ behavior: "deny", message: "no" }),
        tether: { transport: new TransportMethods(cli) },
      },
    });
    t.cleanup(() => running.close());
    await running.setModel("opus");
    for await (const _ of running);
    cli.verify();
    assert.include(JSON.stringify(cli.received), '"behavior":"deny"');
  });

  test("no text is changed on the way: separators, half characters, quotes, a long one", async (t) => {
    const text = `\u2028\u2029\ud800 "\\" \u0000 é 😀 ${"long ".repeat(20_000)}`;
    const scene = play(t, [step.turn(text)]);
    await scene.drain();
    const assistant = scene.messages.find((message) => message.type === "assistant");
    assert.deepEqual(assistant?.message.content, [{ type: "text", text }]);
  });

  test("a write that waits holds the prompt back", async (t) => {
    let asked = 0;
    let go = (): void => {};
    const gate = new Promise<void>((resolve) => go = resolve);
    const cli = scriptedCli([step.turn("a"), step.turn("b"), step.turn("c")]).transport();
    const methods = new TransportMethods(cli);
    const write = methods.write.bind(methods);
    methods.write = async (line) => {
      if (line.includes('"user"')) await gate;
      await write(line);
    };
    const running = query({
      prompt: (function* (): Generator<SDKUserMessage> {
        for (const content of ["1", "2", "3"]) {
          asked++;
          yield { type: "user", message: { role: "user", content }, parent_tool_use_id: null };
        }
      })(),
      options: { tether: { transport: methods } },
    });
    t.cleanup(() => running.close());
    await running.initializationResult();
    assert.strictEqual(asked, 1);
    go();
    for await (const _ of running);
    assert.strictEqual(asked, 3);
    cli.verify();
  });

  test("what nobody takes is not asked for: messages wait at their source", async (t) => {
    const count = 400;
    const scene = play(t, [
      step.begin(),
      ...Array.from({ length: count }, () => step.assistant("x".repeat(1_000))),
      step.finish(),
    ], {
      tether: { limits: { queueBytes: 20_000 } },
    });
    await scene.query.initializationResult();
    await scene.query.next();
    await until(() => scene.methods.taken > 15);
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.isBelow(scene.methods.taken, count / 2);
    await scene.drain();
    assert.lengthOf(scene.messages.filter((message) => message.type === "assistant"), count);
  });

  test("a connect that fails is the loop's error, with its cause; nothing else was tried, and it is closed", async (t) => {
    const scene = play(t, [], { instead: { connect: breaks } });
    assertFailed(await rejection(scene.drain()), BROKEN);
    assert.deepEqual(scene.methods.calls, ["connect", "close"]);
    assert.deepEqual(await scene.query.next(), { done: true, value: undefined }, "told once");
  });

  test("messages that fail are the loop's error, after those that came; what is no JSON likewise", async (t) => {
    for (const [rubbish, cause] of [[breaks, BROKEN], [() => ({ type: "assistant", big: 1n }), undefined]] as const) {
      const cli = scriptedCli([step.initialize()]).transport();
      const methods = new TransportMethods(cli);
      const read = methods.readMessages.bind(methods);
      methods.readMessages = async function* () {
        for await (const message of read()) {
          yield message;
          yield { type: "brand_new" };
          yield rubbish();
        }
      };
      const running = query({ prompt: "hi", options: { tether: { transport: methods, timeouts: { termMs: 20 } } } });
      t.cleanup(() => running.close());
      assert.propertyVal((await running.next()).value, "type", "brand_new");
      const error = await rejection(running.next());
      assert.propertyVal(error, "code", "transport_failed");
      if (cause !== undefined) assertFailed(error, cause);
      assert.strictEqual(methods.calls.filter((call) => call === "close").length, 1);
    }
  });

  test("a write that fails, or is not allowed, ends the query with the reason at the end of its causes (F03)", async (t) => {
    const failing = play(t, [step.initialize()], { instead: { write: breaks }, tether: { timeouts: { graceMs: 5 } } });
    assert.include(causes(await rejection(failing.drain())), BROKEN);
    const unready = play(t, [step.initialize()], {
      instead: { isReady: () => false },
      tether: { timeouts: { graceMs: 5 } },
    });
    const error = await rejection(unready.drain());
    assert.include(causes(error).map((cause) => (cause as { code?: string }).code), "transport_failed");
    assert.notInclude(unready.methods.calls, "write initialize", "a transport that is not ready is not written to");
    for (const { methods } of [failing, unready]) assert.include(methods.calls, "close");
  });

  test("close: input ends, the CLI may leave, then it is closed; twice is once (F12)", async (t) => {
    const scene = play(t, [step.begin(), step.eof()]);
    await scene.query.next();
    await Promise.all([scene.query.close(), scene.query.close()]);
    await scene.query.close();
    assert.deepEqual(scene.methods.calls.slice(-3), ["write interrupt", "endInput", "close"]);
  });

  test("a close that takes its time is awaited (F20)", async (t) => {
    let closed = false;
    const scene = play(t, [step.begin(), step.eof()], {
      instead: {
        close: async () => {
          await new Promise((resolve) => setTimeout(resolve, 20));
          closed = true;
        },
      },
      tether: { timeouts: { graceMs: 0, termMs: 60_000 } },
    });
    await scene.query.next();
    await scene.query.close();
    assert.isTrue(closed);
  });

  test("neither a close nor messages that hang hold a close up for long", async (t) => {
    const scene = play(t, [step.begin(), step.eof()], {
      instead: { close: hangs, endInput: hangs },
      tether: { timeouts: { graceMs: 0 } },
    });
    await scene.query.next();
    await scene.query.close();
    await scene.cli.close({ graceMs: 0 });
    const pair = memoryTransportPair();
    const mute = new TransportMethods(pair.transport, { close: () => {}, endInput: () => {} });
    const running = query({
      prompt: "hi",
      options: { tether: { transport: mute, timeouts: { graceMs: 0, termMs: 5 } } },
    });
    await running.close();
    assert.strictEqual(mute.calls.at(-1), "close");
    pair.cli.exit();
  });

  test("a transport that is not used after all is closed; one that hangs then holds nobody up", async (t) => {
    const abortController = new AbortController();
    const reason = new Error("no longer needed");
    abortController.abort(reason);
    const pair = memoryTransportPair();
    t.cleanup(() => pair.cli.exit());
    const unused = new TransportMethods(pair.transport, { close: hangs });
    const running = query({
      prompt: "hi",
      options: { abortController, tether: { transport: unused, timeouts: { termMs: 5 } } },
    });
    assert.strictEqual(await rejection(running.next()), reason);
    assert.deepEqual(unused.calls, ["close"]);
  });

  test("a write that never ends: who waits for it is told when the query is over", async (t) => {
    const scene = play(t, [step.turn("one"), step.hang()], { tether: { timeouts: { graceMs: 0 } } });
    await scene.query.next();
    scene.methods.write = hangs;
    const text = rejection(scene.query.streamInput("two"));
    await new Promise((resolve) => setTimeout(resolve, 5));
    await scene.query.close();
    assert.propertyVal(await text, "name", "AbortError");

    let asked: (requestId: string) => void = () => {};
    const question = new Promise<string>((resolve) => asked = resolve);
    const cli = scriptedCli([
      step.begin(),
      step.ask({ subtype: "can_use_tool", tool_name: "Bash", input: {}, tool_use_id: "toolu_1" }),
    ]).transport();
    const methods = new TransportMethods(cli);
    const open = query({
      prompt: "hi",
      options: {
        canUseTool: (_name, _input, { requestId }) => {
          asked(requestId);
          return Promise.resolve(null);
        },
        tether: { transport: methods, timeouts: { graceMs: 0, termMs: 20 } },
      },
    });
    const requestId = await question;
    methods.write = hangs;
    const answer = open.answerPermission(requestId, { behavior: "deny", message: "no" });
    await new Promise((resolve) => setTimeout(resolve, 5));
    await open.close();
    assert.isFalse(await answer);
  });

  test("methods that were made async for no reason are awaited", async (t) => {
    const cli = scriptedCli([step.turn("ok")]).transport();
    const methods = new TransportMethods(cli);
    const read = methods.readMessages.bind(methods);
    methods.readMessages = (() => Promise.resolve(read())) as never;
    methods.isReady = (() => Promise.resolve(true)) as never;
    const types: string[] = [];
    for await (const message of query({ prompt: "hi", options: { tether: { transport: methods } } })) {
      types.push(message.type);
    }
    assert.deepEqual(types, ["system", "assistant", "result"]);
    const unready = play(t, [step.eof()], {
      instead: { isReady: (() => Promise.resolve(false)) as never },
      tether: { timeouts: { graceMs: 0 } },
    });
    await rejectsWith(unready.drain(), ProcessError);
    assert.notInclude(unready.methods.calls, "write initialize");
  });

  test("an exit that rejects says how the process ended; an error result says more", async (t) => {
    const exit = (): Promise<never> => Promise.reject(Object.assign(new Error("left with 7"), { exitCode: 7 }));
    const plain = play(t, [step.turn("ok")], { instead: { waitForExit: exit } });
    const error = await rejectsWith(plain.drain(), ProcessError);
    assert.deepInclude({ ...error }, { exitCode: 7, stderrTail: "left with 7" });
    assert.lengthOf(plain.messages, 3);
    const result = play(t, [step.begin(), step.finish({ fields: { subtype: "error_max_turns", is_error: true } })], {
      instead: { waitForExit: exit },
    });
    assert.strictEqual((await rejectsWith(result.drain(), ResultError)).exitCode, 7);
    const order = result.methods.calls.filter((call) => call === "waitForExit" || call === "close");
    assert.deepEqual(order, ["waitForExit", "close"]);
  });

  test("an end that fails is told by the loop, unless it was asked for", async (t) => {
    for (const instead of [{ close: breaks }, { endInput: breaks }]) {
      const scene = play(t, [step.turn("ok"), step.exit(0)], { instead });
      assertFailed(await rejection(scene.drain()), BROKEN);
      assert.lengthOf(scene.messages, 3, "after everything was delivered");
    }
    const closed = play(t, [step.begin(), step.eof()], {
      instead: { close: breaks },
      tether: { timeouts: { graceMs: 0 } },
    });
    await closed.query.next();
    await closed.query.close();
    assert.isTrue((await closed.query.next()).done);
  });

  test("something that is neither shape is refused, and what is missing is named", () => {
    const pair = memoryTransportPair();
    const { readable, writable, exited } = pair.transport;
    pair.cli.exit();
    const wrong: [object, string][] = [
      [{}, "write"],
      [{ write() {}, readMessages() {} }, "endInput"],
      [{ readable: 1 }, "readable"],
      [{ readable, writable: null }, "writable"],
      [{ readable, writable }, "exited"],
      [{ readable, writable, exited }, "close"],
    ];
    for (const [transport, problem] of wrong) {
      const error = throwsWith(
        () => query({ prompt: "hi", options: { tether: { transport: transport as never } } }),
        OptionError,
      );
      assert.strictEqual(error.option, "tether.transport");
      assert.include(error.message, problem);
    }
  });
});

function causes(error: unknown): unknown[] {
  const chain = [error];
  while (chain.at(-1) instanceof Error && (chain.at(-1) as Error).cause !== undefined) {
    chain.push((chain.at(-1) as Error).cause);
  }
  return chain;
}
