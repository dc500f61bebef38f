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
  readonly #source: Source<Uint8Array>;
  readonly #clock: Clock;
  #childEnded = false;
  #over = false;
  #ticksLeft = TICKS;
  #bytesLeft = LEFTOVER_BYTES;
  #stopTicking: (() => void) | undefined;
  #waiting = false;

  /** Takes the stream over; reads nothing yet. */
  constructor(source: ReadableStream<Uint8Array>, clock: Clock) {
    this.#source = sourceOf(source);
    this.#clock = clock;
  }

  /** The child is gone: from now on waiting is limited. */
  childEnded(): void {
    this.#childEnded = true;
    if (this.#waiting) this.#tick();
  }

  /** The next bytes, or undefined at the end. One read at a time. Rejects if the pipe breaks. */
  async read(): Promise<Uint8Array | undefined> {
    if (this.#over) return undefined;
    this.#waiting = true;
    if (this.#childEnded) this.#tick();
    try {
      const result = await this.#source.read();
      // What comes after we gave up is not the child's.
      if (this.#over) return undefined;
      if (result.done) this.#over = true;
      else if (this.#childEnded && (this.#bytesLeft -= result.value.length) < 0) void this.cancel();
      return result.done ? undefined : result.value;
    } catch (error) {
      if (this.#over) return undefined;
      this.#over = true;
      throw error;
    } finally {
      this.#settled();
    }
  }

  /** Stops reading, which ends a read that waits, and lets go of the pipe. Whoever still writes into it is told so by the system. Never rejects. */
  async cancel(): Promise<void> {
    this.#over = true;
    this.#settled();
    try {
      await this.#source.cancel();
    } catch {
      // A stream that broke before has nothing more to let go of.
    }
  }

  #settled(): void {
    this.#waiting = false;
    this.#stopTicking?.();
    this.#stopTicking = undefined;
  }

  #tick(): void {
    if (this.#stopTicking !== undefined) return;
    this.#stopTicking = this.#clock.after(TICK_MS, () => {
      this.#stopTicking = undefined;
      this.#ticksLeft -= 1;
      if (this.#ticksLeft <= 0) void this.cancel();
      else this.#tick();
    });
  }
}
