/** What a custom spawner is asked to start. The environment is complete. */
export interface SpawnOptions {
  command: string;
  args: string[];
  cwd?: string;
  env: Record<string, string | undefined>;
  /** Aborts when the query gives up on the process. */
  signal: AbortSignal;
}

/** As much of a Node readable as is used. */
export interface NodeReadable extends AsyncIterable<Uint8Array | string> {
  destroy?(error?: Error): unknown;
}

/** As much of a Node writable as is used. */
export interface NodeWritable {
  write(chunk: Uint8Array | string, callback?: (error?: Error | null) => void): boolean;
  end(callback?: () => void): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
}

/** A process as a custom spawner hands it over: `child_process.spawn()` of Node returns one. */
export interface SpawnedProcess {
  stdin: NodeWritable;
  stdout: NodeReadable;
  stderr?: NodeReadable | null;
  readonly killed: boolean;
  readonly exitCode: number | null;
  readonly signalCode?: string | null;
  readonly pid?: number | undefined;
  kill(signal: "SIGTERM" | "SIGKILL"): boolean;
  on(event: "exit", listener: (code: number | null, signal: string | null) => void): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
  once(event: "exit", listener: (code: number | null, signal: string | null) => void): unknown;
  once(event: "error", listener: (error: Error) => void): unknown;
  off(event: "exit", listener: (code: number | null, signal: string | null) => void): unknown;
  off(event: "error", listener: (error: Error) => void): unknown;
}
