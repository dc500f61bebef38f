import type { Clock } from "../../core/clock.ts";
import { type Source, sourceOf } from "../../core/streams/source.ts";

/** One look at the clock while a read is pending after the child's end. */
const TICK_MS = 25;
/** So many looks without a byte, and the pipe counts as empty. */
const TICKS = 10;
/**
 * More than a pipe and a runtime's own buffers can hold of what a child wrote before it ended (Linux lets a pipe grow to
 * 1 MiB): past this it is somebody else who writes.
 */
const LEFTOVER_BYTES = 16 * 1024 * 1024;

/**
 * Reads a child's output to its end, and knows when to stop if the end does not come: another process may have inherited
 * the pipe and hold it open long after the child is gone.
 *
 * Everything the child itself wrote is delivered: what lies in the pipe answers a read at once, so only time spent waiting
 * for a byte counts, in short steps, so that a host too busy to read loses nothing. A slow consumer costs no time at all.
 */
export class DrainingReader {
  readonly #reader: Source<Uint8Array>;
  readonly #clock: Clock;
  #childEnded = false;
  #over = false;
  #ticksLeft = TICKS;
  #bytesLeft = LEFTOVER_BYTES;
  #stopTicking: (() => void) | undefined;
  /** Ends the pending read as the end of the stream. */
  #giveUp: (() => void) | undefined;

  /** Takes the stream over; reads nothing yet. */
  constructor(source: ReadableStream<Uint8Array>, clock: Clock) {
    this.#reader = sourceOf(source);
    this.#clock = clock;
  }

  /** The child is gone: from now on waiting is limited. */
  childEnded(): void {
    this.#childEnded = true;
    if (this.#giveUp !== undefined) this.#tick();
  }

  /** The next bytes, or undefined at the end. One read at a time. Rejects if the pipe breaks. */
  read(): Promise<Uint8Array | undefined> {
    if (this.#over) return Promise.resolve(undefined);
    return new Promise((resolve, reject) => {
      this.#giveUp = () => {
        this.#settled();
        void this.cancel();
        resolve(undefined);
      };
      if (this.#childEnded) this.#tick();
      this.#reader.read().then((result) => {
        // What comes after we gave up is not the child's.
        if (this.#over) return;
        this.#settled();
        if (result.done) this.#over = true;
        else if (this.#childEnded && (this.#bytesLeft -= result.value.length) < 0) void this.cancel();
        resolve(result.done ? undefined : result.value);
      }, (error) => {
        if (this.#over) return;
        this.#settled();
        this.#over = true;
        reject(error);
      });
    });
  }

  /** Stops reading and lets go of the pipe. Whoever still writes into it is told so by the system. Never rejects. */
  async cancel(): Promise<void> {
    this.#over = true;
    const giveUp = this.#giveUp;
    this.#settled();
    giveUp?.();
    try {
      await this.#reader.cancel();
    } catch {
      // A stream that broke before has nothing more to let go of.
    }
  }

  #settled(): void {
    this.#giveUp = undefined;
    this.#stopTicking?.();
    this.#stopTicking = undefined;
  }

  #tick(): void {
    if (this.#stopTicking !== undefined) return;
    this.#stopTicking = this.#clock.after(TICK_MS, () => {
      this.#stopTicking = undefined;
      this.#ticksLeft -= 1;
      if (this.#ticksLeft <= 0) this.#giveUp?.();
      else this.#tick();
    });
  }
}
