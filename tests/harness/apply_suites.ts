/**
 * Prepares one run of the suites on a runtime with processes: which bodies, under which probes, with a report that is
 * on disk after every body, so that a crash cannot hide what it hit.
 *
 * Environment: `TETHER_TEST_RUNTIME` (name for the report), `TETHER_TEST_REPORT` (file to write), `TETHER_TEST_FILTER`
 * (part of a suite's path, else of suite names and body names), `TETHER_TEST_ONLY` (of those, bodies with this in their
 * name), `TETHER_TEST_ROOT` (folders of suites, default `tests`),
 * `TETHER_TEST_SETTLE_MS` (how long what a body left may take to go by itself),
 * `TETHER_TEST_PATIENCE` (multiplies the time limits of bodies), `TETHER_TEST_ORDER` (`backwards`: the last body first; `middle`:
 * begins there and comes round).
 */

import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { type FoundSuite, listSuiteFiles, loadSuites, type SuiteFile } from "./find_suites.ts";
import type { LeakProbe } from "./leaks/leak_probe.ts";
import { processProbes } from "./leaks/process_probes.ts";
import { strayErrorProbe } from "./leaks/stray_error_probe.ts";
import { timerProbe } from "./leaks/timer_probe.ts";
import { patience } from "./patience.ts";
import { bodyId, type Report, type ReportedBody } from "./report.ts";
import { runBody } from "./run_body.ts";
import type { Body } from "./suite.ts";

/** One body that a runner has to register. */
export interface PlannedBody {
  /** Unique over all suites: `class/suite › body`. */
  readonly id: string;
  /** False for a body that leaves something open on purpose. */
  readonly sanitize: boolean;
  /** Runs and reports it. @throws with the whole story if it fails. */
  run(): Promise<void>;
}

/** Loads the suites and plans a run. @throws if the filter or the folder leaves nothing to run. */
export async function planRun(): Promise<PlannedBody[]> {
  const here = fileURLToPath(import.meta.url);
  const roots = process.env["TETHER_TEST_ROOT"]?.split(delimiter) ?? [dirname(dirname(here))];
  const files = roots.flatMap((root) => listSuiteFiles(root, here.endsWith(".ts") ? "ts" : "js"));
  const filter = process.env["TETHER_TEST_FILTER"] ?? "";
  const only = process.env["TETHER_TEST_ONLY"] ?? "";
  const chosen = (await chooseBodies(files, filter)).filter(({ body }) => body.name.includes(only));
  const order = process.env["TETHER_TEST_ORDER"] ?? "";
  if (order.includes("backwards")) chosen.reverse();
  if (order.includes("middle")) chosen.push(...chosen.splice(0, chosen.length >> 1));
  if (chosen.length === 0) throw new Error(`No suite and no body matches "${filter}" and "${only}"`);

  // The first spawn makes a runtime open descriptors for good (signal pipes); they are not the first body's leak.
  spawnSync(process.execPath, ["--version"]);
  const settleMs = Number(process.env["TETHER_TEST_SETTLE_MS"] ?? 2_000 * patience());
  const probes: LeakProbe[] = [strayErrorProbe(), timerProbe(), ...processProbes()];
  const reported: ReportedBody[] = chosen.map(({ suite, body }) => (
    { class: suite.class, suite: suite.suite.name, name: body.name, outcome: "missing" }
  ));
  const save = reportWriter(filter, probes, reported);
  save();
  // node:test goes on to the next test when a stray error fails one; bodies must still not overlap.
  let previous: Promise<unknown> = Promise.resolve();
  return chosen.map(({ body }, index) => {
    const entry = reported[index]!;
    return {
      id: bodyId(entry),
      sanitize: body.leaks === undefined,
      async run() {
        const running = previous.then(() => runBody(body, { probes, settleMs, patience: patience() }));
        previous = running;
        const result = await running;
        reported[index] = { ...entry, ...result };
        save();
        if (index === chosen.length - 1) watchTheEnd();
        if (result.error !== undefined) throw new Error(result.error);
      },
    };
  });
}

/**
 * After the last body nothing may hold the process. Deno's runner does not wait for what is left, and takes this very
 * timer for a leak.
 */
function watchTheEnd(): void {
  if (process.versions["deno"] !== undefined) return;
  const timer = setTimeout(() => {
    console.error("All bodies are over, and something keeps the process alive:", process.getActiveResourcesInfo());
    process.exit(1);
  }, 15_000);
  timer.unref();
}

/** A filter that is part of a path loads those files only: work on one suite must not wait for another to compile. */
async function chooseBodies(files: readonly SuiteFile[], filter: string): Promise<{ suite: FoundSuite; body: Body }[]> {
  const byPath = files.filter((file) => file.path.includes(filter));
  const found = await loadSuites(byPath.length > 0 ? byPath : files);
  return found.flatMap((suite) =>
    suite.suite.bodies
      .filter((body) => byPath.length > 0 || [suite.suite.name, body.name].some((name) => name.includes(filter)))
      .map((body) => ({ suite, body }))
  );
}

function reportWriter(filter: string, probes: readonly LeakProbe[], bodies: readonly ReportedBody[]): () => void {
  const path = process.env["TETHER_TEST_REPORT"];
  if (path === undefined) return () => {};
  mkdirSync(dirname(path), { recursive: true });
  const versions = process.versions as Record<string, string | undefined>;
  const report: Report = {
    runtime: process.env["TETHER_TEST_RUNTIME"] ?? "unnamed",
    version: versions["deno"] ?? versions["bun"] ?? process.version,
    probes: probes.map((probe) => probe.kind),
    filter,
    bodies,
  };
  return () => writeFileSync(path, JSON.stringify(report, null, 1));
}
