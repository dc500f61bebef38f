import { systemClock } from "../core/clock.ts";
import { deferred } from "../core/deferred.ts";

/** Waits for a state that others bring about. */
export class Watch {
  readonly #looks: Set<() => void> = new Set();
  readonly #quits: Set<() => void> = new Set();
  #over = false;

  /** Says that the state may have changed: everyone who waits looks again. */
  changed(): void {
    for (const look of [...this.#looks]) look();
  }

  /** Says that nothing will change any more: everyone who still waits gives up, now and later. */
  end(): void {
    this.#over = true;
    this.changed();
    for (const quit of [...this.#quits]) quit();
  }

  /** Settles with what `read` finds, as soon as it finds something; rejects with `failure()` after `timeoutMs` (`Infinity`: never). */
  async until<T>(read: () => T | undefined, timeoutMs: number, failure: () => Error): Promise<T> {
    const found = deferred<T>();
    const look = () => {
      const value = read();
      if (value === undefined) return;
      // At once: `read` may take what it finds, and must not take another that nobody gets.
      this.#looks.delete(look);
      found.resolve(value);
    };
    const quit = () => found.reject(failure());
    const cancel = systemClock.after(timeoutMs, quit);
    this.#looks.add(look);
    this.#quits.add(quit);
    look();
    if (this.#over) quit();
    try {
      return await found.promise;
    } finally {
      cancel();
      this.#looks.delete(look);
      this.#quits.delete(quit);
    }
  }
}
