import type { JsonObject } from "../json.ts";
import type { Frame } from "./frame.ts";
import { parseRecord } from "./parse_record.ts";

/** Hears that a frame was parsed because somebody read it; `broken` is its text if that failed. */
export type ReadListener = (frame: DeferredFrame, broken: string | undefined) => void;

/** A frame that waits as text. There are many: it has no more fields than it needs. */
export class DeferredFrame implements Frame {
  readonly wireBytes: number;
  /** The text, until it is parsed; then the record, or nothing if it was broken. */
  #content: string | JsonObject | undefined;
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
    if (typeof this.#content === "string") this.#onRead(this, this.settle());
    return this.#content as JsonObject | undefined;
  }

  /** Parses now, if that was not done; returns the text if it is broken. */
  settle(): string | undefined {
    const text = this.#content;
    if (typeof text !== "string") return undefined;
    const record = parseRecord(text);
    if (typeof record !== "string") {
      this.#content = record;
      return undefined;
    }
    this.#content = undefined;
    return text;
  }
}
