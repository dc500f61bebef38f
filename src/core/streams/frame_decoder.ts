import { type DiagnosticListener, guardedListener } from "../diagnostics.ts";
import { MessageTooLargeError } from "../errors/connection_errors.ts";
import { isDataLine } from "./data_line.ts";
import { DeferredFrame } from "./deferred_frame.ts";
import type { Frame } from "./frame.ts";
import { LineSplitter } from "./line_splitter.ts";
import { ParsedFrame } from "./parsed_frame.ts";
import { parseRecord } from "./parse_record.ts";
import { RecordJoin } from "./record_join.ts";

/** What a {@linkcode FrameDecoder} needs to know. */
export interface FrameDecoderOptions {
  /** Largest record, in bytes; exactly so many are accepted. */
  readonly maxMessageBytes: number;
  /** Hears of lines that were skipped and records that were broken; never of what was in them. */
  readonly onDiagnostic: DiagnosticListener;
}

/** How output came to its end. */
export interface FrameDecoderEnd {
  /** Bytes of a record that began and never ended; 0 if output ended between records. */
  readonly halfRecordBytes: number;
}

/** Takes a frame. */
export type FrameListener = (frame: Frame) => void;

/**
 * Bytes in, frames out: one JSON object a line.
 *
 * What is no object is skipped and reported; blank lines are nothing. A record that a stray newline cut is put together
 * again, speculatively: a line is parsed alone first, and if it is an object it is delivered whatever came before. Only
 * lines that fail alone are joined, to a fragment that began as an object, so that a join can never swallow a good frame.
 *
 * A frame of ordinary data waits unparsed. If it is broken, that shows when it is read, or when the next line turns out
 * to be no object either: then it is parsed at once, because the two may belong together.
 */
export class FrameDecoder {
  readonly #max: number;
  readonly #splitter: LineSplitter;
  readonly #diagnose: DiagnosticListener;
  /** The newest line, while it waits unparsed. */
  #newest: DeferredFrame | undefined;
  /** The record that began and is not complete. */
  #join: RecordJoin | undefined;
  #failure: MessageTooLargeError | undefined;
  #emit: FrameListener = () => {};
  #ending = false;

  /** A decoder at the start of an output. */
  constructor(options: FrameDecoderOptions) {
    this.#max = options.maxMessageBytes;
    this.#splitter = new LineSplitter(options);
    this.#diagnose = guardedListener(options.onDiagnostic);
  }

  /**
   * Takes the next chunk and emits each frame that is now complete. The chunk is not kept.
   *
   * @throws {MessageTooLargeError} as soon as a record, in one line or joined, is known to be longer than the limit; the
   * frames before it have been emitted, and nothing can be pushed after it.
   * @throws {CLIConnectionError} for a chunk that is neither bytes nor text.
   */
  push(chunk: Uint8Array | string, emit: FrameListener): void {
    if (this.#failure !== undefined) throw this.#failure;
    this.#emit = emit;
    this.#splitter.push(chunk, this.#onLine);
  }

  /**
   * Ends the output: emits an unterminated last record, and tells whether output broke off inside one.
   *
   * @throws {MessageTooLargeError} as `push` does.
   */
  end(emit: FrameListener): FrameDecoderEnd {
    if (this.#failure !== undefined) throw this.#failure;
    this.#emit = emit;
    this.#ending = true;
    this.#splitter.end(this.#onLine);
    this.#settleNewest();
    const halfRecordBytes = this.#join?.bytes ?? 0;
    this.#join = undefined;
    return { halfRecordBytes };
  }

  readonly #onLine = (line: string, wireBytes: number, text: string, start: number): void => {
    if (line.length === 0) return;
    // The last line of all is not deferred: whether it is half a record must be known now.
    if (this.#join === undefined && !this.#ending && isDataLine(text, start, start + line.length)) {
      this.#newest = new DeferredFrame(line, wireBytes, this.#onRead);
      this.#emit(this.#newest);
      return;
    }
    const record = parseRecord(line);
    if (typeof record === "string") this.#onFailedLine(line, wireBytes, record);
    else {
      this.#newest = undefined;
      this.#giveUpJoin();
      this.#emit(new ParsedFrame(record, wireBytes));
    }
  };

  /** A line that is no record alone: a piece of one, or noise. */
  #onFailedLine(line: string, wireBytes: number, reason: "not_json" | "not_an_object"): void {
    this.#settleNewest();
    if (this.#join !== undefined && !this.#join.mayContinue(line)) this.#giveUpJoin();
    if (this.#join !== undefined) this.#addPiece(this.#join, line, wireBytes);
    else if (startsAsObject(line)) this.#beginJoin(line, wireBytes);
    else if (line.trim() !== "") this.#diagnose({ kind: "line_skipped", bytes: wireBytes, reason });
  }

  readonly #onRead = (frame: DeferredFrame, broken: string | undefined): void => {
    const isNewest = frame === this.#newest;
    if (isNewest) this.#newest = undefined;
    if (broken === undefined) return;
    if (isNewest) this.#beginJoin(broken, frame.wireBytes);
    else this.#diagnose({ kind: "record_broken", bytes: frame.wireBytes, lines: 1 });
  };

  #settleNewest(): void {
    const frame = this.#newest;
    if (frame === undefined) return;
    this.#newest = undefined;
    const broken = frame.settle();
    if (broken !== undefined) this.#beginJoin(broken, frame.wireBytes);
  }

  #beginJoin(line: string, wireBytes: number): void {
    const join = new RecordJoin();
    const complete = join.add(line, wireBytes);
    this.#join = join;
    // Closed and yet no record, or nothing that could become one: no later line can mend it.
    if (complete || !RecordJoin.mayBegin(line)) this.#giveUpJoin();
  }

  #addPiece(join: RecordJoin, line: string, wireBytes: number): void {
    const bytes = join.bytes + wireBytes;
    if (bytes > this.#max) {
      this.#join = undefined;
      this.#failure = new MessageTooLargeError(bytes, this.#max);
      throw this.#failure;
    }
    if (!join.add(line, wireBytes)) return;
    const record = parseRecord(join.text());
    if (typeof record === "string") return this.#giveUpJoin();
    this.#join = undefined;
    this.#emit(new ParsedFrame(record, bytes));
  }

  #giveUpJoin(): void {
    const join = this.#join;
    if (join === undefined) return;
    this.#join = undefined;
    this.#diagnose({ kind: "record_broken", bytes: join.bytes, lines: join.lines });
  }
}

function startsAsObject(line: string): boolean {
  return /^[ \t\r]*\{/.test(line);
}
