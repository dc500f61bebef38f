import type { JsonObject } from "../json.ts";
import type { ConnectionEnd, ControlAnswer, RequestId, RequestOptions } from "./connection_options.ts";

/** The face of a `Connection`: what a session needs of the other end, wherever that runs. */
export interface ControlChannel {
  /** Begins to read. Nothing is read before; a second call does nothing. */
  start(): void;
  /**
   * The next data frame, in order; done when there is none left. Never rejects: see `ended` for what went wrong.
   * Frames are parsed here, so a frame that nobody takes costs no parsing.
   */
  next(): Promise<IteratorResult<JsonObject, void>>;
  /** The same without a wait: undefined if none is here. Whoever chains a promise to `next()` asks this first. */
  take(): JsonObject | undefined;
  /**
   * Asks the other end. Resolves to the payload.
   *
   * @throws {ControlRequestError} if it answers with an error.
   * @throws {ControlTimeoutError} past the deadline; its cause has the code `consumer_stalled` if the answer could not be
   * read because nobody takes the messages.
   * @throws the signal's reason, or what `fail()`, `drain()` or `explainEnd` gave.
   */
  request(subtype: string, fields?: JsonObject, options?: RequestOptions): Promise<JsonObject | undefined>;
  /** The same, with what stands beside the payload. */
  requestWithEnvelope(subtype: string, fields?: JsonObject, options?: RequestOptions): Promise<ControlAnswer>;
  /**
   * Answers a request that its handler left open, or is still working on. An `Error` makes an error answer. Resolves when
   * the answer is written; to false if the request is gone (answered, cancelled, unknown) or input has ended.
   */
  respond(requestId: RequestId, answer: JsonObject | undefined | Error): Promise<boolean>;
  /** Serves a `control_request` that came by another way (redelivered by `initialize`), unless it is or was served already. */
  redeliver(request: JsonObject): void;
  /**
   * Sends one prompt line. Control frames overtake it. Resolves when the sink has accepted it. `onEncoded` is called
   * before it is queued, and never for a line that has no JSON form.
   *
   * @throws {CLIConnectionError} with the code `write_failed` or `input_ended`; or what `fail()` gave.
   * @throws {ClaudeSDKError} `unencodable_frame`.
   */
  send(frame: JsonObject, onEncoded?: () => void): Promise<void>;
  /** Ends input after everything queued. Idempotent; never rejects, also if the pipe is dead. */
  endInput(): Promise<void>;
  /**
   * The orderly way out: open requests reject with `reason`, inbound ones abort and none is served any more, the consumer
   * gets what was queued and nothing that comes later, the farewell (a control request whose answer nobody awaits) is
   * sent, input ends, and output is read to its end. Idempotent.
   */
  drain(reason: unknown, farewell?: { readonly subtype: string; readonly fields?: JsonObject }): void;
  /**
   * The hard way out: as `drain`, but nothing more is read or written. The consumer still gets what was queued.
   * Everything pending rejects with `error`. Idempotent: the first error counts.
   */
  fail(error: unknown): void;
  /** Settles when output is finished and everything read has been handed out. Never rejects. */
  readonly ended: Promise<ConnectionEnd>;
  /** No further line can be sent. */
  readonly inputEnded: boolean;
  /** Why input broke, if it did. */
  readonly inputError: unknown;
  /** Prompt lines that have not been taken: they wait, or were lost with a pipe that broke. */
  readonly unsentLines: number;
  /** Reading stands still because nobody takes the messages. */
  readonly readingPaused: boolean;
  /** Wire bytes of the frames that wait for the consumer. */
  readonly queuedBytes: number;
  /** Frames taken in for the consumer so far, whether it has taken them or not; hidden ones do not count. */
  readonly received: number;
  /** Outbound requests without their answer. */
  readonly pendingRequests: number;
  /** Inbound requests without theirs. */
  readonly openInbound: number;
}
