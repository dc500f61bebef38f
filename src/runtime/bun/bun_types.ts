/** What is used of Bun's globals, by hand: users should not need Bun's type package to check their own code. */

/** The writing end of a child's stdin. */
export interface BunFileSink {
  /** Bytes taken at once, or a promise that settles when the pipe has taken them. */
  write(chunk: Uint8Array | string): number | Promise<number>;
  /** Hands over what is buffered; likewise. */
  flush(): number | Promise<number> | void;
  /** The end of input. */
  end(error?: Error): number | Promise<number>;
}

/** A child of `Bun.spawn`. */
export interface BunSubprocess {
  /** Its process id. */
  readonly pid: number;
  /** Its input. */
  readonly stdin: BunFileSink;
  /** Its output, if piped. */
  readonly stdout: ReadableStream<Uint8Array> | undefined;
  /** Its stderr, if piped. */
  readonly stderr: ReadableStream<Uint8Array> | undefined;
  /** Settles when it is reaped; 128 + n for a signal. */
  readonly exited: Promise<number>;
  /** Null while it runs, and after a signal. */
  readonly exitCode: number | null;
  /** The signal that ended it. */
  readonly signalCode: string | null;
  /** Sends a signal; says nothing when it is gone. */
  kill(signal: string): void;
}

/** Settings of `Bun.spawn`. */
export interface BunSpawnOptions {
  /** Program and arguments. */
  readonly cmd: readonly string[];
  /** Where it starts. */
  readonly cwd?: string;
  /** Nothing is inherited beside it. */
  readonly env: Readonly<Record<string, string>>;
  /** A {@linkcode BunFileSink}. */
  readonly stdin: "pipe";
  /** A stream, or nothing. */
  readonly stdout: "pipe" | "ignore";
  /** A stream, or nothing. */
  readonly stderr: "pipe" | "ignore";
  /** Without it Bun reads everything a child writes into memory, asked for or not (1.4.5). */
  readonly lazy: true;
  /** No console window flashes. */
  readonly windowsHide: true;
  /** A session and group of its own. */
  readonly detached: boolean;
  /** The account, POSIX. */
  readonly uid?: number;
  /** Its group, POSIX. */
  readonly gid?: number;
}

/** The global `Bun`. */
export interface BunGlobal {
  /** Its version. */
  readonly version: string;
  /** The entry file; in a compiled program a path in its own file system. */
  readonly main: string;
  /** Starts a child, or throws. */
  spawn(options: BunSpawnOptions): BunSubprocess;
  /** Looks a bare word up. */
  which(command: string, options: { PATH: string; cwd?: string }): string | null;
}

/** The global `Bun` of this host. */
export function bunGlobal(): BunGlobal {
  return (globalThis as unknown as { Bun: BunGlobal }).Bun;
}
