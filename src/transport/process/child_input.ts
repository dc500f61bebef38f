import { deferred } from "../../core/deferred.ts";
import { CLIConnectionError } from "../../core/errors/mod.ts";
import { type Sink, sinkOf, SinkStream } from "../../core/streams/sink.ts";

/**
 * A child's stdin for the producer, with an end of its own: the transport can end the input while somebody else holds the
 * writer, and a write that the child will never take does not hang for ever.
 */
export class ChildInput implements Sink {
  readonly linewise = false;
  /** Writes settle when the pipe took them and reject with a {@linkcode CLIConnectionError} when the child no longer reads. */
  readonly writable: WritableStream<Uint8Array>;
  /** See {@linkcode Sink.broken}. */
  readonly broken: Promise<unknown>;
  readonly #pipe: Sink;
  readonly #breaks = deferred<unknown>();
  /** Why nothing is taken any more. */
  #failure: { readonly error: unknown } | undefined;
  /** Rejects the write in flight; there is one at a time. */
  #failWrite: ((error: unknown) => void) | undefined;
  #ended = false;
  #closing: Promise<void> | undefined;
  #ending: ReturnType<typeof setTimeout> | undefined;

  /** Takes the pipe over. */
  constructor(stdin: WritableStream<Uint8Array>) {
    // A pipe may break while nobody writes; the next write tells.
    this.#pipe = sinkOf(stdin);
    this.broken = this.#breaks.promise;
    this.writable = new SinkStream(this);
  }

  /**
   * Ends the input once what was handed to the writer so far is taken. Later writes reject. A child that does not read keeps
   * its input open until it is gone: an end in mid-frame would be worse.
   */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    if (this.#failWrite === undefined) this.#endWhenIdle();
  }

  /** The child is gone: a write in flight and all later ones reject with `error`. */
  fail(error: CLIConnectionError): void {
    this.#ended = true;
    this.#stopEnding();
    this.#closing ??= this.#pipe.abort(error).catch(() => {});
    this.#break(error);
    this.#failWrite?.(error);
  }

  /** See {@linkcode Sink.write}. */
  write(data: Uint8Array | string): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure.error);
    this.#stopEnding();
    return new Promise((resolve, reject) => {
      const settled = (settle: () => void): void => {
        if (this.#failWrite === undefined) return;
        this.#failWrite = undefined;
        settle();
        if (this.#ended) this.#endWhenIdle();
      };
      this.#failWrite = (error) => settled(() => reject(error));
      this.#pipe.write(data).then(
        () => settled(resolve),
        (cause) =>
          settled(() =>
            reject(new CLIConnectionError("The CLI no longer reads its input", { code: "input_closed", cause }))
          ),
      );
    });
  }

  /** See {@linkcode Sink.close}. Ending the input of a child that reads no more is no failure. */
  close(): Promise<void> {
    this.#ended = true;
    this.#stopEnding();
    return this.#closing ??= this.#pipe.close().catch(() => {});
  }

  /** See {@linkcode Sink.abort}: the end, after a write in flight. */
  abort(): Promise<void> {
    if (this.#failWrite === undefined) return this.close();
    this.end();
    return Promise.resolve();
  }

  /** What was queued behind the last write comes within this turn; a turn later there is nothing more. */
  #endWhenIdle(): void {
    if (this.#closing !== undefined) return;
    this.#stopEnding();
    this.#ending = setTimeout(() => {
      this.#break(new CLIConnectionError("The input of the CLI has ended", { code: "input_closed" }));
      void this.close();
    }, 0);
  }

  #stopEnding(): void {
    if (this.#ending === undefined) return;
    clearTimeout(this.#ending);
    this.#ending = undefined;
  }

  #break(error: unknown): void {
    this.#failure ??= { error };
    this.#breaks.resolve(error);
  }
}
