import { ClaudeSDKError } from "./claude_sdk_error.ts";

/** An option, or a combination of options, that cannot work. Thrown before anything is started. */
export class OptionError extends ClaudeSDKError {
  /** The name of the class. */
  override readonly name = "OptionError";
  /** Path of the option at fault, e.g. `tether.limits.queueBytes`. */
  readonly option: string;

  /** Made by the library; see the class. */
  constructor(option: string, problem: string, options?: ErrorOptions) {
    super("invalid_option", `${option} ${problem}`, options);
    this.option = option;
  }
}
