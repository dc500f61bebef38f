/**
 * `deno task bench`: measures Tether beside the limits of each runtime and, with `--peer`, beside the official SDK. Tables
 * go to stdout, what is being done to stderr, every single run to `bench/out/<name>.json`.
 */

import { join } from "node:path";
import { ROOT } from "../scripts/root.ts";
import { type Arguments, parseArguments, USAGE, UsageError } from "./arguments.ts";
import { collect, planOf } from "./collect.ts";
import { openLab } from "./lab.ts";
import { describeMachine, type Machine } from "./machine.ts";
import { MEASURES } from "./measures.ts";
import { PAGE, withResults } from "./page.ts";
import type { RunRecord, Size } from "./plan.ts";
import { drawTables, drawVerdicts } from "./table.ts";

const OUT = join(ROOT, "bench", "out");

/** A run, as it is kept. */
interface Results {
  readonly at: string;
  readonly minutes: number;
  readonly command: string;
  readonly size: Size;
  readonly machine: Machine;
  readonly records: readonly RunRecord[];
}

async function main(): Promise<void> {
  const args = parseArguments(Deno.args, MEASURES.map(({ name }) => name));
  const results = args.from === undefined ? await measure(args) : await readResults(args.from);
  const text = draw(results);
  console.log(text);
  if (args.writeDocs) await Deno.writeTextFile(PAGE, withResults(await Deno.readTextFile(PAGE), text));
  const failed = results.records.filter(({ side, error }) => side !== "official" && error !== undefined);
  for (const { measure, cases, runtime, side, way, error } of failed) {
    console.error(`FAILED ${measure}, ${cases[0]}, ${runtime}, ${side} ${way}: ${error}`);
  }
  if (failed.length > 0) Deno.exit(1);
}

async function measure(args: Arguments): Promise<Results> {
  const startedAt = performance.now();
  const plans = MEASURES.filter(({ name }) => args.only.includes(name))
    .map((measure) => ({ measure, plan: planOf(measure, args) }));
  const realCli = plans.some(({ plan }) => plan.some(({ cell }) => cell.realCli === true));
  const lab = await openLab(args, { realCli });
  const records: RunRecord[] = [];
  try {
    const machine = await describeMachine(lab);
    for (const { measure, plan } of plans) {
      const measureStartedAt = performance.now();
      records.push(...await collect(measure, plan, args, lab));
      const seconds = ((performance.now() - measureStartedAt) / 1000).toFixed(0);
      console.error(`${measure.name}: ${plan.length} runs, ${seconds} s`);
    }
    const minutes = (performance.now() - startedAt) / 60_000;
    const command = ["deno task bench", ...Deno.args.filter((arg) => arg !== "--write-docs")].join(" ");
    const results = { at: new Date().toISOString(), minutes, command, size: args.size, machine, records };
    await Deno.mkdir(OUT, { recursive: true });
    await Deno.writeTextFile(join(OUT, `${args.out}.json`), JSON.stringify(results));
    return results;
  } finally {
    await lab.close();
  }
}

async function readResults(name: string): Promise<Results> {
  const text = await Deno.readTextFile(join(OUT, `${name}.json`)).catch((error) => {
    if (error instanceof Deno.errors.NotFound) throw new UsageError(`--from: there is no bench/out/${name}.json`);
    throw error;
  });
  return JSON.parse(text) as Results;
}

function draw({ at, minutes, command, size, machine, records }: Results): string {
  const facts = Object.entries(machine).map(([name, value]) => `${name} ${value}`).join("; ");
  const disturbed = records.filter(({ busy }) => busy !== undefined && busy >= 0.15).length;
  const head = `\`${command}\`, ${at.slice(0, 10)}, ${minutes.toFixed(1)} minutes. ${facts}. ` +
    `${records.length} runs, ${disturbed} of them on a machine that was not quiet.`;
  // A smoke run shows that everything runs, and nothing else.
  const verdicts = size === "smoke" ? "" : drawVerdicts(MEASURES, records);
  return [head, verdicts, drawTables(MEASURES, records)].filter((text) => text !== "").join(
    "\n\n",
  );
}

try {
  await main();
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(`${error.message}\n\n${USAGE}`);
  Deno.exit(2);
}
