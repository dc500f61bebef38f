const encoder: TextEncoder = new TextEncoder();
// Whole texts only: see Utf8Decoder.
const decoder: TextDecoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * A text that waits as bytes. An engine copies young strings that live on and enlarges its heap for them, by more than they
 * take themselves; bytes lie outside of it.
 */
export class TextBlock {
  readonly #bytes: Uint8Array;
  #text: string | undefined;

  /** A block of this text, which must not hold half a surrogate pair. */
  constructor(text: string) {
    this.#bytes = encoder.encode(text);
  }

  /** A part of the text. The first call decodes all of it. */
  slice(start: number, end: number): string {
    this.#text ??= decoder.decode(this.#bytes);
    return this.#text.slice(start, end);
  }
}
