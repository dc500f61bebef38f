import type { JsonObject } from "../../core/json.ts";

/** What the first line of a recording's file says. */
export interface RecordingHeader {
  /** Name and version of the format. */
  readonly format: "tether-frames/1";
  /** Whether the built-in redaction was on. */
  readonly redacted: boolean;
}

/** What every line of a recording has. */
export interface RecordedMoment {
  /** Milliseconds since the recording began. */
  readonly ms: number;
}

/** The first entry: the connection stands. */
export interface StartedEntry extends RecordedMoment {
  /** Discriminator. */
  readonly kind: "started";
  /** What was started, values masked; undefined where no process was. */
  readonly argv?: readonly string[];
}

/** A line, from the host (`sent`) or from the CLI (`received`). */
export interface LineEntry extends RecordedMoment {
  /** Discriminator. */
  readonly kind: "sent" | "received";
  /** The line, where it is a JSON object … */
  readonly frame?: JsonObject;
  /** … where it is something else, its line break left out … */
  readonly text?: string;
  /** … and where it is no UTF-8: its bytes. */
  readonly base64?: string;
  /** The line had no end: the last one, broken off. */
  readonly unterminated?: true;
}

/** A line of stderr. */
export interface StderrEntry extends RecordedMoment {
  /** Discriminator. */
  readonly kind: "stderr";
  /** The line. */
  readonly text: string;
}

/** A pipe has ended: `input` is the CLI's, `output` what it writes; `failed` ones broke. */
export interface PipeEntry extends RecordedMoment {
  /** Discriminator. */
  readonly kind: "input_ended" | "output_ended" | "input_failed" | "output_failed";
}

/** The CLI is gone. */
export interface ExitedEntry extends RecordedMoment {
  /** Discriminator. */
  readonly kind: "exited";
  /** Its exit code; null if a signal ended it, or it is no process. */
  readonly code: number | null;
  /** The signal that ended it. */
  readonly signal: string | null;
  /** The end of its stderr, where it was not recorded line by line. */
  readonly stderrTail?: string;
}

/** One line of a recording. Objects with these fields and no others are the lines of its file. */
export type RecordedEntry = StartedEntry | LineEntry | StderrEntry | PipeEntry | ExitedEntry;

/** A conversation between a host and a CLI, frame by frame. */
export interface Recording {
  /** What kind of recording it is. */
  readonly header: RecordingHeader;
  /** What happened, in order. */
  readonly entries: readonly RecordedEntry[];
  /** The version the CLI said it has; undefined if it said none. */
  readonly cliVersion: string | undefined;
}
