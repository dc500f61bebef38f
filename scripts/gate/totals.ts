/** The closing lines of the gate. */

import { type Report, SUITE_CLASSES } from "../../tests/harness/report.ts";
import type { StepResult } from "./step.ts";

/** A table of bodies per runtime and class. A cell is `passed` or `passed+failed!`. */
export function runtimeTable(reports: readonly Report[]): string {
  const rows = [["runtime", "version", ...SUITE_CLASSES, "seconds"]];
  for (const { runtime, version, bodies } of reports) {
    const cells = SUITE_CLASSES.map((suiteClass) => {
      const own = bodies.filter((body) => body.class === suiteClass);
      const failed = own.filter((body) => body.outcome !== "passed").length;
      return own.length === 0 ? "-" : failed === 0 ? String(own.length) : `${own.length - failed}+${failed}!`;
    });
    const seconds = bodies.reduce((sum, body) => sum + (body.ms ?? 0), 0) / 1000;
    rows.push([runtime, version, ...cells, seconds.toFixed(0)]);
  }
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column]!)).join("  ").trimEnd()).join("\n");
}

/** The sum over all steps. */
export function sumOf(results: readonly StepResult[]): { passed: number; failed: number } {
  return {
    passed: results.reduce((sum, result) => sum + result.passed, 0),
    failed: results.reduce((sum, result) => sum + result.failed, 0),
  };
}
