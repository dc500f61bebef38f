import { deferred } from "../../core/deferred.ts";
import type { NodeReadable, NodeWritable, SpawnedProcess } from "../../core/options/mod.ts";
import type { ChildHandle, ExitStatus, Signal } from "../../core/runtime.ts";

/**
 * The process of a custom spawner as a {@linkcode ChildHandle}. It gets only its own `kill()`: whether its pid is one of this
 * machine, and whether it leads a group, is not known here.
 */
export class SpawnedChild implements ChildHandle {
  /** -1 where the spawner gives none. */
  readonly pid: number;
  readonly stdin: WritableStream<Uint8Array>;
  readonly stdout: ReadableStream<Uint8Array>;
  readonly stderr: ReadableStream<Uint8Array>;
  readonly exited: Promise<ExitStatus>;
  readonly #process: SpawnedProcess;
  #gone = false;

  /** `onError` hears that the process could not be started or signalled. */
  constructor(process: SpawnedProcess, onError: (error: Error) => void) {
    this.#process = process;
    this.pid = process.pid ?? -1;
    const exit = deferred<ExitStatus>();
    this.exited = exit.promise;
    const onExit = (code: number | null, signal: string | null): void => {
      this.#gone = true;
      exit.resolve(signal === null ? { code, signal } : { code: null, signal });
    };
    process.once("exit", onExit);
    process.on("error", (error) => {
      onError(error);
      // One that never started has no exit of its own; one that runs goes on.
      if (process.pid === undefined) onExit(null, null);
    });
    // It may have ended before it was handed over.
    const { exitCode, signalCode = null } = process;
    if (exitCode !== null || signalCode !== null) onExit(exitCode, signalCode);
    this.stdin = writable(process.stdin);
    this.stdout = readable(process.stdout);
    this.stderr = process.stderr ? readable(process.stderr) : new ReadableStream({ start: (c) => c.close() });
  }

  kill(signal: Signal): boolean {
    if (this.#gone || signal === "SIGINT") return false;
    try {
      return this.#process.kill(signal);
    } catch {
      return false; // gone, in the words of whoever made it
    }
  }

  killGroup(): boolean {
    return false;
  }

  groupAlive(): boolean {
    return false;
  }
}

function writable(target: NodeWritable): WritableStream<Uint8Array> {
  // A broken pipe also comes through the callback; without a listener it would end the host.
  target.on("error", () => {});
  return new WritableStream<Uint8Array>({
    write: (chunk) =>
      new Promise<void>((resolve, reject) => {
        target.write(chunk, (error) => error ? reject(error) : resolve());
      }),
    close: () => new Promise<void>((resolve) => void target.end(() => resolve())),
    abort: () => void target.end(),
  });
}

/**
 * Reads an async iterable on demand. The first read is made at once: Node drops what nobody has begun to read when the child
 * ends.
 */
function readable(source: NodeReadable): ReadableStream<Uint8Array> {
  const iterator = source[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  let first: Promise<IteratorResult<Uint8Array | string>> | undefined = iterator.next();
  first.catch(() => {});
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const read = first ?? iterator.next();
      first = undefined;
      const { done, value } = await read.catch((error) => {
        // Destroyed by whoever made it: there is no more. So it is with one that never started.
        if ((error as { code?: unknown }).code === "ERR_STREAM_PREMATURE_CLOSE") {
          return { done: true as const, value: undefined };
        }
        throw error;
      });
      if (done) controller.close();
      else controller.enqueue(typeof value === "string" ? encoder.encode(value) : value);
    },
    async cancel() {
      source.destroy?.();
      await iterator.return?.();
    },
  }, { highWaterMark: 0 });
}
