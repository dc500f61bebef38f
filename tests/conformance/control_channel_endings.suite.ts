/** How a connection ends: output over, input broken, failed from our side, drained; with things pending. */

import { assert } from "chai";
import { CLIConnectionError, MessageTooLargeError } from "../../src/core/errors/mod.ts";
import type { JsonObject } from "../../src/core/json.ts";
import { Connection, NO_ANSWER } from "../../src/core/protocol/mod.ts";
import { openChannel, takeAll } from "../harness/channel_fixture.ts";
import { rejection, rejectsWith } from "../harness/rejects.ts";
import { suite } from "../harness/suite.ts";
import { until } from "../harness/until.ts";
import { settle } from "../harness/virtual_clock.ts";

export default suite("control channel: endings", (test) => {
  test("nothing is read before the start", async (t) => {
    const { peer, connection, diagnostics } = openChannel(t);
    const idle = new Connection({
      readable: new ReadableStream({ pull: () => assert.fail("nobody started") }, { highWaterMark: 0 }),
      writable: new WritableStream(),
      limits: { maxMessageBytes: 100, queueBytes: 100, stderrTailBytes: 1 },
      timeouts: {} as never,
      onDiagnostic: (event) => diagnostics.push(event),
      onRequest: () => Promise.resolve(undefined),
    });
    await settle();
    const never = idle.next();
    idle.fail(new Error("unused"));
    assert.deepEqual(await never, { done: true, value: undefined });
    assert.strictEqual(((await idle.ended).error as Error).message, "unused");
    idle.start();
    peer.end();
    assert.deepEqual(await connection.ended, { halfRecordBytes: 0, unsentLines: 0 });
  });

  test("output ends: messages are handed out first, then there is no more", async (t) => {
    const { peer, connection } = openChannel(t);
    peer.say({ type: "user", n: 1 }, { type: "assistant", n: 2 });
    peer.end();
    assert.deepEqual(await connection.ended, { halfRecordBytes: 0, unsentLines: 0 });
    assert.deepEqual((await takeAll(connection)).map(({ n }) => n), [1, 2]);
    assert.deepEqual(await connection.next(), { done: true, value: undefined });
  });

  test("output ends inside a record: its bytes are told", async (t) => {
    const { peer, connection } = openChannel(t);
    peer.sayText('{"type":"user"}\n{"type":"assist');
    peer.end();
    assert.strictEqual((await connection.ended).halfRecordBytes, 15);
    assert.lengthOf(await takeAll(connection), 1);
  });

  test("H16 output ends with requests open on both sides: each settles at once", async (t) => {
    const { peer, connection, served, clock } = openChannel(t, { onRequest: () => Promise.resolve(NO_ANSWER) });
    const requests = [connection.request("initialize"), connection.request("set_model")];
    peer.ask("a", { subtype: "can_use_tool" });
    await until(() => served.length === 1);
    peer.end();
    for (const request of requests) {
      assert.strictEqual((await rejectsWith(request, CLIConnectionError)).code, "connection_closed");
    }
    assert.isTrue(served[0]?.signal.aborted);
    assert.isFalse(await connection.respond("a", {}));
    assert.strictEqual((await rejectsWith(connection.request("late"), CLIConnectionError)).code, "connection_closed");
    assert.strictEqual(connection.pendingRequests + connection.openInbound, 0);
    assert.strictEqual(clock.pending, 0);
  });

  test("H16 the owner may name the real cause, and take its time to find it", async (t) => {
    const cause = new Error("exit code 7");
    for (const explain of [() => Promise.resolve(cause), () => Promise.reject(cause)]) {
      const { peer, connection } = openChannel(t, { explainEnd: explain });
      const request = connection.request("set_model");
      await peer.heardRequest("set_model");
      peer.end();
      assert.strictEqual(await rejection(request), cause);
      assert.strictEqual(await rejection(connection.request("late")), cause);
    }
  });

  test("output breaks: what was said before is handed out, and the error is told", async (t) => {
    const { peer, connection } = openChannel(t);
    const request = connection.request("mcp_status");
    await peer.heardRequest("mcp_status");
    const error = new Error("connection reset");
    peer.say({ type: "user" });
    peer.break(error);
    assert.strictEqual((await connection.ended).error, error);
    assert.lengthOf(await takeAll(connection), 1);
    assert.strictEqual(await rejection(request), error);
  });

  test("a frame past the limit ends reading with a typed error; what came before is handed out", async (t) => {
    const { peer, connection } = openChannel(t, { limits: { maxMessageBytes: 100 } });
    const request = connection.request("mcp_status");
    peer.say({ type: "user", n: 1 }, { type: "user", text: "x".repeat(100) }, { type: "user", n: 3 });
    const { error } = await connection.ended;
    assert.instanceOf(error, MessageTooLargeError);
    assert.deepEqual((await takeAll(connection)).map(({ n }) => n), [1]);
    await rejectsWith(request, MessageTooLargeError);
    await until(() => peer.cancelled !== undefined);
  });

  test("an answer behind the limit's victim is lost, but nobody waits for it", async (t) => {
    const { peer, connection, clock } = openChannel(t, { limits: { maxMessageBytes: 100 } });
    const request = connection.request("mcp_status");
    const { id } = await peer.heardRequest("mcp_status");
    peer.say({ type: "user", text: "x".repeat(100) }, {
      type: "control_response",
      response: { subtype: "success", request_id: id },
    });
    await rejectsWith(request, MessageTooLargeError);
    assert.strictEqual(clock.pending, 0);
  });

  test("F01 writes never interleave: each is one whole line, in order", async (t) => {
    const { peer, connection } = openChannel(t);
    await Promise.all(Array.from({ length: 50 }, (_, n) => connection.send({ type: "user", n })));
    assert.lengthOf(peer.chunks, 50);
    assert.deepEqual(peer.lines.map(({ n }) => n), Array.from({ length: 50 }, (_, n) => n));
    for (const chunk of peer.chunks) assert.strictEqual(chunk.indexOf(10), chunk.length - 1);
  });

  test("control frames overtake prompts, and a prompt is sent when the sink has taken it", async (t) => {
    const { peer, connection } = openChannel(t, { onRequest: () => Promise.resolve({}) });
    peer.blockInput();
    const sent: number[] = [];
    for (const n of [1, 2, 3]) void connection.send({ type: "user", n }).then(() => sent.push(n));
    const request = connection.request("interrupt");
    peer.ask("a", { subtype: "can_use_tool" });
    await until(() => connection.openInbound === 1);
    await settle();
    assert.deepEqual(sent, []);
    assert.strictEqual(connection.unsentLines, 3);
    peer.unblockInput();
    await until(() => sent.length === 3);
    assert.deepEqual(peer.lines.map(({ type, n }) => n ?? type), [1, "control_request", "control_response", 2, 3]);
    assert.strictEqual(connection.unsentLines, 0);
    peer.answer(peer.lines[1]?.request_id);
    await request;
  });

  test("a writer that blocks does not block reading", async (t) => {
    const { peer, connection } = openChannel(t);
    peer.blockInput();
    const prompt = rejection(connection.send({ type: "user" }));
    for (let n = 0; n < 100; n++) peer.say({ type: "assistant", n });
    for (let n = 0; n < 100; n++) assert.strictEqual((await connection.next()).value?.n, n);
    connection.fail("enough");
    assert.strictEqual(await prompt, "enough");
  });

  test("F03 a pipe that breaks fails whatever is not written, and at the end of output all that has no answer", async (t) => {
    const told: unknown[] = [];
    const { peer, connection, served, clock, diagnostics } = openChannel(t, {
      onRequest: () => Promise.resolve(NO_ANSWER),
      onInputError: (error) => told.push(error),
    });
    const request = connection.request("initialize");
    peer.ask("a", { subtype: "can_use_tool" });
    await until(() => served.length === 1);
    const epipe = new Error("EPIPE");
    peer.breakInput(epipe);
    const sends = [connection.send({ type: "user", n: 1 }), connection.send({ type: "user", n: 2 })];
    const isLost = async (promise: Promise<unknown>): Promise<void> => {
      const error = await rejectsWith(promise, CLIConnectionError);
      assert.strictEqual(error.code, "write_failed");
      assert.strictEqual(error.cause, epipe);
    };
    for (const promise of [...sends, connection.send({ type: "user" }), connection.request("late")]) {
      await isLost(promise);
    }
    assert.isTrue(served[0]?.signal.aborted);
    assert.isTrue(connection.inputEnded);
    assert.strictEqual(connection.pendingRequests, 1, "it was written: its answer may be on its way");
    peer.say({ type: "assistant", last: "words" });
    peer.ask("b", { subtype: "can_use_tool" });
    peer.end();
    const end = await connection.ended;
    await isLost(request);
    assert.isUndefined(end.error);
    assert.strictEqual(end.unsentLines, 3);
    assert.strictEqual(end.inputError, connection.inputError);
    assert.deepEqual(told, [connection.inputError]);
    assert.deepEqual((await takeAll(connection)).map(({ last }) => last), ["words"]);
    assert.deepEqual(served.map(({ requestId }) => requestId), ["a"], "nobody could hear an answer");
    assert.deepEqual(diagnostics.map((event) => event.kind === "request_failed" && event.requestId), ["b"]);
    assert.strictEqual(clock.pending, 0);
    await connection.endInput();
  });

  test("H16 once it is known why the pipe broke, later requests are told that", async (t) => {
    const cause = new Error("exit code 7");
    const { peer, connection } = openChannel(t, { explainEnd: () => cause });
    peer.breakInput(new Error("EPIPE"));
    assert.strictEqual((await rejectsWith(connection.request("first"), CLIConnectionError)).code, "write_failed");
    peer.end();
    assert.strictEqual((await connection.ended).unsentLines, 0);
    await settle();
    assert.strictEqual(await rejection(connection.request("late")), cause);
  });

  test("a pipe that breaks between two writes is noticed, and an answer that was on its way still comes", async (t) => {
    const told: unknown[] = [];
    const { peer, connection } = openChannel(t, { onInputError: (error) => told.push(error) });
    const [answered, lost] = [connection.request("mcp_status"), connection.request("set_model")];
    // Its rejection comes in its own time.
    lost.catch(() => {});
    const { id } = await peer.heardRequest("mcp_status");
    await peer.heardRequest("set_model");
    await settle();
    peer.breakIdleInput(new Error("EPIPE"));
    await until(() => told.length === 1);
    peer.answer(id, { servers: 0 });
    peer.end();
    assert.deepEqual(await answered, { servers: 0 });
    assert.strictEqual((await rejectsWith(lost, CLIConnectionError)).code, "write_failed");
  });

  test("an answer that cannot be written any more is told to who gave it", async (t) => {
    const { peer, connection } = openChannel(t, { onRequest: () => Promise.resolve(NO_ANSWER) });
    peer.ask("a", { subtype: "can_use_tool" });
    await until(() => connection.openInbound === 1);
    peer.breakInput(new Error("EPIPE"));
    assert.isFalse(await connection.respond("a", {}));
    assert.strictEqual(connection.openInbound, 0);
  });

  test("F04 ending input comes after everything queued, is idempotent, and forbids further lines", async (t) => {
    const { peer, connection } = openChannel(t);
    const sent = [connection.send({ type: "user", n: 1 }), connection.send({ type: "user", n: 2 })];
    const ends = [connection.endInput(), connection.endInput()];
    assert.isTrue(connection.inputEnded);
    assert.strictEqual(
      (await rejectsWith(connection.send({ type: "user", n: 3 }), CLIConnectionError)).code,
      "input_ended",
    );
    assert.strictEqual((await rejectsWith(connection.request("late"), CLIConnectionError)).code, "input_ended");
    await Promise.all([...sent, ...ends, connection.endInput()]);
    assert.isTrue(peer.inputEnded);
    assert.deepEqual(peer.lines.map(({ n }) => n), [1, 2]);
    assert.strictEqual(connection.pendingRequests, 0);
  });

  test("F04 ending input tolerates a pipe that died before or meanwhile", async (t) => {
    const before = openChannel(t);
    before.peer.breakIdleInput(new Error("EPIPE"));
    await before.connection.endInput();
    const meanwhile = openChannel(t);
    meanwhile.peer.blockInput();
    const lost = rejectsWith(meanwhile.connection.send({ type: "user" }), CLIConnectionError);
    const ended = meanwhile.connection.endInput();
    meanwhile.peer.breakInput(new Error("EPIPE"));
    await ended;
    assert.strictEqual((await lost).code, "write_failed");
    const idle = openChannel(t);
    idle.peer.breakInput(new Error("EPIPE"));
    await idle.connection.endInput();
    assert.isUndefined(idle.connection.inputError, "nothing was lost");
  });

  test("after the end of input output is still read and requests still served; their answers go nowhere", async (t) => {
    const { peer, connection, served } = openChannel(t, { onRequest: () => Promise.resolve({}) });
    await connection.endInput();
    peer.ask("hook", { subtype: "hook_callback" });
    peer.say({ type: "result" });
    assert.strictEqual((await connection.next()).value?.type, "result");
    assert.strictEqual(served.length, 1);
    await until(() => connection.openInbound === 0);
    peer.end();
    assert.deepEqual(await connection.ended, { halfRecordBytes: 0, unsentLines: 0 });
  });

  test("lines that the other end never took are told when its output ends", async (t) => {
    const { peer, connection } = openChannel(t);
    peer.blockInput();
    const lost = ["a", "b"].map((text) => rejection(connection.send({ type: "user", text })));
    peer.end();
    assert.strictEqual((await connection.ended).unsentLines, 2);
    connection.fail("gone");
    assert.deepEqual(await Promise.all(lost), ["gone", "gone"]);
  });

  test("a line sent to a pipe that is broken already counts as never taken", async (t) => {
    const { peer, connection } = openChannel(t);
    peer.breakIdleInput(new Error("EPIPE"));
    await until(() => connection.inputEnded);
    assert.strictEqual((await rejectsWith(connection.send({ type: "user" }), CLIConnectionError)).code, "write_failed");
    peer.end();
    assert.strictEqual((await connection.ended).unsentLines, 1);
  });

  test("failing settles everything with that error, gives both pipes up, and hands out what was queued", async (t) => {
    const { peer, connection, served, clock } = openChannel(t, { onRequest: () => Promise.resolve(NO_ANSWER) });
    peer.say({ type: "user", n: 1 }, { type: "user", n: 2 });
    peer.ask("a", { subtype: "can_use_tool" });
    await until(() => served.length === 1);
    peer.blockInput();
    const request = connection.request("initialize");
    const send = connection.send({ type: "user" });
    const answer = connection.respond("a", {});
    const error = new Error("over");
    connection.fail(error);
    connection.fail(new Error("again"));
    assert.strictEqual(await rejection(request), error);
    assert.strictEqual(await rejection(send), error);
    assert.strictEqual(await rejection(connection.request("late")), error);
    assert.strictEqual(await rejection(connection.send({ type: "user" })), error);
    assert.isFalse(await answer);
    assert.strictEqual(served[0]?.signal.reason, error);
    assert.deepEqual(await connection.ended, { halfRecordBytes: 0, unsentLines: 1, error });
    assert.deepEqual((await takeAll(connection)).map(({ n }) => n), [1, 2]);
    await until(() => peer.cancelled !== undefined);
    assert.strictEqual(peer.cancelled?.reason, error);
    peer.unblockInput();
    await until(() => peer.inputAborted !== undefined);
    assert.strictEqual(connection.pendingRequests + connection.openInbound + clock.pending, 0);
    await connection.endInput();
  });

  test("failing ends the wait of consumers", async (t) => {
    const { connection } = openChannel(t);
    const waiting = [connection.next(), connection.next()];
    connection.fail(new Error("over"));
    assert.deepEqual(await Promise.all(waiting), [{ done: true, value: undefined }, { done: true, value: undefined }]);
  });

  test("an observer that throws fails the connection with what it threw", async (t) => {
    const bug = new Error("bug");
    const throws = (): never => {
      throw bug;
    };
    const observed = openChannel(t, { onFrame: throws });
    observed.peer.say({ type: "system" });
    const active = openChannel(t, { onActivity: throws });
    active.peer.say({ type: "user" });
    const broken = openChannel(t, { onInputError: throws });
    broken.peer.breakIdleInput(new Error("EPIPE"));
    const late = openChannel(t, { onFrame: throws });
    late.peer.sayText('{"type":"user","type":"system"}\n');
    assert.isTrue((await late.connection.next()).done);
    for (const { connection } of [observed, active, broken, late]) {
      assert.strictEqual((await connection.ended).error, bug);
      assert.deepEqual(await takeAll(connection), []);
    }
  });

  test("a listener for reading that stands still throws: the connection fails, the consumer is spared", async (t) => {
    for (const when of [true, false]) {
      const bug = new Error("bug");
      const { peer, connection } = openChannel(t, {
        limits: { queueBytes: 10 },
        onReadingPaused: (paused) => {
          if (paused === when) throw bug;
        },
      });
      peer.say({ type: "user", n: 1 }, { type: "user", n: 2 });
      peer.end();
      await until(() => connection.received === 1);
      assert.strictEqual((await connection.next()).value?.n, 1);
      const second = await connection.next();
      assert.strictEqual((await connection.ended).error, bug);
      assert.strictEqual(second.value?.n, when ? undefined : 2);
    }
  });

  test("a listener for diagnostics that throws is not listened to any more, and ends nothing", async (t) => {
    const { peer, connection } = openChannel(t, {
      onDiagnostic: () => {
        throw new Error("bug");
      },
    });
    peer.answer("x");
    peer.answer("y");
    peer.sayText("noise\n");
    peer.say({ type: "control_request" }, { type: "user" });
    peer.end();
    assert.lengthOf(await takeAll(connection), 1);
    assert.isUndefined((await connection.ended).error);
  });

  test("draining: open ones settle, prompts are dropped, the farewell goes out, input ends, output is read on", async (t) => {
    const seen: unknown[] = [];
    const { peer, connection, served, clock, diagnostics } = openChannel(t, {
      onRequest: () => Promise.resolve(NO_ANSWER),
      onFrame: (frame) => {
        seen.push(frame.type);
        return "deliver";
      },
      limits: { queueBytes: 100 },
    });
    peer.ask("a", { subtype: "can_use_tool" });
    await until(() => served.length === 1);
    peer.say({ type: "user", text: "x".repeat(100) });
    await until(() => connection.readingPaused);
    peer.blockInput();
    const first = connection.send({ type: "user", n: 1 });
    const second = connection.send({ type: "user", n: 2 });
    const request = connection.request("mcp_status");
    const reason = new Error("closing");
    connection.drain(reason, { subtype: "interrupt", fields: { cancel_queued: true } });
    connection.drain(new Error("again"));
    assert.strictEqual(await rejection(request), reason);
    assert.strictEqual(await rejection(second), reason);
    assert.strictEqual(served[0]?.signal.reason, reason);
    assert.strictEqual((await connection.next()).value?.type, "user", "what was queued is still handed out");
    assert.deepEqual(await connection.next(), { done: true, value: undefined });
    peer.unblockInput();
    await first;
    await until(() => peer.inputEnded);
    assert.deepEqual(peer.lines.map(({ n, request }) => n ?? (request as JsonObject).subtype), [1, "interrupt"]);
    peer.answer(peer.lines[1]?.request_id, { still_queued: [] });
    for (let n = 0; n < 20; n++) peer.say({ type: "user", text: "x".repeat(100) });
    peer.ask("b", { subtype: "hook_callback" });
    peer.say({ type: "result" }, { type: "transcript_mirror" });
    peer.end();
    assert.deepEqual(await connection.ended, { halfRecordBytes: 0, unsentLines: 1 });
    assert.deepEqual(seen.filter((type) => type !== "user"), ["result", "transcript_mirror"]);
    assert.lengthOf(served, 1);
    assert.deepEqual(diagnostics.filter(({ kind }) => kind !== "consumer_stalled"), []);
    assert.strictEqual(await rejection(connection.request("late")), reason);
    assert.strictEqual(connection.pendingRequests + connection.openInbound + clock.pending, 0);
  });

  test("H17 control frames, keep-alives and the mirror never reach the consumer; the observer hides what it likes", async (t) => {
    const seen: unknown[] = [];
    const { peer, connection } = openChannel(t, {
      onFrame: (frame) => {
        seen.push(frame.subtype ?? frame.type);
        return frame.sdk_host_only === true ? "hide" : "deliver";
      },
    });
    peer.ask("a", { subtype: "hook_callback" });
    peer.takeBack("x");
    peer.answer("y");
    peer.say({ type: "keep_alive" }, { type: "transcript_mirror", entries: [] });
    peer.say({ type: "system", subtype: "session_state_changed", sdk_host_only: true });
    peer.say({ type: "system", subtype: "status" }, { type: "brand_new_kind" }, { no: "type" }, { type: "result" });
    peer.end();
    const taken = await takeAll(connection);
    assert.deepEqual(taken.map(({ type, no }) => no ?? type), ["system", "brand_new_kind", "type", "result"]);
    assert.deepEqual(seen, [
      "transcript_mirror",
      "session_state_changed",
      "status",
      "brand_new_kind",
      undefined,
      "result",
    ]);
    assert.strictEqual(connection.received, 4);
  });

  test("bytes are told as activity", async (t) => {
    let heard = 0;
    const { peer, connection } = openChannel(t, { onActivity: () => heard++ });
    peer.sayText('{"type":');
    peer.sayText('"user"}\n{"type":"user"}\n');
    await connection.next();
    await connection.next();
    assert.strictEqual(heard, 2);
  });
});
