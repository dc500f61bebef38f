/** Nobody takes the messages: how far is read ahead, and what waits with them (D16). */

import { assert } from "chai";
import { ClaudeSDKError, ControlTimeoutError } from "../../src/core/errors/mod.ts";
import type { JsonObject } from "../../src/core/json.ts";
import { type Channel, openChannel, takeAll } from "../harness/channel_fixture.ts";
import { rejectsWith } from "../harness/rejects.ts";
import { suite } from "../harness/suite.ts";
import { until } from "../harness/until.ts";
import { settle } from "../harness/virtual_clock.ts";

/** Wire bytes of the frames used here, and the bound that holds ten of them. */
const FRAME = 100;
const BOUND = 10 * FRAME;

export default suite("back-pressure", (test) => {
  test("reading stops at the bound, which counts wire bytes, and the rest stays with its source", async (t) => {
    const { peer, connection, diagnostics, pauses } = openChannel(t, { limits: { queueBytes: BOUND } });
    for (let n = 0; n < 50; n++) peer.say(data(n));
    await until(() => connection.readingPaused);
    await settle();
    assert.strictEqual(connection.queuedBytes, BOUND);
    assert.strictEqual(peer.chunksTaken, 10);
    assert.deepEqual(pauses, [true]);
    assert.deepEqual(diagnostics, [{ kind: "consumer_stalled", queuedBytes: BOUND, limitBytes: BOUND }]);
  });

  test("a consumer that takes lets reading go on; every message comes, in order, within the bound", async (t) => {
    const { peer, connection, pauses } = openChannel(t, { limits: { queueBytes: BOUND } });
    for (let n = 0; n < 500; n++) peer.say(data(n));
    peer.end();
    await until(() => connection.readingPaused);
    for (let n = 0; n < 500; n++) {
      assert.isAtMost(connection.queuedBytes, BOUND);
      assert.strictEqual((await connection.next()).value?.n, n);
      if (n % 7 === 0) await settle();
    }
    assert.isTrue((await connection.next()).done);
    assert.isFalse(connection.readingPaused);
    assert.deepEqual(pauses.filter((paused, at) => paused !== (at % 2 === 0)), [], "stops and starts alternate");
  });

  test("reading goes on when there is room for more than what was held", async (t) => {
    const { peer, connection, pauses } = openChannel(t, { limits: { queueBytes: BOUND } });
    peer.say(...Array.from({ length: 15 }, (_, n) => data(n)));
    await until(() => connection.readingPaused);
    await takeNumbers(connection, 5);
    await settle();
    assert.strictEqual(connection.queuedBytes, BOUND);
    assert.deepEqual(pauses, [true]);
    await takeNumbers(connection, 1);
    await settle();
    assert.deepEqual(pauses, [true, false]);
  });

  test("thousands of messages queue and come in order, taken in any rhythm", async (t) => {
    const { peer, connection } = openChannel(t);
    const numbers = Array.from({ length: 5_000 }, (_, n) => n);
    peer.say(...numbers.slice(0, 4_000).map((n) => data(n)));
    await until(() => connection.received === 4_000);
    const taken = await takeNumbers(connection, 2_500);
    peer.say(...numbers.slice(4_000).map((n) => data(n)));
    await until(() => connection.received === 5_000);
    taken.push(...await takeNumbers(connection, 2_500));
    assert.deepEqual(taken, numbers);
    assert.strictEqual(connection.queuedBytes, 0);
  });

  test("an observer that asks something while held frames are taken in does not change their order", async (t) => {
    const answers: Promise<unknown>[] = [];
    const { peer, connection } = openChannel(t, {
      limits: { queueBytes: BOUND },
      onFrame: (frame) => {
        if (frame.type === "system") answers.push(connection.request("get_status"));
        return "deliver";
      },
    });
    peer.onLine = (line) => peer.answer(line.request_id);
    peer.say(...Array.from({ length: 12 }, (_, n) => data(n)), { type: "system", n: 12 }, data(13), data(14));
    await until(() => connection.readingPaused);
    assert.deepEqual(await takeNumbers(connection, 15), Array.from({ length: 15 }, (_, n) => n));
    await Promise.all(answers);
    assert.lengthOf(answers, 1);
  });

  test("a stall is reported once, and again only after the queue has been half empty", async (t) => {
    const { peer, connection, diagnostics } = openChannel(t, { limits: { queueBytes: BOUND } });
    for (let n = 0; n < 40; n++) peer.say(data(n));
    await until(() => connection.readingPaused);
    for (let n = 0; n < 8; n++) {
      await connection.next();
      await until(() => connection.readingPaused);
    }
    assert.lengthOf(diagnostics, 1);
    await Promise.all(Array.from({ length: 9 }, () => connection.next()));
    await until(() => connection.readingPaused);
    assert.lengthOf(diagnostics, 2);
  });

  test("one frame larger than the bound passes when nothing else waits, and stops reading", async (t) => {
    const { peer, connection } = openChannel(t, { limits: { queueBytes: BOUND } });
    peer.say(data(0, 5 * BOUND));
    peer.say(data(1));
    await until(() => connection.readingPaused);
    assert.strictEqual(connection.queuedBytes, 5 * BOUND);
    assert.strictEqual(peer.chunksTaken, 1);
    assert.strictEqual((await connection.next()).value?.n, 0);
    assert.strictEqual((await connection.next()).value?.n, 1);
  });

  test("a frame that would pass the bound waits until there is room for it", async (t) => {
    const { peer, connection } = openChannel(t, { limits: { queueBytes: BOUND } });
    peer.say(data(0), data(1, BOUND - FRAME + 1), data(2));
    await until(() => connection.readingPaused);
    assert.strictEqual(connection.queuedBytes, FRAME);
    assert.deepEqual(await takeNumbers(connection, 3), [0, 1, 2]);
  });

  test("a consumer that waits is given its message past the queue", async (t) => {
    const { peer, connection, pauses } = openChannel(t, { limits: { queueBytes: 1 } });
    const waiting = [connection.next(), connection.next(), connection.next()];
    peer.say(data(0), data(1), data(2));
    const got = await Promise.all(waiting);
    assert.deepEqual(got.map(({ value }) => value?.n), [0, 1, 2]);
    assert.strictEqual(connection.queuedBytes, 0);
    assert.deepEqual(pauses, []);
  });

  test("what the CLI asks waits behind the messages, wherever the chunks were cut", async (t) => {
    for (const oneChunk of [true, false]) {
      const { peer, connection, served } = openChannel(t, { limits: { queueBytes: BOUND } });
      const frames = [
        ...Array.from({ length: 11 }, (_, n) => data(n)),
        { type: "control_request", request_id: "a", request: { subtype: "can_use_tool" } },
        data(11),
      ];
      if (oneChunk) peer.say(...frames);
      else for (const frame of frames) peer.say(frame);
      await until(() => connection.readingPaused);
      await settle();
      assert.lengthOf(served, 0);
      assert.deepEqual(await takeNumbers(connection, 1), [0]);
      await until(() => connection.readingPaused);
      assert.lengthOf(served, 0, "the eleventh message has taken the room");
      assert.deepEqual(await takeNumbers(connection, 1), [1]);
      await until(() => served.length === 1);
      assert.deepEqual(await takeNumbers(connection, 10), [2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    }
  });

  test("control frames take no room: any number of them passes while messages wait below the bound", async (t) => {
    const { peer, connection, served, pauses } = openChannel(t, { limits: { queueBytes: BOUND } });
    peer.say(...Array.from({ length: 9 }, (_, n) => data(n)));
    for (let n = 0; n < 100; n++) peer.ask(`r${n}`, { subtype: "hook_callback", text: "x".repeat(200) });
    await until(() => served.length === 100);
    assert.deepEqual(pauses, []);
    assert.strictEqual(connection.queuedBytes, 9 * FRAME);
  });

  test("hidden frames take no room either", async (t) => {
    const { peer, connection, pauses } = openChannel(t, { limits: { queueBytes: BOUND }, onFrame: () => "hide" });
    for (let n = 0; n < 100; n++) peer.say({ type: "system", text: "x".repeat(100) });
    peer.say({ type: "user", last: true });
    assert.isTrue((await connection.next()).value?.last);
    assert.deepEqual(pauses, []);
  });

  test("an awaited request inside the loop cannot deadlock: reading goes on to four times the bound", async (t) => {
    const { peer, connection } = openChannel(t, { limits: { queueBytes: BOUND } });
    for (let n = 0; n < 35; n++) peer.say(data(n));
    await until(() => connection.readingPaused);
    const answer = connection.request("set_model");
    const { id } = await peer.heardRequest("set_model");
    peer.answer(id, { model: "m" });
    peer.say(data(35));
    assert.deepEqual(await answer, { model: "m" });
    assert.strictEqual(connection.queuedBytes, 35 * FRAME);
    await until(() => connection.readingPaused);
    assert.strictEqual(peer.chunksTaken, 36, "with the answer the bound is the old one again");
    assert.deepEqual(await takeNumbers(connection, 36), Array.from({ length: 36 }, (_, n) => n));
  });

  test("frames that were held at the bound come first when a request lets reading go on", async (t) => {
    const { peer, connection, served } = openChannel(t, { limits: { queueBytes: BOUND } });
    peer.say(...Array.from({ length: 20 }, (_, n) => data(n)), {
      type: "control_request",
      request_id: "a",
      request: { subtype: "can_use_tool" },
    });
    await until(() => connection.readingPaused);
    assert.strictEqual(connection.queuedBytes, BOUND);
    const answer = connection.request("interrupt");
    await until(() => served.length === 1);
    assert.strictEqual(connection.queuedBytes, 20 * FRAME);
    peer.answer((await peer.heardRequest("interrupt")).id);
    await answer;
    assert.deepEqual(await takeNumbers(connection, 20), Array.from({ length: 20 }, (_, n) => n));
  });

  test("at four times the bound reading stops, and the awaited request says at its deadline why", async (t) => {
    const { peer, connection, clock, pauses } = openChannel(t, { limits: { queueBytes: BOUND } });
    for (let n = 0; n < 41; n++) peer.say(data(n));
    const answer = connection.request("set_permission_mode");
    const { id } = await peer.heardRequest("set_permission_mode");
    peer.answer(id, {});
    await until(() => connection.queuedBytes === 4 * BOUND && connection.readingPaused);
    await settle();
    assert.strictEqual(peer.chunksTaken, 40);
    assert.isTrue(pauses.at(-1));
    clock.advance(60_000);
    const error = await rejectsWith(answer, ControlTimeoutError);
    assert.instanceOf(error.cause, ClaudeSDKError);
    assert.strictEqual((error.cause as ClaudeSDKError).code, "consumer_stalled");
    assert.isTrue(connection.readingPaused);
    assert.deepEqual(await takeNumbers(connection, 41), Array.from({ length: 41 }, (_, n) => n));
  });

  test("taking messages while the request is awaited lets its answer through in time", async (t) => {
    const { peer, connection } = openChannel(t, { limits: { queueBytes: BOUND } });
    for (let n = 0; n < 100; n++) peer.say(data(n));
    const answer = connection.request("set_permission_mode");
    peer.answer((await peer.heardRequest("set_permission_mode")).id, { mode: "plan" });
    await until(() => connection.readingPaused);
    assert.deepEqual(await takeNumbers(connection, 100), Array.from({ length: 100 }, (_, n) => n));
    assert.deepEqual(await answer, { mode: "plan" });
  });

  test("the end of output waits behind the messages that are held, an error too", async (t) => {
    const { peer, connection } = openChannel(t, { limits: { queueBytes: BOUND, maxMessageBytes: 2 * BOUND } });
    peer.say(...Array.from({ length: 15 }, (_, n) => data(n)), data(15, 3 * BOUND));
    let ended = false;
    void connection.ended.then(() => ended = true);
    await until(() => connection.readingPaused);
    await until(() => peer.cancelled !== undefined);
    await settle();
    assert.isFalse(ended);
    assert.deepEqual(await takeNumbers(connection, 15), Array.from({ length: 15 }, (_, n) => n));
    assert.strictEqual(((await connection.ended).error as ClaudeSDKError).code, "message_too_large");
    assert.isTrue((await connection.next()).done);
  });

  test("output that ends with a full queue has ended, whether its messages are taken or not", async (t) => {
    const { peer, connection } = openChannel(t, { limits: { queueBytes: BOUND } });
    peer.say(...Array.from({ length: 9 }, (_, n) => data(n)));
    peer.end();
    await connection.ended;
    assert.lengthOf(await takeAll(connection), 9);
  });

  test("failing while reading stands still ends it at once", async (t) => {
    const { peer, connection, pauses } = openChannel(t, { limits: { queueBytes: BOUND } });
    peer.say(...Array.from({ length: 15 }, (_, n) => data(n)));
    await until(() => connection.readingPaused);
    const error = new Error("closed");
    connection.fail(error);
    assert.strictEqual((await connection.ended).error, error);
    assert.deepEqual((await takeAll(connection)).map(({ n }) => n), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    assert.deepEqual(pauses, [true, false]);
    await until(() => peer.cancelled !== undefined);
  });

  test("draining while reading stands still reads on to the end; what was queued is handed out, no more (F18)", async (t) => {
    const { peer, connection, served } = openChannel(t, { limits: { queueBytes: BOUND } });
    for (let n = 0; n < 50; n++) peer.say(data(n));
    peer.ask("a", { subtype: "hook_callback" });
    peer.end();
    await until(() => connection.readingPaused);
    const queued = connection.queuedBytes;
    connection.drain(new Error("closed"));
    assert.isUndefined((await connection.ended).error);
    assert.strictEqual(connection.queuedBytes, queued);
    assert.lengthOf(served, 0);
    const rest = await takeAll(connection);
    assert.isAbove(rest.length, 0);
    assert.isBelow(rest.length, 50);
    assert.deepEqual(rest.map(({ n }) => n), rest.map((_, n) => n));
  });

  test("data waits unparsed: what is broken is found when it is taken, and skipped", async (t) => {
    const { peer, connection, diagnostics } = openChannel(t);
    peer.say(data(0));
    peer.sayText('{"type":"assistant","n":oops}\n');
    peer.say(data(1), { type: "result" });
    await until(() => connection.queuedBytes > 0 && connection.received === 4);
    assert.deepEqual(diagnostics, []);
    assert.deepEqual((await connection.next()).value?.n, 0);
    assert.deepEqual((await connection.next()).value?.n, 1);
    assert.lengthOf(diagnostics, 1);
  });

  test("a waiting consumer does not mistake a broken line for a message", async (t) => {
    const { peer, connection } = openChannel(t);
    const waiting = connection.next();
    peer.sayText('{"type":"assistant","n":oops}\n');
    peer.say(data(7));
    assert.strictEqual((await waiting).value?.n, 7);
  });

  test("a control frame that looked like data is served all the same, when its turn comes", async (t) => {
    const { peer, connection, served } = openChannel(t);
    const seen: unknown[] = [];
    const hiding = openChannel(t, {
      onFrame: (frame) => {
        seen.push(frame.type);
        return "hide";
      },
    });
    // The last of two equal keys counts.
    peer.sayText('{"type":"user","type":"control_request","request_id":"a","request":{"subtype":"hook_callback"}}\n');
    peer.say(data(1));
    assert.strictEqual((await connection.next()).value?.n, 1);
    await until(() => served.length === 1);
    hiding.peer.sayText('{"type":"user","type":"system","subtype":"status"}\n{"type":"user","type":"keep_alive"}\n');
    hiding.peer.say(data(2));
    assert.strictEqual((await hiding.connection.next()).value?.n, 2);
    assert.deepEqual(seen, ["system"]);
  });
});

/** A frame of ordinary data of a given size on the wire, line end left out. */
function data(n: number, bytes: number = FRAME): JsonObject {
  const bare = JSON.stringify({ type: "user", n, pad: "" }).length;
  return { type: "user", n, pad: "x".repeat(bytes - bare) };
}

async function takeNumbers(connection: Channel["connection"], count: number): Promise<unknown[]> {
  const numbers: unknown[] = [];
  while (numbers.length < count) numbers.push((await connection.next()).value?.n);
  return numbers;
}
