import { CLIConnectionError, MessageTooLargeError } from "../errors/connection_errors.ts";
import { incompleteTail, missingBytes } from "./utf8_boundary.ts";
import { Utf8Decoder } from "./utf8_decoder.ts";

/**
 * Takes a line without its end (`\n` or `\r\n`), and its bytes on the wire, the end left out; and a text in which the
 * line stands, from `start` on. To look at a character there is free; to look at one of the line makes Bun give it a
 * string of its own, which costs a tenth of what parsing it does.
 *
 * The bytes are exact, except where one chunk holds several lines and not only ASCII: there each of these lines gets a
 * share in proportion to its text, and their sum is exact.
 */
export type LineListener = (line: string, wireBytes: number, text: string, start: number) => void;

const BYTE_ORDER_MARK: Uint8Array = new Uint8Array([0xef, 0xbb, 0xbf]);
const NEWLINE = 10;
const CARRIAGE_RETURN = 13;

/** So many pieces of an unfinished line are put together, if they are small: many tiny strings take more than their text. */
const SMALL_PIECES = 256;
const SMALL_PIECES_LENGTH = 64 * 1024;

/**
 * Cuts bytes into lines, at 0x0A and nowhere else: U+2028, U+2029 and a lone `\r` are text.
 *
 * Each chunk is decoded once, and newlines are searched in the new text only, so that the time is linear however long a
 * line gets. A character that a chunk breaks off in is kept back, so that each chunk can be decoded for itself.
 */
export class LineSplitter {
  readonly #max: number;
  readonly #decoder: Utf8Decoder = new Utf8Decoder();
  readonly #encoder: TextEncoder = new TextEncoder();
  /** Text of the unfinished line. */
  #pieces: string[] = [];
  /** Where in `#pieces` those begin that were not put together yet, and their length. */
  #freshFrom = 0;
  #freshLength = 0;
  /** Bytes of the unfinished line, those of `#partial` included. */
  #heldBytes = 0;
  /** Bytes of a character that is not complete. */
  #partial: Uint8Array | undefined;
  /** A string chunk ended in the first half of a surrogate pair. */
  #highSurrogate = "";
  /** How much of a byte order mark was seen; past its length once the start is over. */
  #markSeen = 0;
  #failure: MessageTooLargeError | undefined;

  /** A splitter at the start of an output. A line of exactly `maxMessageBytes` is accepted. */
  constructor(options: { readonly maxMessageBytes: number }) {
    this.#max = options.maxMessageBytes;
  }

  /**
   * Takes the next chunk and emits each line that is now complete. The chunk is not kept.
   *
   * @throws {MessageTooLargeError} as soon as a line is known to be longer than the limit; the lines before it have been
   * emitted, and nothing can be pushed after it.
   * @throws {CLIConnectionError} for a chunk that is neither bytes nor text.
   */
  push(chunk: Uint8Array | string, emit: LineListener): void {
    if (typeof chunk === "string") this.#pushText(chunk, emit);
    else {
      if (this.#highSurrogate !== "") this.#flushSurrogate(emit);
      this.#pushBytes(asBytes(chunk), emit);
    }
  }

  /** Ends the output: emits the unterminated last line, if there is one. @throws {MessageTooLargeError} as `push` does. */
  end(emit: LineListener): void {
    if (this.#highSurrogate !== "") this.#flushSurrogate(emit);
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#markSeen < BYTE_ORDER_MARK.length) this.#endOfStart(emit);
    if (this.#partial !== undefined) this.#keep(this.#decoder.decode(this.#partial));
    this.#partial = undefined;
    if (this.#heldBytes > 0) this.#finishHeld("", 0, emit);
  }

  #pushText(chunk: string, emit: LineListener): void {
    let text = this.#highSurrogate + chunk;
    this.#highSurrogate = "";
    const last = text.charCodeAt(text.length - 1);
    if (last >= 0xd800 && last <= 0xdbff) {
      this.#highSurrogate = text.slice(-1);
      text = text.slice(0, -1);
    }
    this.#pushBytes(this.#encoder.encode(text), emit);
  }

  /** The second half never came: what is left is no character. */
  #flushSurrogate(emit: LineListener): void {
    this.#highSurrogate = "";
    this.#pushBytes(this.#encoder.encode("\ufffd"), emit);
  }

  #pushBytes(chunk: Uint8Array, emit: LineListener): void {
    if (this.#failure !== undefined) throw this.#failure;
    const bytes = this.#markSeen < BYTE_ORDER_MARK.length ? this.#skipMark(chunk, emit) : chunk;
    if (this.#heldBytes + bytes.length <= this.#max) this.#take(bytes, emit);
    else this.#takeChecked(bytes, emit);
  }

  /** Drops a byte order mark at the start of the output, also one in several chunks. */
  #skipMark(chunk: Uint8Array, emit: LineListener): Uint8Array {
    let at = 0;
    while (at < chunk.length && this.#markSeen < BYTE_ORDER_MARK.length) {
      if (chunk[at] === BYTE_ORDER_MARK[this.#markSeen]) {
        at++;
        this.#markSeen++;
      } else this.#endOfStart(emit);
    }
    // A mark that turned out not to be one begins in an earlier chunk or in this one; `#endOfStart` has taken it.
    return chunk.subarray(at);
  }

  /** What looked like a byte order mark was none: it is text. */
  #endOfStart(emit: LineListener): void {
    const seen = this.#markSeen;
    this.#markSeen = BYTE_ORDER_MARK.length;
    if (seen > 0) this.#pushBytes(BYTE_ORDER_MARK.subarray(0, seen), emit);
  }

  /** Takes a chunk with which a line may pass the limit: line by line, each checked by its bytes before it is decoded. */
  #takeChecked(bytes: Uint8Array, emit: LineListener): void {
    for (let start = 0; start < bytes.length;) {
      const newline = bytes.indexOf(NEWLINE, start);
      const end = newline === -1 ? bytes.length : newline;
      const seen = this.#heldBytes + end - start;
      // One byte more is fine if it belongs to the line end: a `\r`, seen now or (nothing new here) at the end before.
      const endsInReturn = end === start || bytes[end - 1] === CARRIAGE_RETURN;
      if (seen > this.#max + (endsInReturn ? 1 : 0)) this.#fail(seen);
      const next = newline === -1 ? end : newline + 1;
      this.#take(bytes.subarray(start, next), emit);
      start = next;
    }
  }

  #fail(seen: number): never {
    this.#pieces = [];
    this.#failure = new MessageTooLargeError(seen, this.#max);
    throw this.#failure;
  }

  /** Takes a chunk with which no line can pass the limit. */
  #take(chunk: Uint8Array, emit: LineListener): void {
    let bytes = chunk;
    if (this.#partial !== undefined) {
      const used = this.#completePartial(bytes, this.#partial);
      bytes = bytes.subarray(used);
    }
    if (bytes.length === 0) return;
    const cut = bytes[bytes.length - 1]! < 0x80 ? 0 : incompleteTail(bytes);
    if (cut > 0) {
      // A copy, and not by `slice`: that of a Node Buffer is a view.
      this.#partial = new Uint8Array(bytes.subarray(bytes.length - cut));
      bytes = bytes.subarray(0, bytes.length - cut);
    }
    const text = this.#decoder.decode(bytes);
    const first = text.indexOf("\n");
    if (first === -1) this.#heldBytes += bytes.length;
    else this.#lines(bytes, text, first, emit);
    this.#heldBytes += cut;
    if (first === -1) this.#keep(text);
  }

