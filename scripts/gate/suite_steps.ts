/** The steps that run suites, and the one that compares them. */

import { join } from "node:path";
import { listSuiteFiles } from "../../tests/harness/find_suites.ts";
import { bodyId, type Report, SUITE_CLASSES } from "../../tests/harness/report.ts";
import { compareBodies } from "../compare_bodies.ts";
import { ROOT } from "../root.ts";
import { runCommand } from "../run_command.ts";
import { type ProcessRuntime, REPORTS_DIR, runSuites } from "../run_suites.ts";
import { faultStep, type Step, type StepResult } from "./step.ts";

/** The edge places, as their reports are named. */
const EDGE_REPORTS = ["edge-workerd.json", "edge-chromium.json"] as const;

/** Runs all suites on one runtime; each body counts, and so does each fault of the run itself. */
export function suiteStep(runtime: ProcessRuntime, reports: Report[]): Step {
  return {
    name: `suites on ${runtime}`,
    async run() {
      const { report, faults } = await runSuites(runtime);
      if (report !== undefined) reports.push(report);
      return countReport(report, faults);
    },
  };
}

/** Runs the conformance suites in workerd and Chromium. */
export function edgeStep(reports: Report[]): Step {
  return {
    name: "suites on the edge (workerd, Chromium)",
    async run() {
      for (const name of EDGE_REPORTS) await Deno.remove(join(REPORTS_DIR, name)).catch(() => {});
      const { code, output } = await runCommand(Deno.execPath(), ["run", "-A", "scripts/test_edge.ts"], { cwd: ROOT });
      const results = [];
      for (const name of EDGE_REPORTS) {
        const text = await Deno.readTextFile(join(REPORTS_DIR, name)).catch(() => undefined);
        const report = text === undefined ? undefined : JSON.parse(text) as Report;
        if (report !== undefined) reports.push(report);
        results.push(countReport(report, report === undefined ? [`there is no ${name}\n${output.slice(-4_000)}`] : []));
      }
      const sum = results.reduce(add);
      if (code === 0 || sum.failed > 0) return sum;
      return add(sum, { passed: 0, failed: 1, details: `scripts/test_edge.ts ended with code ${code}\n${output}` });
    },
  };
}

/** Compares what ran where. */
export function compareStep(reports: readonly Report[]): Step {
  return faultStep("the same bodies everywhere", () => {
    const present = new Set(listSuiteFiles(join(ROOT, "tests"), "ts").map((file) => file.class));
    return Promise.resolve(compareBodies(reports, SUITE_CLASSES.filter((suiteClass) => present.has(suiteClass))));
  });
}

function countReport(report: Report | undefined, faults: readonly string[]): StepResult {
  const bodies = report?.bodies ?? [];
  const failures = bodies.filter((body) => body.outcome !== "passed").map((body) =>
    `${bodyId(body)}\n${(body.error ?? "the run ended before this body").replace(/^/gm, "    ")}`
  );
  return {
    passed: bodies.length - failures.length,
    failed: failures.length + faults.length,
    details: [...failures, ...faults].join("\n"),
  };
}

function add(a: StepResult, b: StepResult): StepResult {
  const details = [a.details, b.details].filter((text) => text !== "").join("\n");
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, details };
}
