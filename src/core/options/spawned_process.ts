/** What a custom spawner is asked to start. The environment is complete. */
export interface SpawnOptions {
  /** The program. */
  command: string;
  /** Its arguments. */
  args: string[];
  /** Where it runs. Default: the host's working directory. */
  cwd?: string;
  /** Nothing is inherited. */
  env: Record<string, string | undefined>;
  /** Aborts when the query gives up on the process. */
  signal: AbortSignal;
}

/** As much of a Node readable as is used. */
export interface NodeReadable extends AsyncIterable<Uint8Array | string> {
  /** Stops reading. */
  destroy?(error?: Error): unknown;
}

/** As much of a Node writable as is used. */
export interface NodeWritable {
  /** Writes a piece; false when it should wait for `drain`. */
  write(chunk: Uint8Array | string, callback?: (error?: Error | null) => void): boolean;
  /** Ends the input. */
  end(callback?: () => void): unknown;
  /** Hears of a broken pipe. */
  on(event: "error", listener: (error: Error) => void): unknown;
}

/** A process as a custom spawner hands it over: `child_process.spawn()` of Node returns one. */
export interface SpawnedProcess {
  /** What the process reads. */
  stdin: NodeWritable;
  /** What the process writes. */
  stdout: NodeReadable;
  /** What the process complains of; may be missing. */
  stderr?: NodeReadable | null;
  /** A signal was sent. */
  readonly killed: boolean;
  /** `null` while it runs, or when a signal ended it. */
  readonly exitCode: number | null;
  /** The signal that ended it. */
  readonly signalCode?: string | null;
  /** Its process id, where there is one. */
  readonly pid?: number | undefined;
  /** Sends a signal; false if it is gone. */
  kill(signal: "SIGTERM" | "SIGKILL"): boolean;
  /** Listens. */
  on(event: "exit", listener: (code: number | null, signal: string | null) => void): unknown;
  /** Listens. */
  on(event: "error", listener: (error: Error) => void): unknown;
  /** Listens once. */
  once(event: "exit", listener: (code: number | null, signal: string | null) => void): unknown;
  /** Listens once. */
  once(event: "error", listener: (error: Error) => void): unknown;
  /** Stops listening. */
  off(event: "exit", listener: (code: number | null, signal: string | null) => void): unknown;
  /** Stops listening. */
  off(event: "error", listener: (error: Error) => void): unknown;
}
