import { assert } from "chai";
import { isJsonObject, type JsonObject } from "../../../src/core/json.ts";
import { type HandlerResult, type InboundRequest, NEVER_ANSWERED, NO_ANSWER } from "../../../src/core/protocol/mod.ts";

/** One request of the peer as it was said. */
export interface PeerRequest {
  readonly k: number;
  /** As the host must see it: what is no id counts as none. */
  readonly id: string | number | undefined;
  readonly how: string;
  served: InboundRequest | undefined;
  /** What its handler came to, once it did: what may be answered. */
  given: { readonly payload: JsonObject } | { readonly error: true } | { readonly silent: true } | undefined;
}

/** What may be served and answered of what a peer asks: a model of one id after the other, in the order of the wire. */
export class AskedByPeer {
  readonly requests: PeerRequest[] = [];
  /** Those that must be served, in order. */
  readonly expected: PeerRequest[] = [];
  readonly served: PeerRequest[] = [];
  /** Ids that were taken back. */
  readonly takenBack: Set<unknown> = new Set();
  /** Ids that were taken back before they could be answered: silence. */
  readonly silent: Set<unknown> = new Set();
  readonly #known: Map<unknown, "over" | "ahead"> = new Map();
  readonly #gates: ((how: string) => void)[] = [];

  /** Takes note of a request that is said, and returns its frame. */
  ask(id: unknown, subtype: unknown, how: string): JsonObject {
    const readId = typeof id === "string" || typeof id === "number" ? id : undefined;
    const request: PeerRequest = { k: this.requests.length, id: readId, how, served: undefined, given: undefined };
    this.requests.push(request);
    const known = readId === undefined ? undefined : this.#known.get(readId);
    if (readId !== undefined) this.#known.set(readId, "over");
    if (known === undefined && typeof subtype === "string") this.expected.push(request);
    const fields = subtype === null ? null : { subtype, how, k: request.k };
    return { type: "control_request", request_id: id, request: fields } as JsonObject;
  }

