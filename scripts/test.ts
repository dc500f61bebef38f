/**
 * `deno task test`: the whole gate, on a machine with Node 20 and npm only. Installs what is missing, checks files, types,
 * layers and documentation, builds the npm package, runs every suite on every runtime, and compares what ran where.
 * The last line is `N passed, M failed`; the exit code is 1 when anything failed.
 *
 * `--only static` stops before suites are run, `--only <runtime>,…` runs those only (their totals are then not compared).
 */

import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import type { Report } from "../tests/harness/report.ts";
import { buildNpm } from "./build_npm.ts";
import { compileNode20 } from "./compile_node20.ts";
import { samplesStep } from "./gate/samples.ts";
import { installStep, samplePages, staticSteps } from "./gate/static_steps.ts";
import { denoStep, denoTestStep, type Step, type StepResult } from "./gate/step.ts";
import { compareStep, edgeStep, suiteStep } from "./gate/suite_steps.ts";
import { runtimeTable, sumOf } from "./gate/totals.ts";
import { PINS } from "./pins.ts";
import { ROOT } from "./root.ts";
import { GATE_RUNTIMES, type ProcessRuntime, REPORTS_DIR, runtimeNamed } from "./run_suites.ts";
import { officialSdkPath, toolPath } from "./tools.ts";

const { values } = parseArgs({ args: Deno.args, options: { only: { type: "string" } } });
const startedAt = performance.now();
const results: StepResult[] = [];
const failures: string[] = [];
const reports: Report[] = [];

async function runStep(step: Step): Promise<void> {
  const stepStartedAt = performance.now();
  const result = await step.run().catch((error): StepResult => (
    { passed: 0, failed: 1, details: error instanceof Error ? error.message : String(error) }
  ));
  results.push(result);
  const seconds = ((performance.now() - stepStartedAt) / 1000).toFixed(1);
  const counts = result.passed + result.failed === 1 ? "" : `${result.passed} passed, ${result.failed} failed, `;
  console.log(`${result.failed === 0 ? "ok    " : "FAILED"} ${step.name} (${counts}${seconds} s)`);
  if (result.failed > 0) failures.push(`── ${step.name}\n${await shorten(step.name, result.details.trim())}`);
  else if (result.details !== "") console.log(result.details);
}

/** Runs steps that do not disturb each other, some at a time. */
async function runTogether(steps: readonly Step[], lanes = 2): Promise<void> {
  const waiting = [...steps];
  const lane = async (): Promise<void> => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) await runStep(step);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

/**
 * How many runs of suites go on at once: all that a gate has, where there are two processors or more. They do not disturb
 * each other, for each has a home and a temp folder of its own; and more than half of its time a run waits for children.
 */
const SUITE_LANES = Math.min(4, navigator.hardwareConcurrency + 2);

/** Long reports are cut in the middle and left whole in a file. */
async function shorten(name: string, details: string): Promise<string> {
  const lines = details.split("\n");
  if (lines.length <= 120) return details;
  const file = join(REPORTS_DIR, `${name.replace(/\W+/g, "_")}.txt`);
  await Deno.mkdir(REPORTS_DIR, { recursive: true });
  await Deno.writeTextFile(file, details);
  const left = relative(ROOT, file);
  return [...lines.slice(0, 80), `… ${lines.length - 110} lines more, all in ${left} …`, ...lines.slice(-30)].join(
    "\n",
  );
}

/** A piece of work that passes if it does not throw. */
function workStep(name: string, work: () => Promise<string | void>): Step {
  return { name, run: async () => ({ passed: 1, failed: 0, details: await work() ?? "" }) };
}

/** What has to be there before suites can run on these runtimes. */
function toolSteps(runtimes: readonly ProcessRuntime[]): Step[] {
  const tools = (["bun", "node20", "node22", "node24", "typescript"] as const)
    .filter((tool) => tool !== "node24" || runtimes.includes(tool));
  return [
    ...tools.map((tool) => workStep(`${tool} ${PINS[tool]}`, async () => void await toolPath(tool))),
    workStep("official SDK", async () => void await officialSdkPath()),
  ];
}

const buildSteps = [
  workStep("npm package", buildNpm),
  workStep("suites compiled for Node 20", async () => {
    const { onPackage, onTree } = await compileNode20();
    return `       ${onPackage} suites on npm/, ${onTree} on the packed tree`;
  }),
];

if (Deno.version.deno !== PINS.deno) {
  console.log(`This is Deno ${Deno.version.deno}; the gate is made for ${PINS.deno}`);
}
// A report of an earlier run must not stand in for one that this run fails to make.
await Deno.remove(REPORTS_DIR, { recursive: true }).catch(() => {});
await runStep(installStep);
if (values.only === undefined || values.only === "static") {
  // The longest first: it then runs beside all the others.
  const pins = denoTestStep("pins", "tests/pins");
  await runTogether([denoTestStep("tests of the tools", "tests/scripts"), ...await staticSteps(), pins]);
}
if (values.only !== "static") {
  const runtimes = values.only?.split(",").filter((name) => name !== "edge").map(runtimeNamed) ?? GATE_RUNTIMES;
  await runTogether(toolSteps(runtimes));
  for (const step of buildSteps) await runStep(step);
  const steps = runtimes.map((runtime) => suiteStep(runtime, reports));
  if (values.only === undefined || values.only.includes("edge")) steps.push(edgeStep(reports));
  if (values.only === undefined) {
    steps.push(denoTestStep("the built package", "tests/built"), samplesStep(await samplePages()));
    steps.push(denoStep("demo", "task", "demo"));
  }
  await runTogether(steps, SUITE_LANES);
  if (values.only === undefined) await runStep(compareStep(reports));
}

if (failures.length > 0) console.log(`\n${failures.join("\n\n")}`);
if (reports.length > 0) console.log(`\n${runtimeTable(reports)}`);
const { passed, failed } = sumOf(results);
console.log(`\n${results.length} steps in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
console.log(`${passed} passed, ${failed} failed`);
Deno.exit(failed === 0 && passed > 0 ? 0 : 1);
