/** Whatever happens in whatever order: everything settles exactly once, nothing runs twice, nothing stays. */

import { assert } from "chai";
import fc from "fast-check";
import { type HandlerResult, NO_ANSWER } from "../../src/core/protocol/mod.ts";
import { type Channel, openChannel, takeAll } from "../harness/channel_fixture.ts";
import { suite, type TestContext } from "../harness/suite.ts";
import { until } from "../harness/until.ts";
import { settle } from "../harness/virtual_clock.ts";

const IDS = ["a", "b", "c", "d", 1, 2];
const id = fc.constantFrom(...IDS);
const nth = fc.nat(12);

/** One thing that happens. */
const step = fc.oneof(
  fc.record({
    kind: fc.constant("request" as const),
    subtype: fc.constantFrom("initialize", "set_model", "interrupt"),
    timeoutMs: fc.constantFrom(undefined, 0, 50, Infinity),
    abortable: fc.boolean(),
  }),
  fc.record({ kind: fc.constant("answer" as const), nth, how: fc.constantFrom("success", "error", "rubbish") }),
  fc.record({ kind: fc.constant("abort" as const), nth }),
  fc.record({
    kind: fc.constant("ask" as const),
    id: fc.option(id, { nil: undefined }),
    subtype: fc.constantFrom("hook_callback", "can_use_tool", undefined),
    how: fc.constantFrom("at once", "gated", "throws", "left open", "rubbish"),
  }),
  fc.record({ kind: fc.constant("take back" as const), id }),
  fc.record({ kind: fc.constant("open gate" as const), nth }),
  fc.record({ kind: fc.constant("respond" as const), id }),
  fc.record({ kind: fc.constant("send" as const) }),
  fc.record({ kind: fc.constant("data" as const), size: fc.nat(400) }),
  fc.record({ kind: fc.constant("take" as const) }),
  fc.record({ kind: fc.constant("hook" as const), started: fc.boolean() }),
  fc.record({ kind: fc.constant("progress" as const), nth }),
  fc.record({ kind: fc.constant("noise" as const), text: fc.constantFrom("", "banner", "[1]", '{"type":"control_') }),
  fc.record({ kind: fc.constant("block" as const), on: fc.boolean() }),
  fc.record({ kind: fc.constant("time" as const), ms: fc.constantFrom(1, 60, 60_000, 700_000) }),
  fc.record({ kind: fc.constant("turn" as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** How it ends, in the middle of whatever is going on. */
const death = fc.constantFrom("output ends", "output breaks", "input breaks", "input ends", "drain", "fail");
type Death = typeof death extends fc.Arbitrary<infer T> ? T : never;

export default suite("control channel: fuzz", (test) => {
  test("random interleavings of requests, answers, cancels, repeats and deaths", async (t) => {
    const steps = fc.array(step, { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(steps, death, steps, async (before, how, after) => {
        const world = new World(t);
        for (const one of before) await world.play(one);
        world.die(how);
        for (const one of after) await world.play(one);
        await world.finish();
      }),
      { seed: 20_240_601, numRuns: 300, endOnFailure: true },
    );
  }, { timeoutMs: 60_000 });
});

/** One promise that must settle once. */
interface Watched {
  readonly what: string;
  settled: number;
}

class World {
  readonly #channel: Channel;
  readonly #watched: Watched[] = [];
  readonly #gates: (() => void)[] = [];
  readonly #controllers: AbortController[] = [];
  #sent = 0;

  constructor(t: TestContext) {
    this.#channel = openChannel(t, {
      limits: { queueBytes: 1_000, maxMessageBytes: 10_000 },
      timeouts: { controlMs: 1_000 },
      onRequest: ({ fields }) => this.#serve(String(fields.how)),
    });
  }

  async play(step: Step): Promise<void> {
    const { peer, connection, clock } = this.#channel;
    switch (step.kind) {
      case "request": {
        const controller = new AbortController();
        if (step.abortable) this.#controllers.push(controller);
        const { timeoutMs } = step;
        const options = { signal: controller.signal, ...timeoutMs === undefined ? {} : { timeoutMs } };
        return this.#watch("request", connection.request(step.subtype, {}, options));
      }
      case "answer": {
        const request_id = this.#asked(step.nth);
        if (step.how === "success") return peer.answer(request_id, {});
        if (step.how === "error") return peer.answerError(request_id, "no");
        return peer.say({ type: "control_response", response: { request_id, subtype: 5 } });
      }
      case "abort":
        return this.#controllers[step.nth]?.abort(new Error("aborted"));
      case "ask":
        return peer.ask(step.id, step.subtype && { subtype: step.subtype, how: step.how });
      case "take back":
        return peer.takeBack(step.id);
      case "open gate":
        return this.#gates[step.nth]?.();
      case "respond":
        return this.#watch("respond", connection.respond(step.id, { late: true }));
      case "send":
        return this.#watch("send", connection.send({ type: "user", sent: this.#sent++ }));
      case "data":
        return peer.say({ type: "assistant", pad: "x".repeat(step.size) });
      case "take":
        return this.#watch("next", connection.next());
      case "hook":
        return peer.say({ type: "system", subtype: step.started ? "hook_started" : "hook_response", hook_id: "h" });
      case "progress":
        return peer.say({
          type: "system",
          subtype: "control_request_progress",
          request_id: this.#asked(step.nth) as string,
        });
      case "noise":
        return peer.sayText(`${step.text}\n`);
      case "block":
        return step.on ? peer.blockInput() : peer.unblockInput();
      case "time":
        return await clock.pass(step.ms);
      case "turn":
        return await settle();
    }
  }

  die(how: Death): void {
    const { peer, connection } = this.#channel;
    switch (how) {
      case "output ends":
        return peer.end();
      case "output breaks":
        return peer.break(new Error("reset"));
      case "input breaks":
        return peer.breakInput(new Error("EPIPE"));
      case "input ends":
        return this.#watch("endInput", connection.endInput());
      case "drain":
        return connection.drain(new Error("drained"), { subtype: "interrupt" });
      case "fail":
        return connection.fail(new Error("failed"));
    }
  }

  /** Everything is over: what must hold then. */
  async finish(): Promise<void> {
    const { peer, connection, clock } = this.#channel;
    peer.unblockInput();
    await settle();
    connection.fail(new Error("over"));
    for (const open of this.#gates) open();
    await connection.ended;
    await takeAll(connection);
    await until(() => this.#watched.every(({ settled }) => settled > 0));
    await settle();
    for (const { what, settled } of this.#watched) assert.strictEqual(settled, 1, `${what} settles once`);
    assert.strictEqual(connection.pendingRequests, 0);
    assert.strictEqual(connection.openInbound, 0);
    assert.strictEqual(connection.queuedBytes, 0);
    assert.strictEqual(clock.pending, 0, "timers");
    this.#checkWhatWasHeard();
  }

  #checkWhatWasHeard(): void {
    const { peer, served } = this.#channel;
    for (const known of IDS) {
      assert.isAtMost(peer.answersTo(known).length, 1, "an id is answered once");
      assert.isAtMost(served.filter(({ requestId }) => requestId === known).length, 1, "an id is served once");
    }
    for (const chunk of peer.chunks) assert.strictEqual(chunk.indexOf(10), chunk.length - 1, "one line per write");
    const sent = peer.lines.flatMap(({ sent }) => typeof sent === "number" ? [sent] : []);
    assert.deepEqual(sent, [...sent].sort((a, b) => a - b), "prompts keep their order");
    const asked = peer.lines.filter(({ type }) => type === "control_request").map(({ request_id }) => request_id);
    assert.strictEqual(new Set(asked).size, asked.length, "our ids are unique");
    for (const taken of peer.takenBack) assert.include(asked, taken as string, "only what was written is taken back");
  }

  #serve(how: string): Promise<HandlerResult> {
    switch (how) {
      case "gated":
        return new Promise((resolve) => this.#gates.push(() => resolve({})));
      case "throws":
        throw new Error("handler");
      case "left open":
        return Promise.resolve(NO_ANSWER);
      case "rubbish":
        return Promise.resolve(5n as never);
      default:
        return Promise.resolve({});
    }
  }

  /** The id of a request the peer has heard; one it never heard where there is none. */
  #asked(nth: number): unknown {
    const asked = this.#channel.peer.lines.filter(({ type }) => type === "control_request");
    return asked[nth]?.request_id ?? "unknown";
  }

  #watch(what: string, promise: Promise<unknown>): void {
    const watched: Watched = { what, settled: 0 };
    this.#watched.push(watched);
    const count = (): void => {
      watched.settled++;
    };
    promise.then(count, count);
  }
}
