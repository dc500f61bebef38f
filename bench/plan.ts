/** What a benchmark is made of: measures, and the cells that run in them. */

/** Where a cell runs. */
export type RuntimeName = "deno" | "bun" | "node";

/** Every runtime, in the order of the tables. */
export const RUNTIME_NAMES: readonly RuntimeName[] = ["deno", "bun", "node"];

/** Whose figures: the limit of the runtime, Tether's, or the official SDK's. */
export type Side = "raw" | "tether" | "official";

/** How large a run is: for the record, for a look, or only to see that every cell works. */
export type Size = "full" | "quick" | "smoke";

/** What measures have to know to plan. */
export interface Setting {
  readonly size: Size;
  /** The official SDK runs too. */
  readonly peer: boolean;
}

/** One process that is started and measured once in each round. */
export interface Cell {
  /** What is compared: sides with the same case compete. A limit may be that of several cases. */
  readonly cases: readonly string[];
  readonly side: Side;
  /** Which of several raw ways; the best of them is the limit. */
  readonly way?: string;
  /** The file in `programs/` or `limits/`, without its ending. */
  readonly program: string;
  readonly parameters: Readonly<{ [name: string]: unknown }>;
  /** Drives the real CLI, on a scripted model. Default the fast one. */
  readonly realCli?: boolean;
  /** Counts from before the process is started; adds `wall` and the program's marks to the figures. */
  readonly stopwatch?: boolean;
  /** Collections of garbage can be asked for. */
  readonly gc?: boolean;
}

/** One figure that the programs of a measure report. */
export interface Figure {
  /** Its name in the report of a program. */
  readonly key: string;
  /** What it is, with its unit. */
  readonly title: string;
  readonly better: "less" | "more";
  /** No ratio is made of it: it may be nothing or less. */
  readonly noRatio?: boolean;
  /** No number but yes (1) or no (0); no ratio either. */
  readonly yesNo?: boolean;
}

/** A group of cells and what is told of them. */
export interface Measure {
  /** As `--only` takes it. */
  readonly name: string;
  readonly title: string;
  /** What the figures mean, for the page. */
  readonly about: string;
  /** How often: in every round, in half of them (long cells), or once (very long ones). */
  readonly rounds: "every" | "few" | "once";
  /** Every cell runs once before the first round: what only the first run after a build takes is nobody's figure. */
  readonly warmUp?: boolean;
  readonly figures: readonly Figure[];
  /** The cells for one runtime. In each round they run in this order or in the opposite one: what competes stands together. */
  cells(runtime: RuntimeName, setting: Setting): readonly Cell[];
  /** More than the tables of figures can show, as Markdown. */
  details?(records: readonly RunRecord[]): string;
}

/** One run of one cell. */
export interface RunRecord {
  readonly measure: string;
  readonly cases: readonly string[];
  readonly runtime: RuntimeName;
  readonly side: Side;
  readonly way: string;
  /** Counted from 1; in round 0 nothing is recorded. */
  readonly round: number;
  /** How busy the machine was right before, from 0 to 1; undefined if that was not looked at. */
  readonly busy?: number;
  /** What the program reported; undefined if it failed. */
  readonly figures?: Readonly<{ [key: string]: unknown }>;
  /** Why it failed. */
  readonly error?: string;
}

/** The SDKs of a run. */
export function sdkSides({ peer }: Setting): readonly ("tether" | "official")[] {
  return peer ? ["tether", "official"] : ["tether"];
}

/** The APIs by which a runtime starts processes. */
export function apisOf(runtime: RuntimeName): readonly ("node" | "native")[] {
  return runtime === "node" ? ["node"] : ["node", "native"];
}
