import type { JsonObject } from "../json.ts";
import type { Frame } from "./frame.ts";
import { parseRecord } from "./parse_record.ts";
import { TextBlock } from "./text_block.ts";

/** Hears that a frame was parsed because somebody read it; `broken` is its text if that failed. */
export type ReadListener = (frame: DeferredFrame, broken: string | undefined) => void;

/** A frame that waits as text. There are many: it has no more fields than it needs. */
export class DeferredFrame implements Frame {
  readonly wireBytes: number;
  /** The text, or where it waits, until it is parsed; then the record, or nothing if it was broken. */
  #content: string | TextBlock | JsonObject | undefined;
  /** Where in its block the text stands. */
  #start = 0;
  #end = 0;
  readonly #onRead: ReadListener;

  /** A frame of this text; `onRead` is called once, at the first `read()` unless `settle()` came before. */
  constructor(text: string, wireBytes: number, onRead: ReadListener) {
    this.wireBytes = wireBytes;
    this.#content = text;
    this.#onRead = onRead;
  }

  get eager(): boolean {
    return false;
  }

  read(): JsonObject | undefined {
    if (this.#waits) this.#onRead(this, this.settle());
    return this.#content as JsonObject | undefined;
  }

  /** Parses now, if that was not done; returns the text if it is broken. */
  settle(): string | undefined {
    if (!this.#waits) return undefined;
    const text = this.#text;
    const record = parseRecord(text);
    if (typeof record !== "string") {
      this.#content = record;
      return undefined;
    }
    this.#content = undefined;
    return text;
  }

  /** Puts what waits as text away as bytes, all of it together: it will wait for long. */
  static putAway(frames: readonly DeferredFrame[]): void {
    const waiting = frames.filter((frame) => typeof frame.#content === "string");
    const block = new TextBlock(waiting.map((frame) => frame.#content).join(""));
    let start = 0;
    for (const frame of waiting) {
      frame.#start = start;
      frame.#end = start += (frame.#content as string).length;
      frame.#content = block;
    }
  }

  get #waits(): boolean {
    return typeof this.#content === "string" || this.#content instanceof TextBlock;
  }

  get #text(): string {
    const content = this.#content;
    return content instanceof TextBlock ? content.slice(this.#start, this.#end) : content as string;
  }
}
