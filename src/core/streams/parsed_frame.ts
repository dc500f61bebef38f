import type { JsonObject } from "../json.ts";
import type { Frame } from "./frame.ts";

/** A frame that was parsed on arrival. */
export class ParsedFrame implements Frame {
  readonly wireBytes: number;
  readonly eager = true;
  readonly #record: JsonObject;

  /** A frame of this record. */
  constructor(record: JsonObject, wireBytes: number) {
    this.#record = record;
    this.wireBytes = wireBytes;
  }

  read(): JsonObject {
    return this.#record;
  }
}
