import type { Arguments } from "./arguments.ts";
import type { Lab } from "./lab.ts";
import { launch } from "./launch.ts";
import type { Cell, Measure, RunRecord, RuntimeName } from "./plan.ts";
import { waitForQuiet } from "./quiet.ts";
import { isBeaten } from "./ratios.ts";

/** How long a run waits for the rest of the machine, in ms. */
const PATIENCE_MS = { full: 8_000, quick: 2_000 } as const;

/** Runs in a smoke run that go on at once: their figures mean nothing. */
const SMOKE_LANES = 3;

/** What is to be run, in this order. */
export type Plan = readonly { readonly cell: Cell; readonly runtime: RuntimeName; readonly round: number }[];

/** Lays out the rounds of a measure: all cells once, then all again the other way round, and so on. */
export function planOf(measure: Measure, { runtimes, rounds, size, peer }: Arguments): Plan {
  const count = { every: rounds, few: Math.max(1, Math.floor(rounds / 2)), once: 1 }[measure.rounds];
  const first = measure.warmUp === true && size !== "smoke" ? 0 : 1;
  const plan: Plan[number][] = [];
  for (let round = first; round <= count; round++) {
    const cells = runtimes.flatMap((runtime) =>
      measure.cells(runtime, { size, peer }).map((cell) => ({ cell, runtime, round }))
    );
    plan.push(...round % 2 === 1 ? cells : cells.reverse());
  }
  return plan;
}

/** Runs a measure, one cell at a time. */
export async function collect(measure: Measure, plan: Plan, args: Arguments, lab: Lab): Promise<RunRecord[]> {
  const records: RunRecord[] = [];
  const waiting = [...plan];
  const lane = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { cell, runtime, round } = next;
      if (round === 0) {
        await launch(cell, runtime, lab);
        continue;
      }
      if (isBeaten({ ...cell, runtime }, measure.figures[0]!, records)) continue;
      const busy = args.size === "smoke" ? undefined : await waitForQuiet(PATIENCE_MS[args.size]);
      records.push({
        measure: measure.name,
        cases: cell.cases,
        runtime,
        side: cell.side,
        way: cell.way ?? "",
        round,
        ...(busy === undefined ? {} : { busy }),
        ...await launch(cell, runtime, lab),
      });
    }
  };
  await Promise.all(Array.from({ length: args.size === "smoke" ? SMOKE_LANES : 1 }, lane));
  return records;
}
