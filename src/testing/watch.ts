import { deferred } from "../core/deferred.ts";

/** Waits for a state that others bring about. */
export class Watch {
  readonly #looks: Set<() => void> = new Set();
  readonly #quits: Set<() => void> = new Set();

  /** Says that the state may have changed: everyone who waits looks again. */
  changed(): void {
    for (const look of [...this.#looks]) look();
  }

  /** Says that nothing will change any more: everyone who still waits gives up. */
  end(): void {
    this.changed();
    for (const quit of [...this.#quits]) quit();
  }

  /** Settles with what `read` finds, as soon as it finds something; rejects with `failure()` after `timeoutMs`. */
  async until<T>(read: () => T | undefined, timeoutMs: number, failure: () => Error): Promise<T> {
    const found = deferred<T>();
    const look = () => {
      const value = read();
      if (value !== undefined) found.resolve(value);
    };
    const quit = () => found.reject(failure());
    const timer = setTimeout(quit, timeoutMs);
    this.#looks.add(look);
    this.#quits.add(quit);
    look();
    try {
      return await found.promise;
    } finally {
      clearTimeout(timer);
      this.#looks.delete(look);
      this.#quits.delete(quit);
    }
  }
}
