import type { SpawnFailure } from "../runtime.ts";
import { CLIConnectionError } from "./connection_errors.ts";

/** The operating system would not start a program. */
export class SpawnError extends CLIConnectionError {
  override readonly name = "SpawnError";
  readonly failure: SpawnFailure;
  readonly command: string;

  constructor(failure: SpawnFailure, command: string, message: string, options?: ErrorOptions) {
    super(message, { ...options, code: `spawn_${failure}` });
    this.failure = failure;
    this.command = command;
  }
}
