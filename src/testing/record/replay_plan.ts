import type { JsonObject } from "../../core/json.ts";
import type { RecordedEntry } from "./recording.ts";

/**
 * How what the host says is compared with what it said in the recording.
 *
 * - `loose` (default): the same requests, questions answered the same way (allowed or denied, a success or an error), the hooks
 *   and servers of the recording there; texts and other fields may differ, as they do in a recording that was redacted.
 * - `strict`: every field but ids that are made anew each time.
 * - a function: whether a frame stands for the recorded one. Only asked for frames of the same kind. In memory only.
 */
export type CompareFrames = "loose" | "strict" | ((expected: JsonObject, got: JsonObject) => boolean);

/** What a replay plays, and how. */
export interface ReplayPlan {
  readonly entries: readonly RecordedEntry[];
  readonly compare: CompareFrames;
  /** Wait before what the CLI says as long as it did. */
  readonly recordedPace: boolean;
  readonly deadlineMs: number;
}
