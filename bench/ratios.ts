/** The arithmetic of results. */

import type { Figure, RunRecord, Side } from "./plan.ts";

/** The middle of some values and how far they are apart. */
export interface Spread {
  readonly median: number;
  readonly least: number;
  readonly most: number;
  /** How many values there were. */
  readonly count: number;
}

/** The middle of some values; undefined for none. */
export function spreadOf(values: readonly number[]): Spread | undefined {
  if (values.length === 0) return undefined;
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  const median = sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
  return { median, least: sorted[0]!, most: sorted.at(-1)!, count: sorted.length };
}

/** A figure by round. */
export type Rounds = ReadonlyMap<number, number>;

/** Combines two figures of the same rounds, and takes the middle of that: what disturbs a round disturbs both alike. */
export function combined(
  a: Rounds | undefined,
  b: Rounds | undefined,
  combine: (a: number, b: number) => number,
): Spread | undefined {
  if (a === undefined || b === undefined) return undefined;
  const values: number[] = [];
  for (const [round, value] of a) {
    const other = b.get(round);
    if (other !== undefined) values.push(combine(value, other));
  }
  return spreadOf(values.filter(Number.isFinite));
}

/** What is told of one figure of one case on one runtime. */
export interface Row {
  readonly case: string;
  readonly runtime: string;
  readonly figure: Figure;
  readonly raw: Spread | undefined;
  /** Which of the raw ways is the limit: the one with the best median. */
  readonly way: string;
  readonly tether: Spread | undefined;
  readonly official: Spread | undefined;
  /** Tether's by the limit's, round by round. */
  readonly tetherByRaw: Spread | undefined;
  readonly officialByRaw: Spread | undefined;
  readonly tetherByOfficial: Spread | undefined;
  /** Tether's less the limit's, round by round. */
  readonly tetherLessRaw: Spread | undefined;
}

/** Works a case out from all records of its measure. */
export function rowOf(figure: Figure, caseName: string, runtime: string, records: readonly RunRecord[]): Row {
  const mine = records.filter((record) => record.runtime === runtime && record.cases.includes(caseName));
  const of = (side: Side, way?: string): Rounds | undefined => {
    const rounds = new Map<number, number>();
    for (const record of mine) {
      const value = record.figures?.[figure.key];
      if (record.side === side && (way === undefined || record.way === way) && typeof value === "number") {
        rounds.set(record.round, value);
      }
    }
    return rounds.size === 0 ? undefined : rounds;
  };
  const ways = [...new Set(mine.filter(({ side }) => side === "raw").map(({ way }) => way))];
  const best = bestWay(figure, ways.map((way) => ({ way, spread: spreadOf([...of("raw", way)?.values() ?? []]) })));
  const raw = best === undefined ? undefined : of("raw", best);
  const tether = of("tether");
  const official = of("official");
  const by = (a: number, b: number): number => a / b;
  return {
    case: caseName,
    runtime,
    figure,
    raw: spreadOf([...raw?.values() ?? []]),
    way: best ?? "",
    tether: spreadOf([...tether?.values() ?? []]),
    official: spreadOf([...official?.values() ?? []]),
    tetherByRaw: combined(tether, raw, by),
    officialByRaw: combined(official, raw, by),
    tetherByOfficial: combined(tether, official, by),
    tetherLessRaw: combined(tether, raw, (a, b) => a - b),
  };
}

/** The way with the best median. */
export function bestWay(
  { better }: Pick<Figure, "better">,
  ways: readonly { readonly way: string; readonly spread: Spread | undefined }[],
): string | undefined {
  let best: { way: string; median: number } | undefined;
  for (const { way, spread } of ways) {
    if (spread === undefined) continue;
    const isBetter = best === undefined ||
      (better === "less" ? spread.median < best.median : spread.median > best.median);
    if (isBetter) best = { way, median: spread.median };
  }
  return best?.way;
}

/** Rounds in which every raw way has its chance. */
const CHANCES = 2;

/**
 * Whether a raw way need not run again: it has had its chances, and the best of its runs is worse than the median of
 * another way. Only raw ways can be beaten; of them the best is looked for.
 */
export function isBeaten(
  { side, way, runtime, cases }: Pick<RunRecord, "side" | "runtime" | "cases"> & { readonly way?: string },
  figure: Figure,
  records: readonly RunRecord[],
): boolean {
  if (side !== "raw" || way === undefined) return false;
  const rivals = new Map<string, number[]>();
  for (const record of records) {
    const value = record.figures?.[figure.key];
    if (record.side !== "raw" || record.runtime !== runtime || typeof value !== "number") continue;
    if (record.cases.join() !== cases.join()) continue;
    rivals.set(record.way, [...rivals.get(record.way) ?? [], value]);
  }
  const own = spreadOf(rivals.get(way) ?? []);
  if (own === undefined || own.count < CHANCES) return false;
  return [...rivals].some(([name, values]) => {
    const other = spreadOf(values)!;
    if (name === way || other.count < CHANCES) return false;
    return figure.better === "less" ? own.least > other.median : own.most < other.median;
  });
}
