import { ClaudeSDKError } from "../../core/errors/claude_sdk_error.ts";

/** What a span is told of an error. */
export interface ErrorFacts {
  /** `error.type`: low cardinality. */
  readonly type: string;
  /** For `recordException`. */
  readonly exception: { readonly name: string; readonly message: string; readonly stack?: string };
}

/**
 * What may be told of an error. One of ours is told by its code: its text may quote what the CLI said, and that is content.
 * The user's own is told whole.
 */
export function errorFacts(error: unknown): ErrorFacts {
  try {
    return factsOf(error);
  } catch {
    // Anything may be thrown, also what can be no text. That says nothing of OpenTelemetry.
    return { type: "_OTHER", exception: { name: "_OTHER", message: "" } };
  }
}

function factsOf(error: unknown): ErrorFacts {
  if (ClaudeSDKError.isClaudeSDKError(error)) {
    return { type: error.code, exception: { name: error.name, message: error.code } };
  }
  if (error instanceof Error) {
    const { stack } = error;
    const [name, message] = [String(error.name), String(error.message)];
    return { type: name, exception: { name, message, ...(typeof stack === "string" ? { stack } : {}) } };
  }
  return { type: typeof error, exception: { name: typeof error, message: String(error) } };
}
