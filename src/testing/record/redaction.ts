import type { JsonValue } from "../../core/json.ts";
import type { Normalize } from "./normalize.ts";

/** What must not be in a recording, beside what can be recognised. */
export interface Redaction {
  /** Values that are secret. Those of variables and fields with telling names need not be told. */
  readonly secrets?: readonly string[];
  /** Folders, by full path, that are `home` (`/home/user`), `project` (`/srv/project`), `temp` (`/tmp`), or what you call them. */
  readonly folders?: readonly { readonly path: string; readonly standIn: string }[];
  /** Names of people, accounts and machines; each becomes `user` or `host`. */
  readonly users?: readonly string[];
  /** Names of machines. */
  readonly hosts?: readonly string[];
  /** What differs from run to run: `true` for all of it. Default: kept. */
  readonly normalize?: boolean | Normalize;
}

/** Where a value stands. */
export interface RedactContext {
  /** Who said it. `run` is what is known of the run itself: the command line, how it ended. */
  readonly from: "host" | "cli" | "stderr" | "run";
  /** Keys and indexes that lead to it within its frame; empty for a text that is no frame. */
  readonly path: readonly (string | number)[];
}

/**
 * Redacts further: gets each text and number when everything else is done, and returns what stands for it. One that throws,
 * or returns nothing, fails the recording: nothing unredacted is kept.
 */
export type Redact = (value: string | number, context: RedactContext) => JsonValue;
