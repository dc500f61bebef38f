/** Requests of ours: answers, errors, and everything a peer may get wrong about them. */

import { assert } from "chai";
import { ClaudeSDKError, ControlRequestError } from "../../src/core/errors/mod.ts";
import type { JsonObject } from "../../src/core/json.ts";
import { openChannel } from "../harness/channel_fixture.ts";
import { rejection, rejectsWith } from "../harness/rejects.ts";
import { suite } from "../harness/suite.ts";
import { settle } from "../harness/virtual_clock.ts";

export default suite("control channel: outbound requests", (test) => {
  test("a request travels in its envelope and resolves to the payload of its answer", async (t) => {
    const { peer, connection, clock } = openChannel(t);
    const answer = connection.request("set_model", { model: "opus" });
    const { id, request } = await peer.heardRequest("set_model");
    assert.deepEqual(request, { subtype: "set_model", model: "opus" });
    assert.deepEqual(Object.keys(peer.lines[0]!).sort(), ["request", "request_id", "type"]);
    assert.strictEqual(connection.pendingRequests, 1);
    peer.answer(id, { model: "claude-opus" });
    assert.deepEqual(await answer, { model: "claude-opus" });
    assert.strictEqual(connection.pendingRequests, 0);
    assert.strictEqual(clock.pending, 0, "no timer is left");
  });

  test("a field named subtype does not change what is asked", async (t) => {
    const { peer, connection } = openChannel(t);
    const answer = connection.request("interrupt", { subtype: "end_session" });
    const { id } = await peer.heardRequest("interrupt");
    peer.answer(id);
    await answer;
    assert.lengthOf(peer.lines, 1);
  });

  test("H09 ids are 10 to 13 characters of base36 and never repeat; answers are matched out of order", async (t) => {
    const { peer, connection } = openChannel(t);
    const answers = Array.from({ length: 500 }, (_, n) => connection.request("echo", { n }));
    await peer.heard((line) => (line.request as JsonObject).n === 499);
    const ids = peer.lines.map((line) => String(line.request_id));
    for (const id of ids) assert.match(id, /^[0-9a-z]{10,13}$/);
    assert.strictEqual(new Set(ids).size, 500);
    for (const line of [...peer.lines].reverse()) peer.answer(line.request_id, { n: (line.request as JsonObject).n });
    const got = await Promise.all(answers);
    assert.deepEqual(got.map((payload) => payload?.n), Array.from({ length: 500 }, (_, n) => n));
  });

  test("H11 a success without payload, with null, or with an empty one is done", async (t) => {
    const { peer, connection } = openChannel(t);
    peer.onLine = (line) => {
      const { kind } = line.request as JsonObject;
      if (kind === "empty") peer.answer(line.request_id, {});
      else peer.answer(line.request_id, kind === "null" ? null : undefined);
    };
    assert.isUndefined(await connection.request("stop_task", { kind: "missing" }));
    assert.isUndefined(await connection.request("stop_task", { kind: "null" }));
    assert.deepEqual(await connection.request("stop_task", { kind: "empty" }), {});
  });

  test("what stands beside the payload can be had", async (t) => {
    const { peer, connection } = openChannel(t);
    const answer = connection.requestWithEnvelope("initialize");
    const { id } = await peer.heardRequest("initialize");
    peer.answer(id, { pid: 7 }, { pending_permission_requests: [{ request_id: "a" }] });
    const { payload, envelope } = await answer;
    assert.deepEqual(payload, { pid: 7 });
    assert.deepEqual(envelope.pending_permission_requests, [{ request_id: "a" }]);
  });

  test("H10 an error answer rejects with its text and the CLI's word for it", async (t) => {
    const { peer, connection, clock } = openChannel(t);
    const answer = connection.request("set_permission_mode", { mode: "x" });
    const { id } = await peer.heardRequest("set_permission_mode");
    peer.answerError(id, "no such mode", { error_code: "invalid_mode", model: "m" });
    const error = await rejectsWith(answer, ControlRequestError);
    assert.strictEqual(error.message, "no such mode");
    assert.strictEqual(error.subtype, "set_permission_mode");
    assert.strictEqual(error.errorCode, "invalid_mode");
    assert.strictEqual(clock.pending, 0);
  });

  test("an error code that is no word, and an error without a text, are tolerated", async (t) => {
    for (const text of [{ deep: 1 }, ""]) {
      const { peer, connection } = openChannel(t);
      const answer = connection.request("set_model");
      const { id } = await peer.heardRequest("set_model");
      peer.answerError(id, text, { error_code: "Not A Word" });
      const error = await rejectsWith(answer, ControlRequestError);
      assert.isUndefined(error.errorCode);
      assert.isAbove(error.message.length, 0);
    }
  });

  for (
    const [name, response] of [
      ["an unknown kind of answer", { subtype: "maybe" }],
      ["a payload that is no object", { subtype: "success", response: [1] }],
    ] as const
  ) {
    test(`${name} rejects at once instead of leaving the caller to the deadline`, async (t) => {
      const { peer, connection } = openChannel(t);
      const answer = connection.request("mcp_status");
      const { id } = await peer.heardRequest("mcp_status");
      peer.say({ type: "control_response", response: { ...response, request_id: id } });
      const error = await rejectsWith(answer, ControlRequestError);
      assert.strictEqual(error.errorCode, "malformed_answer");
      assert.strictEqual(connection.pendingRequests, 0);
    });
  }

  test("H12 answers to nothing are reported and harm nothing", async (t) => {
    const { peer, connection, diagnostics } = openChannel(t);
    peer.answer("never asked", {});
    peer.answer(17, {});
    peer.say({ type: "control_response" }, { type: "control_response", response: "text" });
    peer.say({ type: "control_response", response: { subtype: "success" } });
    const answer = connection.request("mcp_status");
    const { id } = await peer.heardRequest("mcp_status");
    peer.answer(id, { first: true });
    peer.answer(id, { first: false });
    assert.deepEqual(await answer, { first: true });
    peer.end();
    await connection.ended;
    assert.deepEqual(
      diagnostics,
      ["never asked", "17", "", "", "", id].map((requestId) => ({ kind: "answer_unmatched", requestId })),
    );
  });

  test("an abort rejects with the signal's own reason, tells the peer, and leaves no listener and no timer", async (t) => {
    const { peer, connection, clock } = openChannel(t);
    const controller = new AbortController();
    const listeners = countListeners(controller.signal);
    const answer = connection.request("side_question", { question: "?" }, { signal: controller.signal });
    const { id } = await peer.heardRequest("side_question");
    assert.strictEqual(listeners(), 1);
    controller.abort("changed my mind");
    assert.strictEqual(await rejection(answer), "changed my mind");
    await peer.heard(({ type }) => type === "control_cancel_request");
    assert.deepEqual(peer.takenBack, [id]);
    assert.strictEqual(listeners(), 0);
    assert.strictEqual(clock.pending, 0);
    assert.strictEqual(connection.pendingRequests, 0);
  });

  test("an answer takes the listener off the signal; a later abort writes nothing", async (t) => {
    const { peer, connection } = openChannel(t);
    const controller = new AbortController();
    const listeners = countListeners(controller.signal);
    const answer = connection.request("mcp_status", {}, { signal: controller.signal });
    const { id } = await peer.heardRequest("mcp_status");
    peer.answer(id);
    await answer;
    assert.strictEqual(listeners(), 0);
    controller.abort();
    await settle();
    assert.lengthOf(peer.lines, 1);
  });

  test("a signal that is aborted already sends nothing", async (t) => {
    const { peer, connection } = openChannel(t);
    const reason = new Error("before");
    assert.strictEqual(
      await rejection(connection.request("interrupt", {}, { signal: AbortSignal.abort(reason) })),
      reason,
    );
    await settle();
    assert.lengthOf(peer.lines, 0);
  });

  test("a request that is given up before it was written is never written, nor taken back", async (t) => {
    const { peer, connection } = openChannel(t);
    peer.blockInput();
    const first = connection.request("first");
    const controller = new AbortController();
    const second = connection.request("second", {}, { signal: controller.signal });
    controller.abort("no");
    assert.strictEqual(await rejection(second), "no");
    peer.unblockInput();
    const third = connection.request("third");
    const { id } = await peer.heardRequest("third");
    peer.answer(peer.lines[0]!.request_id);
    peer.answer(id);
    await Promise.all([first, third]);
    assert.deepEqual(peer.lines.map((line) => (line.request as JsonObject).subtype), ["first", "third"]);
  });

  test("what JSON cannot carry is the caller's error and opens nothing", async (t) => {
    const { peer, connection, clock } = openChannel(t);
    const cycle: JsonObject = {};
    cycle.self = cycle;
    const error = await rejectsWith(connection.request("set_model", cycle), ClaudeSDKError);
    assert.strictEqual(error.code, "unencodable_frame");
    await rejectsWith(connection.send({ type: "user", n: 1n as never }), ClaudeSDKError);
    assert.strictEqual(connection.pendingRequests, 0);
    assert.strictEqual(clock.pending, 0);
    await settle();
    assert.lengthOf(peer.lines, 0);
  });

  test("lone surrogates going out are replaced", async (t) => {
    const { peer, connection } = openChannel(t);
    await connection.send({ type: "user", text: "a\ud800b" });
    assert.isFalse(new TextDecoder().decode(peer.chunks[0]).includes("\\ud800"));
    assert.strictEqual(peer.lines[0]?.text, "a\ufffdb");
  });
});

/** Counts the abort listeners of a signal from now on. */
function countListeners(signal: AbortSignal): () => number {
  const listeners = new Set<unknown>();
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (type: string, listener: EventListener, options?: AddEventListenerOptions) => {
    listeners.add(listener);
    add(type, listener, options);
  };
  signal.removeEventListener = (type: string, listener: EventListener) => {
    listeners.delete(listener);
    remove(type, listener);
  };
  return () => listeners.size;
}
