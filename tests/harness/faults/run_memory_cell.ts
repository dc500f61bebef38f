import type { Host } from "../../../src/client/launch.ts";
import { step } from "../../../src/testing/cli/step.ts";
import { Cell, type CellEnd, runHost, type Subject } from "./cell.ts";
import { checkCell } from "./check_cell.ts";
import { LAST_WORDS, LONGEST_MESSAGE, playFault } from "./memory_faults.ts";
import type { MemoryStep } from "./memory_steps.ts";
import { MemoryWire } from "./memory_wire.ts";
import type { Fault } from "./promise_table.ts";

/** Nowhere can a process be started: every cell has a transport. */
const NOWHERE: Host = { runtime: () => Promise.reject(new Error("no process is to be started")) };

/** Waits that must not come to their end in a cell that is not about them. */
const LONG_MS = 60_000;
/** Waits that a cell is about. */
const SHORT_MS = 30;

/** Runs one cell in memory; what is wrong with it, one sentence each. */
export async function runMemoryCell(moment: MemoryStep, fault: Fault): Promise<string[]> {
  const cell = new Cell(fault, moment);
  const { before, after } = moment.script(cell);
  const strike = step.run(async (stage) => {
    if (moment.awaitsHost === true) await cell.ready.promise;
    cell.struck.resolve();
    await playFault(fault, { stage, wire });
    cell.played.resolve();
  });
  const wire: MemoryWire = new MemoryWire([before, strike, after], {
    termMs: SHORT_MS,
    sigterm: fault === "deaf stall" ? "ignore" : "exit",
  });
  const stalls = fault.endsWith("stall");
  const patience = stalls || fault.endsWith("closed") ? SHORT_MS : LONG_MS;
  const options = {
    abortController: cell.abort,
    tether: {
      transport: wire.transport,
      limits: { maxMessageBytes: LONGEST_MESSAGE },
      timeouts: {
        initializeMs: stalls ? SHORT_MS : LONG_MS,
        controlMs: stalls ? SHORT_MS : LONG_MS,
        graceMs: patience,
        quietMs: SHORT_MS,
        backgroundMs: fault === "input closed" ? SHORT_MS : LONG_MS,
      },
      onDiagnostic: (event: Cell["diagnostics"][number]) => void cell.diagnostics.push(event),
    },
  };
  let subject: Subject;
  let end: CellEnd;
  try {
    subject = await moment.start({ cell, options, place: NOWHERE, heard: () => wire.received });
    end = await runHost(cell, subject);
  } catch (error) {
    wire.end({ code: 0, signal: null });
    return [`it could not be run: ${String(error)}`];
  }
  wire.end({ code: 0, signal: null });
  const exits = cell.diagnostics.filter(({ kind }) => kind === "process_exited").length;
  const problems = checkCell(cell, end, {
    received: wire.received,
    asked: moment.asked ?? [],
    ending: moment.ending ?? "over",
    lastWords: LAST_WORDS,
    onTerm: { exitCode: 143, signal: null },
  });
  if (exits !== 1) problems.push(`the end of the process was told ${exits} times`);
  // A play that was cut short has every reason to complain.
  if (cell.promise === "goes on") problems.push(...wire.problems.map((problem) => `the play itself: ${problem}`));
  return problems;
}
