import { ClaudeSDKError } from "./claude_sdk_error.ts";

/** Work was given up because its query was closed or aborted. An abort keeps the signal's reason as `cause`. */
export class AbortError extends ClaudeSDKError {
  override readonly name = "AbortError";

  constructor(message = "The operation was aborted", options?: ErrorOptions) {
    super("aborted", message, options);
  }
}
