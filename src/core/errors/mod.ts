/** Every error Tether makes. */
export { AbortError } from "./abort_error.ts";
export { ClaudeSDKError } from "./claude_sdk_error.ts";
export { CLIConnectionError, CLIJSONDecodeError, CLINotFoundError, MessageTooLargeError } from "./connection_errors.ts";
export { ControlRequestError, ControlTimeoutError } from "./control_errors.ts";
export { NotAvailableError } from "./not_available_error.ts";
export { OptionError } from "./option_error.ts";
export { PromptError } from "./prompt_error.ts";
export { SpawnError } from "./spawn_error.ts";
export { ProcessError, type ProcessFacts, ResultError } from "./process_errors.ts";
export { UnsupportedRuntimeError } from "./unsupported_runtime_error.ts";
