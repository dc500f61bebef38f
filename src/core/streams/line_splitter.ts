import { MessageTooLargeError } from "../errors/connection_errors.ts";

/** Takes a line, without its end, and the bytes it had on the wire, without the bytes of that end. */
export type LineListener = (line: string, wireBytes: number) => void;

/** Bytes in, lines out. */
export class LineSplitter {
  readonly #max: number;
  readonly #decoder: TextDecoder = new TextDecoder("utf-8", { ignoreBOM: true });
  #held: Uint8Array[] = [];
  #heldBytes = 0;

  constructor(options: { readonly maxMessageBytes: number }) {
    this.#max = options.maxMessageBytes;
  }

  /** Takes the next chunk and emits each line that is now complete. @throws {MessageTooLargeError} for a line past the limit. */
  push(chunk: Uint8Array | string, emit: LineListener): void {
    const bytes = typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk;
    let start = 0;
    for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, start)) {
      this.#hold(bytes.slice(start, at));
      this.end(emit);
      start = at + 1;
    }
    if (start < bytes.length) this.#hold(bytes.slice(start));
  }

  /** Emits the unterminated tail, if there is one. */
  end(emit: LineListener): void {
    const bytes = new Uint8Array(this.#heldBytes);
    let at = 0;
    for (const part of this.#held) {
      bytes.set(part, at);
      at += part.length;
    }
    this.#held = [];
    this.#heldBytes = 0;
    emit(this.#decoder.decode(bytes), bytes.length);
  }

  #hold(part: Uint8Array): void {
    this.#heldBytes += part.length;
    if (this.#heldBytes > this.#max) throw new MessageTooLargeError(this.#heldBytes, this.#max);
    this.#held.push(part);
  }
}
