/**
 * `deno task fuzz`: the properties of the fuzz suites (`*_fuzz.suite.ts`) with new seeds, until the time is up or one does
 * not hold.
 *
 * - `--minutes N` how long, over all runtimes (default 10)
 * - `--runtime deno,bun,node22,node20` where, in turn (default: these four; `node` is `node22`)
 * - `--only part` only properties with that in their name
 * - `--seed S` the seed to begin from (default: a new one, which is told)
 * - `--path P` repeats one run, with the seed that was told with it
 *
 * Ends with code 1 when a property does not hold; what it said holds the smallest values and the command that repeats it.
 */

import { parseArgs } from "node:util";
import { GATE_RUNTIMES, type ProcessRuntime, runSuites, runtimeNamed } from "./run_suites.ts";

/** How the suites are found. */
const FUZZ_SUITES = "_fuzz.suite.";

/** Every runtime comes round so often at least; each round begins from a seed of its own. */
const LONGEST_ROUND_MS = 90_000;

/** Starting a runtime costs some seconds: less is not worth it. */
const SHORTEST_ROUND_MS = 5_000;

const { values } = parseArgs({
  args: Deno.args,
  options: {
    minutes: { type: "string", default: "10" },
    runtime: { type: "string", default: GATE_RUNTIMES.join() },
    only: { type: "string", default: "" },
    seed: { type: "string" },
    path: { type: "string" },
  },
});
const runtimes = values.runtime.split(",").map(runtimeNamed);
const minutes = numberOf("minutes", values.minutes);
const seed = values.seed === undefined ? newSeed() : numberOf("seed", values.seed);
if (values.path !== undefined && values.seed === undefined) throw new Error("--path needs the --seed it was told with");

let good = true;
if (values.path !== undefined) {
  for (const runtime of runtimes) {
    good = await round(runtime, { TETHER_FUZZ_SEED: String(seed), TETHER_FUZZ_PATH: values.path }, 300_000) && good;
  }
} else {
  const until = performance.now() + minutes * 60_000;
  for (let count = 0; good; count++) {
    const left = until - performance.now();
    if (count > 0 && left < SHORTEST_ROUND_MS) break;
    // Where there is little time, every runtime gets its share of it.
    const share = count < runtimes.length ? left / (runtimes.length - count) : left;
    const ms = Math.round(Math.max(SHORTEST_ROUND_MS, Math.min(LONGEST_ROUND_MS, share)));
    const env = { TETHER_FUZZ_MS: String(ms), TETHER_FUZZ_SEED: String((seed + count) & 0x7fffffff) };
    good = await round(runtimes[count % runtimes.length]!, env, ms + 600_000);
  }
}
if (!good) Deno.exit(1);

/** Runs the suites once. False if anything was wrong. */
async function round(runtime: ProcessRuntime, env: Record<string, string>, timeoutMs: number): Promise<boolean> {
  const how = values.path === undefined ? `for ${Math.round(Number(env.TETHER_FUZZ_MS) / 1_000)} s` : "once more";
  console.log(`${runtime}: seed ${env.TETHER_FUZZ_SEED}, ${how}`);
  const { report, faults } = await runSuites(runtime, {
    filter: FUZZ_SUITES,
    timeoutMs,
    env: { ...env, TETHER_TEST_ONLY: values.only, TETHER_TEST_PATIENCE: "4" },
  });
  const bodies = report?.bodies ?? [];
  const failed = bodies.filter(({ outcome }) => outcome !== "passed");
  for (const { suite, name, error } of failed) {
    console.log(`${runtime} FAILED ${suite} › ${name}`);
    console.log((error ?? "the run ended before this body, or in it").replace(/^/gm, "    "));
  }
  for (const fault of faults) console.log(`FAILED ${fault}`);
  console.log(`${runtime}: ${bodies.length - failed.length} bodies passed, ${failed.length + faults.length} faults`);
  return failed.length + faults.length === 0;
}

function newSeed(): number {
  return crypto.getRandomValues(new Int32Array(1))[0]! & 0x7fffffff;
}

function numberOf(name: string, text: string): number {
  const number = Number(text);
  if (text === "" || !Number.isFinite(number)) throw new Error(`--${name} must be a number`);
  return number;
}
