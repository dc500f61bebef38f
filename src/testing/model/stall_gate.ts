/** Where stalled answers wait. */
export class StallGate {
  readonly #waiting: Set<() => void> = new Set();
  readonly #changed: () => void;

  /** @param changed Called when an answer begins to wait. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** How many wait. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Lets all of them go; returns how many. */
  release(): number {
    const all = [...this.#waiting];
    for (const go of all) go();
    return all.length;
  }

  /** Settles when released, when `ms` are over, or when nobody listens any longer. */
  wait(gone: AbortSignal, ms: number | undefined): Promise<void> {
    return new Promise((resolve) => {
      const go = () => {
        if (timer !== undefined) clearTimeout(timer);
        gone.removeEventListener("abort", go);
        this.#waiting.delete(go);
        resolve();
      };
      const timer = ms === undefined ? undefined : setTimeout(go, ms);
      gone.addEventListener("abort", go);
      this.#waiting.add(go);
      if (gone.aborted) go();
      else this.#changed();
    });
  }
}
