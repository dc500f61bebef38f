import { ClaudeSDKError } from "./claude_sdk_error.ts";

/** The CLI answered a control request with an error. */
export class ControlRequestError extends ClaudeSDKError {
  /** The name of the class. */
  override readonly name = "ControlRequestError";
  /** What was asked. */
  readonly subtype: string;
  /** The CLI's own code (`unsupported_request`, `invalid_mode`, `blocked_by_hook`, …), if it gave one. */
  readonly errorCode: string | undefined;

  /** Made by the library; see the class. */
  constructor(subtype: string, message: string, errorCode?: string) {
    super("control_request_failed", message);
    this.subtype = subtype;
    this.errorCode = errorCode;
  }
}

/** A control request was not answered in its time. `cause` tells why, where that is known (`consumer_stalled`). */
export class ControlTimeoutError extends ClaudeSDKError {
  /** The name of the class. */
  override readonly name = "ControlTimeoutError";
  /** What was asked. */
  readonly subtype: string;
  /** The deadline that passed. */
  readonly timeoutMs: number;

  /** Made by the library; see the class. */
  constructor(subtype: string, timeoutMs: number, options?: ErrorOptions) {
    super("control_timeout", `The CLI did not answer ${subtype} within ${timeoutMs} ms`, options);
    this.subtype = subtype;
    this.timeoutMs = timeoutMs;
  }
}
