import type { Frame } from "./frame.ts";
import type { FrameDecoder } from "./frame_decoder.ts";

/** Frames of a byte stream, pull-driven: a chunk is taken from the source only when somebody asks for frames. */
export class FrameReader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array | string>;
  readonly #decoder: FrameDecoder;
  #halfRecordBytes = 0;
  #ended = false;

  constructor(source: ReadableStream<Uint8Array | string>, decoder: FrameDecoder) {
    this.#reader = source.getReader();
    this.#decoder = decoder;
  }

  /** Bytes of a record that output broke off in; 0 until `read()` has returned undefined, and after a clean end. */
  get halfRecordBytes(): number {
    return this.#halfRecordBytes;
  }

  /** The frames of the next chunk that completes any; undefined at the end of output. One call at a time. */
  async read(): Promise<readonly Frame[] | undefined> {
    const frames: Frame[] = [];
    while (frames.length === 0) {
      if (this.#ended) return undefined;
      const { done, value } = await this.#reader.read();
      if (done) {
        this.#ended = true;
        this.#halfRecordBytes = this.#decoder.end((frame) => frames.push(frame)).halfRecordBytes;
      } else {
        this.#decoder.push(value, (frame) => frames.push(frame));
      }
    }
    return frames;
  }

  /** Gives the source up. Never rejects. */
  async cancel(reason?: unknown): Promise<void> {
    this.#ended = true;
    try {
      await this.#reader.cancel(reason);
    } catch {
      // The source had failed already: there is nothing left to give up.
    }
  }
}
