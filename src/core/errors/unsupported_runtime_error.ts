import { ClaudeSDKError } from "./claude_sdk_error.ts";

/**
 * There is no way to start a process here (an edge runtime, a browser, an unknown host).
 * Use a transport that reaches a CLI elsewhere.
 */
export class UnsupportedRuntimeError extends ClaudeSDKError {
  /** The name of the class. */
  override readonly name = "UnsupportedRuntimeError";

  /** Made by the library; see the class. */
  constructor(message: string, options?: ErrorOptions) {
    super("unsupported_runtime", message, options);
  }
}
