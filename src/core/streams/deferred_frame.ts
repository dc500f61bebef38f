import type { JsonObject } from "../json.ts";
import type { Frame } from "./frame.ts";
import { parseRecord } from "./parse_record.ts";

/** Hears that a frame was parsed because somebody read it; `broken` is its text if that failed. */
export type ReadListener = (frame: DeferredFrame, broken: string | undefined) => void;

/** A frame that waits as text. */
export class DeferredFrame implements Frame {
  readonly wireBytes: number;
  readonly eager = false;
  #text: string | undefined;
  #record: JsonObject | undefined;
  readonly #onRead: ReadListener;

  /** A frame of this text; `onRead` is called once, at the first `read()` unless `settle()` came before. */
  constructor(text: string, wireBytes: number, onRead: ReadListener) {
    this.wireBytes = wireBytes;
    this.#text = text;
    this.#onRead = onRead;
  }

  read(): JsonObject | undefined {
    if (this.#text !== undefined) this.#onRead(this, this.settle());
    return this.#record;
  }

  /** Parses now, if that was not done; returns the text if it is broken. */
  settle(): string | undefined {
    const text = this.#text;
    if (text === undefined) return undefined;
    this.#text = undefined;
    const record = parseRecord(text);
    if (typeof record === "string") return text;
    this.#record = record;
    return undefined;
  }
}
