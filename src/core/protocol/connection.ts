import { type Clock, systemClock } from "../clock.ts";
import { type Deferred, deferred } from "../deferred.ts";
import { type DiagnosticListener, guardedListener } from "../diagnostics.ts";
import { AbortError, ClaudeSDKError, CLIConnectionError } from "../errors/mod.ts";
import type { JsonObject } from "../json.ts";
import { encodeLine } from "../streams/encode_frame.ts";
import type { Frame } from "../streams/frame.ts";
import { FrameDecoder } from "../streams/frame_decoder.ts";
import type {
  ConnectionEnd,
  ConnectionOptions,
  ControlAnswer,
  RequestId,
  RequestOptions,
} from "./connection_options.ts";
import type { ControlChannel } from "./control_channel.ts";
import { FrameIntake } from "./frame_intake.ts";
import { FrameQueue } from "./frame_queue.ts";
import { FrameRouter } from "./frame_router.ts";
import { FrameWriter, type WriteDone, type WriteTicket } from "./frame_writer.ts";
import { isControlType, mayNeedRouting } from "./frames.ts";
import { InboundRequests } from "./inbound_requests.ts";
import { PendingRequests } from "./pending_requests.ts";

/** While an answer of ours is awaited, so many times the bound may be read ahead: it may lie behind what is queued. */
const AWAITING_FACTOR = 4;

/** The control channel over any pair of byte streams: frames both ways, requests by id in both directions at once. */
export class Connection implements ControlChannel {
  readonly #options: ConnectionOptions;
  readonly #queueBytes: number;
  readonly #diagnose: DiagnosticListener;
  readonly #writer: FrameWriter;
  readonly #intake: FrameIntake;
  readonly #queue: FrameQueue;
  readonly #pending: PendingRequests;
  readonly #inbound: InboundRequests;
  readonly #router: FrameRouter;
  readonly #ended: Deferred<ConnectionEnd> = deferred();
  #started = false;
  #finished = false;
  #draining = false;
  #failed = false;
  #stallReported = false;
  #received = 0;

