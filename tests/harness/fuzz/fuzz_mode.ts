/**
 * How properties are run: bounded and with fixed seeds in the gate, until a time is up and with new seeds at night. The
 * environment says which (`scripts/fuzz.ts` sets it); where there is none, as on the edge, it is the gate's way.
 */

/** How properties are run. */
export type FuzzMode =
  /** A fixed number of runs from a seed that belongs to the property. */
  | { readonly kind: "gate" }
  /**
   * Batches of as many runs, each from a seed of its own, for as long as there is time. `ms` is for all properties together
   * that have `only` in their names: others are not run.
   */
  | { readonly kind: "night"; readonly ms: number; readonly seed: number; readonly only: string }
  /** One run once more, with whatever smaller ones fast-check finds on its way. */
  | { readonly kind: "repeat"; readonly seed: number; readonly path: string };

/** The mode that the environment asks for. @throws for one that makes no sense. */
export function fuzzMode(env: Readonly<Record<string, string | undefined>> = environment()): FuzzMode {
  const { TETHER_FUZZ_MS: ms, TETHER_FUZZ_SEED: seed, TETHER_FUZZ_PATH: path, TETHER_TEST_ONLY: only = "" } = env;
  if (path !== undefined) return { kind: "repeat", seed: numberIn("TETHER_FUZZ_SEED", seed), path };
  if (ms === undefined) return { kind: "gate" };
  return { kind: "night", ms: numberIn("TETHER_FUZZ_MS", ms), seed: numberIn("TETHER_FUZZ_SEED", seed), only };
}

/** A seed that belongs to a name: the same on every machine. */
export function seedOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  return hash & 0x7fffffff;
}

/** The seed of a batch; that of the first is the one given, so that a seed alone repeats what it found first. */
export function batchSeed(seed: number, batch: number): number {
  return (seed + Math.imul(batch, 0x9e3779b1)) & 0x7fffffff;
}

function environment(): Readonly<Record<string, string | undefined>> {
  return (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env ?? {};
}

function numberIn(name: string, text: string | undefined): number {
  const number = Number(text);
  if (text === undefined || text === "" || !Number.isFinite(number)) throw new Error(`${name} must be a number`);
  return number;
}
