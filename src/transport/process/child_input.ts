import { CLIConnectionError } from "../../core/errors/mod.ts";

/**
 * A child's stdin for the producer, with an end of its own: the transport can end the input while somebody else holds the
 * writer, and a write that the child will never take does not hang for ever.
 */
export class ChildInput {
  /** Writes settle when the pipe took them and reject with a {@linkcode CLIConnectionError} when the child no longer reads. */
  readonly writable: WritableStream<Uint8Array>;
  readonly #pipe: WritableStreamDefaultWriter<Uint8Array>;
  #controller: WritableStreamDefaultController | undefined;
  /** Rejects the write in flight; there is one at a time. */
  #failWrite: ((error: unknown) => void) | undefined;
  #ended = false;
  #closing: Promise<void> | undefined;
  #ending: ReturnType<typeof setTimeout> | undefined;

  /** Takes the pipe over. */
  constructor(stdin: WritableStream<Uint8Array>) {
    this.#pipe = stdin.getWriter();
    // A pipe may break while nobody writes; the next write tells.
    this.#pipe.closed.catch(() => {});
    this.writable = new WritableStream<Uint8Array>({
      start: (controller) => void (this.#controller = controller),
      write: (chunk) => this.#write(chunk),
      close: () => this.#close(),
      abort: () => this.#close(),
    });
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
    clearTimeout(this.#ending);
    this.#closing ??= this.#pipe.abort(error).catch(() => {});
    this.#controller?.error(error);
    this.#failWrite?.(error);
  }

  #write(chunk: Uint8Array): Promise<void> {
    clearTimeout(this.#ending);
    return new Promise((resolve, reject) => {
      const settled = (settle: () => void): void => {
        if (this.#failWrite === undefined) return;
        this.#failWrite = undefined;
        settle();
        if (this.#ended) this.#endWhenIdle();
      };
      this.#failWrite = (error) => settled(() => reject(error));
      this.#pipe.write(chunk).then(
        () => settled(resolve),
        (cause) =>
          settled(() =>
            reject(new CLIConnectionError("The CLI no longer reads its input", { code: "input_closed", cause }))
          ),
      );
    });
  }

  /** What was queued behind the last write comes within this turn; a turn later there is nothing more. */
  #endWhenIdle(): void {
    if (this.#closing !== undefined) return;
    clearTimeout(this.#ending);
    this.#ending = setTimeout(() => {
      this.#controller?.error(new CLIConnectionError("The input of the CLI has ended", { code: "input_closed" }));
      void this.#close();
    }, 0);
  }

  #close(): Promise<void> {
    this.#ended = true;
    clearTimeout(this.#ending);
    // Ending the input of a child that reads no more is no failure.
    return this.#closing ??= this.#pipe.close().catch(() => {});
  }
}