  /** Locks both streams. Nothing is read before {@linkcode Connection.start}. */
  constructor(options: ConnectionOptions) {
    this.#options = options;
    const { limits, timeouts } = options;
    this.#queueBytes = limits.queueBytes;
    const onDiagnostic = this.#diagnose = guardedListener(options.onDiagnostic);
    const clock: Clock = options.clock ?? systemClock;
    const write = (frame: JsonObject, done: WriteDone): WriteTicket =>
      this.#writer.push(encode(frame), "control", done);
    this.#writer = new FrameWriter(options.writable, (error) => this.#inputBroke(error));
    this.#queue = new FrameQueue((frame) => this.#open(frame), () => this.#taken());
    this.#pending = new PendingRequests({
      clock,
      timeouts,
      onDiagnostic,
      write,
      onOpened: () => this.#intake.proceed(),
      stalled: () => this.#intake.paused,
    });
    this.#inbound = new InboundRequests({
      onDiagnostic,
      serve: (request) => options.onRequest(request),
      write,
      onHook: (key, running) => this.#pending.hook(key, running),
    });
    this.#router = new FrameRouter(this.#pending, this.#inbound, options.onFrame?.bind(options));
    this.#intake = new FrameIntake({
      readable: options.readable,
      decoder: new FrameDecoder({ maxMessageBytes: limits.maxMessageBytes, onDiagnostic }),
      full: () => !this.#draining && this.#queue.bytes >= this.#bound,
      fits: (frame) => this.#fits(frame),
      accept: (frame) => this.#accept(frame),
      caughtUp: () => this.#queue.caughtUp(),
      onChunk: () => this.#tell(() => options.onActivity?.()),
      onPaused: (paused) => this.#readingPaused(paused),
    });
  }

  /** Begins to read. A second call does nothing. */
  start(): void {
    if (this.#started || this.#finished) return;
    this.#started = true;
    void this.#run();
  }

  /** See {@linkcode ControlChannel.next}. */
  next(): Promise<IteratorResult<JsonObject, void>> {
    return this.#queue.next();
  }

  /** See {@linkcode ControlChannel.take}. */
  take(): JsonObject | undefined {
    return this.#queue.take();
  }

  /** See {@linkcode ControlChannel.request}. */
  async request(subtype: string, fields?: JsonObject, options?: RequestOptions): Promise<JsonObject | undefined> {
    return (await this.requestWithEnvelope(subtype, fields, options)).payload;
  }

  /** See {@linkcode ControlChannel.requestWithEnvelope}. */
  requestWithEnvelope(subtype: string, fields: JsonObject = {}, options: RequestOptions = {}): Promise<ControlAnswer> {
    return this.#pending.open(subtype, fields, options);
  }

  /** See {@linkcode ControlChannel.respond}. */
  respond(requestId: RequestId, answer: JsonObject | undefined | Error): Promise<boolean> {
    return this.#inbound.respond(requestId, answer);
  }

  /** See {@linkcode ControlChannel.redeliver}. */
  redeliver(request: JsonObject): void {
    this.#inbound.receive(request);
  }

  /** See {@linkcode ControlChannel.send}. */
  send(frame: JsonObject, onEncoded?: () => void): Promise<void> {
    return new Promise((resolve, reject) => {
      const line = encode(frame);
      onEncoded?.();
      this.#writer.push(line, "prompt", (failure) => failure === undefined ? resolve() : reject(failure.error));
    });
  }

  /** See {@linkcode ControlChannel.endInput}. */
  endInput(): Promise<void> {
    return this.#writer.end();
  }

  /** See {@linkcode ControlChannel.drain}. */
  drain(reason: unknown, farewell?: { readonly subtype: string; readonly fields?: JsonObject }): void {
    if (this.#draining) return;
    this.#draining = true;
    this.#pending.close(reason);
    this.#inbound.close(reason, false);
    this.#queue.close();
    this.#writer.dropPrompts(reason);
    if (farewell !== undefined) this.#pending.farewell(farewell.subtype, farewell.fields ?? {});
    void this.#writer.end();
    this.#intake.proceed();
  }

  /** See {@linkcode ControlChannel.fail}. */
  fail(error: unknown): void {
    if (this.#failed) return;
    this.#failed = true;
    this.#pending.close(error);
    this.#inbound.close(error, false);
    this.#writer.abort(error);
    this.#intake.stop(error);
    this.#finish({ halfRecordBytes: 0, error });
  }

  /** The other end is gone: whoever still waits for a line to be taken is told that it was not. */
  abandonInput(): void {
    this.#writer.abandon(new AbortError("The connection has ended"));
  }

  /** See {@linkcode ControlChannel.ended}. */
  get ended(): Promise<ConnectionEnd> {
    return this.#ended.promise;
  }

  /** See {@linkcode ControlChannel.inputEnded}. */
  get inputEnded(): boolean {
    return this.#writer.ended;
  }

  /** See {@linkcode ControlChannel.inputError}. */
  get inputError(): unknown {
    return this.#writer.error;
  }

  /** See {@linkcode ControlChannel.unsentLines}. */
  get unsentLines(): number {
    return this.#writer.unsentPrompts;
  }

  /** See {@linkcode ControlChannel.readingPaused}. */
  get readingPaused(): boolean {
    return this.#intake.paused;
  }

  /** See {@linkcode ControlChannel.queuedBytes}. */
  get queuedBytes(): number {
    return this.#queue.bytes;
  }

  /** See {@linkcode ControlChannel.received}. */
  get received(): number {
    return this.#received;
  }

  /** See {@linkcode ControlChannel.pendingRequests}. */
  get pendingRequests(): number {
    return this.#pending.size;
  }

  /** See {@linkcode ControlChannel.openInbound}. */
  get openInbound(): number {
    return this.#inbound.size;
  }

  async #run(): Promise<void> {
    this.#finish(await this.#intake.run());
  }

  #finish(end: { readonly halfRecordBytes: number; readonly error?: unknown }): void {
    if (this.#finished) return;
    this.#finished = true;
    const inputError = this.#writer.error;
    const facts: ConnectionEnd = {
      halfRecordBytes: end.halfRecordBytes,
      unsentLines: this.#writer.unsentPrompts,
      ..."error" in end ? { error: end.error } : {},
      ...inputError === undefined ? {} : { inputError },
    };
    this.#queue.close();
    this.#ended.resolve(facts);
    this.#inbound.close(new AbortError("The connection has ended"), false);
    void this.#explain(facts);
  }

  /** What is still pending can no longer be answered. */
  async #explain(end: ConnectionEnd): Promise<void> {
    const { explainEnd } = this.#options;
    let reason = end.error ?? end.inputError;
    if (explainEnd !== undefined) {
      try {
        reason = await explainEnd(end) ?? reason;
      } catch (error) {
        reason = error;
      }
    }
    this.#pending.close(
      reason ?? new CLIConnectionError("The CLI's output has ended", { code: "connection_closed" }),
    );
  }

  #inputBroke(error: CLIConnectionError): void {
    this.#pending.refuse(error);
    this.#inbound.close(error, true);
    this.#tell(() => this.#options.onInputError?.(error));
  }

  /** How many bytes may wait now. */
  get #bound(): number {
    return this.#pending.size > 0 ? AWAITING_FACTOR * this.#queueBytes : this.#queueBytes;
  }

  #fits(frame: Frame): boolean {
    const { bytes } = this.#queue;
    // Nearly always, and this runs for each frame.
    if (bytes + frame.wireBytes <= this.#queueBytes) return true;
    if (this.#draining || this.#queue.isEmpty) return true;
    const bound = this.#bound;
    if (bytes >= bound) return false;
    return bytes + frame.wireBytes <= bound || (frame.eager && isControlType(frame.read()?.type));
  }

  /** A frame in its turn. Ordinary data is not even looked at: it is parsed when the consumer takes it. */
  #accept(frame: Frame): void {
    if (frame.eager) {
      const record = frame.read();
      if (record === undefined || !this.#route(record)) return;
    }
    this.#received++;
    this.#queue.put(frame);
  }

  /** Parses a frame for the consumer. Undefined: nothing for it. */
  #open(frame: Frame): JsonObject | undefined {
    const record = frame.read();
    if (frame.eager || record === undefined || !mayNeedRouting(record.type)) return record;
    return this.#route(record) ? record : undefined;
  }

  /** True if the consumer gets it. An observer's fault is the connection's end. */
  #route(record: JsonObject): boolean {
    try {
      return this.#router.route(record);
    } catch (error) {
      this.fail(error);
      return false;
    }
  }

  #taken(): void {
    if (this.#stallReported && this.#queue.bytes * 2 <= this.#queueBytes) this.#stallReported = false;
    this.#intake.proceed();
  }

  #readingPaused(paused: boolean): void {
    if (paused && !this.#stallReported) {
      this.#stallReported = true;
      const limitBytes = this.#bound;
      this.#diagnose({ kind: "consumer_stalled", queuedBytes: this.#queue.bytes, limitBytes });
    }
    this.#tell(() => this.#options.onReadingPaused?.(paused));
  }

  /** Calls a listener; its fault is the connection's end, not the reader's or the consumer's. */
  #tell(listener: () => void): void {
    try {
      listener();
    } catch (error) {
      this.fail(error);
    }
  }
}

/** One line. Whatever JSON cannot carry is the caller's error, found before anything is queued. */
function encode(frame: JsonObject): string {
  try {
    return encodeLine(frame);
  } catch (cause) {
    throw new ClaudeSDKError("unencodable_frame", "What was to be sent cannot be written as JSON", { cause });
  }
}
