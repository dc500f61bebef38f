import {
  CLIConnectionError,
  CLIJSONDecodeError,
  ProcessError,
  type ProcessFacts,
  PromptError,
  ResultError,
} from "../core/errors/mod.ts";
import type { JsonObject } from "../core/json.ts";
import type { Transport, TransportExit } from "../transport/transport.ts";

/** Everything that is known when a CLI is gone. */
export interface EndFacts {
  /** We closed it: whatever the child did then is no error. */
  readonly closed: boolean;
  /** We were aborted, with this reason. */
  readonly aborted: { readonly reason: unknown } | undefined;
  /** What broke the connection or the start: an over-long frame, a refused initialize. */
  readonly failure: { readonly error: unknown } | undefined;
  /** The prompt source failed. */
  readonly prompt: { readonly error: unknown } | undefined;
  readonly exit: TransportExit;
  readonly description: Transport["description"] | undefined;
  /** We ended it by force after its input had ended. */
  readonly forced: boolean;
  /** Bytes of a record that output ended inside of. */
  readonly halfRecordBytes: number;
  /** It was ready, or we ended its input before it could be. */
  readonly ready: boolean;
  /** Writing failed, or something was never taken by the child. */
  readonly inputLost: { readonly error: unknown } | undefined;
  /** Something that it was asked has no result. */
  readonly unanswered: boolean;
  /** It left, its input open, before it was asked anything. */
  readonly unasked: boolean;
  readonly results: number;
  /** The last result, if no turn has begun since. */
  readonly finalResult: JsonObject | undefined;
  /** We asked for an interrupt, so an interrupted result is what we wanted. */
  readonly interrupted: boolean;
}

/** The error a query ends with, or undefined. The first cause that applies wins; the others are kept as causes. */
export function endError(facts: EndFacts): unknown {
  if (facts.aborted !== undefined) return facts.aborted.reason;
  if (facts.closed) return undefined;
  if (facts.failure !== undefined) return facts.failure.error;
  const error = processEnd(facts);
  if (facts.prompt === undefined) return error;
  return promptError(facts.prompt.error, { endError: error });
}

/** The error for a prompt that failed, as itself if it is one already. */
export function promptError(
  cause: unknown,
  { message = "The prompt source failed; what was running was completed", endError }: {
    readonly message?: string;
    /** How the CLI ended, if that was an error too. */
    readonly endError?: unknown;
  } = {},
): PromptError {
  if (!(cause instanceof PromptError)) return new PromptError("prompt_failed", message, { cause, endError });
  if (endError === undefined) return cause;
  return new PromptError(cause.code as "invalid_prompt", cause.message, { cause: cause.cause, endError });
}

function processEnd(facts: EndFacts): unknown {
  const { exit } = facts;
  const process: ProcessFacts = {
    exitCode: exit.code,
    signal: exit.signal,
    stderrTail: exit.stderrTail,
    cwd: facts.description?.cwd,
    argv: facts.description?.argv ?? [],
  };
  const half = facts.halfRecordBytes > 0 ? new CLIJSONDecodeError(facts.halfRecordBytes) : undefined;
  const failed = exit.signal !== null || (exit.code !== null && exit.code !== 0);
  if (failed && !(facts.forced && facts.results > 0 && !facts.unanswered)) {
    const result = facts.finalResult;
    if (result !== undefined && result.is_error === true) {
      if (facts.interrupted && wasInterrupted(result)) return undefined;
      return new ResultError(resultText(result), result, process, { cause: half });
    }
    const left = exit.signal !== null ? `was ended by ${exit.signal}` : `left with exit code ${exit.code}`;
    const how = facts.forced ? `stayed after its input or output had ended, and had to be ended; it ${left}` : left;
    const said = exit.stderrTail === "" ? "" : `. It said: ${exit.stderrTail}`;
    const code = exit.signal !== null ? "process_killed" : "process_failed";
    return new ProcessError(code, `The CLI ${how}${said}`, process, { cause: half ?? facts.inputLost?.error });
  }
  if (half !== undefined) return half;
  if (facts.unanswered) {
    return new ProcessError("no_result", "The CLI left without a result", process, { cause: facts.inputLost?.error });
  }
  if (!facts.ready) {
    return new ProcessError("not_ready", "The CLI left before it was ready", process, {
      cause: facts.inputLost?.error,
    });
  }
  if (facts.unasked) return new ProcessError("no_result", "The CLI left before it was asked anything", process);
  if (facts.inputLost !== undefined) {
    if (exit.code === null) {
      return new CLIConnectionError("The connection broke before everything was written", {
        code: "input_unread",
        cause: facts.inputLost.error,
      });
    }
    return new ProcessError("input_unread", "The CLI left before it had read everything it was sent", process, {
      cause: facts.inputLost.error,
    });
  }
  return undefined;
}

/** True for a result that says its turn was cut short on request. */
function wasInterrupted(result: JsonObject): boolean {
  const { subtype, terminal_reason: reason } = result;
  return subtype === "error_during_execution" && (typeof reason !== "string" || reason.startsWith("aborted"));
}

/** What an error result says: its errors, else its text, else its kind (behaviour O03). */
function resultText(result: JsonObject): string {
  const listed = Array.isArray(result.errors) ? result.errors : [result.errors];
  const errors = listed.filter((item): item is string => typeof item === "string" && item.trim() !== "");
  if (errors.length > 0) return errors.join("; ");
  if (typeof result.result === "string" && result.result.trim() !== "") return result.result;
  if (typeof result.subtype === "string" && result.subtype !== "success") return result.subtype;
  if (typeof result.api_error_status === "number") return `API error (HTTP ${result.api_error_status})`;
  return "The CLI reported an error without a text";
}
