import type { ExitStatus } from "../runtime.ts";

/**
 * A pipe to a CLI that runs elsewhere, as `tether.transport` takes it. Every `Transport` of this library is one, and the
 * other way round; it is spelled out here because the core knows of no transports.
 */
export interface CustomTransport {
  /** What the CLI writes. */
  readonly readable: ReadableStream<Uint8Array | string>;
  /** What the CLI reads. Closing it is the end of input. */
  readonly writable: WritableStream<Uint8Array>;
  /** Settles when the other end is gone; never rejects. */
  readonly exited: Promise<ExitStatus & { readonly stderrTail: string }>;
  /** Ends it, and resolves when `exited` has. */
  close(options?: { readonly graceMs?: number }): Promise<void>;
  /** For error reports: what was started, values masked. */
  readonly description?: { readonly argv: readonly string[]; readonly cwd: string | undefined; readonly pid: number };
}
