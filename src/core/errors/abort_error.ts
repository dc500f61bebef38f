import { ClaudeSDKError } from "./claude_sdk_error.ts";

/** Work was given up because its query was closed or aborted. An abort keeps the signal's reason as `cause`. */
export class AbortError extends ClaudeSDKError {
  /** The name of the class. */
  override readonly name = "AbortError";

  /** Made by the library; see the class. */
  constructor(message = "The operation was aborted", options?: ErrorOptions) {
    super("aborted", message, options);
  }
}
