import { join } from "node:path";
import { runCommand } from "../scripts/run_command.ts";
import type { Lab } from "./lab.ts";
import type { Cell, RuntimeName } from "./plan.ts";
import type { Assignment } from "./process/assignment.ts";

/** Longer than any cell takes. */
const PATIENCE_MS = 120_000;

/** What a cell reported, or why it did not. */
export type Outcome = { readonly figures: Readonly<Record<string, unknown>> } | { readonly error: string };

/** Runs a cell once, in a process of its own. */
export async function launch(cell: Cell, runtime: RuntimeName, lab: Lab): Promise<Outcome> {
  const { command, args, gcArgs } = lab.runtimes[runtime];
  const progress = join(lab.temp, `progress-${crypto.randomUUID()}`);
  const cli = cell.realCli === true ? lab.realCli! : lab.fastCli;
  const sdk = cell.side === "raw" ? undefined : lab.sdks[cell.side];
  const assignment: Assignment<unknown> = {
    cli: cli.path,
    cliEnv: cli.env,
    folder: lab.work,
    ...(sdk === undefined ? {} : { sdk }),
    parameters: { ...cell.parameters, progress },
  };
  const line = [
    ...(cell.stopwatch === true ? [lab.c.stopwatch] : []),
    command,
    ...args,
    ...(cell.gc === true ? gcArgs : []),
    join(lab.programs, `${cell.program}.js`),
    JSON.stringify(assignment),
  ];
  const result = await runCommand(line[0]!, line.slice(1), {
    cwd: lab.temp,
    env: { ...lab.env },
    timeoutMs: PATIENCE_MS,
  });
  await Deno.remove(progress).catch(() => {});
  if (result.code !== 0) {
    const why = result.timedOut ? `no end within ${PATIENCE_MS / 1000} s` : `exit code ${result.code}`;
    return { error: `${why}\n${result.stderr.slice(-800)}`.trim() };
  }
  return readOutcome(result.output);
}

/** Finds the report of a program, and the stopwatch's, in what was written. */
export function readOutcome(output: string): Outcome {
  const lines = output.split("\n");
  const report = lines.findLast((line) => line.startsWith("{"));
  if (report === undefined) return { error: `no report: ${output.slice(-400)}` };
  const watch = lines.findLast((line) => line.startsWith("@@stopwatch "))?.slice("@@stopwatch ".length);
  return { figures: { ...JSON.parse(report), ...(watch === undefined ? {} : JSON.parse(watch)) } };
}
