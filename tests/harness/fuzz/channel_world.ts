import { assert } from "chai";
import { ClaudeSDKError, MessageTooLargeError } from "../../../src/core/errors/mod.ts";
import { isJsonObject, type JsonObject } from "../../../src/core/json.ts";
import { resolveLimits, resolveTimeouts } from "../../../src/core/limits.ts";
import { Connection, type ConnectionEnd } from "../../../src/core/protocol/mod.ts";
import { SinkStream } from "../../../src/core/streams/sink.ts";
import { SourceStream } from "../../../src/core/streams/source.ts";
import { ScriptedPeer } from "../scripted_peer.ts";
import { settle, VirtualClock } from "../virtual_clock.ts";
import { AskedOfPeer } from "./asked_of_peer.ts";
import { AskedByPeer } from "./asked_by_peer.ts";
import type { ChannelStep, ChannelTraits, Death } from "./channel_steps.ts";
import { PeerVoice } from "./peer_voice.ts";
import { quiet, quietUntil } from "./quiet.ts";
import { checkWritten, type Sent } from "./written_lines.ts";

const TIMEOUTS = resolveTimeouts({ controlMs: 1_000, initializeMs: 1_000 });
const MAX_MESSAGE_BYTES = 10_000;
/** No message of a story is longer. */
const LONGEST_FRAME = 4_200;
/** Types that wait unparsed, as a rule: observers do not see them, unless a broken line came before. */
const DEFERRED: ReadonlySet<string> = new Set(["assistant", "user", "stream_event"]);

/** A promise that must settle once, by the time everything is over. */
interface Watched {
  readonly what: string;
  settled: number;
}

/** A connection, its host, its peer, and what must be true of them: each step may be the last, and any may follow. */
export class ChannelWorld {
  readonly #traits: ChannelTraits;
  readonly #peer = new ScriptedPeer();
  readonly #voice = new PeerVoice(this.#peer);
  readonly #clock = new VirtualClock();
  readonly #connection: Connection;
  readonly #asked = new AskedByPeer();
  readonly #requests: AskedOfPeer;
  readonly #watched: Watched[] = [];
  readonly #sent: Sent[] = [];
  readonly #responded: Map<number, { readonly id: unknown; written: boolean | undefined }> = new Map();
  /** Numbers of the messages that the consumer is to see, their sizes, and those it saw. */
  readonly #visible: number[] = [];
  readonly #sizes: number[] = [];
  /** What each `next()` gave, in the order of the calls. */
  readonly #taken: ("nothing yet" | "the end" | number)[] = [];
  readonly #observed: number[] = [];
  readonly #pauses: boolean[] = [];
  /** What was wrong where nothing can be thrown. */
  readonly #faults: unknown[] = [];
  /** What may explain that something was given up. */
  readonly #reasons: unknown[] = [];
  readonly #codes = new Set<string>();
  #messages = 0;
  #blocked = false;
  /** Frames are read and routed as ever; answers can be written. */
  #reading = true;
  #serving = true;
  #writing = true;
  /** The peer's output ended in the middle of so many bytes. */
  #half = 0;
  /** Something was said that began a record and did not end it. */
  #fragments = false;
  #end: ConnectionEnd | undefined;
  /** How many requests had been served when we ended it. */
  #servedAtEnd: number | undefined;

  constructor(traits: ChannelTraits) {
    this.#traits = traits;
    const { explain } = traits;
    const explained = new Error("how it ended");
    if (explain === "names it" || explain === "throws") this.#reasons.push(explained);
    this.#connection = new Connection({
      readable: traits.readsBelow ? new SourceStream(this.#peer.readable.getReader()) : this.#peer.readable,
      writable: traits.joinsLines ? joining(this.#peer.writable) : this.#peer.writable,
      limits: resolveLimits({ queueBytes: traits.queueBytes, maxMessageBytes: MAX_MESSAGE_BYTES }),
      timeouts: TIMEOUTS,
      clock: this.#clock,
      onDiagnostic: () => {},
      onReadingPaused: (paused) => this.#pauses.push(paused),
      onRequest: (request) => this.#asked.serve(request),
      onFrame: (frame) => this.#observe(frame),
      ...explain === "absent" ? {} : {
        explainEnd: () => {
          if (explain === "throws") throw explained;
          return Promise.resolve(explain === "names it" ? explained : undefined);
        },
      },
    });
    this.#requests = new AskedOfPeer(this.#connection, this.#peer, this.#clock, TIMEOUTS);
    void this.#connection.ended.then((end) => this.#end = end);
    this.#connection.start();
  }

