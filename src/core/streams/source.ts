/** A chunk, or the end: what a native reader gives, with less said of the end. */
export type SourceResult<Chunk> =
  | { readonly done: false; readonly value: Chunk }
  | { readonly done: true; readonly value?: unknown };

/** Where bytes come from: what is used of a stream's reader, so a native one is one. One `read()` at a time. */
export interface Source<Chunk> {
  /** The next chunk. Rejects if the source breaks. */
  read(): Promise<SourceResult<Chunk>>;
  /** Lets it go, and ends a read that waits. */
  cancel(reason?: unknown): Promise<void>;
}

/**
 * A source as a Web stream that asks it only when it is asked itself. Whoever knows what it is may take the source out of it
 * ({@linkcode sourceOf}): each stream on the way makes several promises for a chunk.
 */
export class SourceStream<Chunk> extends ReadableStream<Chunk> {
  readonly #source: Source<Chunk>;
  readonly #pulled: () => boolean;

  /** A stream out of this source. */
  constructor(source: Source<Chunk>) {
    let pulled = false;
    super({
      async pull(controller) {
        pulled = true;
        const result = await source.read();
        if (result.done) controller.close();
        else controller.enqueue(result.value);
      },
      cancel: (reason) => source.cancel(reason),
    }, { highWaterMark: 0 });
    this.#source = source;
    this.#pulled = () => pulled;
  }

  /** Locks the stream, and hands out what is below it. */
  take(): Source<Chunk> {
    const reader = this.getReader();
    // A read that was begun by the stream's own reader must not be overtaken.
    return this.#pulled() ? reader : this.#source;
  }
}

/** What to read from instead of from a stream, which is locked by it. @throws {TypeError} if it is locked. */
export function sourceOf<Chunk>(readable: ReadableStream<Chunk>): Source<Chunk> {
  return readable instanceof SourceStream ? readable.take() : readable.getReader();
}
