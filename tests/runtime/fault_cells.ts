/** Runs one cell of the fault matrix on a real process. Needs a POSIX `sh`. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { detectRuntime } from "../../src/runtime/detect.ts";
import { Cell, type CellEnd, runHost } from "../harness/faults/cell.ts";
import { checkCell } from "../harness/faults/check_cell.ts";
import { LAST_WORDS } from "../harness/faults/memory_faults.ts";
import type { Fault } from "../harness/faults/promise_table.ts";
import { leavesHelper, LONGEST_MESSAGE, shellFault } from "../harness/faults/shell_faults.ts";
import { PRELUDE, type ShellStep } from "../harness/faults/shell_steps.ts";
import { patience } from "../harness/patience.ts";
import { until } from "../harness/until.ts";
import { isRunning, killWith, newMark, runningWith } from "./children.ts";

const LONG_MS = 60_000;
const SHORT_MS = 60;
/** Longer than a process needs to come to its fault. */
const START_MS = 500;

/** A cell that is ready to run. */
export interface ProcessCell {
  readonly fault: Fault;
  readonly moment: ShellStep;
  readonly folder: string;
  readonly program: string;
  readonly mark: string;
}

/** Writes the program of a cell. To be done for all of them before any runs: a file that is written cannot be started. */
export function writeCell(parent: string, moment: ShellStep, fault: Fault): ProcessCell {
  const folder = join(parent, fault.replace(/\W+/g, "-"));
  mkdirSync(folder);
  const program = join(folder, "claude");
  const mark = newMark();
  const { before, after } = moment.script;
  const wait = moment.awaitsHost === true ? "await_host" : ":";
  const text = `${PRELUDE.replace("mark=$1-$$", `dir='${folder}'; mark='${mark}'`)}${before}\n${wait}\n${
    shellFault(fault)
  }\n: >"$dir/played"\n${after}\n`;
  writeFileSync(program, text, { mode: 0o755 });
  return { fault, moment, folder, program, mark };
}

/** Runs it; what is wrong with it, one sentence each. */
export async function runProcessCell({ fault, moment, folder, program, mark }: ProcessCell): Promise<string[]> {
  const cell = new Cell(fault, moment);
  const file = (name: string): string => join(folder, name);
  const stalls = fault.endsWith("stall");
  const short = stalls || fault.endsWith("closed");
  const starting = moment.phase === "starting" || moment.phase === "warming";
  void cell.ready.promise.then(() => writeFileSync(file("go"), ""));
  const options = {
    abortController: cell.abort,
    pathToClaudeCodeExecutable: program,
    cwd: "/",
    env: { PATH: "/usr/local/bin:/usr/bin:/bin" },
    tether: {
      limits: { maxMessageBytes: LONGEST_MESSAGE, stderrTailBytes: 2_000 },
      timeouts: {
        initializeMs: stalls && starting ? START_MS * patience() : LONG_MS,
        controlMs: stalls ? SHORT_MS * patience() : LONG_MS,
        graceMs: short ? SHORT_MS : LONG_MS,
        // What it leaves in its group is waited for that long, if nobody reaps it.
        termMs: leavesHelper(fault) ? SHORT_MS : LONG_MS,
      },
      onDiagnostic: (event: Cell["diagnostics"][number]) => void cell.diagnostics.push(event),
    },
  };
  let over = false;
  // One that never comes is told by the cell itself.
  const watching = watchFiles(cell, file, () => over).catch(() => {});
  try {
    const subject = await moment.start({ cell, options, place: { runtime: detectRuntime }, heard: () => [] });
    const end: CellEnd = await runHost(cell, subject);
    const problems = checkCell(cell, end, {
      received: [],
      asked: [],
      ending: moment.ending ?? "over",
      lastWords: LAST_WORDS,
      onTerm: { exitCode: 143, signal: null },
    });
    return [...problems, ...await leftOvers(cell, mark, leavesHelper(fault))];
  } catch (error) {
    return [`it could not be run: ${String(error)}`];
  } finally {
    over = true;
    await watching;
    killWith(mark);
  }
}

/** Tells the cell what its process has come to. */
async function watchFiles(cell: Cell, file: (name: string) => string, over: () => boolean): Promise<void> {
  for (const [name, reached] of [["struck", cell.struck], ["played", cell.played]] as const) {
    await until(() => over() || existsSync(file(name)));
    if (over()) return;
    reached.resolve();
  }
}

/** The process, and what had to go with it. */
async function leftOvers(cell: Cell, mark: string, hadHelper: boolean): Promise<string[]> {
  const problems: string[] = [];
  const exits = cell.diagnostics.filter((event) => event.kind === "process_exited");
  if (exits.length !== 1) problems.push(`the end of the process was told ${exits.length} times`);
  for (const { pid } of exits) {
    if (pid === undefined) problems.push("its end has no process id");
    else if (isRunning(pid) || existsSync(`/proc/${pid}`)) problems.push("the process is not reaped");
  }
  // Its group went with it. A killed one is seen for a moment, until somebody reaps it.
  if (hadHelper) {
    try {
      await until(() => runningWith(mark).length === 0);
    } catch {
      problems.push("what it had started is still there");
    }
  }
  return problems;
}
