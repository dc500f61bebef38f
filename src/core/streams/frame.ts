import type { JsonObject } from "../json.ts";

/** One record of the CLI's output. */
export interface Frame {
  /** Bytes it took on the wire, line ends left out. */
  readonly wireBytes: number;
  /**
   * True if it is parsed already. False for ordinary data (`assistant`, `user`, `stream_event`, …), which nothing in a
   * session steers by: it waits as text until somebody reads it.
   */
  readonly eager: boolean;
  /**
   * The record; parsed at the first call, the same object at every later one. Undefined if the line turned out to be
   * broken, which is reported by a diagnostic or, for the last line of all, by {@linkcode FrameDecoder.end}.
   */
  read(): JsonObject | undefined;
}
