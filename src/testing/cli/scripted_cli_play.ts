import type { JsonObject } from "../../core/json.ts";

/** What came of one play. */
export interface ScriptedCliPlay {
  /** Every frame of the host, in order. */
  readonly received: readonly JsonObject[];
  /** What went wrong, one sentence each. */
  readonly problems: readonly string[];
  /** What was not begun: a step by its kind, an entry of a recording in words. */
  readonly unplayed: readonly string[];
}
