/**
 * Compares the names of the bodies that ran on each runtime: a suite that one runtime does not load, or a list that came
 * out shorter, would pass unseen otherwise.
 */

import { bodyId, type Report, SUITE_CLASSES, type SuiteClass } from "../tests/harness/report.ts";

/** Where the bodies of each class have to run. */
export const RUNTIMES_OF: Readonly<Record<SuiteClass, readonly string[]>> = {
  conformance: ["deno", "bun", "node22", "node20", "workerd", "chromium"],
  unit: ["deno", "bun", "node22", "node20"],
  runtime: ["deno", "bun", "node22", "node20"],
  e2e: ["deno", "bun", "node22", "node20"],
};

/**
 * Every difference, in words; none if each class ran under the same names wherever it has to. `classes` are those that
 * the repository has suites of.
 */
export function compareBodies(reports: readonly Report[], classes: readonly SuiteClass[] = SUITE_CLASSES): string[] {
  const faults: string[] = [];
  const byRuntime = new Map(reports.map((report) => [report.runtime, report]));
  for (const suiteClass of classes) {
    const all = new Set(reports.flatMap((report) => idsOf(report, suiteClass)));
    if (all.size === 0) faults.push(`${suiteClass}: no body ran anywhere`);
    for (const runtime of RUNTIMES_OF[suiteClass]) {
      const report = byRuntime.get(runtime);
      if (report === undefined) {
        faults.push(`${suiteClass} on ${runtime}: there is no report`);
        continue;
      }
      if (report.filter !== "") faults.push(`${suiteClass} on ${runtime}: the run was limited to "${report.filter}"`);
      const ids = idsOf(report, suiteClass);
      const own = new Set(ids);
      const missing = [...all].filter((id) => !own.has(id));
      if (own.size !== ids.length) faults.push(`${suiteClass} on ${runtime}: some names ran twice`);
      if (missing.length > 0) {
        const shown = missing.slice(0, 10).join("; ") + (missing.length > 10 ? "; …" : "");
        faults.push(`${suiteClass} on ${runtime}: ${missing.length} of ${all.size} bodies did not run: ${shown}`);
      }
    }
  }
  return faults;
}

/** Names of the bodies that ran to an end; a planned one that the run did not reach is not among them. */
function idsOf(report: Report, suiteClass: SuiteClass): string[] {
  return report.bodies.filter((body) => body.class === suiteClass && body.outcome !== "missing").map(bodyId);
}
