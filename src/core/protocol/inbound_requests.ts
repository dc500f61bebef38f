import { AbortSource } from "../abort_source.ts";
import type { DiagnosticListener } from "../diagnostics.ts";
import { AbortError } from "../errors/abort_error.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import { ControlAnswerError, NEVER_ANSWERED, NO_ANSWER, UnsupportedRequestError } from "./answer_errors.ts";
import type { HandlerResult, InboundRequest, RequestId } from "./connection_options.ts";
import { errorFrame, readRequestId, successFrame } from "./frames.ts";
import type { WriteDone, WriteTicket } from "./frame_writer.ts";
import { RecentIds } from "./recent_ids.ts";

/** What {@linkcode InboundRequests} work with. */
export interface InboundRequestsOptions {
  readonly onDiagnostic: DiagnosticListener;
  serve(request: InboundRequest): Promise<HandlerResult>;
  /** Queues a control frame. @throws what makes it impossible to write as JSON. */
  write(frame: JsonObject, done: WriteDone): WriteTicket;
  /** A hook callback was begun or is over; `key` is the same both times. */
  onHook(key: unknown, running: boolean): void;
}

/** One open request: what its handler sees, and what becomes of it. */
class Entry extends AbortSource implements InboundRequest {
  /** Set once the answer waits in the writer's queue. */
  ticket: WriteTicket | undefined;
  /** Hears whether the answer was written. */
  written: ((written: boolean) => void) | undefined;
  readonly requestId: RequestId | undefined;
  readonly subtype: string;
  readonly fields: JsonObject;

  constructor(requestId: RequestId | undefined, subtype: string, fields: JsonObject) {
    super();
    this.requestId = requestId;
    this.subtype = subtype;
    this.fields = fields;
  }
}

/** The other end's requests that wait for our answers. Each is served once and answered at most once. */
export class InboundRequests {
  readonly #options: InboundRequestsOptions;
  readonly #open = new Map<RequestId, Entry>();
  readonly #anonymous = new Set<Entry>();
  /** Answered or cancelled: a repeat runs nothing. */
  readonly #over = new RecentIds();
  /** Cancelled before they came. */
  readonly #cancelledAhead = new RecentIds();
  #closed: { readonly reason: unknown; readonly report: boolean } | undefined;

  constructor(options: InboundRequestsOptions) {
    this.#options = options;
  }

  /** How many wait for an answer. */
  get size(): number {
    return this.#open.size + this.#anonymous.size;
  }

