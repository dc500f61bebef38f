import type { Frame } from "./frame.ts";
import type { FrameDecoder } from "./frame_decoder.ts";

/**
 * Frames of a byte stream, pull-driven: a chunk is taken from the source only while somebody waits for frames, one at a
 * time. A source that nobody reads is not drained.
 */
export class FrameReader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array | string>;
  readonly #decoder: FrameDecoder;
  #state: "reading" | "ended" | "failed" | "cancelled" = "reading";
  #failure: unknown;
  #halfRecordBytes = 0;

  /** Locks the source, and takes nothing from it yet. */
  constructor(source: ReadableStream<Uint8Array | string>, decoder: FrameDecoder) {
    this.#reader = source.getReader();
    this.#decoder = decoder;
  }

  /** Bytes of the record that output broke off in; 0 after a clean end, and until `read()` has come to the end. */
  get halfRecordBytes(): number {
    return this.#halfRecordBytes;
  }

  /**
   * The frames of the next chunk that completes any; undefined at the end of output and after `cancel()`. One call at a
   * time. What arrived whole before a failure is delivered first, and the next call rejects.
   *
   * @throws {MessageTooLargeError} for a record past the limit, {CLIConnectionError} for a chunk that is neither bytes
   * nor text, and whatever the source fails with. The source is left as it is: `cancel()` gives it up.
   */
  async read(): Promise<readonly Frame[] | undefined> {
    const frames: Frame[] = [];
    while (frames.length === 0) {
      if (this.#state === "failed") throw this.#failure;
      if (this.#state !== "reading") return undefined;
      await this.#readChunk(frames);
    }
    return frames;
  }

  /** Gives the source up, also while a `read()` waits: that one returns undefined. Never rejects. */
  async cancel(reason?: unknown): Promise<void> {
    if (this.#state === "ended") return;
    this.#state = "cancelled";
    try {
      await this.#reader.cancel(reason);
    } catch {
      // The source had failed already, or fails to stop: either way it is given up.
    }
  }

  async #readChunk(frames: Frame[]): Promise<void> {
    const emit = (frame: Frame): void => {
      frames.push(frame);
    };
    try {
      const { done, value } = await this.#reader.read();
      if (this.#state === "cancelled") return;
      if (!done) this.#decoder.push(value, emit);
      else {
        this.#state = "ended";
        this.#halfRecordBytes = this.#decoder.end(emit).halfRecordBytes;
        this.#reader.releaseLock();
      }
    } catch (error) {
      if (this.#state === "cancelled") return;
      this.#state = "failed";
      this.#failure = error;
    }
  }
}
