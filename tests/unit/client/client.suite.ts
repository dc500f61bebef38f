/** The client class, on a double of the CLI in memory: what it sends, who receives, and what is refused. */
import { assert } from "chai";
import {
  ClaudeSDKClient,
  ClaudeSDKError,
  CLIConnectionError,
  ControlRequestError,
  OptionError,
  type Options,
  ProcessError,
  PromptError,
  type Query,
  type SDKMessage,
  type SDKUserMessage,
} from "../../../mod.ts";
import {
  type CliScript,
  type JsonObject,
  scriptedCli,
  type ScriptedCliTransport,
  step,
} from "../../../src/testing/mod.ts";
import { Mailbox } from "../../harness/mailbox.ts";
import { rejection, rejectsWith } from "../../harness/rejects.ts";
import { suite, type TestContext } from "../../harness/suite.ts";
import { throwsWith } from "../../harness/throws.ts";
import { TransportMethods } from "../../harness/transport_methods.ts";
import { until } from "../../harness/until.ts";
import { CALLS } from "../query/query_calls.ts";
import { asked, userMessage } from "../query/query_scene.ts";

interface Scene {
  readonly client: ClaudeSDKClient;
  readonly cli: ScriptedCliTransport;
}

function play(t: TestContext, script: CliScript, options: Options = {}): Scene {
  const cli = scriptedCli(script).transport();
  const client = new ClaudeSDKClient({ ...options, tether: { transport: cli, ...options.tether } });
  t.cleanup(() => client.disconnect());
  // A play that nobody connected to is over as well.
  t.cleanup(() => cli.close({ graceMs: 0 }));
  return { client, cli };
}

async function collect(messages: AsyncIterable<SDKMessage>): Promise<SDKMessage[]> {
  const all: SDKMessage[] = [];
  for await (const message of messages) all.push(message);
  return all;
}

function kinds(messages: readonly SDKMessage[]): string[] {
  return messages.map((message) => message.type);
}

function userLines(cli: ScriptedCliTransport): JsonObject[] {
  return cli.received.filter(({ type }) => type === "user");
}

/** Codes of what a call rejects with. */
async function code(work: Promise<unknown>): Promise<unknown> {
  return (await rejection(work) as { readonly code?: unknown }).code;
}

const TURN = ["system", "assistant", "result"];

/** Every method of a connected client, called somehow. */
function everyMethod(client: ClaudeSDKClient): Map<string, () => Promise<unknown>> {
  const calls = new Map<string, () => Promise<unknown>>();
  for (let proto = Object.getPrototypeOf(client); proto !== Object.prototype; proto = Object.getPrototypeOf(proto)) {
    for (const name of Object.getOwnPropertyNames(proto)) {
      if (["constructor", "connect", "disconnect"].includes(name)) continue;
      calls.set(name, async () => {
        const member = (client as unknown as Record<string, unknown>)[name];
        const given = typeof member === "function" ? member.call(client, "x", true) : member;
        return await (name.startsWith("receive") ? given.next() : given);
      });
    }
  }
  return calls;
}

