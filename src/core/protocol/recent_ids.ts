import type { RequestId } from "./connection_options.ts";

/** How many ids are remembered by default; the official SDK keeps as many (CLI 2.1.332). */
const REMEMBERED = 1_024;

/** The ids seen last, in bounded memory: the one not seen for longest is forgotten first. */
export class RecentIds {
  readonly #ids = new Set<RequestId>();
  /** Stands before the oldest: a new one would have to pass all that was deleted since the set was last laid out anew. */
  readonly #oldest: Iterator<RequestId, unknown> = this.#ids.values();
  readonly #limit: number;

  constructor(limit: number = REMEMBERED) {
    this.#limit = limit;
  }

  /** How many are remembered now. */
  get size(): number {
    return this.#ids.size;
  }

  /** Remembers an id as the newest. */
  add(id: RequestId): void {
    this.#ids.delete(id);
    this.#ids.add(id);
    if (this.#ids.size <= this.#limit) return;
    this.#ids.delete(this.#oldest.next().value as RequestId);
  }

  /** True if it is remembered; it counts as seen again. */
  has(id: RequestId): boolean {
    if (!this.#ids.delete(id)) return false;
    this.#ids.add(id);
    return true;
  }

  /** Forgets an id; false if it was not remembered. */
  delete(id: RequestId): boolean {
    return this.#ids.delete(id);
  }
}
