import type { Clock } from "../../src/core/clock.ts";

interface Timer {
  readonly due: number;
  readonly order: number;
  readonly callback: () => void;
}

/** A clock that moves only when told to. */
export class VirtualClock implements Clock {
  #now = 0;
  #order = 0;
  readonly #timers = new Set<Timer>();

  now(): number {
    return this.#now;
  }

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

  /** Moves on by `ms`, firing what falls due on the way, in order, also what is set meanwhile. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const next = this.#next(end);
      if (next === undefined) break;
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.due);
      next.callback();
    }
    this.#now = end;
  }

  /** Lets promise reactions run, moves on, and lets them run again. */
  async pass(ms: number): Promise<void> {
    await settle();
    this.advance(ms);
    await settle();
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

/** Waits until the promise reactions that are due, and those they lead to, have run. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
