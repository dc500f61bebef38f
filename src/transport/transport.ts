import type { ExitStatus } from "../core/runtime.ts";

/** How a transport came to its end. */
export interface TransportExit extends ExitStatus {
  /** The last bytes of stderr, secrets masked; empty where there is none. */
  readonly stderrTail: string;
}

/** How patient {@linkcode Transport.close} is. */
export interface CloseOptions {
  /** From the end of input to SIGTERM. 0 goes to SIGTERM at once. */
  readonly graceMs?: number;
}

/**
 * A pipe to one CLI: bytes of newline-delimited JSON both ways.
 *
 * The two streams are plain Web Streams; a transport that is not a process (socket, port, memory) has no exit code and
 * reports `{ code: null, signal: null }`.
 */
export interface Transport {
  /** What the CLI writes. Pull-driven. */
  readonly readable: ReadableStream<Uint8Array | string>;
  /** What the CLI reads. Closing it is the end of input. */
  readonly writable: WritableStream<Uint8Array>;
  /** Settles when the other end is gone and reaped. Never rejects. */
  readonly exited: Promise<TransportExit>;
  /**
   * Ends it: end of input → grace → SIGTERM → `termMs` → SIGKILL. Resolves when `exited` has. Idempotent; a later call
   * with a shorter grace shortens the wait.
   */
  close(options?: CloseOptions): Promise<void>;
  /** For error reports: what was started, values masked. */
  readonly description?: { readonly argv: readonly string[]; readonly cwd: string | undefined; readonly pid: number };
}
