import type { Abortable } from "../abort_source.ts";
import type { Clock } from "../clock.ts";
import type { DiagnosticListener } from "../diagnostics.ts";
import type { JsonObject } from "../json.ts";
import type { ResolvedLimits, ResolvedTimeouts } from "../limits.ts";
import type { NEVER_ANSWERED, NO_ANSWER } from "./answer_errors.ts";

/** How a request is known to its sender. The CLI uses UUIDs; a number is echoed as a number. */
export type RequestId = string | number;

/** One control request of the other end. */
export interface InboundRequest extends Abortable {
  /** Undefined if the sender gave none: it is answered without an id, and can be neither cancelled nor answered later. */
  readonly requestId: RequestId | undefined;
  /** What is asked, e.g. `can_use_tool`. */
  readonly subtype: string;
  /** The fields of `request`, its `subtype` included. */
  readonly fields: JsonObject;
  /** Aborts when the other end takes the request back, and when the connection ends. What is settled later is not sent. */
  readonly signal: AbortSignal;
}

/** What a handler may settle to: a payload, nothing (a success without payload), or silence, for now or for good. */
export type HandlerResult = JsonObject | undefined | typeof NO_ANSWER | typeof NEVER_ANSWERED;

/**
 * What a {@linkcode Connection} runs on and whom it tells. The listeners are called synchronously; one that throws fails
 * the connection with what it threw.
 */
export interface ConnectionOptions {
  /** What the other end writes. Text must have been cut anywhere but inside a character. */
  readonly readable: ReadableStream<Uint8Array | string>;
  /** What the other end reads. One chunk is one whole line, unless the stream says of itself that it does not matter. */
  readonly writable: WritableStream<Uint8Array>;
  /** Bounds of one frame and of what is read ahead. */
  readonly limits: ResolvedLimits;
  /** Deadlines of outbound requests. */
  readonly timeouts: ResolvedTimeouts;
  /** Default: the machine's own. */
  readonly clock?: Clock;
  /** Hears what was skipped, refused or stalled. A listener that throws is ignored from then on. */
  readonly onDiagnostic: DiagnosticListener;
  /**
   * Serves an inbound request. Resolving answers with success (`undefined`: no payload; {@linkcode NO_ANSWER}: silence for
   * now; {@linkcode NEVER_ANSWERED}: for good); a throw answers with its message as error. Throw `UnsupportedRequestError` for a subtype that is not known.
   */
  onRequest(request: InboundRequest): Promise<HandlerResult>;
  /**
   * Sees every frame that is no control frame and was parsed at read time, in wire order, before the consumer does; says
   * whether the consumer gets it. Also called for `transcript_mirror` and for a `keep_alive` with a `startup_mark`, which are
   * never delivered whatever is returned.
   */
  onFrame?(frame: JsonObject): "deliver" | "hide";
  /** Bytes arrived. Called once per chunk, not per line. */
  onActivity?(): void;
  /** Reading was stopped, or goes on again, because of the back-pressure bound. */
  onReadingPaused?(paused: boolean): void;
  /** Input broke (see {@linkcode ConnectionEnd.inputError}); what the other end wrote before is still read. Called once. */
  onInputError?(error: unknown): void;
  /**
   * Names the error that open requests reject with when output has ended: the place to wait for an exit code. Without it,
   * or if it throws, that is a `CLIConnectionError` with the code `connection_closed`.
   */
  explainEnd?(end: ConnectionEnd): unknown;
}

/** Settings of one outbound request. */
export interface RequestOptions {
  /** Gives the request up: the promise rejects with the signal's own reason and the other end is told. */
  readonly signal?: AbortSignal;
  /** Instead of the deadline from the table, in milliseconds; `Infinity` for none. */
  readonly timeoutMs?: number;
  /** How much time in which a hook is reported running does not count, in milliseconds; instead of the table's. */
  readonly hookAllowanceMs?: number;
}

/** A success answer with what stands beside its payload. */
export interface ControlAnswer {
  /** What was asked for; undefined where the method has no payload. */
  readonly payload: JsonObject | undefined;
  /** The whole `response` object (initialize has `pending_permission_requests` and the like here). */
  readonly envelope: JsonObject;
}

/** How a connection came to its end. */
export interface ConnectionEnd {
  /** Bytes of a record that output ended inside of; 0 if it ended between records. */
  readonly halfRecordBytes: number;
  /** Why reading ended before the end of output: an over-long frame, a stream error, the argument of `fail()`. */
  readonly error?: unknown;
  /** The input pipe broke: a `CLIConnectionError` with the code `write_failed`. */
  readonly inputError?: unknown;
  /** Prompt lines that the other end had not taken when output ended, those lost with a broken pipe included. */
  readonly unsentLines: number;
}