export default suite("client", (test) => {
  test("turn after turn: each response ends with its result (N05, N09, N16)", async (t) => {
    const { client, cli } = play(t, [step.turn("one"), step.turn("two"), step.eof()]);
    await client.connect();
    assert.lengthOf(userLines(cli), 0);
    await client.query("first");
    assert.deepEqual(kinds(await collect(client.receiveResponse())), TURN);
    await client.query("second", "mine");
    assert.deepEqual(kinds(await collect(client.receiveResponse())), TURN);
    await client.disconnect();
    cli.verify();
    const [first, second] = userLines(cli);
    assert.deepInclude(first, { type: "user", session_id: "default", parent_tool_use_id: null }); // N07
    assert.deepInclude(first!.message as JsonObject, { role: "user" });
    assert.deepInclude(second, { session_id: "mine" });
  });

  test("without a session every method rejects with not_connected, also after it; leaving is no error (N02, N03)", async (t) => {
    const { client } = play(t, [step.eof()]);
    await client.disconnect();
    const refused = async (): Promise<void> => {
      for (const [name, call] of everyMethod(client)) {
        const error = await rejectsWith(call(), CLIConnectionError);
        assert.strictEqual(error.code, "not_connected", name);
      }
    };
    assert.isAbove(everyMethod(client).size, 30);
    await refused();
    await client.connect();
    await client.disconnect();
    await client.disconnect();
    await refused();
  });

  test("what a Query offers a client offers too, and it is the same request (N12)", async (t) => {
    const names = new Set(everyMethod(new ClaudeSDKClient()).keys());
    for (const { name, call, sent, payload } of CALLS) {
      const { client, cli } = play(t, [step.request(String(sent.subtype), { response: payload ?? {} }), step.eof()]);
      await client.connect();
      await call(client as unknown as Query);
      assert.deepEqual(asked(cli), [sent], name);
      await client.disconnect();
      const method = /=> q\.(\w+)/.exec(String(call))?.[1];
      if (method !== undefined) assert.include(names, method);
    }
    const { client, cli } = play(t, [step.initialize({ claude_code_version: "9.9.9" }), step.eof()]);
    await client.connect();
    assert.strictEqual((await client.getServerInfo()).claude_code_version, "9.9.9");
    assert.deepEqual(await client.initializationResult(), await client.getServerInfo());
    assert.lengthOf(asked(cli), 0, "nothing was asked for it");
    const status = play(t, [
      step.request("mcp_status", { response: { mcpServers: [{ name: "a", status: "connected" }] } }),
    ]);
    await status.client.connect();
    assert.deepEqual((await status.client.getMcpStatus()).mcpServers.map(({ name }) => name), ["a"]);
  });

  test("a text given to connect is sent behind initialize; the session stays open (N04)", async (t) => {
    const { client, cli } = play(t, [step.turn("one"), step.turn("two"), step.eof()]);
    await client.connect("at once");
    assert.deepEqual(kinds(await collect(client.receiveResponse())), TURN);
    assert.strictEqual(cli.received[0]?.type, "control_request");
    await client.query("later");
    assert.deepEqual(kinds(await collect(client.receiveResponse())), TURN);
    await client.disconnect();
    cli.verify();
  });

  test("a prompt over time given to connect is sent beside, and its end is not the session's (N06)", async (t) => {
    const { client, cli } = play(t, [step.turn("one"), step.turn("two"), step.turn("three"), step.eof()]);
    const prompt = new Mailbox<SDKUserMessage>();
    await client.connect(prompt);
    prompt.put(userMessage("a"));
    assert.deepEqual(kinds(await collect(client.receiveResponse())), TURN);
    prompt.put(userMessage("b"));
    prompt.end();
    assert.deepEqual(kinds(await collect(client.receiveResponse())), TURN);
    await client.query("c");
    assert.deepEqual(kinds(await collect(client.receiveResponse())), TURN);
    await client.disconnect();
    cli.verify();
  });

  test("a prompt given to connect that throws: the turn completes, then whoever receives is told, once (G11)", async (t) => {
    const { client, cli } = play(t, [step.turn("one"), step.eof()]);
    const cause = new Error("source broke");
    await client.connect((async function* () {
      yield userMessage("a");
      await Promise.resolve();
      throw cause;
    })());
    const messages: SDKMessage[] = [];
    const error = await rejectsWith(
      (async () => {
        for await (const message of client.receiveMessages()) messages.push(message);
      })(),
      PromptError,
    );
    assert.strictEqual(error.cause, cause);
    assert.deepEqual(kinds(messages), TURN);
    assert.deepEqual(await collect(client.receiveMessages()), [], "told once");
    cli.verify();
  });

  test("messages of a prompt over time keep their session id, and get one if they have none (N08)", async (t) => {
    const { client, cli } = play(t, [step.turn("one"), step.turn("two"), step.turn("three"), step.eof()]);
    await client.connect();
    const bare: SDKUserMessage = { type: "user", message: { role: "user", content: "a" }, parent_tool_use_id: null };
    await client.query([bare, { ...bare, session_id: "own", uuid: "00000000-0000-4000-8000-000000000001" }], "given");
    await client.sendMessage(bare);
    await until(() => userLines(cli).length === 3);
    assert.deepEqual(userLines(cli).map(({ session_id }) => session_id), ["given", "own", "default"]);
    assert.strictEqual(userLines(cli)[1]?.uuid, "00000000-0000-4000-8000-000000000001");
    for (let turn = 0; turn < 3; turn++) await collect(client.receiveResponse());
  });

  test("a query that fails is the caller's error; the session goes on", async (t) => {
    const { client } = play(t, [step.turn("one"), step.eof()]);
    await client.connect();
    await rejectsWith(client.query([{ type: "rubbish" } as never]), PromptError);
    await rejectsWith(client.query(5 as never), OptionError);
    await client.query("fine");
    assert.deepEqual(kinds(await collect(client.receiveResponse())), TURN);
  });

  test("what comes behind a result waits for the next call; sending while receiving works (N09, N10)", async (t) => {
    const { client } = play(t, [
      step.turn("one"),
      step.emit({ type: "system", subtype: "status", status: "compacting" }),
      step.turn("two"),
      step.eof(),
    ]);
    await client.connect();
    await client.query("a");
    const seen: string[] = [];
    for await (const message of client.receiveResponse()) {
      seen.push(message.type);
      if (message.type === "assistant") await client.query("b");
    }
    assert.deepEqual(seen, TURN);
    assert.deepEqual(kinds(await collect(client.receiveResponse())), ["system", ...TURN]);
  });

  test("leaving a loop, or a wait, leaves the session alone and loses nothing", async (t) => {
    const { client } = play(t, [
      step.begin(),
      step.assistant("1"),
      step.assistant("2"),
      step.assistant("3"),
      step.finish(),
      step.turn("later"),
      step.eof(),
    ]);
    await client.connect();
    await client.query("a");
    for await (const message of client.receiveResponse()) {
      if (message.type === "assistant") break;
    }
    assert.deepEqual(kinds(await collect(client.receiveResponse())), ["assistant", "assistant", "result"]);
    // Waits, and goes before anything comes.
    const impatient = client.receiveMessages();
    const waits = impatient.next();
    await Promise.resolve();
    await impatient.return();
    assert.isTrue((await waits).done);
    await client.query("b");
    assert.deepEqual(kinds(await collect(client.receiveResponse())), TURN);
    const thrower = client.receiveMessages();
    assert.strictEqual(await rejection(thrower.throw("why")), "why");
    assert.isTrue((await thrower.next()).done);
  });

  test("two calls of next() on one receiver are served in order", async (t) => {
    const { client } = play(t, [step.turn("one"), step.eof()]);
    await client.connect("a");
    const receiver = client.receiveResponse();
    const items = await Promise.all([receiver.next(), receiver.next(), receiver.next(), receiver.next()]);
    assert.deepEqual(items.map(({ value }) => value?.type), [...TURN, undefined]);
  });

  test("a second receiver that waits is refused; the first goes on, and later ones may", async (t) => {
    const { client } = play(t, [step.turn("one"), step.turn("two"), step.eof()]);
    await client.connect();
    const first = collect(client.receiveResponse());
    await Promise.resolve();
    const error = await rejectsWith(collect(client.receiveMessages()), ClaudeSDKError);
    assert.strictEqual(error.code, "already_receiving");
    await client.query("a");
    assert.deepEqual(kinds(await first), TURN);
    await client.query("b");
    assert.deepEqual(kinds(await collect(client.receiveResponse())), TURN);
  });

  test("a second connect is refused, and the session is alive (N11)", async (t) => {
    const { client } = play(t, [step.turn("one"), step.eof()]);
    const [, second] = await Promise.all([client.connect(), code(client.connect())]);
    assert.strictEqual(second, "already_connected", "also while the first is on its way");
    assert.strictEqual(await code(client.connect()), "already_connected");
    await client.query("a");
    assert.deepEqual(kinds(await collect(client.receiveResponse())), TURN);
  });

  test("a session that breaks: told once to who receives, then to each who asks; leaving is no error", async (t) => {
    const { client } = play(t, [step.begin(), step.exit(3)]);
    await client.connect("a");
    const error = await rejectsWith(collect(client.receiveResponse()), ProcessError);
    assert.strictEqual(error.exitCode, 3);
    assert.deepEqual(await collect(client.receiveMessages()), []);
    assert.strictEqual(await rejection(client.query("b")), error);
    assert.strictEqual(await rejection(client.setModel("m")), error);
    await client.disconnect();
    assert.strictEqual(await code(client.query("b")), "not_connected");
  });

  test("a connect that fails rejects with why, and leaves the client unconnected", async (t) => {
    const { client } = play(t, [
      step.expect((line) => line.type === "control_request", "initialize"),
      step.exit(4),
    ]);
    assert.strictEqual((await rejectsWith(client.connect(), ProcessError)).exitCode, 4);
    assert.strictEqual(await code(client.query("a")), "not_connected");
    const refusing = play(t, [
      { ...step.request("initialize", { error: "no such thing" }) },
      step.eof(),
    ]);
    await rejectsWith(refusing.client.connect(), ControlRequestError);
    assert.strictEqual(await code(refusing.client.getServerInfo()), "not_connected");
  });

  test("disconnecting ends who waits, and a connect that has not come through (F17)", async (t) => {
    const { client } = play(t, [step.eof()]);
    await client.connect();
    const waiting = collect(client.receiveMessages());
    await client.disconnect();
    assert.deepEqual(await waiting, []);
    const slow = play(t, [step.expect((line) => line.type === "control_request", "initialize"), step.eof()]);
    const connecting = rejection(slow.client.connect());
    await until(() => slow.cli.received.length > 0);
    await slow.client.disconnect();
    assert.propertyVal(await connecting, "name", "AbortError");
  });

  test("an abort ends the session: its reason is told to who receives, once (F22)", async (t) => {
    const abortController = new AbortController();
    const { client } = play(t, [step.begin(), step.eof()], { abortController });
    await client.connect("a");
    const messages = client.receiveMessages();
    await messages.next();
    const waiting = rejection(messages.next());
    abortController.abort("enough");
    assert.strictEqual(await waiting, "enough");
    assert.deepEqual(await collect(client.receiveMessages()), []);
    await client.disconnect();
    assert.strictEqual(await rejection(client.connect()), "enough", "the signal is aborted for good");
    assert.strictEqual(await code(client.query("b")), "not_connected");
  });

  test("options that cannot work are refused when the client is made; disposal disconnects", async (t) => {
    throwsWith(() => new ClaudeSDKClient({ maxTurns: "many" as never }), OptionError);
    const { client, cli } = play(t, [step.eof()]);
    await client.connect();
    await client[Symbol.asyncDispose]();
    assert.strictEqual(await code(client.query("a")), "not_connected");
    cli.verify();
  });

  test("it takes a transport with methods", async (t) => {
    const cli = scriptedCli([step.turn("one"), step.turn("two"), step.eof()]).transport();
    const methods = new TransportMethods(cli);
    const client = new ClaudeSDKClient({ tether: { transport: methods } });
    t.cleanup(() => client.disconnect());
    await client.connect();
    for (const prompt of ["a", "b"]) {
      await client.query(prompt);
      assert.deepEqual(kinds(await collect(client.receiveResponse())), TURN);
    }
    await client.disconnect();
    assert.strictEqual(methods.calls.at(-1), "close");
    cli.verify();
  });
});
