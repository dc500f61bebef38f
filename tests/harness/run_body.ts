/** Runs one body of a suite under its time limit, with its clean-ups and leak probes. Web APIs only: edge runners use it too. */

import type { Body, TestContext } from "./suite.ts";
import type { LeakProbe } from "./leaks/leak_probe.ts";

/** How one body ended. */
export interface BodyResult {
  readonly outcome: "passed" | "failed";
  readonly ms: number;
  /** Every cause, in the order in which they came up; absent when it passed. */
  readonly error?: string;
}

/** What a runner may tune. */
export interface RunBodyOptions {
  /** What is watched while the body runs. Default none. */
  readonly probes?: readonly LeakProbe[];
  /** How long what a body left may take to go by itself before it counts as a leak. Default 2 s. */
  readonly settleMs?: number;
  /** How long one clean-up may take. Default 20 s, times patience. */
  readonly cleanupMs?: number;
  /** Multiplies the body's time limit: it is there to find what hangs, and a busy machine is slow. Default 1. */
  readonly patience?: number;
}

// Taken before a probe wraps the globals, so that the harness never watches itself.
const setTimer = globalThis.setTimeout;
const clearTimer = globalThis.clearTimeout;

/** Runs one body. Never rejects: what went wrong is in the result. */
export async function runBody(body: Body, options: RunBodyOptions = {}): Promise<BodyResult> {
  const { probes = [], settleMs = 2_000, patience = 1, cleanupMs = 20_000 * patience } = options;
  const timeoutMs = body.timeoutMs * patience;
  const watching = body.leaks === undefined ? probes : [];
  const errors: unknown[] = [];
  const cleanups: (() => void | Promise<void>)[] = [];
  let over = false;
  const context: TestContext = {
    cleanup(work) {
      if (over) throw new Error("A clean-up was registered after its body was over");
      cleanups.push(work);
    },
  };

  for (const probe of watching) await probe.begin();
  const startedAt = performance.now();
  try {
    await within(timeoutMs, `the body took longer than ${timeoutMs} ms`, () => body.run(context));
  } catch (error) {
    errors.push(error);
  }
  over = true;
  for (const work of cleanups.reverse()) {
    try {
      await within(cleanupMs, `a clean-up took longer than ${cleanupMs} ms`, work);
    } catch (error) {
      errors.push(error);
    }
  }
  try {
    for (const leak of await settle(watching, settleMs)) errors.push(new LeakError(leak));
  } catch (error) {
    errors.push(error);
  } finally {
    for (const probe of watching) probe.end();
  }

  const ms = Math.round(performance.now() - startedAt);
  if (errors.length === 0) return { outcome: "passed", ms };
  return { outcome: "failed", ms, error: errors.map(describeError).join("\n") };
}

/** The body is over and something it made is still there. */
export class LeakError extends Error {
  override readonly name: string = "LeakError";
}

/** Name, message, stack and causes of whatever was thrown, as text. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return `thrown: ${String(error)}`;
  const head = `${error.name}: ${error.message}`;
  // V8 puts the message on top of the stack, JavaScriptCore does not. A leak has no stack worth reading.
  const stack = error.stack ?? "";
  const text = error instanceof LeakError ? head : stack.includes(error.message) ? stack : `${head}\n${stack}`;
  return error.cause === undefined ? text : `${text}\ncaused by ${describeError(error.cause)}`;
}

async function settle(probes: readonly LeakProbe[], settleMs: number): Promise<string[]> {
  const giveUpAt = performance.now() + settleMs;
  for (let pause = 1;; pause = Math.min(pause * 2, 100)) {
    const leaks: string[] = [];
    for (const probe of probes) {
      for (const leak of await probe.leaked()) leaks.push(`${probe.kind}: ${leak}`);
    }
    if (leaks.length === 0 || performance.now() >= giveUpAt) return leaks;
    await new Promise((resolve) => setTimer(resolve, pause));
  }
}

/** Lets `work` take `ms` at most. What it does later than that is no concern of the next body: its end is swallowed. */
async function within(ms: number, message: string, work: () => void | Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimer(() => reject(new Error(message)), ms);
  });
  try {
    await Promise.race([Promise.resolve().then(work), late]);
  } finally {
    clearTimer(timer);
  }
}
