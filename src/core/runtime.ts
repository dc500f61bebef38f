/**
 * What Tether asks of the machine it runs on. One adapter for each of Deno, Bun and Node implements it; everything else
 * sees this interface only.
 */

/** How a child ended: a code, or the signal that ended it. */
export interface ExitStatus {
  readonly code: number | null;
  readonly signal: string | null;
}

/** What to start. The environment is complete: nothing is inherited. */
export interface SpawnOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string | undefined;
  readonly env: Readonly<Record<string, string>>;
  /** A process group (POSIX) of its own, so that one signal reaches the child and what stayed in its group. */
  readonly detached?: boolean;
  /** `pipe` (default), or nothing at all. */
  readonly stdout?: "pipe" | "null";
  readonly stderr?: "pipe" | "null";
}

/** Signals Tether sends. */
export type Signal = "SIGTERM" | "SIGKILL" | "SIGINT";

/** A running child as Web Streams. */
export interface ChildHandle {
  readonly pid: number;
  /** Back-pressured: a write settles when the pipe took it, and rejects when the child no longer reads. */
  readonly stdin: WritableStream<Uint8Array>;
  /** Pull-driven: a child that nobody reads is not drained. */
  readonly stdout: ReadableStream<Uint8Array>;
  readonly stderr: ReadableStream<Uint8Array>;
  /** Settles when the child is reaped; never rejects. */
  readonly exited: Promise<ExitStatus>;
  /** Sends a signal; false if the child is gone already. Never throws. */
  kill(signal: Signal): boolean;
  /** Sends a signal to the child's whole group, if it was started `detached`. */
  killGroup(signal: Signal): boolean;
}

/** Why a child could not be started. */
export type SpawnFailure = "not_found" | "not_executable" | "cwd_missing" | "too_large" | "denied" | "other";

/** The little of a file system that Tether needs. What rights do not allow reads as absent. */
export interface RuntimeFs {
  /** What is at a path, links followed. */
  stat(
    path: string,
  ): Promise<{ readonly kind: "file" | "directory" | "other"; readonly executable: boolean } | undefined>;
  /** The first `length` bytes of a file. */
  readHead(path: string, length: number): Promise<Uint8Array | undefined>;
  realPath(path: string): Promise<string | undefined>;
  makeTempDir(prefix: string): Promise<string>;
  writeFile(path: string, data: Uint8Array | string, options: { readonly mode: number }): Promise<void>;
  remove(path: string): Promise<void>;
}

/** Operating systems, by the names npm packages use. */
export type Platform = "linux" | "darwin" | "win32" | "other";

/** One runtime. */
export interface Runtime {
  readonly name: "deno" | "bun" | "node";
  readonly version: string;
  readonly platform: Platform;
  readonly arch: string;
  /** Starts a child. @throws {SpawnError} with its `failure`. */
  spawn(options: SpawnOptions): Promise<ChildHandle>;
  /** Whether a program may be started, as far as that can be told without starting it. */
  mayRun(command: string): boolean;
  /** The host's own binary, for scripts that need an interpreter; undefined where rights or a compiled program forbid. */
  execPath(): string | undefined;
  cwd(): string;
  homeDir(): string | undefined;
  /** The whole environment of the host, read at the time of the call. */
  environment(): Readonly<Record<string, string>>;
  readonly fs: RuntimeFs;
  /** The folder an npm package is installed in, as seen from a module URL; undefined if it is not there. */
  packageDir(name: string, from: string): Promise<string | undefined>;
  /** Runs a synchronous clean-up when the host ends in an orderly way; returns what takes it back. */
  onExit(cleanup: () => void): () => void;
  /** Signals a process by pid; false if it is gone. */
  killPid(pid: number, signal: Signal): boolean;
}
