import { systemClock } from "../clock.ts";
import type { JsonObject } from "../json.ts";
import { DeferredFrame } from "../streams/deferred_frame.ts";
import type { Frame } from "../streams/frame.ts";

/** What a consumer is given. */
export type Delivery = IteratorResult<JsonObject, void>;

/** From how many handed-out places on the array is shortened. */
const SHORTEN_AT = 1_024;

/**
 * Data frames on their way to the consumer, unparsed until they are taken. One who waits already is given the next frame
 * without it entering the queue.
 */
export class FrameQueue {
  readonly #open: (frame: Frame) => JsonObject | undefined;
  readonly #onTaken: () => void;
  /** An array with a moving head: `shift()` would move every element. */
  #frames: (Frame | undefined)[] = [];
  #head = 0;
  #bytes = 0;
  /** The consumer has let a turn of the event loop pass without taking what waits. */
  #consumerAway = false;
  /** How many frames were taken in all, and how many of them when the consumer was looked at last. */
  #taken = 0;
  #takenBefore = 0;
  /** How far frames were put away as bytes. */
  #putAwayTo = 0;
  #goOn: (() => void) | undefined;
  #stopWatching: (() => void) | undefined;
  #waiting: ((delivery: Delivery) => void)[] = [];
  #closed = false;

  /**
   * @param open Parses a frame; undefined if the consumer is not to see it.
   * @param onTaken Called after frames have left the queue.
   */
  constructor(open: (frame: Frame) => JsonObject | undefined, onTaken: () => void) {
    this.#open = open;
    this.#onTaken = onTaken;
  }

  /** Wire bytes that wait. */
  get bytes(): number {
    return this.#bytes;
  }

  /** True if no frame waits. */
  get isEmpty(): boolean {
    return this.#head === this.#frames.length;
  }

  /** Takes a frame in. After `close` it is thrown away. */
  put(frame: Frame): void {
    if (this.#closed) return;
    if (this.#waiting.length > 0) {
      const value = this.#open(frame);
      // Opening may have closed the queue, or asked for more.
      if (value !== undefined) this.#waiting.shift()?.({ done: false, value });
      return;
    }
    this.#frames.push(frame);
    this.#bytes += frame.wireBytes;
  }

  /** The next frame that the consumer is to see, if one is here. */
  take(): JsonObject | undefined {
    while (this.#head < this.#frames.length) {
      const frame = this.#next();
      const value = this.#open(frame);
      this.#onTaken();
      if (value !== undefined) return value;
    }
    return undefined;
  }

  /** The same, and waits for it. */
  next(): Promise<Delivery> {
    const value = this.take();
    if (value !== undefined) return Promise.resolve({ done: false, value });
    if (this.#closed) return Promise.resolve({ done: true, value: undefined });
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /**
   * Lets a consumer that is at work catch up: settles when nothing waits any more, or the consumer turns out to be elsewhere;
   * undefined if that is so already. A source that always has a chunk ready would otherwise outrun it up to the bound, and
   * frames that pile up cost several times what frames cost that pass.
   */
  caughtUp(): Promise<void> | undefined {
    if (this.isEmpty) return undefined;
    if (this.#consumerAway) {
      this.#putAway();
      return undefined;
    }
    this.#takenBefore = this.#taken;
    this.#watch();
    return new Promise((resolve) => this.#goOn = resolve);
  }

  /** What came since the last time is likely to wait for long. */
  #putAway(): void {
    const fresh = this.#frames.slice(Math.max(this.#head, this.#putAwayTo));
    DeferredFrame.putAway(fresh.filter((frame) => frame instanceof DeferredFrame));
    this.#putAwayTo = this.#frames.length;
  }

  /** One timer for many waits. Not of the session's clock: this is no deadline, only the next turn of the event loop. */
  #watch(): void {
    this.#stopWatching ??= systemClock.after(0, () => {
      this.#stopWatching = undefined;
      if (this.#goOn === undefined) return;
      if (this.#taken === this.#takenBefore) {
        this.#consumerAway = true;
        this.#proceed();
      } else {
        this.#takenBefore = this.#taken;
        this.#watch();
      }
    });
  }

  #proceed(): void {
    const goOn = this.#goOn;
    this.#goOn = undefined;
    goOn?.();
  }

  /** Takes nothing in any more. What waits is still handed out. */
  close(): void {
    this.#closed = true;
    this.#stopWatching?.();
    this.#stopWatching = undefined;
    this.#proceed();
    for (const deliver of this.#waiting.splice(0)) deliver({ done: true, value: undefined });
  }

  #next(): Frame {
    const frame = this.#frames[this.#head] as Frame;
    this.#frames[this.#head++] = undefined;
    this.#bytes -= frame.wireBytes;
    this.#consumerAway = false;
    this.#taken++;
    if (this.#head === this.#frames.length) {
      this.#frames = [];
      this.#head = 0;
      this.#putAwayTo = 0;
      this.#proceed();
    } else if (this.#head >= SHORTEN_AT && this.#head * 2 >= this.#frames.length) {
      this.#frames = this.#frames.slice(this.#head);
      this.#putAwayTo = Math.max(0, this.#putAwayTo - this.#head);
      this.#head = 0;
    }
    return frame;
  }
}
