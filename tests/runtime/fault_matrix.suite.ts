/**
 * The fault matrix on real processes: what has a pipe, an exit code or a signal, at the steps where that matters. Measured
 * by the same table as the one in memory (`tests/harness/faults/promise_table.ts`).
 */
import { assert } from "chai";
import process from "node:process";
import { fitsMoment } from "../harness/faults/promise_table.ts";
import { runCells } from "../harness/faults/run_cells.ts";
import { SHELL_FAULTS } from "../harness/faults/shell_faults.ts";
import { SHELL_STEPS } from "../harness/faults/shell_steps.ts";
import { suite } from "../harness/suite.ts";
import { tempFolder } from "./children.ts";
import { runProcessCell, writeCell } from "./fault_cells.ts";

/** What a host may listen to; nothing of ours may stay there. */
const EVENTS = ["exit", "beforeExit", "SIGINT", "SIGTERM", "SIGHUP", "uncaughtException", "unhandledRejection"];

function listeners(): number[] {
  return EVENTS.map((event) => process.listenerCount(event));
}

export default suite("fault matrix on processes", (test) => {
  for (const moment of SHELL_STEPS) {
    const faults = SHELL_FAULTS.filter((fault) => fitsMoment(fault, moment) && !moment.without?.includes(fault));
    test(`the CLI fails ${moment.name}`, async (t) => {
      const folder = tempFolder(t);
      const cells = new Map(faults.map((fault) => [fault, writeCell(folder, moment, fault)]));
      const before = listeners();
      await runCells(faults, (fault) => runProcessCell(cells.get(fault)!));
      assert.deepEqual(listeners(), before, `listeners of ${EVENTS.join(", ")}`);
    });
  }
});
