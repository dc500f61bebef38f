/** A source that gives what is put into it, and stays open until it is told to end. One reader. */
export class Mailbox<T> implements AsyncIterableIterator<T> {
  readonly #items: T[] = [];
  #ended = false;
  #wake: (() => void) | undefined;

  /** Puts something in. */
  put(item: T): void {
    this.#items.push(item);
    this.#wake?.();
  }

  /** Nothing more comes. */
  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  async next(): Promise<IteratorResult<T>> {
    while (this.#items.length === 0 && !this.#ended) await new Promise<void>((resolve) => this.#wake = resolve);
    return this.#items.length > 0 ? { done: false, value: this.#items.shift() as T } : { done: true, value: undefined };
  }

  return(): Promise<IteratorResult<T>> {
    this.end();
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
