/**
 * Runs every body one after the other without any test framework, and says what happened in TAP. Bun runs this file:
 * its own runner ends the process whatever is still open, and this one must notice that.
 */
import process from "node:process";
import { planRun } from "../harness/apply_suites.ts";

const plan = await planRun();
console.log(`TAP version 13\n1..${plan.length}`);
for (const [index, { id, run }] of plan.entries()) {
  try {
    await run();
    console.log(`ok ${index + 1} - ${id}`);
  } catch (error) {
    console.log(`not ok ${index + 1} - ${id}\n${String(error).replace(/^/gm, "  # ")}`);
    process.exitCode = 1;
  }
}
