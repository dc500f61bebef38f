import type { JsonObject } from "../../core/json.ts";
import type { ExitStatus } from "../../core/runtime.ts";

/** Told of everything as it happens, so that it can be kept outside. */
export interface PlayListener {
  /** A frame of the host. */
  received?(frame: JsonObject): void;
  /** Something is wrong. */
  problem?(text: string): void;
}

/** Plays the CLI's side on a pipe. One play per object. */
export interface Player {
  /** Every frame of the host, in order. */
  readonly received: readonly JsonObject[];
  /** What went wrong, one sentence each. */
  readonly problems: readonly string[];
  /** What was not begun, one word or sentence each. */
  readonly unplayed: readonly string[];
  /** Begins. Settles when the play has ended; never rejects. */
  start(): Promise<ExitStatus>;
  /** Ends the play; only the first call counts. */
  end(status: ExitStatus): void;
  /** A signal from outside. */
  signalled(signal: "SIGTERM" | "SIGINT"): void;
}

/** Exit code of a play that went wrong, so that a host sees it too. */
export const FAULT_CODE = 70;
