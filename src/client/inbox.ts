import { deferred } from "../core/deferred.ts";
import { ClaudeSDKError } from "../core/errors/mod.ts";
import type { SDKMessage } from "../core/messages/mod.ts";

type Item = IteratorResult<SDKMessage, void>;

/**
 * The messages of one query for any number of receivers, one after the other. What a receiver has asked for and left behind
 * goes to the next: nothing is lost between them.
 */
export class Inbox {
  readonly #next: () => Promise<Item>;
  /** Asked of the query, and not handed over. */
  #pulled: Promise<Item> | undefined;
  #waiting: Receiver | undefined;

  /** `next` gives the next message; a rejection is handed over like one, once. */
  constructor(next: () => Promise<Item>) {
    this.#next = next;
  }

  /** A receiver of everything up to the first message that is the last for it; of all, if none is. */
  receive(isLast: (message: SDKMessage) => boolean): AsyncGenerator<SDKMessage, void, void> {
    return new Receiver((receiver) => this.#take(receiver), isLast);
  }

  /** Rejects with `already_receiving` while another receiver waits. Done if the receiver leaves. */
  async #take(receiver: Receiver): Promise<Item> {
    // One that was left is on its way out.
    if (this.#waiting?.isOver === false) {
      throw new ClaudeSDKError("already_receiving", "Somebody else is waiting for the next message of this client");
    }
    this.#waiting = receiver;
    const pulled = this.#pulled ??= this.#next();
    try {
      // Handled in any case: it may be left for a receiver that never comes.
      await Promise.race([pulled.catch(() => {}), receiver.left]);
      if (receiver.isOver) return { done: true, value: undefined };
      this.#pulled = undefined;
      return await pulled;
    } finally {
      if (this.#waiting === receiver) this.#waiting = undefined;
    }
  }
}

/** Leaving it leaves the query alone. */
class Receiver implements AsyncGenerator<SDKMessage, void, void> {
  readonly #take: (receiver: Receiver) => Promise<Item>;
  readonly #isLast: (message: SDKMessage) => boolean;
  readonly #left = deferred<void>();
  #isOver = false;
  /** Settles, and never rejects, when the last `next()` has. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(take: (receiver: Receiver) => Promise<Item>, isLast: (message: SDKMessage) => boolean) {
    this.#take = take;
    this.#isLast = isLast;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Resolves when it is left. */
  get left(): Promise<void> {
    return this.#left.promise;
  }

  next(): Promise<Item> {
    const item = this.#turn.then(() => this.#step());
    this.#turn = item.catch(() => {});
    return item;
  }

  return(): Promise<Item> {
    this.#leave();
    return Promise.resolve({ done: true, value: undefined });
  }

  throw(error: unknown): Promise<Item> {
    this.#leave();
    return Promise.reject(error);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#leave();
    return Promise.resolve();
  }

  async #step(): Promise<Item> {
    if (this.#isOver) return { done: true, value: undefined };
    try {
      const item = await this.#take(this);
      if (item.done === true || this.#isLast(item.value)) this.#leave();
      return item;
    } catch (error) {
      this.#leave();
      throw error;
    }
  }

  #leave(): void {
    this.#isOver = true;
    this.#left.resolve();
  }
}
