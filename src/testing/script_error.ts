import { ClaudeSDKError } from "../core/errors/claude_sdk_error.ts";

/**
 * A script and what happened do not agree: something came that has no line, or a line was never reached (`script_unmet`). Or
 * a script is none (`script_invalid`).
 */
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
   * @param options Its code is `script_unmet` unless it says otherwise.
   */
  constructor(
    who: string,
    problems: readonly string[],
    { code = "script_unmet", ...options }: ErrorOptions & { readonly code?: "script_unmet" | "script_invalid" } = {},
  ) {
    super(code, `${who}: ${problems.join("; ")}`, options);
    this.problems = problems;
  }
}
