import { abortSafely } from "./abort_safely.ts";

/** What may be taken back. */
export interface Abortable {
  /** Aborts when it is. Made when it is first asked for, also afterwards: most calls end without anybody's having looked. */
  readonly signal: AbortSignal;
  /** True once it was taken back. */
  readonly aborted: boolean;
  /** Calls back once when it is taken back, at once if it has been; returns what ends the waiting. */
  onAbort(callback: (reason: unknown) => void): () => void;
}

/** Takes something back, as an `AbortController` does, without the price of one where nobody asks for the signal. */
export class AbortSource implements Abortable {
  #controller: AbortController | undefined;
  #listeners: ((reason: unknown) => void)[] = [];
  #aborted: { readonly reason: unknown } | undefined;

  /** See {@linkcode Abortable.aborted}. */
  get aborted(): boolean {
    return this.#aborted !== undefined;
  }

  /** Why it was taken back; undefined before. */
  get reason(): unknown {
    return this.#aborted?.reason;
  }

  /** See {@linkcode Abortable.signal}. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#aborted !== undefined) this.#controller.abort(this.#aborted.reason);
    }
    return this.#controller.signal;
  }

  /** See {@linkcode Abortable.onAbort}. */
  onAbort(callback: (reason: unknown) => void): () => void {
    if (this.#aborted !== undefined) {
      callback(this.#aborted.reason);
      return () => {};
    }
    this.#listeners.push(callback);
    return () => {
      const at = this.#listeners.indexOf(callback);
      if (at !== -1) this.#listeners.splice(at, 1);
    };
  }

  /** Takes it back. Only the first time counts. */
  abort(reason: unknown): void {
    if (this.#aborted !== undefined) return;
    this.#aborted = { reason };
    const listeners = this.#listeners;
    this.#listeners = [];
    for (const listener of listeners) listener(reason);
    if (this.#controller !== undefined) abortSafely(this.#controller, reason);
  }
}

/** What a callback is given beside its arguments: a `signal` that is made when it is read. */
export function signalOf(source: Abortable): { readonly signal: AbortSignal } {
  return {
    get signal() {
      return source.signal;
    },
  };
}
