/** What can be asked of a query, on a double of the CLI in memory: the words on the wire, the answers, and the edges. */
import { assert } from "chai";
import { AbortError, ControlRequestError } from "../../../mod.ts";
import { Launch } from "../../../src/client/launch.ts";
import { RunningQuery } from "../../../src/client/query.ts";
import {
  type CliScript,
  frame,
  type JsonObject,
  scriptedCli,
  type ScriptedCliTransport,
  step,
} from "../../../src/testing/mod.ts";
import { rejection } from "../../harness/rejects.ts";
import { suite, type TestContext } from "../../harness/suite.ts";
import { until } from "../../harness/until.ts";
import { CACHED, type Call, CALLS } from "./query_calls.ts";
import { asked, play, userMessage } from "./query_scene.ts";

/** What came out of a call under an answer. */
async function outcome(
  t: TestContext,
  call: Call,
  answer: "with" | "without" | "error",
): Promise<[unknown, JsonObject[]]> {
  const reply = answer === "with"
    ? { response: call.payload! }
    : answer === "without"
    ? {}
    : { error: "no", errorCode: "because" };
  const { query, cli } = play(t, [step.request(String(call.sent.subtype), reply)]);
  const given = answer === "error" ? await rejection(call.call(query)) : await call.call(query);
  await query.close();
  return [given, asked(cli)];
}

export default suite("query requests", (test) => {
  test("each method is one request with the protocol's words, and gives what came back (H18)", async (t) => {
    for (const call of CALLS) {
      const { payload } = call;
      if (payload !== undefined) {
        const [given, sent] = await outcome(t, call, "with");
        assert.deepEqual(given, "gives" in call ? call.gives : payload, call.name);
        assert.deepEqual(sent, [call.sent], call.name);
      }
      // The CLI leaves out payloads that would be empty.
      const [given, sent] = await outcome(t, call, "without");
      assert.deepEqual(given, call.givesWithout, `${call.name}, without a payload`);
      assert.deepEqual(sent, [call.sent], call.name);
    }
  });

  test("a refusal is a ControlRequestError with the CLI's word and text; of readFile it is null", async (t) => {
    for (const call of CALLS) {
      if (call.sent.subtype === "read_file") {
        const { query } = play(t, [step.request("read_file", { error: "read denied: f" })]);
        assert.isNull(await call.call(query));
        await query.close();
        continue;
      }
      const [error] = await outcome(t, call, "error");
      assert.instanceOf(error, ControlRequestError, call.name);
      assert.deepInclude(error, { subtype: call.sent.subtype, errorCode: "because", message: "no" }, call.name);
    }
  });

  test("what is asked at once waits for the start, in order, behind initialize", async (t) => {
    const { query, cli } = play(t, []);
    const calls = [query.setModel("a"), query.setPermissionMode("plan"), query.setMaxThinkingTokens(1)];
    await Promise.all(calls);
    const subtypes = cli.received.map(({ request }) => (request as JsonObject).subtype);
    assert.deepEqual(subtypes, ["initialize", "set_model", "set_permission_mode", "set_max_thinking_tokens"]);
  });

  test("with launch options in initialize every request waits for its answer, and fails with it", async (t) => {
    class Holding extends Launch {
      override get holdsRequests(): boolean {
        return true;
      }
    }
    const start = (script: CliScript): [RunningQuery, ScriptedCliTransport] => {
      const cli = scriptedCli(script).transport();
      const launch = new Holding({ tether: { transport: cli } }, { runtime: () => Promise.reject(new Error("none")) });
      const running = new RunningQuery(launch, { held: true });
      t.cleanup(() => running.close());
      return [running, cli];
    };
    const [held, cli] = start([
      step.run(async (stage) => {
        const request = await stage.expect({ request: { subtype: "initialize" } });
        await new Promise((resolve) => setTimeout(resolve, 30));
        assert.lengthOf(stage.received, 1, "nothing overtook the answer");
        await stage.reply(request, { response: frame.initializeReply() });
      }, ["initialize"]),
    ]);
    await Promise.all([held.setModel("m"), held.interrupt(), held.mcpServerStatus()]);
    cli.verify();
    const [refused] = start([step.request("initialize", { error: "no" }), step.eof()]);
    const error = await rejection(refused.setModel("m"));
    assert.instanceOf(error, ControlRequestError);
    assert.strictEqual(error, await rejection(refused.next()));
  });

  test("a query that is over refuses everything it would have to ask for, and keeps what it knows", async (t) => {
    const { query, cli, prompt } = play(t, [step.turn("ok")]);
    prompt.put(userMessage("hi"));
    prompt.end();
    for await (const message of query) assert.isString(message.type);
    const before = cli.received.length;
    for (const { name, call } of CALLS) assert.instanceOf(await rejection(call(query)), AbortError, name);
    assert.instanceOf(await rejection(query.reinitialize()), AbortError);
    assert.isFalse(await query.answerPermission("x", { behavior: "allow" }), "no question is open");
    for (const [name, read] of CACHED) assert.isDefined(await read(query), name);
    assert.strictEqual(cli.received.length, before);
  });

  test("a query that never was anything refuses what it never knew, without unhandled rejections", async (t) => {
    const abortController = new AbortController();
    const mine = new Error("mine");
    abortController.abort(mine);
    const { query } = play(t, [step.eof()], { abortController });
    for (const [name, read] of CACHED) assert.strictEqual(await rejection(read(query)), mine, name);
    for (const { name, call } of CALLS) assert.strictEqual(await rejection(call(query)), mine, name);
    await query.close();
  });

  test("an abort while an answer is awaited rejects with the signal's reason; a close with an AbortError", async (t) => {
    for (const how of ["abort", "close"]) {
      const abortController = new AbortController();
      const { query, cli } = play(t, [
        step.run((stage) => stage.expect({ request: { subtype: "set_model" } }).then(() => {}), ["set_model"]),
      ], {
        abortController,
      });
      const waiting = rejection(query.setModel("m"));
      await until(() => asked(cli).length === 1);
      const mine = new Error("mine");
      if (how === "abort") abortController.abort(mine);
      else await query.close();
      const error = await waiting;
      if (how === "abort") assert.strictEqual(error, mine);
      else assert.instanceOf(error, AbortError);
    }
  });

  test("what cannot be written is refused where it is asked, and the query goes on", async (t) => {
    const { query } = play(t, []);
    assert.propertyVal(await rejection(query.applyFlagSettings({ model: 1n as never })), "code", "unencodable_frame");
    await query.setModel("m");
  });
});
