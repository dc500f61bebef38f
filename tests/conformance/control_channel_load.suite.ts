/** Two connections that face each other, and many requests at once. */

import { assert } from "chai";
import { systemClock } from "../../src/core/clock.ts";
import type { JsonObject } from "../../src/core/json.ts";
import { resolveLimits, resolveTimeouts } from "../../src/core/limits.ts";
import { Connection, type InboundRequest } from "../../src/core/protocol/mod.ts";
import { openChannel } from "../harness/channel_fixture.ts";
import { type MemoryEnd, memoryPair } from "../harness/memory_pair.ts";
import { suite, type TestContext } from "../harness/suite.ts";
import { until } from "../harness/until.ts";
import { VirtualClock } from "../harness/virtual_clock.ts";

const MANY = 5_000;

export default suite("control channel: load", (test) => {
  test("two connections that face each other ask and answer, both ways at once, while messages flow", async (t) => {
    const [here, there] = memoryPair();
    const answer = ({ fields }: InboundRequest): Promise<JsonObject> =>
      Promise.resolve({ twice: Number(fields.n) * 2 });
    const left = open(t, here, answer);
    const right = open(t, there, answer);
    const ask = async (connection: Connection): Promise<unknown[]> =>
      (await Promise.all(numbers(200).map((n) => connection.request("double", { n })))).map((payload) =>
        payload?.twice
      );
    const say = (connection: Connection): Promise<unknown> =>
      Promise.all(numbers(200).map((n) => connection.send({ type: "user", n })));
    const hear = async (connection: Connection): Promise<unknown[]> => {
      const heard: unknown[] = [];
      while (heard.length < 200) heard.push((await connection.next()).value?.n);
      return heard;
    };
    const [a, b, , , c, d] = await Promise.all([ask(left), ask(right), say(left), say(right), hear(left), hear(right)]);
    for (const doubled of [a, b]) assert.deepEqual(doubled, numbers(200).map((n) => n * 2));
    for (const heard of [c, d]) assert.deepEqual(heard, numbers(200));
    await Promise.all([left.endInput(), right.endInput()]);
    for (const connection of [left, right]) {
      assert.deepEqual(await connection.ended, { halfRecordBytes: 0, unsentLines: 0 });
      assert.strictEqual(connection.pendingRequests + connection.openInbound, 0);
    }
  });

  test("5,000 requests in parallel, answered in another order", async (t) => {
    const { peer, connection, clock } = openChannel(t);
    const answers = numbers(MANY).map((n) => connection.request("echo", { n }));
    assert.strictEqual(connection.pendingRequests, MANY);
    await until(() => peer.lines.length === MANY);
    const shuffled = numbers(MANY).map((n) => peer.lines[(n * 7_919) % MANY]!);
    for (const { request_id, request } of shuffled) peer.answer(request_id, { n: (request as JsonObject).n });
    assert.deepEqual((await Promise.all(answers)).map((payload) => payload?.n), numbers(MANY));
    assert.strictEqual(connection.pendingRequests, 0);
    assert.strictEqual(clock.pending, 0);
  });

  test("5,000 requests of the other end in parallel, each answered once", async (t) => {
    const gates: (() => void)[] = [];
    const { peer, connection, served } = openChannel(t, {
      onRequest: ({ fields }) => new Promise((resolve) => gates.push(() => resolve({ n: fields.n }))),
    });
    peer.say(
      ...numbers(MANY).map((n) => ({
        type: "control_request",
        request_id: `r${n}`,
        request: { subtype: "hook_callback", n },
      })),
    );
    await until(() => served.length === MANY);
    assert.strictEqual(connection.openInbound, MANY);
    for (const open of gates.reverse()) open();
    await until(() => connection.openInbound === 0);
    const answered = new Map(peer.lines.map(({ response }) => {
      const { request_id, response: payload } = response as JsonObject;
      return [request_id, (payload as JsonObject).n];
    }));
    assert.strictEqual(peer.lines.length, MANY);
    for (const n of numbers(MANY)) assert.strictEqual(answered.get(`r${n}`), n);
  });

  test("5,000 requests pending when the connection fails all settle, and nothing stays", async (t) => {
    const { connection, clock } = openChannel(t);
    const controller = new AbortController();
    const outcomes = numbers(MANY).map((n) =>
      connection.request("echo", { n }, { signal: controller.signal }).then(() => "answered", (error) => error)
    );
    connection.fail("over");
    assert.deepEqual(new Set(await Promise.all(outcomes)), new Set(["over"]));
    assert.strictEqual(connection.pendingRequests + clock.pending, 0);
    controller.abort();
  });

  test("tens of megabytes to a slow consumer stay within the bound (D16)", async (t) => {
    const queueBytes = 256 * 1024;
    const [here, there] = memoryPair();
    const left = open(t, here, () => Promise.resolve({}), queueBytes);
    const right = open(t, there, () => Promise.resolve({}));
    const text = "x".repeat(64 * 1024);
    const count = 320;
    const said = (async () => {
      for (let n = 0; n < count; n++) await right.send({ type: "assistant", n, text });
      await right.endInput();
    })();
    let most = 0;
    for (let n = 0; n < count; n++) {
      const { value } = await left.next();
      assert.strictEqual(value?.n, n);
      most = Math.max(most, left.queuedBytes);
      if (n % 40 === 0) await until(() => left.readingPaused || left.received === count);
    }
    assert.isTrue((await left.next()).done);
    await said;
    assert.isAbove(most, queueBytes / 2, "the queue was used");
    assert.isAtMost(most, queueBytes);
  });

  test("on the machine's own clock an answer in time leaves no timer", async (t) => {
    const [here, there] = memoryPair();
    const set = new Set<unknown>();
    const clock = {
      now: () => systemClock.now(),
      after: (ms: number, callback: () => void) => {
        const cancel = systemClock.after(ms, callback);
        set.add(cancel);
        return () => {
          set.delete(cancel);
          cancel();
        };
      },
    };
    const left = new Connection({ ...common(here), clock, onRequest: () => Promise.resolve(undefined) });
    const right = open(t, there, () => Promise.resolve({ ok: true }));
    t.cleanup(() => left.fail(new Error("the test is over")));
    left.start();
    assert.deepEqual(await left.request("set_model"), { ok: true });
    assert.strictEqual(set.size, 0);
    await until(() => right.openInbound === 0);
  });
});

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, n) => n);
}

function common({ readable, writable }: MemoryEnd, queueBytes?: number) {
  return {
    readable,
    writable,
    limits: resolveLimits(queueBytes === undefined ? {} : { queueBytes }),
    timeouts: resolveTimeouts(),
    onDiagnostic: () => {},
  };
}

function open(
  t: TestContext,
  end: MemoryEnd,
  onRequest: (request: InboundRequest) => Promise<JsonObject>,
  queueBytes?: number,
): Connection {
  const connection = new Connection({ ...common(end, queueBytes), clock: new VirtualClock(), onRequest });
  t.cleanup(() => connection.fail(new Error("the test is over")));
  connection.start();
  return connection;
}