  /** Lets one thing happen. */
  async play(step: ChannelStep): Promise<void> {
    switch (step.kind) {
      case "request":
        return this.#watch("request", this.#requests.open(step.subtype, step.timeoutMs, step.abortable));
      case "abort":
        return this.#requests.abort(step.nth);
      case "answer":
        if (!this.#voice.silent) this.#voice.say(this.#requests.answer(step.nth, step.how), step.cut);
        return;
      case "progress":
        return this.#voice.say(this.#requests.progress(step.nth), step.cut);
      case "ask":
        if (!this.#voice.silent) this.#voice.say(this.#asked.ask(step.id, step.subtype, step.how), step.cut);
        return;
      case "redeliver":
        return await this.#redeliver(step.id);
      case "take back":
        return await this.#takeBack(this.#asked.servedId(step.served, step.id), step.cut);
      case "open gate":
        return this.#asked.openGate(step.nth, step.how);
      case "respond":
        return this.#respond(this.#asked.servedId(step.served, step.id) as string | number, step.error);
      case "send":
        return this.#send(step.good);
      case "data":
        return this.#data(step.type, step.size, step.hide, step.cut);
      case "burst":
        for (const size of step.sizes) this.#data(step.type, size, false, "with the next");
        return this.#voice.flush("");
      case "take":
        for (let count = 0; count < step.count; count++) this.#take();
        return;
      case "hook": {
        const subtype = step.started ? "hook_started" : "hook_response";
        return this.#voice.say({ type: "system", subtype, hook_id: step.id }, step.cut);
      }
      case "noise":
        if (step.text.startsWith("{") && !step.text.endsWith("}")) this.#fragments = true;
        return this.#voice.sayLine(step.text, step.cut);
      case "block":
        return step.on ? this.#block() : await this.#unblock();
      case "time":
        return await this.#pass(step.ms);
      case "turn":
        return await this.#turn();
      case "death":
        return this.#die(step.how);
    }
  }

  /** The story is over: lets it end, and looks at everything. */
  async finish(): Promise<void> {
    const connection = this.#connection;
    await this.#turn();
    if (this.#serving) {
      // Handlers that come to their end now are answered, unless their requests were taken back.
      this.#asked.openGates();
      await this.#turn();
    }
    if (this.#traits.ending === "fail") this.#die("fail");
    else {
      if (this.#traits.ending === "drain") this.#die("drain");
      await this.#unblock();
      this.#die(this.#traits.ending === "drain" ? "output ends" : this.#traits.ending);
      // Read before anybody takes: what has no room must wait.
      await this.#quiet();
    }
    this.#asked.openGates();
    // The consumer takes what there is: without that, nothing that is held comes to its end.
    for (let more = true; more;) {
      const before = this.#seen.length;
      this.#take();
      await this.#quiet();
      more = this.#seen.length > before;
    }
    assert.isTrue(await quietUntil(() => this.#end !== undefined), "the connection ends");
    assert.isTrue(await quietUntil(() => connection.pendingRequests === 0), "no request stays open");
    await this.#unblock();
    // Who waits for a dead pipe waits until the other end is known to be gone.
    connection.abandonInput();
    const done = await quietUntil(() => this.#watched.every(({ settled }) => settled > 0));
    assert.isTrue(done, `settled: ${this.#watched.filter(({ settled }) => settled === 0).map(({ what }) => what)}`);
    for (const { what, settled } of this.#watched) assert.strictEqual(settled, 1, `${what} settles once`);
    assert.strictEqual(connection.openInbound, 0, "open inbound");
    assert.strictEqual(connection.queuedBytes, 0, "queued bytes");
    assert.strictEqual(this.#clock.pending, 0, "timers");
    assert.isFalse(connection.readingPaused, "reading stands still");
    this.#checkAlways();
    this.#checkEnd(this.#end!);
    checkWritten(this.#peer, { joined: this.#traits.joinsLines, sent: this.#sent, responded: this.#responded });
    this.#asked.checkSignals(this.#peer.lines);
    this.#requests.checkOutcomes((value) => this.#isReason(value));
    connection.fail(new Error("over"));
  }

  // -- what happens ---------------------------------------------------------------------------------------------------

  async #redeliver(id: string | number): Promise<void> {
    await this.#quiet();
    // Where it comes among what is said is known only when all of that has been read.
    if (!this.#allRead || !this.#serving) return;
    this.#connection.redeliver(this.#asked.ask(id, "can_use_tool", "at once"));
  }

  async #takeBack(id: unknown, cut: string): Promise<void> {
    await this.#quiet();
    const answered = this.#peer.answersTo(id).length > 0;
    const calm = this.#allRead && this.#serving && this.#writing && !this.#blocked && cut !== "with the next";
    this.#voice.say(this.#asked.takeBack(id), cut);
    await this.#quiet();
    if (!calm || !this.#allRead || answered || this.#peer.answersTo(id).length > 0) return;
    this.#asked.silent.add(id);
    if (typeof id === "string" || typeof id === "number") this.#asked.checkAborted(this.#respondedIds, id);
  }

  #respond(id: string | number, asError: boolean): void {
    const r = this.#responded.size;
    const entry: { readonly id: unknown; written: boolean | undefined } = { id, written: undefined };
    this.#responded.set(r, entry);
    const given = this.#connection.respond(id, asError ? new Error(`responded ${r}`) : { r });
    void given.then((written) => entry.written = written);
    this.#watch(`respond ${r}`, given);
  }

  get #respondedIds(): Set<unknown> {
    return new Set([...this.#responded.values()].map(({ id }) => id));
  }

  #send(good: boolean): void {
    const sent: Sent = { good, taken: undefined };
    const s = this.#sent.push(sent) - 1;
    const sending = this.#connection.send({ type: "user", s, ...good ? {} : { bad: 5n as never } });
    sending.then(() => sent.taken = true, (error) => {
      sent.taken = false;
      const explained = good ? this.#isReason(error) : (error as ClaudeSDKError).code === "unencodable_frame";
      if (!explained) this.#faults.push(new Error(`line ${s} fails with ${String(error)}, which nothing explains`));
    });
    this.#watch(`line ${s}`, sending);
  }

  #data(type: string, size: number, hidden: boolean, cut: string): void {
    if (this.#voice.silent) return;
    const n = this.#messages++;
    const hide = hidden && !DEFERRED.has(type);
    const frame = { type, n, hide, pad: "x".repeat(size) };
    if (!hide) {
      this.#visible.push(n);
      this.#sizes.push(JSON.stringify(frame).length);
    }
    this.#voice.say(frame, cut);
  }

  #observe(frame: JsonObject): "deliver" | "hide" {
    if (frame.boom === true) {
      const error = new Error("the observer");
      this.#reasons.push(error);
      throw error;
    }
    if (typeof frame.n !== "number") return "hide";
    this.#observed.push(frame.n);
    return frame.hide === true ? "hide" : "deliver";
  }

  #take(): void {
    const at = this.#taken.push("nothing yet") - 1;
    const taking = this.#connection.next();
    this.#watch("next", taking);
    void taking.then(({ done, value }) => this.#taken[at] = done ? "the end" : value.n as number);
  }

  /** The messages that the consumer has, in the order in which it asked for them. */
  get #seen(): number[] {
    return this.#taken.filter((item) => typeof item === "number");
  }

  #block(): void {
    if (this.#blocked) return;
    this.#blocked = true;
    this.#peer.blockInput();
  }

  /** Lines go on: what was asked meanwhile goes before the lines of the prompt, but for one that is on its way. */
  async #unblock(): Promise<void> {
    if (!this.#blocked) return;
    await this.#quiet();
    const heard = this.#peer.lines.length;
    const requests = this.#requests.openOnes;
    this.#blocked = false;
    this.#peer.unblockInput();
    await this.#quiet();
    const lines = this.#peer.lines.slice(heard);
    const isOurs = ({ type, request }: JsonObject): boolean =>
      type === "control_request" && isJsonObject(request) && requests.includes(request.n as number);
    const last = lines.findLastIndex(isOurs);
    const early = lines.slice(1, Math.max(1, last)).filter(({ type }) => type === "user");
    assert.deepEqual(early, [], "requests go before prompts");
  }

  #die(how: Death): void {
    const connection = this.#connection;
    const peer = this.#peer;
    switch (how) {
      case "output ends":
        return this.#fallSilent(() => peer.end(), "connection_closed");
      case "output ends in a record": {
        if (this.#voice.silent) return;
        const half = '{"type":"x","torn';
        this.#half = half.length;
        this.#voice.flush(half);
        return this.#fallSilent(() => peer.end(), "connection_closed");
      }
      case "output ends without a line end": {
        if (this.#voice.silent) return;
        const last = { type: "result", n: this.#messages++, pad: "x".repeat(200) };
        this.#visible.push(last.n);
        this.#sizes.push(JSON.stringify(last).length);
        this.#voice.flush(JSON.stringify(last));
        return this.#fallSilent(() => peer.end(), "connection_closed");
      }
      case "output breaks": {
        const error = new Error("reset");
        this.#reasons.push(error);
        return this.#fallSilent(() => peer.break(error));
      }
      case "output is too long":
        this.#voice.flush(`{"type":"result","pad":"${"x".repeat(MAX_MESSAGE_BYTES)}"}\n`);
        this.#reading = this.#serving = false;
        this.#codes.add("message_too_large");
        return;
      case "input breaks":
      case "idle input breaks":
        this.#writing = this.#serving = false;
        this.#codes.add("write_failed");
        this.#blocked = false;
        return how === "input breaks" ? peer.breakInput(new Error("EPIPE")) : peer.breakIdleInput(new Error("EPIPE"));
      case "input ends":
        this.#writing = false;
        this.#codes.add("input_ended");
        return this.#watch("endInput", connection.endInput());
      case "input is abandoned":
        this.#writing = false;
        this.#codes.add("aborted");
        return connection.abandonInput();
      case "drain":
      case "drain with a farewell": {
        const reason = new Error("drained");
        this.#reasons.push(reason);
        this.#codes.add("input_ended");
        connection.drain(reason, how === "drain" ? undefined : { subtype: "interrupt" });
        return this.#over();
      }
      case "fail": {
        const error = new Error("failed");
        this.#reasons.push(error);
        connection.fail(error);
        return this.#over();
      }
      case "the observer throws":
        this.#reading = this.#serving = false;
        return this.#voice.say({ type: "system", boom: true }, "alone");
    }
  }

  /** We have ended it: nothing is served any more, and who is at work knows. */
  #over(): void {
    this.#reading = this.#serving = this.#writing = false;
    this.#servedAtEnd ??= this.#asked.served.length;
    this.#asked.checkAborted(this.#respondedIds);
  }

  /** What ends the output ends it after what was said. */
  #fallSilent(end: () => void, code?: string): void {
    if (this.#voice.silent) return;
    this.#voice.flush("");
    this.#voice.silent = true;
    this.#serving = false;
    if (code !== undefined) this.#codes.add(code);
    // What was asked can no longer be answered, and waits for that.
    this.#codes.add("aborted");
    end();
  }

  async #pass(ms: number): Promise<void> {
    await this.#quiet();
    this.#requests.beforeTime(this.#allRead);
    this.#clock.advance(ms);
    await this.#quiet();
    this.#requests.afterTime();
  }

  /** Nothing more happens by itself. */
  async #quiet(): Promise<void> {
    await quiet();
    if (this.#connection.queuedBytes === 0 || this.#connection.readingPaused) return;
    // A reader may give a consumer that has something to take a turn of the event loop.
    await settle();
    await quiet();
  }

  // -- what must be true ----------------------------------------------------------------------------------------------

  /** Everything that was said has been read and routed. */
  get #allRead(): boolean {
    return this.#reading && this.#voice.isClear && this.#voice.heard &&
      !this.#connection.readingPaused && this.#end === undefined;
  }

  async #turn(): Promise<void> {
    this.#voice.flush("");
    await quietUntil(() =>
      this.#voice.heard || this.#connection.readingPaused || this.#end !== undefined ||
      !this.#reading
    );
    await this.#quiet();
    this.#checkAlways();
    const { received, queuedBytes } = this.#connection;
    if (this.#allRead) {
      this.#requests.checkAnswered();
      assert.strictEqual(received, this.#visible.length, "messages received");
      const waiting = this.#sizes.slice(this.#seen.length).reduce((sum, size) => sum + size, 0);
      assert.strictEqual(queuedBytes, waiting, "bytes that wait");
      this.#asked.checkServed(this.#serving);
      if (this.#serving && this.#writing && !this.#blocked) this.#asked.checkAnswered(this.#peer.lines);
    } else if (this.#reading && this.#connection.readingPaused) {
      const taken = this.#peer.chunksTaken;
      await this.#quiet();
      assert.strictEqual(this.#peer.chunksTaken, taken, "a source that nobody reads is left alone");
      assert.isAbove(queuedBytes, 0, "reading stands still because something waits");
      const bound = this.#traits.queueBytes * (this.#connection.pendingRequests > 0 ? 4 : 1);
      assert.isAbove(queuedBytes + LONGEST_FRAME, bound, "reading stands still only at the bound");
    }
  }

  #checkAlways(): void {
    if (this.#faults.length > 0) throw this.#faults[0];
    const { queueBytes } = this.#traits;
    const bound = Math.max((this.#requests.any ? 4 : 1) * queueBytes, ...this.#sizes);
    assert.isAtMost(this.#connection.queuedBytes, bound, "the bound of the queue");
    assert.deepEqual(this.#seen, this.#visible.slice(0, this.#seen.length), "messages come in order, without loss");
    const kinds = this.#taken.map((item) => typeof item === "number" ? 0 : item === "the end" ? 1 : 2);
    assert.deepEqual(kinds, kinds.toSorted(), "who asks first is served first, and nothing comes after the end");
    const eager = [...this.#observed];
    assert.deepEqual(eager, eager.toSorted((a, b) => a - b), "what steers is seen in the order of the wire");
    assert.deepEqual(this.#pauses.filter((paused, at) => paused !== (at % 2 === 0)), [], "stops and starts alternate");
    this.#asked.checkServed(false);
    if (this.#servedAtEnd !== undefined) assert.lengthOf(this.#asked.served, this.#servedAtEnd, "no request is served");
    this.#asked.checkAnswers(this.#peer.lines, this.#responded);
  }

  #checkEnd(end: ConnectionEnd): void {
    const closedByUs = this.#codes.has("input_ended") || !this.#reading;
    if (end.error === undefined) {
      if (!this.#fragments) assert.strictEqual(end.halfRecordBytes, this.#half);
      if (!closedByUs) assert.lengthOf(this.#seen, this.#visible.length, "every message is delivered");
    } else assert.isTrue(this.#isReason(end.error), `it ends with ${String(end.error)}, which nothing explains`);
    if (end.inputError !== undefined) assert.isTrue(this.#codes.has("write_failed"));
  }

  #isReason(value: unknown): boolean {
    if (this.#reasons.includes(value)) return true;
    if (value instanceof MessageTooLargeError) return this.#codes.has("message_too_large");
    return value instanceof ClaudeSDKError && this.#codes.has(value.code);
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

/** The same stream as one that any number of lines may be written to at once. */
function joining(writable: WritableStream<Uint8Array>): WritableStream<Uint8Array> {
  const writer = writable.getWriter();
  const encoder = new TextEncoder();
  return new SinkStream({
    linewise: false,
    broken: new Promise((resolve) => writer.closed.catch(resolve)),
    write: (data) => writer.write(typeof data === "string" ? encoder.encode(data) : data),
    close: () => writer.close(),
    abort: (reason) => writer.abort(reason),
  });
}
