/** What is used of Bun's globals, by hand: users should not need Bun's type package to check their own code. */

/** The writing end of a child's stdin. */
export interface BunFileSink {
  /** Bytes taken at once, or a promise that settles when the pipe has taken them. */
  write(chunk: Uint8Array): number | Promise<number>;
  flush(): number | Promise<number> | void;
  end(error?: Error): number | Promise<number>;
}

/** A child of `Bun.spawn`. */
export interface BunSubprocess {
  readonly pid: number;
  readonly stdin: BunFileSink;
  readonly stdout: ReadableStream<Uint8Array> | undefined;
  readonly stderr: ReadableStream<Uint8Array> | undefined;
  readonly exited: Promise<number>;
  readonly exitCode: number | null;
  readonly signalCode: string | null;
  kill(signal: string): void;
}

/** Settings of `Bun.spawn`. */
export interface BunSpawnOptions {
  readonly cmd: readonly string[];
  readonly cwd?: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: "pipe";
  readonly stdout: "pipe" | "ignore";
  readonly stderr: "pipe" | "ignore";
  /** Without it Bun reads everything a child writes into memory, asked for or not (1.4.5). */
  readonly lazy: true;
  readonly windowsHide: true;
  readonly detached: boolean;
  readonly uid?: number;
  readonly gid?: number;
}

/** The global `Bun`. */
export interface BunGlobal {
  readonly version: string;
  readonly main: string;
  spawn(options: BunSpawnOptions): BunSubprocess;
  which(command: string, options: { PATH: string; cwd?: string }): string | null;
}

/** The global `Bun` of this host. */
export function bunGlobal(): BunGlobal {
  return (globalThis as unknown as { Bun: BunGlobal }).Bun;
}
