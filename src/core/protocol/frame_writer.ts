import { deferred } from "../deferred.ts";
import { CLIConnectionError } from "../errors/connection_errors.ts";
import { type Sink, sinkOf } from "../streams/sink.ts";

/** Which queue a line waits in. Control lines overtake prompt lines. */
export type Lane = "control" | "prompt";

/** Hears once how a line fared: nothing if the sink took it, else why not. */
export type WriteDone = (failure?: { readonly error: unknown }) => void;

interface Entry {
  readonly line: string;
  readonly lane: Lane;
  done: WriteDone | undefined;
}

/** A line that was handed to a {@linkcode FrameWriter}. */
export interface WriteTicket {
  /** Takes it out of the queue, its `done` is then never called; false if it has been begun or is over. */
  withdraw(): boolean;
}

const NOTHING: readonly Entry[] = [];

/** How much is joined into one write, in characters: about what a pipe holds. */
const JOINED = 65_536;

/**
 * The one place that writes. A line goes out at once where nothing is being written; control lines that gather meanwhile (the
 * answers of one turn of the event loop, say) go out as one write, in order, when the sink has taken what was before them.
 *
 * Errors are handed to callbacks, never left in a promise, so that none goes unhandled.
 */
export class FrameWriter {
  readonly #sink: Sink;
  readonly #onBroken: (error: CLIConnectionError) => void;
  readonly #control = new Set<Entry>();
  readonly #prompts = new Set<Entry>();
  readonly #finished = deferred<void>();
  /** What is being written. */
  #current: readonly Entry[] = [];
  #lostPrompts = 0;
  #busy = false;
  #closing = false;
  #stopped = false;
  #refusal: { readonly error: unknown } | undefined;
  #brokenBy: CLIConnectionError | undefined;

  constructor(writable: WritableStream<Uint8Array>, onBroken: (error: CLIConnectionError) => void) {
    this.#sink = sinkOf(writable);
    this.#onBroken = onBroken;
    // A pipe can break between two writes.
    void this.#sink.broken.then((cause) => this.#break(cause));
  }

  /** No further line is taken. */
  get ended(): boolean {
    return this.#refusal !== undefined;
  }

  /** Why the pipe broke, if it did. */
  get error(): CLIConnectionError | undefined {
    return this.#brokenBy;
  }

  /** Prompt lines the sink has not taken: they wait, or are lost. */
  get unsentPrompts(): number {
    return this.#lostPrompts + this.#prompts.size + this.#current.filter(({ lane }) => lane === "prompt").length;
  }

  /** Queues a line. `done` may be called before this returns. */
  push(line: string, lane: Lane, done: WriteDone): WriteTicket {
    if (this.#refusal !== undefined) {
      if (this.#stopped && lane === "prompt") this.#lostPrompts++;
      done(this.#refusal);
      return { withdraw: () => false };
    }
    const entry: Entry = { line, lane, done };
    const queue = lane === "control" ? this.#control : this.#prompts;
    queue.add(entry);
    if (!this.#busy) void this.#write();
    return { withdraw: () => queue.delete(entry) };
  }

  /** Ends input after what is queued. Resolves when that is done or can no longer be; never rejects. */
  end(): Promise<void> {
    if (this.#refusal === undefined) {
      const error = new CLIConnectionError("The input of the CLI has ended", { code: "input_ended" });
      this.#refusal = { error };
      if (!this.#busy) void this.#close();
    }
    return this.#finished.promise;
  }

  /** Throws away the prompt lines that wait. */
  dropPrompts(error: unknown): void {
    this.#drop(this.#prompts, { error });
  }

  /** Throws away everything and gives the sink up. */
  abort(error: unknown): void {
    if (!this.#stop({ error })) return;
    this.#sink.abort(error).catch(() => {
      // The pipe had broken before: it is given up either way.
    });
  }

  /** The same, if there is anything that nobody will take any more: a sink may never say so. */
  abandon(error: unknown): void {
    if (this.#current.length > 0 || this.#control.size > 0 || this.#prompts.size > 0) this.abort(error);
  }

  async #write(): Promise<void> {
    this.#busy = true;
    for (;;) {
      const batch = this.#take();
      if (batch.length === 0) break;
      this.#current = batch;
      try {
        await this.#sink.write(batch.length === 1 ? batch[0]!.line : batch.map(({ line }) => line).join(""));
      } catch (cause) {
        this.#break(cause);
        return;
      }
      if (this.#current !== batch) return;
      this.#current = NOTHING;
      for (const entry of batch) finish(entry);
    }
    if (this.#refusal !== undefined) await this.#close();
    else this.#busy = false;
  }

  /** What goes out next, taken from the queues: control lines as far as they may be joined, or one prompt. */
  #take(): readonly Entry[] {
    const batch: Entry[] = [];
    let length = 0;
    for (const entry of this.#control) {
      if (batch.length > 0 && (this.#sink.linewise || length + entry.line.length > JOINED)) break;
      this.#control.delete(entry);
      batch.push(entry);
      length += entry.line.length;
    }
    if (batch.length > 0) return batch;
    for (const entry of this.#prompts) {
      this.#prompts.delete(entry);
      return [entry];
    }
    return NOTHING;
  }

  async #close(): Promise<void> {
    this.#busy = true;
    this.#closing = true;
    try {
      await this.#sink.close();
    } catch {
      // Nobody reads any more, so nobody misses the end of input; lost lines have been reported by their own writes.
    }
    this.#finished.resolve();
  }

  #break(cause: unknown): void {
    const error = new CLIConnectionError("Writing to the CLI failed: it no longer reads", {
      code: "write_failed",
      cause,
    });
    // With the last line taken, a pipe that breaks instead of closing has lost nothing.
    if (!this.#stop({ error }) || this.#closing) return;
    this.#brokenBy = error;
    this.#onBroken(error);
  }

  /** Settles every line with a failure; false if that was done before. */
  #stop(failure: { readonly error: unknown }): boolean {
    if (this.#stopped) return false;
    this.#stopped = true;
    this.#refusal = failure;
    const current = this.#current;
    this.#current = NOTHING;
    for (const entry of current) this.#lose(entry, failure);
    this.#drop(this.#control, failure);
    this.#drop(this.#prompts, failure);
    this.#finished.resolve();
    return true;
  }

  #drop(queue: Set<Entry>, failure: { readonly error: unknown }): void {
    const entries = [...queue];
    queue.clear();
    for (const entry of entries) this.#lose(entry, failure);
  }

  #lose(entry: Entry, failure: { readonly error: unknown }): void {
    if (entry.lane === "prompt") this.#lostPrompts++;
    finish(entry, failure);
  }
}

function finish(entry: Entry, failure?: { readonly error: unknown }): void {
  const done = entry.done;
  entry.done = undefined;
  done?.(failure);
}
