import { ClaudeSDKError } from "../core/errors/claude_sdk_error.ts";

/** A script and what happened do not agree: something came that has no line, or a line was never reached. */
export class ScriptError extends ClaudeSDKError {
  /** `ScriptError`. */
  override readonly name = "ScriptError";
  /** What went wrong, one sentence each, in order. */
  readonly problems: readonly string[];

  /**
   * Joins the problems to one message.
   *
   * @param who What played the script.
   * @param problems At least one.
   */
  constructor(who: string, problems: readonly string[], options?: ErrorOptions) {
    super("script_unmet", `${who}: ${problems.join("; ")}`, options);
    this.problems = problems;
  }
}
