/**
 * Collects errors that nobody caught, in a page or in workerd. It must be loaded before the suites, so that nothing runs
 * unheard and nobody has a reference to a timer function that is not watched.
 */

import type { LeakProbe } from "../../tests/harness/leaks/leak_probe.ts";
import { describeError } from "../../tests/harness/run_body.ts";

const seen: string[] = [];
const setTimer = globalThis.setTimeout;

addEventListener("unhandledrejection", (event) => {
  seen.push(`unhandled rejection, ${describeError(event.reason)}`);
});
addEventListener("error", (event) => {
  seen.push(`uncaught exception, ${describeError(event.error ?? event.message)}`);
});

/**
 * workerd tells nobody inside of an exception thrown by a timer's callback, so it is noted on its way out.
 * A page reports such an exception as an `error` event.
 */
export function watchTimers(): void {
  const scope = globalThis as unknown as Record<string, (...args: unknown[]) => unknown>;
  for (const name of ["setTimeout", "setInterval"]) {
    const original = scope[name]!;
    scope[name] = (callback, ...rest) => {
      if (typeof callback !== "function") return original(callback, ...rest);
      return original((...args: unknown[]) => {
        try {
          return callback(...args);
        } catch (error) {
          seen.push(`uncaught exception in ${name}, ${describeError(error)}`);
          throw error;
        }
      }, ...rest);
    };
  }
}

/** Takes what has been seen and not been taken yet. */
export function takeStrayErrors(): string[] {
  return seen.splice(0);
}

/** What strays while a body runs is that body's failure. */
export function strayErrorProbe(): LeakProbe {
  let mine: string[] = [];
  return {
    kind: "stray errors",
    begin() {
      mine = [];
    },
    async leaked() {
      // A rejection is told of only after the microtasks in which it could still be handled.
      await new Promise((resolve) => setTimer(resolve, 1));
      mine.push(...takeStrayErrors());
      return mine;
    },
    end() {},
  };
}
