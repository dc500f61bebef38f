/** What we hold ourselves to, as data. */

import type { Row, Spread } from "./ratios.ts";

/** One target. It counts on every runtime. */
export interface Target {
  readonly measure: string;
  readonly case: string;
  /** Key of the figure. */
  readonly figure: string;
  /** What of the row is judged: its median. */
  readonly of: "tether" | "tetherByRaw" | "tetherByOfficial" | "tetherLessRaw";
  readonly atMost?: number;
  readonly atLeast?: number;
}

/** The targets. */
export const TARGETS: readonly Target[] = [
  { measure: "throughput", case: "200,000 × 300 B", figure: "ms", of: "tetherByRaw", atMost: 1.3 },
  { measure: "throughput", case: "20,000 × 4 KB", figure: "ms", of: "tetherByRaw", atMost: 1.35 },
  { measure: "throughput", case: "200 × 1 MB", figure: "ms", of: "tetherByRaw", atMost: 1.25 },
  { measure: "giant_line", case: "600 MB", figure: "typed", of: "tether", atLeast: 1 },
  { measure: "round_trips", case: "hook, 1 open", figure: "p50", of: "tetherByRaw", atMost: 1.1 },
  { measure: "round_trips", case: "MCP tool, 1 open", figure: "p50", of: "tetherByRaw", atMost: 1.4 },
  { measure: "round_trips", case: "MCP tool, 32 open", figure: "perSecond", of: "tetherByOfficial", atLeast: 2 },
  { measure: "importing", case: "import", figure: "wall", of: "tetherLessRaw", atMost: 25 },
  { measure: "start", case: "fast CLI", figure: "first", of: "tetherByOfficial", atMost: 0.5 },
  { measure: "slow_consumer", case: "1 GB", figure: "memoryGrowthMb", of: "tether", atMost: 64 },
  { measure: "many_queries", case: "50 × 500 × 1 KB", figure: "ms", of: "tetherByOfficial", atMost: 1 },
  // Memory grows in steps, of up to 13 MB with either SDK: a leak of 16 KB per query would show.
  { measure: "leaks", case: "1,000", figure: "memoryGrowthMb", of: "tether", atMost: 16 },
  { measure: "leaks", case: "1,000", figure: "heapGrowthMb", of: "tether", atMost: 1 },
  { measure: "leaks", case: "1,000", figure: "descriptorGrowth", of: "tether", atMost: 0 },
  { measure: "leaks", case: "1,000", figure: "children", of: "tether", atMost: 0 },
  { measure: "leaks", case: "1,000", figure: "listenerGrowth", of: "tether", atMost: 0 },
];

/** How a row stands to its target. */
export interface Verdict {
  readonly target: Target;
  /** Undefined if there is nothing to judge: the official SDK did not run, say. */
  readonly value: Spread | undefined;
  /** False where there is nothing to judge, too. */
  readonly met: boolean;
}

/** Judges a row; undefined if there is no target for it. */
export function judge(measure: string, row: Row): Verdict | undefined {
  const target = TARGETS.find((target) =>
    target.measure === measure && target.case === row.case && target.figure === row.figure.key
  );
  if (target === undefined) return undefined;
  const value = row[target.of];
  const { atMost = Infinity, atLeast = -Infinity } = target;
  return { target, value, met: value !== undefined && value.median <= atMost && value.median >= atLeast };
}

/** The target in words. */
export function targetText({ of, atMost, atLeast }: Target): string {
  const bound = atMost === undefined ? `≥ ${atLeast}` : `≤ ${atMost}`;
  if (of === "tetherByRaw") return `${bound} × limit`;
  if (of === "tetherByOfficial") return `${bound} × official`;
  if (of === "tetherLessRaw") return `${bound} over the limit`;
  return bound;
}
