import { ClaudeSDKError } from "./claude_sdk_error.ts";

/**
 * The prompt of a query failed: its source threw, or it gave something that is no user message.
 * What was running was allowed to finish. `cause` is what the source threw.
 */
export class PromptError extends ClaudeSDKError {
  /** The name of the class. */
  override readonly name = "PromptError";
  /** How the CLI ended, if that was an error as well. */
  readonly endError: unknown;

  /** Made by the library; see the class. */
  constructor(
    code: "prompt_failed" | "invalid_prompt",
    message: string,
    options?: ErrorOptions & { endError?: unknown },
  ) {
    super(code, message, options);
    this.endError = options?.endError;
  }
}
