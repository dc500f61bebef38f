import type { Clock } from "../../core/clock.ts";

interface Timer {
  readonly due: number;
  readonly order: number;
  readonly callback: () => void;
}

/** A clock that moves only when told to. Give it to a query as `tether.clock`: its deadlines then need no waiting. */
export class VirtualClock implements Clock {
  #now = 0;
  #order = 0;
  readonly #timers = new Set<Timer>();

  /** Milliseconds since it was made, as far as it was moved. */
  now(): number {
    return this.#now;
  }

  /** Sets a timer; returns what takes it back. A delay of `Infinity` sets none. */
  after(ms: number, callback: () => void): () => void {
    if (ms === Infinity) return () => {};
    const timer = { due: this.#now + ms, order: this.#order++, callback };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  /** Timers that are set. */
  get pending(): number {
    return this.#timers.size;
  }

  /**
   * Moves on by `ms`, firing what falls due on the way, in order, also what is set meanwhile. Everything happens within
   * this call: no promise reaction runs in between.
   *
   * @throws {RangeError} for a time that is negative, infinite or no number.
   */
  advance(ms: number): void {
    const end = this.#end(ms);
    while (this.#fireNext(end));
    this.#now = Math.max(this.#now, end);
  }

  /**
   * The same, and lets promise reactions run: before it moves, after each moment in which something fell due, and at the
   * end. What they lead to on this machine (a read that was ready, a callback) has happened when it settles; what takes
   * real time (a process, a disk) has not.
   *
   * @throws {RangeError} (rejects) as {@linkcode VirtualClock.advance} does.
   */
  async pass(ms: number): Promise<void> {
    const end = this.#end(ms);
    await settle();
    for (let fired = this.#fireMoment(end); fired; fired = this.#fireMoment(end)) await settle();
    this.#now = Math.max(this.#now, end);
    await settle();
  }

  #end(ms: number): number {
    if (!(ms >= 0 && ms < Infinity)) throw new RangeError("A clock moves by a number of milliseconds, 0 or more");
    return this.#now + ms;
  }

  /** Fires what falls due at the next moment before `end`; false if there is none. */
  #fireMoment(end: number): boolean {
    const next = this.#next(end);
    if (next === undefined) return false;
    while (this.#fireNext(next.due));
    return true;
  }

  #fireNext(end: number): boolean {
    const next = this.#next(end);
    if (next === undefined) return false;
    this.#timers.delete(next);
    this.#now = Math.max(this.#now, next.due);
    next.callback();
    return true;
  }

  #next(end: number): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.due > end) continue;
      if (first === undefined || timer.due < first.due || (timer.due === first.due && timer.order < first.order)) {
        first = timer;
      }
    }
    return first;
  }
}

/**
 * Makes a clock that stands still until it is moved. Every deadline of a query runs on the one in `tether.clock`.
 *
 * @example
 * ```ts
 * import { virtualClock } from "@tether/agent/testing";
 *
 * const clock = virtualClock();
 * clock.after(60_000, () => console.log("a minute has passed"));
 * clock.advance(60_000);
 * ```
 */
export function virtualClock(): VirtualClock {
  return new VirtualClock();
}

/** Waits until the promise reactions that are due, and those they lead to, have run. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
