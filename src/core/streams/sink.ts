/** Where bytes go. One write at a time: the next is handed over when the last has settled. */
export interface Sink {
  /** Each write must be one whole line; else as many as there are may go in one. */
  readonly linewise: boolean;
  /** Settles with the reason if it breaks while nobody writes; never rejects. */
  readonly broken: Promise<unknown>;
  /** Settles when it was taken; rejects when the other end no longer reads. */
  write(data: Uint8Array | string): Promise<void>;
  /** The end of input. */
  close(): Promise<void>;
  /** Gives it up. */
  abort(reason: unknown): Promise<void>;
}

/**
 * A sink as a Web stream. Whoever knows what it is may take the sink out of it ({@linkcode sinkOf}): a Web stream makes
 * several promises for each write, and one on top of another twice as many.
 */
export class SinkStream extends WritableStream<Uint8Array> {
  readonly #sink: Sink;

  /** A stream into this sink. */
  constructor(sink: Sink) {
    super({
      start: (controller) => void sink.broken.then((reason) => controller.error(reason)),
      write: (chunk) => sink.write(chunk),
      close: () => sink.close(),
      abort: (reason) => sink.abort(reason),
    });
    this.#sink = sink;
  }

  /** Locks the stream, and hands out what is below it. */
  take(): Sink {
    this.getWriter();
    return this.#sink;
  }
}

/** What to write to instead of to a stream, which is locked by it. */
export function sinkOf(writable: WritableStream<Uint8Array>): Sink {
  return writable instanceof SinkStream ? writable.take() : new StreamSink(writable);
}

const encoder: TextEncoder = new TextEncoder();

/** Any other Web stream. What its chunks mean to the one who made it is not known here: a line each. */
class StreamSink implements Sink {
  readonly linewise = true;
  readonly broken: Promise<unknown>;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;

  constructor(writable: WritableStream<Uint8Array>) {
    this.#writer = writable.getWriter();
    this.broken = new Promise((resolve) => this.#writer.closed.catch(resolve));
  }

  write(data: Uint8Array | string): Promise<void> {
    return this.#writer.write(typeof data === "string" ? encoder.encode(data) : data);
  }

  close(): Promise<void> {
    return this.#writer.close();
  }

  abort(reason: unknown): Promise<void> {
    return this.#writer.abort(reason);
  }
}
