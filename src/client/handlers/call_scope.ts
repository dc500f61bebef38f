import { type Abortable, AbortSource } from "../../core/abort_source.ts";
import type { Clock } from "../../core/clock.ts";
import { AbortError } from "../../core/errors/mod.ts";

/** How a call of the user's code came out. */
export type CallOutcome<T> =
  | { readonly kind: "value"; readonly value: T }
  | { readonly kind: "threw"; readonly error: unknown }
  /** Its time passed; what it settles to later is dropped. */
  | { readonly kind: "late"; readonly afterMs: number }
  /** It was taken back, or everything was closed; what it settles to later is dropped. */
  | { readonly kind: "aborted"; readonly reason: unknown };

/** How long a call may take, and what takes it back. */
export interface CallBounds {
  /** Takes the call back. */
  readonly by: Pick<Abortable, "onAbort">;
  /** Milliseconds; `Infinity` for no deadline. */
  readonly deadlineMs: number;
}

/** One call, as the called sees it: `signal` tells it that nobody waits any more. */
export interface RunningCall extends Abortable {
  /** Starts its deadline anew. */
  restart(): void;
}

/**
 * Runs the user's callbacks so that each comes to exactly one outcome, whatever the callback does: throws, hangs, settles
 * late. Its own signal tells the callback; nobody waits for one that does not listen.
 */
export class CallScope {
  readonly #clock: Clock;
  readonly #running = new Set<Run<never>>();
  #closed: AbortError | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Calls back, unless it is closed or taken back already. Never rejects. */
  run<T>(call: (own: RunningCall) => T | PromiseLike<T>, bounds: CallBounds): Promise<CallOutcome<T>> {
    if (this.#closed !== undefined) return Promise.resolve({ kind: "aborted", reason: this.#closed });
    return new Promise((resolve) => {
      const run: Run<T> = new Run(this.#clock, bounds, (outcome) => {
        this.#running.delete(run as Run<never>);
        resolve(outcome);
      });
      this.#running.add(run as Run<never>);
      run.start(call);
    });
  }

  /** Takes back what runs; later calls are taken back before they start. */
  close(): void {
    this.#closed ??= new AbortError("The query was closed");
    for (const run of [...this.#running]) run.takeBack(this.#closed);
  }
}

/** Runs one call that nothing but its bounds takes back. Never rejects. */
export function runCall<T>(
  clock: Clock,
  call: (own: RunningCall) => T | PromiseLike<T>,
  bounds: CallBounds,
): Promise<CallOutcome<T>> {
  return new Promise((resolve) => new Run<T>(clock, bounds, resolve).start(call));
}

/** One call and its one outcome. */
class Run<T> extends AbortSource implements RunningCall {
  readonly #clock: Clock;
  readonly #bounds: CallBounds;
  #settled: ((outcome: CallOutcome<T>) => void) | undefined;
  #stopListening: (() => void) | undefined;
  #stopTimer: (() => void) | undefined;

  constructor(clock: Clock, bounds: CallBounds, settled: (outcome: CallOutcome<T>) => void) {
    super();
    this.#clock = clock;
    this.#bounds = bounds;
    this.#settled = settled;
  }

  start(call: (own: RunningCall) => T | PromiseLike<T>): void {
    this.#stopListening = this.#bounds.by.onAbort((reason) => this.takeBack(reason));
    if (this.#settled === undefined) return;
    this.restart();
    let result: T | PromiseLike<T>;
    try {
      result = call(this);
    } catch (error) {
      this.#settle({ kind: "threw", error });
      return;
    }
    // Both ends are taken here, so a call that settles after its outcome leaves no unhandled rejection.
    Promise.resolve(result).then(
      (value) => this.#settle({ kind: "value", value }),
      (error) => this.#settle({ kind: "threw", error }),
    );
  }

  restart(): void {
    const { deadlineMs } = this.#bounds;
    if (this.#settled === undefined || deadlineMs === Infinity) return;
    this.#stopTimer?.();
    this.#stopTimer = this.#clock.after(deadlineMs, () => {
      const reason = new AbortError(`The call took longer than ${deadlineMs} ms`);
      if (this.#settle({ kind: "late", afterMs: deadlineMs })) this.abort(reason);
    });
  }

  takeBack(reason: unknown): void {
    if (this.#settle({ kind: "aborted", reason })) this.abort(reason);
  }

  #settle(outcome: CallOutcome<T>): boolean {
    const settled = this.#settled;
    if (settled === undefined) return false;
    this.#settled = undefined;
    this.#stopListening?.();
    this.#stopTimer?.();
    settled(outcome);
    return true;
  }
}