  /** Takes note of a cancel that is said, and returns its frame. */
  takeBack(id: unknown): JsonObject {
    if (typeof id === "string" || typeof id === "number") {
      this.takenBack.add(id);
      if (!this.#known.has(id)) this.#known.set(id, "ahead");
    }
    return { type: "control_cancel_request", request_id: id } as JsonObject;
  }

  /** The host's handler. */
  serve(inbound: InboundRequest): Promise<HandlerResult> {
    const request = this.requests[inbound.fields.k as number]!;
    request.served = inbound;
    this.served.push(request);
    // What a handler throws is an answer: this one would be found among the answers.
    assert.strictEqual(inbound.requestId, request.id);
    const { k } = request;
    const give = (how: string): HandlerResult => {
      switch (how) {
        case "reject":
          request.given = { error: true };
          throw new Error(`fault ${k}`);
        case "leave open":
          return NO_ANSWER;
        case "never":
          request.given = { silent: true };
          return NEVER_ANSWERED;
        default: {
          // Too late is too late: what was taken back must not be answered, whatever the handler says.
          if (inbound.signal.aborted) request.given = { silent: true };
          else request.given = { payload: { behavior: "allow", k } };
          return { behavior: "allow", k };
        }
      }
    };
    switch (request.how) {
      case "gated":
        return new Promise((resolve, reject) => {
          let opened = false;
          const open = (how: string): void => {
            if (opened) return;
            opened = true;
            try {
              resolve(give(how));
            } catch (error) {
              reject(error);
            }
          };
          this.#gates.push(open);
        });
      case "throws":
        return give("reject") as never;
      case "throws text":
        request.given = { error: true };
        throw `fault ${k}`;
      case "rejects":
        return new Promise((resolve) => resolve(give("reject")));
      case "left open":
        return Promise.resolve(NO_ANSWER);
      case "never":
        return Promise.resolve(give("never"));
      case "rubbish":
        request.given = { error: true };
        return Promise.resolve({ big: 5n } as never);
      case "list":
        request.given = { error: true };
        return Promise.resolve(["allow"] as never);
      default:
        return Promise.resolve(give("resolve"));
    }
  }

  /** The id of one that was served; the given one where none was. */
  servedId(nth: number | undefined, other: unknown): unknown {
    const named = this.served.filter(({ id }) => id !== undefined);
    return nth === undefined || named.length === 0 ? other : named[nth % named.length]!.id;
  }

  /** Those who are still at work, and whose request nobody else answers, see that it is over. */
  checkAborted(responded: ReadonlySet<unknown>, only?: unknown): void {
    for (const { id, k, served, given } of this.served) {
      if (given !== undefined || served === undefined || id === undefined || responded.has(id)) continue;
      if (only === undefined || id === only) assert.isTrue(served.signal.aborted, `the handler of ${k} is told`);
    }
  }

  /** Lets a handler that waits come to its end. */
  openGate(nth: number, how: string): void {
    this.#gates[nth]?.(how);
  }

  /** Lets all of them. */
  openGates(): void {
    for (const open of this.#gates) open("resolve");
  }

  /** What is served is what was asked, in order; all of it, if it is known that nothing keeps it back. */
  checkServed(all: boolean): void {
    const served = this.served.map(({ k }) => k);
    const expected = this.expected.map(({ k }) => k);
    assert.deepEqual(served, all ? expected : expected.slice(0, served.length), "requests are served in order, once");
  }

  /** Each answer on the wire is one that somebody gave, to a request that was open. */
  checkAnswers(lines: readonly JsonObject[], responded: ReadonlyMap<number, { readonly id: unknown }>): void {
    const answers = lines.filter(({ type }) => type === "control_response").map(({ response }) =>
      response as JsonObject
    );
    const ids = new Set<unknown>();
    const tokens = new Set<unknown>();
    for (const { request_id: id, subtype, response, error } of answers) {
      if (id !== undefined) {
        assert.isFalse(ids.has(id), `${String(id)} is answered once`);
        ids.add(id);
        assert.isFalse(this.silent.has(id), `${String(id)} was taken back and is not answered`);
      }
      if (subtype === "success") {
        assert.isTrue(isJsonObject(response), "a payload is an object");
        const { k, r } = response as { k?: number; r?: number };
        if (r !== undefined) assert.strictEqual(responded.get(r)?.id, id);
        else {
          const request = this.requests[k!]!;
          assert.strictEqual(request.id, id, "an answer goes to who asked");
          assert.deepEqual(request.given, { payload: response }, "an allow was given by the handler");
        }
        assert.isFalse(tokens.has(r ?? `k${k}`), "an answer goes out once");
        tokens.add(r ?? `k${k}`);
      } else {
        assert.strictEqual(subtype, "error");
        const known = /^(fault|responded) (\d+)$/.exec(String(error));
        if (known?.[1] === "fault") assert.strictEqual(this.requests[Number(known[2])]!.id, id);
        else if (known?.[1] === "responded") assert.strictEqual(responded.get(Number(known[2]))?.id, id);
        else assert.match(String(error), /^(Malformed control request|The answer could not be written)/);
      }
    }
  }

  /** When nothing keeps an answer back, it is there. */
  checkAnswered(lines: readonly JsonObject[]): void {
    for (const { id, k, how, served, given } of this.served) {
      if (id === undefined || this.takenBack.has(id) || served === undefined || given === undefined) continue;
      if ("silent" in given) continue;
      const answers = lines.filter(({ response }) => isJsonObject(response) && response.request_id === id);
      assert.lengthOf(answers, 1, `request ${k} (${how}) is answered`);
    }
  }

  /** At the very end: who was not answered was told so by a signal, and nobody else was. */
  checkSignals(lines: readonly JsonObject[]): void {
    for (const { id, k, served, given } of this.served) {
      if (id === undefined || served === undefined || (given !== undefined && "silent" in given)) continue;
      const answered = lines.some(({ response }) => isJsonObject(response) && response.request_id === id);
      if (answered) assert.isFalse(served.signal.aborted, `the signal of ${k}, which was answered`);
    }
  }
}