  /** Adds to a character that an earlier chunk ended in; returns how many bytes of this one it took. */
  #completePartial(bytes: Uint8Array, partial: Uint8Array): number {
    const missing = missingBytes(partial);
    let used = 0;
    while (used < missing && used < bytes.length && (bytes[used]! & 0xc0) === 0x80) used++;
    const character = new Uint8Array(partial.length + used);
    character.set(partial);
    character.set(bytes.subarray(0, used), partial.length);
    this.#heldBytes += used;
    if (used < missing && used === bytes.length) this.#partial = character;
    else {
      this.#partial = undefined;
      this.#keep(this.#decoder.decode(character));
    }
    return used;
  }

  /** Emits the lines of a text whose first newline is at `first`, and keeps what follows its last one. */
  #lines(bytes: Uint8Array, text: string, first: number, emit: LineListener): void {
    // One byte a character, exactly if all are ASCII (or broken bytes): text positions are byte positions then.
    const ascii = text.length === bytes.length;
    let share = 1;
    let tailBytes = 0;
    if (!ascii) {
      const last = bytes.lastIndexOf(NEWLINE);
      tailBytes = bytes.length - 1 - last;
      share = (last + 1) / (text.lastIndexOf("\n") + 1);
    }
    const position = (index: number): number => ascii ? index : Math.round(index * share);
    this.#finishHeld(text.slice(0, first), position(first + 1) - 1, emit);
    let start = first + 1;
    for (let newline = text.indexOf("\n", start); newline !== -1; newline = text.indexOf("\n", start)) {
      const end = newline > start && text.charCodeAt(newline - 1) === CARRIAGE_RETURN ? newline - 1 : newline;
      emit(text.slice(start, end), position(newline + 1) - position(start) - 1 - (newline - end), text, start);
      start = newline + 1;
    }
    if (start === text.length) return;
    this.#heldBytes = ascii ? text.length - start : tailBytes;
    this.#keep(text.slice(start));
  }

  /** Adds to the unfinished line. */
  #keep(text: string): void {
    this.#pieces.push(text);
    this.#freshLength += text.length;
    if (this.#pieces.length - this.#freshFrom < SMALL_PIECES) return;
    if (this.#freshLength < SMALL_PIECES_LENGTH) this.#pieces.push(this.#pieces.splice(this.#freshFrom).join(""));
    this.#freshFrom = this.#pieces.length;
    this.#freshLength = 0;
  }

  /** Emits the unfinished line, which ends with `rest`. */
  #finishHeld(rest: string, restBytes: number, emit: LineListener): void {
    let line = rest;
    let wireBytes = restBytes;
    if (this.#pieces.length > 0) {
      this.#pieces.push(rest);
      line = this.#pieces.join("");
      wireBytes += this.#heldBytes;
      this.#pieces = [];
      this.#freshFrom = 0;
      this.#freshLength = 0;
      this.#heldBytes = 0;
    }
    if (line.charCodeAt(line.length - 1) === CARRIAGE_RETURN) {
      line = line.slice(0, -1);
      wireBytes--;
    }
    emit(line, wireBytes, line, 0);
  }
}

/** A chunk as the bytes it views. Custom transports hand over what they like. */
function asBytes(chunk: Uint8Array): Uint8Array {
  if (chunk instanceof Uint8Array) return chunk;
  const view: unknown = chunk;
  if (ArrayBuffer.isView(view)) return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  throw new CLIConnectionError("A transport delivered a chunk that is neither bytes nor text", { code: "bad_chunk" });
}
