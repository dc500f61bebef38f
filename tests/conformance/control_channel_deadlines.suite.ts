/** How long an answer may take, under a clock of our own. */

import { assert } from "chai";
import { deferred } from "../../src/core/deferred.ts";
import { ControlTimeoutError } from "../../src/core/errors/mod.ts";
import type { JsonObject } from "../../src/core/json.ts";
import { resolveTimeouts } from "../../src/core/limits.ts";
import { deadlineFor } from "../../src/core/protocol/deadlines.ts";
import { type Channel, openChannel } from "../harness/channel_fixture.ts";
import { rejectsWith } from "../harness/rejects.ts";
import { suite } from "../harness/suite.ts";
import { until } from "../harness/until.ts";

export default suite("control channel: deadlines", (test) => {
  test("H08 a deaf peer: the request fails at its deadline, not before, names itself, and is taken back", async (t) => {
    const { peer, connection, clock } = openChannel(t);
    const outcome = watch(connection.request("interrupt"));
    const { id } = await peer.heardRequest("interrupt");
    await clock.pass(59_999);
    assert.isUndefined(outcome.settled);
    await clock.pass(1);
    const error = await rejectsWith(outcome.promise, ControlTimeoutError);
    assert.strictEqual(error.subtype, "interrupt");
    assert.strictEqual(error.timeoutMs, 60_000);
    assert.include(error.message, "interrupt");
    assert.isUndefined(error.cause);
    await peer.heard(({ type }) => type === "control_cancel_request");
    assert.deepEqual(peer.takenBack, [id]);
    assert.strictEqual(connection.pendingRequests, 0);
    assert.strictEqual(clock.pending, 0);
  });

  test("H08 an answer after the deadline is ignored and reported; the connection goes on", async (t) => {
    const { peer, connection, clock, diagnostics } = openChannel(t);
    const late = connection.request("mcp_status");
    const { id } = await peer.heardRequest("mcp_status");
    clock.advance(60_000);
    await rejectsWith(late, ControlTimeoutError);
    peer.answer(id, {});
    const next = connection.request("get_settings");
    peer.answer((await peer.heardRequest("get_settings")).id, { ok: true });
    assert.deepEqual(await next, { ok: true });
    assert.deepEqual(diagnostics, [{ kind: "answer_unmatched", requestId: id }]);
  });

  test("a request that was never written fails at its deadline too, and is then not written", async (t) => {
    const { peer, connection, clock } = openChannel(t);
    peer.blockInput();
    const prompt = connection.send({ type: "user" });
    const request = connection.request("interrupt");
    clock.advance(60_000);
    await rejectsWith(request, ControlTimeoutError);
    peer.unblockInput();
    await prompt;
    await connection.send({ type: "user" });
    assert.deepEqual(peer.lines.map(({ type }) => type), ["user", "user"]);
  });

  test("a deadline of its own, and none at all", async (t) => {
    const { connection, clock } = openChannel(t, { timeouts: { controlMs: Infinity } });
    const short = connection.request("interrupt", {}, { timeoutMs: 5 });
    const endless = watch(connection.request("interrupt"));
    clock.advance(5);
    assert.strictEqual((await rejectsWith(short, ControlTimeoutError)).timeoutMs, 5);
    await clock.pass(1e9);
    assert.isUndefined(endless.settled);
    connection.fail(new Error("over"));
    assert.strictEqual(clock.pending, 0);
  });

  test("H07 the table: what people and servers take their time for has longer; initialize has its own", () => {
    const timeouts = resolveTimeouts({ controlMs: 1_000, initializeMs: 7_000 });
    const ms = (subtype: string, fields = {}): number => deadlineFor(subtype, fields, timeouts);
    assert.strictEqual(ms("interrupt"), 1_000);
    assert.strictEqual(ms("anything_new"), 1_000);
    assert.strictEqual(ms("initialize"), 7_000);
    for (const subtype of ["mcp_set_servers", "mcp_reconnect", "mcp_toggle", "reload_plugins", "mcp_call"]) {
      assert.isAbove(ms(subtype), 1_000, subtype);
    }
    for (const subtype of ["set_model", "rewind_files", "side_question", "get_context_usage"]) {
      assert.isAbove(ms(subtype), 1_000, subtype);
    }
    for (const subtype of ["mcp_authenticate", "mcp_oauth_callback_url", "claude_oauth_wait_for_completion"]) {
      assert.strictEqual(ms(subtype), 600_000, subtype);
    }
    assert.strictEqual(ms("mcp_call", { timeout_ms: 90_000 }), 91_000);
    assert.strictEqual(deadlineFor("set_model", {}, resolveTimeouts({ controlMs: Infinity })), Infinity);
  });

  test("progress restarts the deadline of its request and of no other", async (t) => {
    const { peer, connection, clock } = openChannel(t, { timeouts: { controlMs: 1_000 } });
    const asked = watch(connection.request("get_plan"));
    const other = watch(connection.request("get_status"));
    const { id } = await peer.heardRequest("get_plan");
    await clock.pass(999);
    await say({ peer, connection }, { type: "system", subtype: "control_request_progress", request_id: id });
    await clock.pass(999);
    await rejectsWith(other.promise, ControlTimeoutError);
    assert.isUndefined(asked.settled);
    await clock.pass(1);
    await rejectsWith(asked.promise, ControlTimeoutError);
    assert.strictEqual(clock.pending, 0);
  });

  test("time in which a hook is reported running does not count towards initialize", async (t) => {
    const channel = openChannel(t);
    const { connection, clock } = channel;
    const ready = watch(connection.request("initialize"));
    await clock.pass(50_000);
    await say(channel, { type: "system", subtype: "hook_started", hook_id: "h1", hook_event: "SessionStart" });
    await say(channel, { type: "system", subtype: "hook_started", hook_id: "h2", hook_event: "Setup" });
    await clock.pass(200_000);
    await say(channel, { type: "system", subtype: "hook_response", hook_id: "h1" });
    await clock.pass(100_000);
    assert.isUndefined(ready.settled, "one hook still runs");
    await say(channel, { type: "system", subtype: "hook_response", hook_id: "h2" });
    await clock.pass(9_999);
    assert.isUndefined(ready.settled);
    await clock.pass(1);
    assert.strictEqual((await rejectsWith(ready.promise, ControlTimeoutError)).timeoutMs, 60_000);
    assert.strictEqual(clock.pending, 0);
  });

  test("the hook time that does not count is capped at 600 s in all", async (t) => {
    const channel = openChannel(t);
    const { connection, clock } = channel;
    const ready = watch(connection.request("initialize"));
    await say(channel, { type: "system", subtype: "hook_started", hook_id: "a" });
    await clock.pass(400_000);
    await say(channel, { type: "system", subtype: "hook_response", hook_id: "a" });
    await say(channel, { type: "system", subtype: "hook_started", hook_id: "b" });
    await clock.pass(200_000 + 59_999);
    assert.isUndefined(ready.settled);
    await clock.pass(1);
    await rejectsWith(ready.promise, ControlTimeoutError);
    assert.strictEqual(clock.pending, 0);
  });

  test("a hook of ours that the CLI waits for counts as running", async (t) => {
    const gate = deferred<JsonObject>();
    const channel = openChannel(t, { onRequest: () => gate.promise });
    const { peer, connection, clock } = channel;
    const ready = watch(connection.request("initialize"));
    peer.ask("hook", { subtype: "hook_callback" });
    await until(() => connection.openInbound === 1);
    await clock.pass(300_000);
    assert.isUndefined(ready.settled);
    gate.resolve({});
    await until(() => connection.openInbound === 0);
    await clock.pass(60_000);
    await rejectsWith(ready.promise, ControlTimeoutError);
  });

  test("hook time counts for every other request: an interrupt is answered or fails", async (t) => {
    const channel = openChannel(t);
    const { connection, clock } = channel;
    const asked = connection.request("interrupt");
    await say(channel, { type: "system", subtype: "hook_started", hook_id: "a" });
    clock.advance(60_000);
    await rejectsWith(asked, ControlTimeoutError);
  });

  test("an initialize that is answered while a hook runs leaves no timer, and the next one starts afresh", async (t) => {
    const channel = openChannel(t);
    const { peer, connection, clock } = channel;
    const first = connection.request("initialize");
    const { id } = await peer.heardRequest("initialize");
    await say(channel, { type: "system", subtype: "hook_started", hook_id: "lost" });
    peer.answer(id, {});
    await first;
    assert.strictEqual(clock.pending, 0);
    const second = connection.request("initialize");
    await say(channel, { type: "system", subtype: "hook_started", hook_id: "new" });
    await clock.pass(90_000);
    await say(channel, { type: "system", subtype: "hook_response", hook_id: "new" });
    clock.advance(60_000);
    await rejectsWith(second, ControlTimeoutError);
  });

  test("an answer in the very moment of the deadline settles once", async (t) => {
    const { peer, connection, clock } = openChannel(t);
    let settled = 0;
    const asked = connection.request("get_plan").then(() => settled++, () => settled++);
    const { id } = await peer.heardRequest("get_plan");
    clock.advance(60_000);
    peer.answer(id, {});
    await asked;
    await clock.pass(60_000);
    assert.strictEqual(settled, 1);
  });
});

/** A promise with a sign of whether it has settled. */
function watch<T>(promise: Promise<T>): { readonly promise: Promise<T>; settled: boolean | undefined } {
  const watched: { readonly promise: Promise<T>; settled: boolean | undefined } = { promise, settled: undefined };
  promise.then(() => watched.settled = true, () => watched.settled = false);
  return watched;
}

/** Says a frame and waits until it has been taken in. */
async function say({ peer, connection }: Pick<Channel, "peer" | "connection">, frame: JsonObject): Promise<void> {
  peer.say(frame);
  await connection.next();
}
