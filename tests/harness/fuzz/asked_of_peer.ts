import { assert } from "chai";
import { type ClaudeSDKError, ControlRequestError, ControlTimeoutError } from "../../../src/core/errors/mod.ts";
import { isJsonObject, type JsonObject } from "../../../src/core/json.ts";
import type { ResolvedTimeouts } from "../../../src/core/limits.ts";
import { deadlineFor, hookAllowanceFor } from "../../../src/core/protocol/deadlines.ts";
import type { Connection } from "../../../src/core/protocol/mod.ts";
import type { ScriptedPeer } from "../scripted_peer.ts";
import type { VirtualClock } from "../virtual_clock.ts";

/** What an answer to one of our requests says. */
interface SaidAnswer {
  readonly how: string;
  readonly token: number;
}

/** One request of the host, and all that is known of it. */
interface HostRequest {
  readonly n: number;
  readonly subtype: string;
  readonly openedAt: number;
  readonly timeoutMs: number;
  /** No hook lets its deadline stand still. */
  readonly exact: boolean;
  readonly controller: AbortController;
  /** The first answer that was said; later ones mean nothing. */
  answer: SaidAnswer | undefined;
  /** Its deadline as it must be; undefined once that is not known. */
  dueAt: number | undefined;
  progressed: boolean;
  settled: { readonly ok: boolean; readonly value: unknown; readonly at: number }[];
}

/** Says the answer of the peer to a request. */
function answerFrame(requestId: unknown, { how, token }: SaidAnswer): JsonObject {
  const request_id = requestId as string;
  const success = { subtype: "success", request_id };
  switch (how) {
    case "payload":
      return { type: "control_response", response: { ...success, response: { token } } };
    case "empty":
      return { type: "control_response", response: success };
    case "null":
      return { type: "control_response", response: { ...success, response: null } };
    case "error":
      return {
        type: "control_response",
        response: { subtype: "error", request_id, error: `no ${token}`, error_code: "a_code" },
      };
    case "mute error":
      return { type: "control_response", response: { subtype: "error", request_id, error: 5 } };
    case "list":
      return { type: "control_response", response: { ...success, response: [token] } };
    default:
      return { type: "control_response", response: { request_id, subtype: 5 } };
  }
}

/** Holds one outcome to what was said, to the clock, and to what the connection came to. */
function checkOutcome(request: HostRequest, isReason: (value: unknown) => boolean): void {
  const { n, settled, answer, controller, timeoutMs, openedAt, subtype } = request;
  assert.lengthOf(settled, 1, `request ${n} settles once`);
  const { ok, value, at } = settled[0]!;
  if (ok) {
    assert.include(["payload", "empty", "null"], answer?.how, `request ${n} resolves to what was said`);
    assert.deepEqual(value, answer?.how === "payload" ? { token: answer.token } : undefined);
  } else if (value instanceof ControlRequestError) {
    assert.include(["error", "mute error", "list", "rubbish"], answer?.how, `request ${n} is refused`);
    assert.strictEqual(value.subtype, subtype);
    const codes: Record<string, string | undefined> = { error: "a_code", "mute error": undefined };
    assert.strictEqual(value.errorCode, answer!.how in codes ? codes[answer!.how] : "malformed_answer");
    if (answer?.how === "error") assert.strictEqual(value.message, `no ${answer.token}`);
  } else if (value instanceof ControlTimeoutError) {
    assert.strictEqual(value.timeoutMs, timeoutMs);
    assert.isAtLeast(at, openedAt + timeoutMs, `request ${n} has its time`);
    if (request.dueAt !== undefined) assert.isAtLeast(at, request.dueAt, `request ${n} has its time anew`);
    if (value.cause !== undefined) assert.strictEqual((value.cause as ClaudeSDKError).code, "consumer_stalled");
  } else if (controller.signal.aborted && value === controller.signal.reason) return;
  else assert.isTrue(isReason(value), `request ${n} ends with ${String(value)}, which nothing explains`);
}

