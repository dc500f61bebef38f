import { abortSafely } from "../../core/abort_safely.ts";
import type { Clock } from "../../core/clock.ts";
import { AbortError } from "../../core/errors/mod.ts";
import { onAbort } from "../../core/on_abort.ts";

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
  readonly signal: AbortSignal;
  /** Milliseconds; `Infinity` for no deadline. */
  readonly deadlineMs: number;
}

/**
 * Runs the user's callbacks so that each comes to exactly one outcome, whatever the callback does: throws, hangs, settles
 * late. Its own signal tells the callback; nobody waits for one that does not listen.
 */
export class CallScope {
  readonly #clock: Clock;
  readonly #running = new Set<(reason: unknown) => void>();
  #closed: AbortError | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Calls back with a signal of this call's own, and with what starts its deadline anew. Never rejects. */
  run<T>(
    call: (signal: AbortSignal, restart: () => void) => T | PromiseLike<T>,
    bounds: CallBounds,
  ): Promise<CallOutcome<T>> {
    if (this.#closed !== undefined) return Promise.resolve({ kind: "aborted", reason: this.#closed });
    if (bounds.signal.aborted) return Promise.resolve({ kind: "aborted", reason: bounds.signal.reason });
    return new Promise((resolve) => {
      const controller = new AbortController();
      const settle = (outcome: CallOutcome<T>, reason?: unknown): void => {
        if (!this.#running.delete(abort)) return;
        stopListening();
        stopTimer();
        resolve(outcome);
        if (outcome.kind === "late" || outcome.kind === "aborted") abortSafely(controller, reason);
      };
      const abort = (reason: unknown): void => settle({ kind: "aborted", reason }, reason);
      this.#running.add(abort);
      const stopListening = onAbort(bounds.signal, abort);
      const { deadlineMs } = bounds;
      const late = (): void => {
        settle({ kind: "late", afterMs: deadlineMs }, new AbortError(`The call took longer than ${deadlineMs} ms`));
      };
      const startTimer = (): () => void => deadlineMs === Infinity ? () => {} : this.#clock.after(deadlineMs, late);
      let stopTimer = startTimer();
      const restart = (): void => {
        if (!this.#running.has(abort)) return;
        stopTimer();
        stopTimer = startTimer();
      };
      let result: T | PromiseLike<T>;
      try {
        result = call(controller.signal, restart);
      } catch (error) {
        settle({ kind: "threw", error });
        return;
      }
      // Both ends are taken here, so a call that settles after its outcome leaves no unhandled rejection.
      Promise.resolve(result).then(
        (value) => settle({ kind: "value", value }),
        (error) => settle({ kind: "threw", error }),
      );
    });
  }

  /** Takes back what runs; later calls are taken back before they start. */
  close(): void {
    this.#closed ??= new AbortError("The query was closed");
    for (const abort of [...this.#running]) abort(this.#closed);
  }
}
