import fc from "fast-check";
import { patience } from "../patience.ts";
import { describeError } from "../run_body.ts";
import type { Declare, TestContext } from "../suite.ts";
import { batchSeed, type FuzzMode, fuzzMode, seedOf } from "./fuzz_mode.ts";
import { StrayRejections } from "./stray_rejections.ts";

/** Values that a property is asked about. */
type Arbitraries<Values extends [unknown, ...unknown[]]> = {
  readonly [Index in keyof Values]: fc.Arbitrary<Values[Index]>;
};

/** What must hold for all of them. Clean-ups of its context run after every single run. */
export type Check<Values extends [unknown, ...unknown[]]> = (t: TestContext, ...values: Values) => void | Promise<void>;

/** Settings of one property. */
export interface PropertySettings<Values extends [unknown, ...unknown[]]> {
  /** How often it is asked in the gate; at night, how many runs make a batch. */
  readonly runs: number;
  /** Asked first, always: what was found once. */
  readonly examples?: readonly (readonly [...Values])[];
}

/** A run that takes longer hangs. What it hangs in cannot be ended, so its values are told as they are. */
const HANG_MS = 15_000;

/** What a night's body may take beyond its share of time: a failure is made smaller first. */
const SHRINK_MS = 240_000;

/** How many properties share the time of a night. */
let declared = 0;

/**
 * Declares a body that asks a property. Where and how often is decided by {@linkcode fuzzMode}, nowhere else. A failure is
 * told with the smallest values found, and with the command that repeats it.
 */
export function property<Values extends [unknown, ...unknown[]]>(
  test: Declare,
  name: string,
  arbitraries: Arbitraries<Values>,
  check: Check<NoInfer<Values>>,
  settings: PropertySettings<NoInfer<Values>>,
): void {
  const mode = fuzzMode();
  if (mode.kind !== "night" || name.includes(mode.only)) declared++;
  const timeoutMs = mode.kind === "gate" ? 60_000 : (mode.kind === "night" ? mode.ms : 0) + SHRINK_MS;
  test(name, () => ask(name, fc.tuple(...arbitraries) as unknown as fc.Arbitrary<Values>, check, settings, mode), {
    timeoutMs,
  });
}

async function ask<Values extends [unknown, ...unknown[]]>(
  name: string,
  values: fc.Arbitrary<Values>,
  check: Check<Values>,
  { runs, examples = [] }: PropertySettings<Values>,
  mode: FuzzMode,
): Promise<void> {
  const strays = new StrayRejections();
  const asked = fc.asyncProperty(values, guarded(check, strays));
  const batch = async (seed: number, more: fc.Parameters<[Values]>): Promise<void> => {
    const details = await fc.check(asked, { seed, numRuns: runs, ...more });
    if (details.failed) throw failure(name, details);
  };
  strays.begin();
  try {
    // In every mode: a path counts them.
    const first = { examples: examples.map((example): [Values] => [example as unknown as Values]) };
    if (mode.kind === "gate") await batch(seedOf(name), first);
    else if (mode.kind === "repeat") await batch(mode.seed, { ...first, path: mode.path });
    else {
      const until = performance.now() + mode.ms / declared;
      for (let count = 0; count === 0 || performance.now() < until; count++) {
        await batch(batchSeed(mode.seed, count), first);
      }
    }
  } finally {
    strays.end();
  }
}

/** Asks once: with clean-ups, within a time, and without a rejection that nobody handles. */
function guarded<Values extends [unknown, ...unknown[]]>(
  check: Check<Values>,
  strays: StrayRejections,
): (values: Values) => Promise<void> {
  let hung: Error | undefined;
  return async (values) => {
    // A smaller one would hang as long: the first is told as it is.
    if (hung !== undefined) return;
    const cleanups: (() => void | Promise<void>)[] = [];
    const context: TestContext = { cleanup: (work) => void cleanups.push(work) };
    let timer: ReturnType<typeof setTimeout> | undefined;
    try {
      const checking = check(context, ...values);
      if (checking === undefined) return;
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(hung = new Error("It hangs")), HANG_MS * patience());
      });
      await Promise.race([checking, late]);
    } finally {
      clearTimeout(timer);
      for (const work of cleanups.reverse()) await work();
    }
    await strays.check();
  };
}

function failure<Values extends [unknown, ...unknown[]]>(name: string, details: fc.RunDetails<[Values]>): Error {
  const { seed, counterexamplePath: path, counterexample, numRuns, numShrinks, errorInstance } = details;
  const values = counterexample === null ? [] : counterexample[0].map((value) => `  ${fc.stringify(value)}`);
  const process = (globalThis as { process?: { env?: Record<string, string | undefined> } }).process;
  const runtime = process?.env?.["TETHER_TEST_RUNTIME"] ?? "deno";
  return new Error(
    [
      `The property does not hold (run ${numRuns}, made smaller ${numShrinks} times). For`,
      ...values,
      `it says ${describeError(errorInstance)}`,
      "To repeat it:",
      `  deno task fuzz --runtime ${runtime} --only ${quoted(name)} --seed ${seed} --path "${path ?? ""}"`,
    ].join("\n"),
  );
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