/** The requests of the host: when each is due, what it was answered, and what it came to. */
export class AskedOfPeer {
  readonly #connection: Connection;
  readonly #peer: ScriptedPeer;
  readonly #clock: VirtualClock;
  readonly #timeouts: ResolvedTimeouts;
  readonly #requests: HostRequest[] = [];
  #answers = 0;

  constructor(connection: Connection, peer: ScriptedPeer, clock: VirtualClock, timeouts: ResolvedTimeouts) {
    this.#connection = connection;
    this.#peer = peer;
    this.#clock = clock;
    this.#timeouts = timeouts;
  }

  /** Something was asked, ever. */
  get any(): boolean {
    return this.#requests.length > 0;
  }

  /** Numbers of those that wait. */
  get openOnes(): number[] {
    return this.#requests.filter(({ settled }) => settled.length === 0).map(({ n }) => n);
  }

  /** Asks. */
  open(subtype: string, given: number | undefined, abortable: boolean): Promise<unknown> {
    const n = this.#requests.length;
    const timeoutMs = given ?? deadlineFor(subtype, {}, this.#timeouts);
    const openedAt = this.#clock.now();
    const exact = hookAllowanceFor(subtype) === 0;
    const controller = new AbortController();
    const dueAt = exact ? openedAt + timeoutMs : undefined;
    const known = { n, subtype, openedAt, timeoutMs, exact, controller };
    const request: HostRequest = { ...known, answer: undefined, dueAt, progressed: false, settled: [] };
    this.#requests.push(request);
    const settle = (ok: boolean) => (value: unknown): void => {
      request.settled.push({ ok, value, at: this.#clock.now() });
    };
    const options = {
      ...given === undefined ? {} : { timeoutMs: given },
      ...abortable ? { signal: controller.signal } : {},
    };
    const asked = this.#connection.request(subtype, { n }, options);
    asked.then(settle(true), settle(false));
    return asked;
  }

  /** Gives one up. */
  abort(nth: number): void {
    this.#requests[nth]?.controller.abort(new Error("aborted"));
  }

  /** The peer's answer to a request that it has heard; to one that it never heard, where there is none. */
  answer(nth: number, how: string): JsonObject {
    const { id, request } = this.#heard(nth);
    const answer = { how, token: this.#answers++ };
    if (request !== undefined) request.answer ??= answer;
    return answerFrame(id, answer);
  }

  /** The peer's word that it is at work on one. */
  progress(nth: number): JsonObject {
    const { id, request } = this.#heard(nth);
    if (request !== undefined) request.progressed = true;
    return { type: "system", subtype: "control_request_progress", request_id: id };
  }

  /** To be called before time passes; `allRead` says that nothing keeps back what the peer has said. */
  beforeTime(allRead: boolean): void {
    for (const request of this.#requests) {
      if (!request.progressed || request.dueAt === undefined) continue;
      // It counts from when it was read: known only if nothing keeps it back.
      if (!allRead) request.dueAt = undefined;
      else if (request.settled.length === 0) request.dueAt = this.#clock.now() + request.timeoutMs;
      request.progressed = false;
    }
  }

  /** To be called when time has passed. */
  afterTime(): void {
    const now = this.#clock.now();
    for (const { n, dueAt, settled } of this.#requests) {
      if (dueAt !== undefined && dueAt <= now) assert.lengthOf(settled, 1, `request ${n} is over at its deadline`);
    }
  }

  /** When everything was read, what was answered is settled. */
  checkAnswered(): void {
    for (const { n, answer, settled } of this.#requests) {
      if (answer !== undefined) assert.lengthOf(settled, 1, `request ${n} was answered`);
    }
  }

  /** At the very end. `isReason` knows what the connection came to. */
  checkOutcomes(isReason: (value: unknown) => boolean): void {
    for (const request of this.#requests) checkOutcome(request, isReason);
  }

  #heard(nth: number): { readonly id: string; readonly request: HostRequest | undefined } {
    const line = this.#peer.lines.filter(({ type }) => type === "control_request")[nth];
    const request = isJsonObject(line?.request) ? this.#requests[line.request.n as number] : undefined;
    return { id: String(line?.request_id ?? "unknown"), request };
  }
}
