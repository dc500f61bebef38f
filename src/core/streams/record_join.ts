import { isDataLine } from "./data_line.ts";

const QUOTE = 34;
const BACKSLASH = 92;
const OPENING_BRACKET = 91;
const CLOSING_BRACKET = 93;
const OPENING_BRACE = 123;
const CLOSING_BRACE = 125;

/** How a record begins; what has another character after its brace can never become one. */
const RECORD_START: RegExp = /^[ \t\r]*\{[ \t\r]*(?:["}]|$)/;

/** A piece that adds nothing to the opening brace. */
const BARE: RegExp = /^[ \t\r]*\{?[ \t\r]*$/;

/** How a record goes on of which there is nothing yet but its brace. */
const AFTER_BRACE: RegExp = /^[ \t\r]*(?:["}]|$)/;

/**
 * A record that came in several lines, put together again.
 *
 * Strings, escapes and depth are followed from piece to piece, only to know when the record may be complete: each
 * character is looked at once, and the parser has the last word.
 */
export class RecordJoin {
  #pieces: string[] = [];
  #bytes = 0;
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** True while there is nothing but the opening brace. */
  #bare = true;

  /** True for a line that may be the first piece. */
  static mayBegin(line: string): boolean {
    return RECORD_START.test(line);
  }

  /** Bytes of all pieces. */
  get bytes(): number {
    return this.#bytes;
  }

  /** How many lines it took. */
  get lines(): number {
    return this.#pieces.length;
  }

  /** False for a line that surely is no further piece, though it is no record either. */
  mayContinue(line: string): boolean {
    if (this.#bare) return AFTER_BRACE.test(line);
    // After a closing brace, what begins like ordinary data is valid neither inside a string nor outside of one.
    const last = this.#pieces[this.#pieces.length - 1] ?? "";
    return last.charCodeAt(last.length - 1) !== CLOSING_BRACE || !isDataLine(line);
  }

  /** Adds a piece; true if the record's closing brace was in it. */
  add(piece: string, wireBytes: number): boolean {
    this.#pieces.push(piece);
    this.#bytes += wireBytes;
    this.#bare &&= BARE.test(piece);
    return this.#closes(piece);
  }

  /** All pieces with nothing between. */
  text(): string {
    return this.#pieces.join("");
  }

  #closes(piece: string): boolean {
    let depth = this.#depth;
    let inString = this.#inString;
    let escaped = this.#escaped;
    for (let at = 0; at < piece.length; at++) {
      const code = piece.charCodeAt(at);
      if (inString) {
        if (escaped) escaped = false;
        else if (code === BACKSLASH) escaped = true;
        else if (code === QUOTE) inString = false;
      } else if (code === QUOTE) inString = true;
      else if (code === OPENING_BRACE || code === OPENING_BRACKET) depth++;
      else if ((code === CLOSING_BRACE || code === CLOSING_BRACKET) && --depth <= 0) return true;
    }
    this.#depth = depth;
    this.#inString = inString;
    this.#escaped = escaped;
    return false;
  }
}
