import type { Clock } from "../../core/clock.ts";
import type { DiagnosticListener } from "../../core/diagnostics.ts";
import { DrainingReader } from "./draining_reader.ts";
import { StderrLines } from "./stderr_lines.ts";
import { StderrTail } from "./stderr_tail.ts";

/** Settings of {@linkcode StderrReader}. */
export interface StderrReaderOptions {
  /** How much of the end is kept. */
  readonly tailBytes: number;
  /** The child's environment, for masking. */
  readonly env: Readonly<Record<string, string>>;
  /** Gets whole lines, unmasked: it is the user's own. */
  readonly onLine?: ((line: string) => void) | undefined;
  /** Hears of a callback that throws. */
  readonly onDiagnostic: DiagnosticListener;
  /** For the wait after the child's end. */
  readonly clock: Clock;
}

/**
 * Reads a child's stderr from its start to its end, whether or not anybody listens: a child that nobody reads would stop at
 * a full pipe.
 */
export class StderrReader {
  /** Settles when everything was read. Never rejects. */
  readonly done: Promise<void>;
  readonly #reader: DrainingReader;
  readonly #tail: StderrTail;
  readonly #lines: StderrLines | undefined;

  /** Begins to read. */
  constructor(source: ReadableStream<Uint8Array>, options: StderrReaderOptions) {
    const { onLine, onDiagnostic } = options;
    this.#reader = new DrainingReader(source, options.clock);
    this.#tail = new StderrTail(options.tailBytes, options.env);
    this.#lines = onLine === undefined ? undefined : new StderrLines((line) => {
      try {
        onLine(line);
      } catch (cause) {
        onDiagnostic({ kind: "callback_failed", callback: "stderr", gate: false, cause });
      }
    });
    this.done = this.#read();
  }

  /** The child is gone; another process that holds its stderr is not waited for. */
  childEnded(): void {
    this.#reader.childEnded();
  }

  /** The end of what was written so far, secrets masked. */
  tail(): string {
    return this.#tail.text();
  }

  async #read(): Promise<void> {
    try {
      for (;;) {
        const chunk = await this.#reader.read();
        if (chunk === undefined) break;
        this.#tail.push(chunk);
        this.#lines?.push(chunk);
      }
    } catch {
      // A broken stderr says nothing about the run; what came before it is kept.
    }
    this.#lines?.end();
  }
}
