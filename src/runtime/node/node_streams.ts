import type { Readable, Writable } from "node:stream";
import { type Sink, SinkStream } from "../../core/streams/sink.ts";
import { type Source, type SourceResult, SourceStream } from "../../core/streams/source.ts";

/**
 * A Node readable as a Web stream that reads only when asked to. `Readable.toWeb` would read ahead of its queue, and with
 * `readable` events Node stops and starts the pipe for every chunk.
 */
export function pullReadable(source: Readable): ReadableStream<Uint8Array> {
  return new SourceStream(new NodeSource(source));
}

type ReadResult = SourceResult<Uint8Array>;

/** Lets a readable flow while somebody asks for more, and stand still when a chunk came that nobody had asked for. */
class NodeSource implements Source<Uint8Array> {
  readonly #source: Readable;
  /** Came without being asked for. */
  #chunks: Uint8Array[] = [];
  #waiting: { resolve(result: ReadResult): void; reject(error: unknown): void } | undefined;
  #over = false;
  #failure: { readonly error: unknown } | undefined;

  constructor(source: Readable) {
    this.#source = source;
    // Before anybody listens: that would set it flowing.
    source.pause();
    // Stays for good: when a child ends, Node sets its streams flowing, and what nobody listens to is lost.
    source.on("data", (chunk: Uint8Array) => this.#arrived(chunk));
    source.on("end", () => this.#ended());
    source.on("close", () => this.#ended());
    source.on("error", (error) => {
      this.#failure ??= { error };
      this.#ended();
    });
  }

  read(): Promise<ReadResult> {
    const chunk = this.#chunks.shift();
    if (chunk !== undefined) return Promise.resolve({ done: false, value: chunk });
    if (this.#over) return this.#end();
    this.#source.resume();
    return new Promise((resolve, reject) => this.#waiting = { resolve, reject });
  }

  cancel(): Promise<void> {
    this.#source.destroy();
    this.#chunks = [];
    this.#ended();
    return Promise.resolve();
  }

  #arrived(chunk: Uint8Array): void {
    const value = new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting !== undefined) return waiting.resolve({ done: false, value });
    this.#chunks.push(value);
    this.#source.pause();
  }

  #ended(): void {
    this.#over = true;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting !== undefined) this.#end().then(waiting.resolve, waiting.reject);
  }

  /** A failure is told once. */
  #end(): Promise<ReadResult> {
    const failure = this.#failure;
    this.#failure = undefined;
    return failure === undefined ? Promise.resolve({ done: true }) : Promise.reject(failure.error);
  }
}

/** A Node writable as a Web stream whose writes settle when the pipe has taken them, and reject when it is broken. */
export function pushWritable(target: Writable): WritableStream<Uint8Array> {
  return new SinkStream(new NodeSink(target));
}

class NodeSink implements Sink {
  readonly linewise = false;
  /** Never: what breaks between two writes is told by the next. */
  readonly broken: Promise<unknown> = new Promise(() => {});
  readonly #target: Writable;

  constructor(target: Writable) {
    this.#target = target;
    // Every failure also comes through a callback; without a listener it would end the host.
    target.on("error", () => {});
  }

  write(data: Uint8Array | string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#target.write(data, (error) => error ? reject(error) : resolve());
    });
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      // The end of input of a child that is gone already is no failure.
      this.#target.end(() => resolve());
      if (this.#target.destroyed) resolve();
    });
  }

  abort(): Promise<void> {
    this.#target.destroy();
    return Promise.resolve();
  }
}
