import type { Clock } from "../clock.ts";
import type { DiagnosticListener } from "../diagnostics.ts";
import { ClaudeSDKError, ControlRequestError, ControlTimeoutError } from "../errors/mod.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import type { ResolvedTimeouts } from "../limits.ts";
import type { ControlAnswer, RequestOptions } from "./connection_options.ts";
import { Deadline } from "./deadline.ts";
import { deadlineFor, hookAllowanceFor } from "./deadlines.ts";
import { cancelFrame, readAnswer, readErrorCode, requestFrame } from "./frames.ts";
import type { WriteDone, WriteTicket } from "./frame_writer.ts";
import { RequestIds } from "./request_ids.ts";

/** What {@linkcode PendingRequests} work with. */
export interface PendingRequestsOptions {
  readonly clock: Clock;
  readonly timeouts: ResolvedTimeouts;
  readonly onDiagnostic: DiagnosticListener;
  /** Queues a control frame. @throws what makes it impossible to write as JSON. */
  write(frame: JsonObject, done: WriteDone): WriteTicket;
  /** A request was opened: its answer must be able to come. */
  onOpened(): void;
  /** True while reading stands still because nobody takes the messages. */
  stalled(): boolean;
}

interface Entry {
  readonly subtype: string;
  readonly deadline: Deadline;
  ticket: WriteTicket | undefined;
  readonly unlisten: () => void;
  readonly resolve: (answer: ControlAnswer) => void;
  readonly reject: (reason: unknown) => void;
}

/** Our requests that wait for their answers. Each settles once: by answer, error, deadline, abort or close. */
export class PendingRequests {
  readonly #options: PendingRequestsOptions;
  readonly #entries = new Map<string, Entry>();
  readonly #ids = new RequestIds();
  /** Those whose deadline stands still while hooks run. */
  readonly #heedful = new Set<Entry>();
  /** Hooks known to run; kept only while a request heeds them. */
  readonly #hooks = new Set<unknown>();
  /** Requests whose answer is not awaited. */
  readonly #farewells = new Set<string>();
  #closed: { readonly reason: unknown; readonly provisional: boolean } | undefined;

  constructor(options: PendingRequestsOptions) {
    this.#options = options;
  }

  /** How many wait. */
  get size(): number {
    return this.#entries.size;
  }

  /** Sends a request. */
  open(subtype: string, fields: JsonObject, options: RequestOptions): Promise<ControlAnswer> {
    const { signal } = options;
    return new Promise((resolve, reject) => {
      if (this.#closed !== undefined) return reject(this.#closed.reason);
      if (signal?.aborted) return reject(signal.reason);
      const id = this.#ids.next();
      const timeoutMs = options.timeoutMs ?? deadlineFor(subtype, fields, this.#options.timeouts);
      const onAbort = (): void => this.#giveUp(id, () => signal?.reason);
      signal?.addEventListener("abort", onAbort, { once: true });
      const unlisten = (): void => signal?.removeEventListener("abort", onAbort);
      const allowanceMs = options.hookAllowanceMs ?? hookAllowanceFor(subtype);
      const deadline = new Deadline(this.#options.clock, timeoutMs, allowanceMs, () => {
        const cause = this.#options.stalled() ? stalledCause() : undefined;
        this.#giveUp(id, () => new ControlTimeoutError(subtype, timeoutMs, { cause }));
      });
      const entry: Entry = { subtype, deadline, ticket: undefined, unlisten, resolve, reject };
      this.#entries.set(id, entry);
      if (allowanceMs > 0) this.#heedful.add(entry);
      try {
        entry.ticket = this.#options.write(requestFrame(id, subtype, fields), (failure) => {
          if (failure !== undefined) this.#settle(id)?.reject(failure.error);
        });
      } catch (error) {
        this.#settle(id);
        throw error;
      }
      if (this.#entries.has(id)) this.#options.onOpened();
    });
  }

  /** Sends a request whose answer interests nobody, whether open or closed to others. */
  farewell(subtype: string, fields: JsonObject): void {
    const id = this.#ids.next();
    this.#farewells.add(id);
    this.#options.write(requestFrame(id, subtype, fields), (failure) => {
      if (failure !== undefined) this.#farewells.delete(id);
    });
  }

  /** Takes a `control_response`. */
  answer(frame: JsonObject): void {
    const { id, envelope } = readAnswer(frame);
    const entry = typeof id === "string" ? this.#settle(id) : undefined;
    if (entry === undefined || envelope === undefined) {
      if (typeof id === "string" && this.#farewells.delete(id)) return;
      this.#options.onDiagnostic({ kind: "answer_unmatched", requestId: named(id) });
      return;
    }
    const payload = envelope.response ?? undefined;
    if (envelope.subtype === "error") {
      const text = typeof envelope.error === "string" && envelope.error !== ""
        ? envelope.error
        : "The CLI answered with an error without a text";
      entry.reject(new ControlRequestError(entry.subtype, text, readErrorCode(envelope.error_code)));
    } else if (envelope.subtype === "success" && (payload === undefined || isJsonObject(payload))) {
      entry.resolve({ payload, envelope });
    } else {
      const text = `The CLI answered ${entry.subtype} with something that is no answer`;
      entry.reject(new ControlRequestError(entry.subtype, text, "malformed_answer"));
    }
  }

  /** Takes a `control_request_progress`: the other end is at work on it. */
  progress(requestId: unknown): void {
    if (typeof requestId === "string") this.#entries.get(requestId)?.deadline.restart();
  }

  /** Takes note that a hook began or ended. */
  hook(key: unknown, running: boolean): void {
    if (running && this.#heedful.size > 0) this.#hooks.add(key);
    if (!running && !this.#hooks.delete(key)) return;
    for (const entry of this.#heedful) entry.deadline.hooksRunning(this.#hooks.size > 0);
  }

  /**
   * Rejects whatever is asked from now on: it cannot be written. What was written may have been answered, and the answer is
   * then still to be read. That a pipe broke is what is known first, and least about why: a later reason counts more.
   */
  refuse(reason: unknown): void {
    this.#closed ??= { reason, provisional: true };
  }

  /** Rejects what waits and whatever is asked from now on. The first reason counts, but for one of {@linkcode refuse}. */
  close(reason: unknown): void {
    if (this.#closed === undefined || this.#closed.provisional) this.#closed = { reason, provisional: false };
    for (const id of [...this.#entries.keys()]) {
      const entry = this.#settle(id);
      entry?.ticket?.withdraw();
      entry?.reject(this.#closed.reason);
    }
  }

  #giveUp(id: string, reason: () => unknown): void {
    const entry = this.#settle(id);
    if (entry === undefined) return;
    // What was never written needs no cancel. A cancel that cannot be written finds nobody who could mind.
    if (entry.ticket?.withdraw() !== true) this.#options.write(cancelFrame(id), () => {});
    entry.reject(reason());
  }

  /** Takes an entry out, with its timers and listeners. */
  #settle(id: string): Entry | undefined {
    const entry = this.#entries.get(id);
    if (entry === undefined) return undefined;
    this.#entries.delete(id);
    entry.deadline.stop();
    entry.unlisten();
    if (this.#heedful.delete(entry) && this.#heedful.size === 0) this.#hooks.clear();
    return entry;
  }
}

function stalledCause(): ClaudeSDKError {
  return new ClaudeSDKError(
    "consumer_stalled",
    "Nobody takes the messages: reading has stopped before the answer could be seen",
  );
}

/** What an id reads as; one that is neither text nor number reads as nothing. */
function named(id: unknown): string {
  return typeof id === "string" || typeof id === "number" ? String(id) : "";
}
