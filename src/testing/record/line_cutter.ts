/** Cuts bytes into lines, each exactly as it was. Bounded: a line that grows past the limit is told, and cutting ends. */
export class LineCutter {
  readonly #maxBytes: number;
  #parts: Uint8Array[] = [];
  #held = 0;

  /** @param maxBytes Of one line. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The lines that a chunk completes, without their ends; undefined if one is too long. */
  push(chunk: Uint8Array): Uint8Array[] | undefined {
    const lines: Uint8Array[] = [];
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      this.#keep(chunk.subarray(from, end));
      from = end + 1;
      if (this.#held > this.#maxBytes) return undefined;
      lines.push(this.#take());
    }
    this.#keep(chunk.subarray(from));
    return this.#held > this.#maxBytes ? undefined : lines;
  }

  /** What is left at the end: a line without its end. */
  end(): Uint8Array | undefined {
    return this.#held === 0 ? undefined : this.#take();
  }

  #keep(part: Uint8Array): void {
    if (part.length === 0) return;
    // A copy: whoever wrote it may use the buffer again.
    this.#parts.push(part.slice());
    this.#held += part.length;
  }

  #take(): Uint8Array {
    const line = new Uint8Array(this.#held);
    let at = 0;
    for (const part of this.#parts) {
      line.set(part, at);
      at += part.length;
    }
    this.#parts = [];
    this.#held = 0;
    return line;
  }
}
