import type { JsonObject } from "../json.ts";
import { ClaudeSDKError } from "./claude_sdk_error.ts";

/** How the CLI's process ended, and what it said last. */
export interface ProcessFacts {
  /** Exit code; null if a signal ended it. */
  readonly exitCode: number | null;
  /** Name of the signal; null if it left by itself. */
  readonly signal: string | null;
  /** The last bytes of stderr, secrets masked. */
  readonly stderrTail: string;
  /** The folder it ran in; undefined for the host's, or no process. */
  readonly cwd: string | undefined;
  /** The command line, values masked. */
  readonly argv: readonly string[];
}

/** The CLI's process ended in a way that is not a result. */
export class ProcessError extends ClaudeSDKError implements ProcessFacts {
  /** The name of the class. */
  override readonly name: string = "ProcessError";
  /** Exit code; null if a signal ended it. */
  readonly exitCode: number | null;
  /** Name of the signal; null if it left by itself. */
  readonly signal: string | null;
  /** The last bytes of stderr, secrets masked. */
  readonly stderrTail: string;
  /** The folder it ran in; undefined for the host's, or no process. */
  readonly cwd: string | undefined;
  /** The command line, values masked. */
  readonly argv: readonly string[];

  /** Made by the library; see the class. */
  constructor(code: string, message: string, facts: ProcessFacts, options?: ErrorOptions) {
    super(code, message, options);
    this.exitCode = facts.exitCode;
    this.signal = facts.signal;
    this.stderrTail = facts.stderrTail;
    this.cwd = facts.cwd;
    this.argv = facts.argv;
  }
}

/** The CLI reported an error result and then left with a failure code: the result is what matters. */
export class ResultError extends ProcessError {
  /** The name of the class. */
  override readonly name = "ResultError";
  /** The result message, as it was delivered. */
  readonly result: JsonObject;

  /** Made by the library; see the class. */
  constructor(message: string, result: JsonObject, facts: ProcessFacts, options?: ErrorOptions) {
    super("error_result", message, facts, options);
    this.result = result;
  }

  /** `error_during_execution`, `error_max_turns`, `success` (an API failure), … */
  get subtype(): string {
    return String(this.result.subtype ?? "");
  }

  /** The texts the CLI gave as errors. */
  get errors(): readonly string[] {
    const errors = this.result.errors;
    return Array.isArray(errors) ? errors.filter((item): item is string => typeof item === "string") : [];
  }
}
