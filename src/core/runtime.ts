/**
 * What Tether asks of the machine it runs on. One adapter for each of Deno, Bun and Node implements it; everything else
 * sees this interface only.
 */

/** How a child ended: a code, or the signal that ended it. */
export interface ExitStatus {
  /** Exit code; null if a signal ended it. */
  readonly code: number | null;
  /** Name of the signal; null if it left by itself. */
  readonly signal: string | null;
}

/** What to start. The environment is complete: nothing is inherited. */
export interface SpawnOptions {
  /** A path, or a bare word that is looked up on the PATH of `env`. */
  readonly command: string;
  /** Passed as they are; no shell sees them. */
  readonly args: readonly string[];
  /** Default: the host's. */
  readonly cwd?: string | undefined;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
  /** A process group (POSIX) of its own, so that one signal reaches the child and what stayed in its group. */
  readonly detached?: boolean;
  /** The account the child runs under (POSIX, needs the right to change it). Default: the host's own. */
  readonly user?: { readonly uid: number; readonly gid?: number | undefined } | undefined;
  /** `pipe` (default), or nothing at all. */
  readonly stdout?: "pipe" | "null";
  /** The same for stderr. */
  readonly stderr?: "pipe" | "null";
}

/** Signals Tether sends. */
export type Signal = "SIGTERM" | "SIGKILL" | "SIGINT";

/** A running child as Web Streams. */
export interface ChildHandle {
  /** Its process id. */
  readonly pid: number;
  /** Back-pressured: a write settles when the pipe took it, and rejects when the child no longer reads. */
  readonly stdin: WritableStream<Uint8Array>;
  /** Pull-driven: a child that nobody reads is not drained. */
  readonly stdout: ReadableStream<Uint8Array>;
  /** The same; empty if it was not piped. */
  readonly stderr: ReadableStream<Uint8Array>;
  /** Settles when the child is reaped; never rejects. */
  readonly exited: Promise<ExitStatus>;
  /** Sends a signal; false if the child is gone already (a zombie counts as gone). Never throws. */
  kill(signal: Signal): boolean;
  /**
   * Sends a signal to the child's whole group, if it was started `detached`; false if that was not possible. Never throws.
   * Also works for what the child left behind in its group, as long as the group was seen alive without a gap since
   * the child ended: later its number may belong to somebody else.
   */
  killGroup(signal: Signal): boolean;
  /** Whether the group of a `detached` child still has members. Counts as a sighting for {@linkcode killGroup}. */
  groupAlive(): boolean;
}

/**
 * Why a child could not be started. `wrong_libc`: the program is there, but the loader it was linked for (glibc's or
 * musl's) is not.
 */
export type SpawnFailure =
  | "not_found"
  | "not_executable"
  | "wrong_libc"
  | "cwd_missing"
  | "too_large"
  | "denied"
  | "other";

/** What is at a path. `unknown`: the host's rights do not allow to look (Deno without `--allow-read`). */
export interface FileFacts {
  /** What it is. */
  readonly kind: "file" | "directory" | "other" | "unknown";
  /** On POSIX: any execute bit. On Windows: every file. */
  readonly executable: boolean;
}

/** An entry of a folder, as it stands there: a link is a link, whatever it points to. */
export interface FolderEntry {
  /** Its name alone. */
  readonly name: string;
  /** What it is. */
  readonly kind: "file" | "directory" | "link" | "other";
}

