/**
 * Decodes whole characters, by the faster of two decoders.
 *
 * A `TextDecoder` is never used in stream mode here: that costs a multiple (ASCII on Node 7 times, other text on Deno up
 * to 7, CJK on Bun 20), and in Deno it loses a U+FEFF at the start of a chunk. On Node, one that has *once* been used so
 * takes another path for good, which is half as slow for text that is not ASCII, and 7 times slower for ASCII. So there
 * is one of each kind, and what the last chunk was like decides. Elsewhere the two are equal.
 */
export class Utf8Decoder {
  readonly #forAscii: TextDecoder = new TextDecoder("utf-8", { ignoreBOM: true });
  readonly #forOther: TextDecoder = new TextDecoder("utf-8", { ignoreBOM: true });
  #current: TextDecoder = this.#forAscii;

  constructor() {
    this.#forOther.decode(new Uint8Array(0), { stream: true });
  }

  /** The text of bytes that begin and end between characters; what is broken in them becomes U+FFFD. */
  decode(bytes: Uint8Array): string {
    const text = this.#current.decode(bytes);
    this.#current = text.length === bytes.length ? this.#forAscii : this.#forOther;
    return text;
  }
}