  /** Takes a `control_request`. Never throws. */
  receive(frame: JsonObject): void {
    const id = readRequestId(frame.request_id);
    const request = isJsonObject(frame.request) ? frame.request : undefined;
    const subtype = typeof request?.subtype === "string" ? request.subtype : undefined;
    if (this.#closed !== undefined) {
      if (this.#closed.report) this.#report(subtype, id, this.#closed.reason);
      return;
    }
    if (id !== undefined) {
      if (this.#open.has(id) || this.#over.has(id)) return;
      if (this.#cancelledAhead.delete(id)) return this.#over.add(id);
    }
    if (request === undefined || subtype === undefined) return this.#refuse(id);
    this.#serve(new Entry(id, subtype, request));
  }

  /** Takes a `control_cancel_request`: aborts the request and forbids its answer, also if it has yet to come. */
  cancel(frame: JsonObject): void {
    const id = readRequestId(frame.request_id);
    if (id === undefined) {
      this.#report("control_cancel_request", undefined, new ControlAnswerError("A cancel without a request id"));
      return;
    }
    const entry = this.#open.get(id);
    if (entry === undefined) {
      if (!this.#over.has(id)) this.#cancelledAhead.add(id);
      return;
    }
    this.#drop(entry, new AbortError("The CLI took its request back"));
  }

  /** Answers a request that is still open; resolves to whether the answer was written. */
  respond(id: RequestId, answer: JsonObject | undefined | Error): Promise<boolean> {
    const entry = this.#open.get(id);
    if (entry === undefined || entry.ticket !== undefined) return Promise.resolve(false);
    return new Promise((resolve) => {
      entry.written = resolve;
      this.#answer(entry, answer);
    });
  }

  /** Aborts what is open and serves nothing any more. With `report`, each request that still comes is reported. */
  close(reason: unknown, report: boolean): void {
    this.#closed ??= { reason, report };
    for (const entry of [...this.#open.values(), ...this.#anonymous]) this.#drop(entry, reason);
  }

  #serve(entry: Entry): void {
    if (entry.requestId === undefined) this.#anonymous.add(entry);
    else this.#open.set(entry.requestId, entry);
    if (entry.subtype === "hook_callback") this.#options.onHook(entry, true);
    void this.#run(entry);
  }

  async #run(entry: Entry): Promise<void> {
    let answer: JsonObject | undefined | Error;
    try {
      const result = await this.#options.serve(entry);
      if (result === NO_ANSWER) {
        // Without an id nobody can answer later.
        if (entry.requestId === undefined) this.#forget(entry);
        return;
      }
      if (result === NEVER_ANSWERED) {
        if (this.#isOpen(entry) && entry.ticket === undefined) {
          this.#forget(entry);
          this.#tell(entry, false);
        }
        return;
      }
      answer = result;
    } catch (thrown) {
      answer = thrown instanceof Error ? thrown : new Error(String(thrown), { cause: thrown });
    }
    this.#answer(entry, answer);
  }

  #answer(entry: Entry, answer: JsonObject | undefined | Error): void {
    if (!this.#isOpen(entry) || entry.ticket !== undefined) return;
    if (answer instanceof Error) {
      const deliberate = answer instanceof ControlAnswerError && !(answer instanceof UnsupportedRequestError);
      if (!deliberate) this.#report(entry.subtype, entry.requestId, answer);
      this.#writeError(entry, answer);
      return;
    }
    try {
      if (answer !== undefined && !isJsonObject(answer)) throw new TypeError("An answer must be an object");
      entry.ticket = this.#write(entry, successFrame(entry.requestId, answer));
    } catch (cause) {
      this.#report(entry.subtype, entry.requestId, cause);
      const error = new ControlAnswerError("The answer could not be written as JSON", "unencodable_answer", { cause });
      this.#writeError(entry, error);
    }
  }

  #writeError(entry: Entry, error: Error): void {
    const code = error instanceof ControlAnswerError ? error.errorCode : undefined;
    entry.ticket = this.#write(entry, errorFrame(entry.requestId, error.message || error.name, code));
  }

  #write(entry: Entry, frame: JsonObject): WriteTicket {
    return this.#options.write(frame, (failure) => {
      if (!this.#isOpen(entry)) return;
      this.#forget(entry);
      this.#tell(entry, failure === undefined);
    });
  }

  /** Aborts an open request; nothing is written for it. One whose answer is being written is as good as answered. */
  #drop(entry: Entry, reason: unknown): void {
    if (entry.ticket !== undefined && !entry.ticket.withdraw()) return;
    this.#forget(entry);
    this.#tell(entry, false);
    entry.abort(reason);
  }

  #forget(entry: Entry): void {
    if (entry.requestId === undefined) {
      this.#anonymous.delete(entry);
    } else {
      this.#open.delete(entry.requestId);
      this.#over.add(entry.requestId);
    }
    if (entry.subtype === "hook_callback") this.#options.onHook(entry, false);
  }

  #tell(entry: Entry, written: boolean): void {
    entry.written?.(written);
  }

  #isOpen(entry: Entry): boolean {
    return entry.requestId === undefined ? this.#anonymous.has(entry) : this.#open.get(entry.requestId) === entry;
  }

  /** A request that asks nothing: an error where it can be told to somebody. */
  #refuse(id: RequestId | undefined): void {
    const error = new ControlAnswerError(
      "Malformed control request: it has no request with a subtype",
      "invalid_request",
    );
    this.#report(undefined, id, error);
    if (id === undefined) return;
    this.#over.add(id);
    this.#options.write(errorFrame(id, error.message, error.errorCode), () => {});
  }

  #report(subtype: string | undefined, id: RequestId | undefined, cause: unknown): void {
    const requestId = id === undefined ? "" : String(id);
    this.#options.onDiagnostic({ kind: "request_failed", subtype: subtype ?? "", requestId, cause });
  }
}