/** The little of a file system that Tether needs. Reading what rights do not allow gives `undefined`. */
export interface RuntimeFs {
  /** What is at a path, links followed; undefined if there is nothing. */
  stat(path: string): Promise<FileFacts | undefined>;
  /** The first `length` bytes of a file (fewer if it is shorter); undefined if it cannot be read. */
  readHead(path: string, length: number): Promise<Uint8Array | undefined>;
  /** A whole file; undefined if it cannot be read. Ask {@linkcode RuntimeFs.stat} first: a pipe would be waited for. */
  readFile(path: string): Promise<Uint8Array | undefined>;
  /** The entries of a folder, in no order; undefined if it cannot be read. */
  readDir(path: string): Promise<readonly FolderEntry[] | undefined>;
  /** The path with all links resolved; undefined if there is nothing, or looking is not allowed. */
  realPath(path: string): Promise<string | undefined>;
  /** A new private folder (mode 700) in the machine's place for temporary files. */
  makeTempDir(prefix: string): Promise<string>;
  /**
   * Folders in the machine's place for temporary files whose names begin so, that are this account's and of mode 700 (POSIX);
   * `most` are looked at, others each time. No links. None where any of that cannot be told.
   */
  ownTempDirs(prefix: string, most: number): Promise<readonly string[]>;
  /** Writes a file with exactly this mode (POSIX), replacing one that is there. */
  writeFile(path: string, data: Uint8Array | string, options: { readonly mode: number }): Promise<void>;
  /** Makes a folder with exactly this mode (POSIX); the one it lies in must be there, it must not. */
  makeDir(path: string, options: { readonly mode: number }): Promise<void>;
  /** Makes a link to a folder. @throws where rights or the system do not allow links. */
  linkDir(target: string, path: string): Promise<void>;
  /** Removes a file, or a folder with all that is in it. Removing nothing is no error. */
  remove(path: string): Promise<void>;
  /** The same at once, for the end of the host: nothing can be awaited then. Never throws. */
  removeAtExit(path: string): void;
}

/** The two C libraries a Linux program can be linked for. */
export type Libc = "glibc" | "musl";

/** Operating systems, by the names npm packages use. */
export type Platform = "linux" | "darwin" | "win32" | "other";

/** One runtime. */
export interface Runtime {
  /** Which one. */
  readonly name: "deno" | "bun" | "node";
  /** Its version, without a `v`. */
  readonly version: string;
  /** The operating system. */
  readonly platform: Platform;
  /** As npm names it: `x64`, `arm64`, … */
  readonly arch: string;
  /** Starts a child. @throws {SpawnError} with its `failure`. */
  spawn(options: SpawnOptions): Promise<ChildHandle>;
  /** Whether a program may be started, as far as that can be told without starting it or asking the user. */
  mayRun(command: string): boolean;
  /** The host's own binary, for scripts that need an interpreter; undefined where rights or a compiled program forbid. */
  execPath(): string | undefined;
  /** The host's working directory. @throws {CLIConnectionError} `permission_denied` where rights forbid to know it. */
  cwd(): string;
  /** The user's home; undefined if unknown or not allowed to know. */
  homeDir(): string | undefined;
  /**
   * The whole environment of the host, read at the time of the call.
   * @throws {CLIConnectionError} `permission_denied` where rights forbid to read it: a child with half an environment helps nobody.
   */
  environment(): Readonly<Record<string, string>>;
  /** The file system. */
  readonly fs: RuntimeFs;
  /** The folder an npm package is installed in, as seen from a module URL or an absolute path; undefined if it is not there. */
  packageDir(name: string, from: string): Promise<string | undefined>;
  /** Which C library the runtime says it was built for. A hint: some say one thing on every machine. */
  libcHint(): Libc | undefined;
  /** Runs a synchronous clean-up when the host ends in an orderly way; returns what takes it back. */
  onExit(cleanup: () => void): () => void;
  /**
   * A word, fit for the name of a file, that tells this process from every other for ever; undefined where none is certain
   * (no `/proc`).
   */
  processMark(): string | undefined;
  /** Whether the process of such a word has surely ended. False where that cannot be told: another machine, boot or container. */
  processGone(mark: string): boolean;
  /**
   * What tells a process from a later one with the same pid (its start time); undefined where that cannot be told, or the
   * process is gone.
   */
  pidIdentity(pid: number): string | undefined;
  /**
   * Signals a process by pid; false if it is gone, is a zombie (as far as `/proc` tells), or no longer has `identity`.
   * Never throws. Give the {@linkcode pidIdentity} taken when the process was known to be the right one.
   */
  killPid(pid: number, signal: Signal, identity?: string): boolean;
}
