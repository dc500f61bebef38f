import { ClaudeSDKError } from "./claude_sdk_error.ts";

/** A function of the surface that this version of Tether does not have yet. It has done nothing. */
export class NotAvailableError extends ClaudeSDKError {
  /** The name of the class. */
  override readonly name = "NotAvailableError";
  /** The name of what was called, as it is exported. */
  readonly feature: string;

  /** Made by the library; see the class. */
  constructor(feature: string, options?: ErrorOptions) {
    super("not_available", `${feature} is not available in this version of Tether`, options);
    this.feature = feature;
  }
}
