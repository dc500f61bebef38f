import { ClaudeSDKError } from "../../core/errors/claude_sdk_error.ts";

/**
 * Why there is no recording: `recording_invalid` (a file that is none; see `line`), `recording_too_large`,
 * `redaction_failed`, `recording_sink_failed`, `recorder_used` (a recorder records one conversation).
 */
export type RecordingErrorCode =
  | "recording_invalid"
  | "recording_too_large"
  | "redaction_failed"
  | "recording_sink_failed"
  | "recorder_used";

/** A recording that cannot be made or read. The conversation itself is not touched by it. */
export class RecordingError extends ClaudeSDKError {
  /** `RecordingError`. */
  override readonly name = "RecordingError";
  /** The line at fault, counted from 1; undefined where it is not about a line. */
  readonly line: number | undefined;

  /** Says what is wrong, and in which line. */
  constructor(code: RecordingErrorCode, message: string, options: ErrorOptions & { readonly line?: number } = {}) {
    const { line, ...rest } = options;
    super(code, line === undefined ? message : `Line ${line}: ${message}`, rest);
    this.line = line;
  }
}
