import type { SpawnFailure } from "../runtime.ts";
import { CLIConnectionError } from "./connection_errors.ts";

/** The operating system would not start a program. */
export class SpawnError extends CLIConnectionError {
  /** The name of the class. */
  override readonly name = "SpawnError";
  /** Why, as far as the system tells. */
  readonly failure: SpawnFailure;
  /** What was to be started. */
  readonly command: string;

  /** Made by the library; see the class. */
  constructor(failure: SpawnFailure, command: string, message: string, options?: ErrorOptions) {
    super(message, { ...options, code: `spawn_${failure}` });
    this.failure = failure;
    this.command = command;
  }
}
