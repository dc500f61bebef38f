/** Requests of the other end: served once, answered at most once, taken back at any moment. */

import { assert } from "chai";
import { deferred } from "../../src/core/deferred.ts";
import type { JsonObject } from "../../src/core/json.ts";
import { ControlAnswerError, NEVER_ANSWERED, NO_ANSWER, UnsupportedRequestError } from "../../src/core/protocol/mod.ts";
import { type Channel, openChannel } from "../harness/channel_fixture.ts";
import type { ScriptedPeer } from "../harness/scripted_peer.ts";
import { suite } from "../harness/suite.ts";
import { until } from "../harness/until.ts";
import { settle } from "../harness/virtual_clock.ts";

export default suite("control channel: inbound requests", (test) => {
  test("a request is served with its fields and answered by id", async (t) => {
    const { peer, served, connection } = openChannel(t, { onRequest: () => Promise.resolve({ behavior: "allow" }) });
    peer.ask("u-1", { subtype: "can_use_tool", tool_name: "Bash" });
    await peer.heard(({ type }) => type === "control_response");
    assert.deepEqual(peer.lines, [
      {
        type: "control_response",
        response: { subtype: "success", request_id: "u-1", response: { behavior: "allow" } },
      },
    ]);
    assert.strictEqual(served[0]?.requestId, "u-1");
    assert.strictEqual(served[0]?.subtype, "can_use_tool");
    assert.deepEqual(served[0]?.fields, { subtype: "can_use_tool", tool_name: "Bash" });
    assert.isFalse(served[0]?.signal.aborted);
    await until(() => connection.openInbound === 0);
  });

  test("no payload is a success without one", async (t) => {
    const { peer } = openChannel(t);
    peer.ask("a", { subtype: "hook_callback" });
    await peer.heard(({ type }) => type === "control_response");
    assert.deepEqual(peer.answersTo("a"), [{ subtype: "success", request_id: "a" }]);
  });

  test("both directions at once: requests are served while initialize is in flight", async (t) => {
    const { peer, connection } = openChannel(t, { onRequest: ({ fields }) => Promise.resolve({ n: fields.n }) });
    const ready = connection.request("initialize");
    const { id } = await peer.heardRequest("initialize");
    peer.ask("mcp", { subtype: "mcp_message", n: 1 });
    await peer.heard(({ type }) => type === "control_response");
    assert.strictEqual(connection.pendingRequests, 1);
    peer.answer(id, { pid: 1 });
    assert.deepEqual(await ready, { pid: 1 });
  });

  test("the two directions have ids of their own: the same id may be open in both", async (t) => {
    const gate = deferred<JsonObject>();
    const { peer, connection } = openChannel(t, { onRequest: () => gate.promise });
    const answer = connection.request("mcp_status");
    const { id } = await peer.heardRequest("mcp_status");
    peer.ask(id, { subtype: "can_use_tool" });
    peer.answer(id, { ours: true });
    assert.deepEqual(await answer, { ours: true });
    gate.resolve({ theirs: true });
    await peer.heard(({ type }) => type === "control_response");
    assert.deepEqual(peer.answersTo(id)[0]?.response, { theirs: true });
  });

  test("H14 handlers run side by side and answer out of order; a slow one delays no message", async (t) => {
    const slow = deferred<JsonObject>();
    const { peer, connection } = openChannel(t, {
      onRequest: ({ requestId }) => requestId === "slow" ? slow.promise : Promise.resolve({}),
    });
    peer.ask("slow", { subtype: "can_use_tool" });
    peer.ask("fast", { subtype: "can_use_tool" });
    peer.say({ type: "assistant", n: 1 });
    await peer.heard(({ type }) => type === "control_response");
    assert.deepEqual((await connection.next()).value, { type: "assistant", n: 1 });
    assert.lengthOf(peer.answersTo("slow"), 0);
    assert.lengthOf(peer.answersTo("fast"), 1);
    slow.resolve({});
    await peer.heard(({ response }) => (response as JsonObject).request_id === "slow");
  });

  test("H13 an unknown subtype is answered as the protocol says, and the stream goes on", async (t) => {
    const { peer, connection, diagnostics } = openChannel(t, {
      onRequest: ({ subtype }) => Promise.reject(new UnsupportedRequestError(subtype)),
    });
    peer.ask("x", { subtype: "brand_new" });
    peer.say({ type: "user", n: 2 });
    await peer.heard(({ type }) => type === "control_response");
    assert.deepEqual(peer.answersTo("x"), [{
      subtype: "error",
      request_id: "x",
      error: "Unsupported control request subtype: brand_new",
      error_code: "unsupported_request",
    }]);
    assert.deepEqual((await connection.next()).value, { type: "user", n: 2 });
    assert.deepEqual(diagnostics.map(({ kind }) => kind), ["request_failed"]);
  });

  test("what a handler throws is the error answer, also when it throws at once or throws no error", async (t) => {
    const { peer, diagnostics } = openChannel(t, {
      onRequest: ({ requestId }) => {
        if (requestId === "sync") throw new TypeError("kaboom");
        if (requestId === "text") return Promise.reject("just text");
        if (requestId === "mute") return Promise.reject(new RangeError(""));
        return Promise.reject(new ControlAnswerError("not now", "busy"));
      },
    });
    for (const id of ["sync", "text", "mute", "coded"]) peer.ask(id, { subtype: "hook_callback" });
    await peer.heard(({ response }) => (response as JsonObject).request_id === "coded");
    assert.strictEqual(peer.answersTo("sync")[0]?.error, "kaboom");
    assert.strictEqual(peer.answersTo("text")[0]?.error, "just text");
    assert.strictEqual(peer.answersTo("mute")[0]?.error, "RangeError");
    assert.deepEqual(peer.answersTo("coded"), [
      { subtype: "error", request_id: "coded", error: "not now", error_code: "busy" },
    ]);
    assert.deepEqual(diagnostics.map((event) => event.kind === "request_failed" && event.requestId), [
      "sync",
      "text",
      "mute",
    ]);
  });

  test("a payload that cannot be written becomes an error answer", async (t) => {
    const { peer, connection } = openChannel(t, {
      onRequest: ({ requestId }) => {
        if (requestId === "array") return Promise.resolve([] as never);
        const cycle: JsonObject = {};
        cycle.self = requestId === "bigint" ? 1n as never : cycle;
        return Promise.resolve(cycle);
      },
    });
    for (const id of ["cycle", "bigint", "array"]) peer.ask(id, { subtype: "mcp_message" });
    await peer.heard(({ response }) => (response as JsonObject).request_id === "array");
    for (const id of ["cycle", "bigint", "array"]) {
      const [answer, ...more] = peer.answersTo(id);
      assert.strictEqual(answer?.subtype, "error");
      assert.strictEqual(answer?.error_code, "unencodable_answer");
      assert.lengthOf(more, 0);
    }
    await until(() => connection.openInbound === 0);
  });

  test("a numeric id is echoed as a number; a missing one is served and answered without", async (t) => {
    const { peer, connection, served } = openChannel(t, { onRequest: () => Promise.resolve({ ok: true }) });
    peer.ask(42, { subtype: "hook_callback" });
    peer.ask("42", { subtype: "hook_callback" });
    peer.say({ type: "control_request", request: { subtype: "hook_callback" } });
    peer.say({ type: "control_request", request_id: null, request: { subtype: "hook_callback" } });
    await barrier(peer);
    assert.deepEqual(served.map(({ requestId }) => requestId), [42, "42", undefined, undefined, "barrier"]);
    assert.lengthOf(peer.answersTo(42), 1);
    assert.lengthOf(peer.answersTo("42"), 1);
    const anonymous = peer.lines.filter(({ response }) => !("request_id" in (response as JsonObject)));
    assert.deepEqual(anonymous.map(({ response }) => response), [
      { subtype: "success", response: { ok: true } },
      { subtype: "success", response: { ok: true } },
    ]);
    await until(() => connection.openInbound === 0);
  });

  test("malformed control frames never crash: an error where an id is known, else a report", async (t) => {
    const { peer, connection, served, diagnostics } = openChannel(t);
    peer.say({ type: "control_request", request_id: "no-request" });
    peer.say({ type: "control_request", request_id: "text", request: "hook_callback" });
    peer.say({ type: "control_request", request_id: "no-subtype", request: {} });
    peer.say({ type: "control_request", request_id: "odd-subtype", request: { subtype: 5 } });
    peer.say({ type: "control_request" });
    peer.say({ type: "control_cancel_request" }, { type: "control_cancel_request", request_id: {} });
    await barrier(peer);
    for (const id of ["no-request", "text", "no-subtype", "odd-subtype"]) {
      assert.strictEqual(peer.answersTo(id)[0]?.subtype, "error");
      assert.strictEqual(peer.answersTo(id)[0]?.error_code, "invalid_request");
    }
    assert.lengthOf(peer.lines, 5);
    assert.deepEqual(served.map(({ requestId }) => requestId), ["barrier"]);
    assert.deepEqual(diagnostics.map(({ kind }) => kind), Array(7).fill("request_failed"));
    peer.say({ type: "user" });
    assert.deepEqual((await connection.next()).value, { type: "user" });
  });

  test("H15 a cancel aborts the request and forbids its answer, however the handler settles", async (t) => {
    const settles: Record<string, () => Promise<JsonObject>> = {
      resolves: () => Promise.resolve({ late: true }),
      throws: () => Promise.reject(new Error("late")),
    };
    const { peer, served, connection, diagnostics } = openChannel(t, {
      onRequest: async ({ requestId, signal }) => {
        if (requestId === "barrier") return {};
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        return await settles[String(requestId)]!();
      },
    });
    for (const id of Object.keys(settles)) {
      peer.ask(id, { subtype: "can_use_tool" });
      peer.takeBack(id);
    }
    await barrier(peer);
    assert.deepEqual(served.map(({ signal }) => signal.aborted), [true, true, false]);
    assert.strictEqual((served[0]?.signal.reason as Error).name, "AbortError");
    assert.lengthOf(peer.lines, 1);
    await until(() => connection.openInbound === 0);
    assert.deepEqual(diagnostics, []);
  });

  test("H15 a cancel forbids an answer that is ready but not written yet", async (t) => {
    const { peer, connection } = openChannel(t, { onRequest: () => Promise.resolve({}) });
    peer.blockInput();
    const prompt = connection.send({ type: "user" });
    peer.ask("a", { subtype: "can_use_tool" });
    peer.takeBack("a");
    peer.ask("b", { subtype: "can_use_tool" });
    await until(() => connection.openInbound === 1);
    peer.say({ type: "assistant" });
    await connection.next();
    peer.unblockInput();
    await prompt;
    await peer.heard(({ type }) => type === "control_response");
    await barrier(peer);
    assert.lengthOf(peer.answersTo("a"), 0);
    assert.lengthOf(peer.answersTo("b"), 1);
  });

  test("a cancel that overtakes its request is remembered: nothing runs, nothing is written", async (t) => {
    const { peer, served } = openChannel(t);
    peer.takeBack("early");
    peer.ask("early", { subtype: "can_use_tool" });
    peer.ask("early", { subtype: "can_use_tool" });
    await barrier(peer);
    assert.deepEqual(served.map(({ requestId }) => requestId), ["barrier"]);
    assert.lengthOf(peer.answersTo("early"), 0);
  });

  test("cancels that overtake are remembered in bounded memory: the last 1,024 (M29)", async (t) => {
    const { peer, served } = openChannel(t);
    peer.say(...Array.from({ length: 1_025 }, (_, n) => ({ type: "control_cancel_request", request_id: `c${n}` })));
    for (const id of ["c0", "c1", "c1024"]) peer.ask(id, { subtype: "can_use_tool" });
    await barrier(peer);
    assert.deepEqual(served.map(({ requestId }) => requestId), ["c0", "barrier"]);
  });

  test("H15 a cancel for an unknown or finished id does nothing", async (t) => {
    const { peer, served, connection, diagnostics } = openChannel(t);
    peer.ask("done", { subtype: "can_use_tool" });
    await peer.heard(({ type }) => type === "control_response");
    peer.takeBack("done");
    peer.takeBack("unknown");
    await barrier(peer);
    assert.isFalse(served[0]?.signal.aborted);
    await until(() => connection.openInbound === 0);
    assert.deepEqual(diagnostics, []);
  });

  test("H27 a repeated id runs nothing twice: while open, after its answer, and after its cancel", async (t) => {
    const gate = deferred<JsonObject>();
    const { peer, served } = openChannel(t, {
      onRequest: ({ requestId }) => requestId === "open" ? gate.promise : Promise.resolve({}),
    });
    peer.ask("open", { subtype: "can_use_tool" });
    peer.ask("open", { subtype: "can_use_tool" });
    await barrier(peer, "b1");
    gate.resolve({});
    await peer.heard(({ response }) => (response as JsonObject).request_id === "open");
    peer.ask("open", { subtype: "can_use_tool" });
    peer.takeBack("open");
    peer.ask("open", { subtype: "can_use_tool" });
    await barrier(peer, "b2");
    assert.deepEqual(served.map(({ requestId }) => requestId), ["open", "b1", "b2"]);
    assert.lengthOf(peer.answersTo("open"), 1);
  });

  test("a repeat of an answer given more than 1,024 requests ago is served anew (M29)", async (t) => {
    const { peer, served } = openChannel(t);
    for (let n = 0; n <= 1_024; n++) peer.ask(`r${n}`, { subtype: "hook_callback" });
    await peer.heard(({ response }) => (response as JsonObject).request_id === "r1024");
    peer.ask("r1", { subtype: "hook_callback" });
    peer.ask("r0", { subtype: "hook_callback" });
    await barrier(peer);
    assert.deepEqual(served.slice(1_025).map(({ requestId }) => requestId), ["r0", "barrier"]);
  });

  test("a request redelivered by another way is served unless it is or was served already (H26)", async (t) => {
    const gate = deferred<JsonObject>();
    const { peer, served, connection } = openChannel(t, {
      onRequest: ({ requestId }) => requestId === "barrier" ? Promise.resolve({}) : gate.promise,
    });
    peer.ask("a", { subtype: "can_use_tool" });
    await barrier(peer);
    for (const id of ["a", "b", "barrier"]) {
      connection.redeliver({ type: "control_request", request_id: id, request: { subtype: "can_use_tool" } });
    }
    assert.deepEqual(served.map(({ requestId }) => requestId), ["a", "barrier", "b"]);
    gate.resolve({});
    await peer.heard(({ response }) => (response as JsonObject).request_id === "b");
    assert.lengthOf(peer.answersTo("a"), 1);
  });

  test("a request left open is answered later, once", async (t) => {
    const { peer, connection } = openChannel(t, { onRequest: () => Promise.resolve(NO_ANSWER) });
    await askAndWait({ peer, connection }, "later");
    assert.strictEqual(connection.openInbound, 1);
    assert.isTrue(await connection.respond("later", { behavior: "allow" }));
    assert.isFalse(await connection.respond("later", { behavior: "deny" }));
    assert.isFalse(await connection.respond("unknown", {}));
    assert.deepEqual(peer.answersTo("later"), [
      { subtype: "success", request_id: "later", response: { behavior: "allow" } },
    ]);
    await until(() => connection.openInbound === 0);
  });

  test("a request left open can be answered with an error", async (t) => {
    const { peer, connection } = openChannel(t, { onRequest: () => Promise.resolve(NO_ANSWER) });
    await askAndWait({ peer, connection }, "later");
    assert.isTrue(await connection.respond("later", new ControlAnswerError("gave up", "gone")));
    assert.strictEqual(peer.answersTo("later")[0]?.error, "gave up");
    assert.strictEqual(peer.answersTo("later")[0]?.error_code, "gone");
  });

  test("H15 a request left open and taken back cannot be answered any more", async (t) => {
    const { peer, connection, served } = openChannel(t, { onRequest: () => Promise.resolve(NO_ANSWER) });
    await askAndWait({ peer, connection }, "later");
    peer.takeBack("later");
    await until(() => connection.openInbound === 0);
    assert.isTrue(served[0]?.signal.aborted);
    assert.isFalse(await connection.respond("later", {}));
    assert.lengthOf(peer.lines, 0);
  });

  test("a request that is never to be answered is forgotten: nothing is written, it cannot be answered, a repeat runs nothing", async (t) => {
    const { peer, connection, served } = openChannel(t, { onRequest: () => Promise.resolve(NEVER_ANSWERED) });
    peer.ask("never", { subtype: "can_use_tool" });
    await until(() => served.length === 1 && connection.openInbound === 0);
    assert.isFalse(await connection.respond("never", {}));
    connection.redeliver({ type: "control_request", request_id: "never", request: { subtype: "can_use_tool" } });
    await settle();
    assert.lengthOf(served, 1);
    assert.isFalse(served[0]?.signal.aborted);
    assert.lengthOf(peer.lines, 0);
  });

  test("a late answer waits in vain when its request is taken back before it is written", async (t) => {
    const { peer, connection } = openChannel(t, { onRequest: () => Promise.resolve(NO_ANSWER) });
    await askAndWait({ peer, connection }, "later");
    peer.blockInput();
    const prompt = connection.send({ type: "user" });
    const answered = connection.respond("later", {});
    peer.takeBack("later");
    assert.isFalse(await answered);
    peer.unblockInput();
    await prompt;
    assert.lengthOf(peer.answersTo("later"), 0);
  });

  test("a cancel that comes while the answer is being written changes nothing", async (t) => {
    const { peer, connection, served } = openChannel(t, { onRequest: () => Promise.resolve(NO_ANSWER) });
    await askAndWait({ peer, connection }, "later");
    peer.blockInput();
    const answered = connection.respond("later", { behavior: "allow" });
    peer.takeBack("later");
    peer.say({ type: "user" });
    await connection.next();
    assert.isFalse(served[0]?.signal.aborted);
    peer.unblockInput();
    assert.isTrue(await answered);
    assert.lengthOf(peer.answersTo("later"), 1);
    await until(() => connection.openInbound === 0);
  });

  test("a request may be answered while its handler still works; what that settles to is dropped", async (t) => {
    const gate = deferred<JsonObject>();
    const { peer, connection } = openChannel(t, {
      onRequest: ({ subtype }) => subtype === "barrier" ? Promise.resolve({}) : gate.promise,
    });
    await askAndWait({ peer, connection }, "a");
    peer.blockInput();
    const answered = connection.respond("a", { by: "respond" });
    assert.isFalse(await connection.respond("a", { by: "another" }), "it is being answered");
    gate.resolve({ by: "handler" });
    await settle();
    peer.unblockInput();
    assert.isTrue(await answered);
    await barrier(peer);
    assert.deepEqual(peer.answersTo("a").map(({ response }) => response), [{ by: "respond" }]);
  });

  test("a request without an id cannot be left open", async (t) => {
    const { peer, connection, served } = openChannel(t, { onRequest: () => Promise.resolve(NO_ANSWER) });
    peer.say({ type: "control_request", request: { subtype: "can_use_tool" } });
    await until(() => served.length === 1 && connection.openInbound === 0);
    assert.lengthOf(peer.lines, 0);
  });
});

/** Waits until everything said so far has been taken in: what is said next is answered after it. */
async function barrier(peer: ScriptedPeer, id = "barrier"): Promise<void> {
  peer.ask(id, { subtype: "barrier" });
  await peer.heard(({ response }) => (response as JsonObject | undefined)?.request_id === id);
}

async function askAndWait({ peer, connection }: Pick<Channel, "peer" | "connection">, id: string): Promise<void> {
  peer.ask(id, { subtype: "can_use_tool" });
  await until(() => connection.openInbound === 1);
}
