/**
 * What a dying, stalling or babbling CLI does to a query, at every step of the protocol: a double in memory fails in every
 * way at every moment, and each cell is measured by the table of promises (`tests/harness/faults/promise_table.ts`).
 */
import { MEMORY_FAULTS } from "../harness/faults/memory_faults.ts";
import { MEMORY_STEPS } from "../harness/faults/memory_steps.ts";
import { fitsMoment } from "../harness/faults/promise_table.ts";
import { runCells } from "../harness/faults/run_cells.ts";
import { runMemoryCell } from "../harness/faults/run_memory_cell.ts";
import { suite } from "../harness/suite.ts";

export default suite("fault matrix", (test) => {
  for (const moment of MEMORY_STEPS) {
    const faults = MEMORY_FAULTS.filter((fault) => fitsMoment(fault, moment) && !moment.without?.includes(fault));
    test(`the CLI fails ${moment.name}`, () => runCells(faults, (fault) => runMemoryCell(moment, fault)));
  }
});
