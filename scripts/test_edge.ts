/**
 * `deno run -A scripts/test_edge.ts [<part of a name>] [--on workerd,chromium]`: runs the conformance suites, unchanged,
 * in workerd and in headless Chromium. The part may be of a suite's path, its name, or a body's name.
 * A whole run leaves `edge-workerd.json` and `edge-chromium.json` in `.build/reports`. Which Chromium: `TETHER_CHROMIUM`,
 * else the first on `PATH`.
 */

import { stop as stopBundler } from "esbuild";
import { join, resolve } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { type FoundSuite, listSuiteFiles, loadSuites } from "../tests/harness/find_suites.ts";
import { childProbe } from "../tests/harness/leaks/process_probes.ts";
import type { Report } from "../tests/harness/report.ts";
import { describeError } from "../tests/harness/run_body.ts";
import { bundleSuites } from "./edge/bundle_suites.ts";
import { startChromium } from "./edge/chromium_place.ts";
import type { StartEdge } from "./edge/edge_place.ts";
import { type EdgeBody, runOnEdge } from "./edge/run_on_edge.ts";
import { startWorkerd } from "./edge/workerd_place.ts";
import { ROOT } from "./root.ts";

const PLACES = { workerd: startWorkerd, chromium: startChromium } as const satisfies Record<string, StartEdge>;
type PlaceName = keyof typeof PLACES;

const { values, positionals } = parseArgs({
  args: Deno.args,
  allowPositionals: true,
  options: {
    on: { type: "string", default: Object.keys(PLACES).join(",") },
    // For tests of this runner itself.
    tests: { type: "string", default: join(ROOT, "tests") },
    "settle-ms": { type: "string", default: "2000" },
    "stuck-ms": { type: "string", default: "60000" },
  },
});

async function main(tempDir: string): Promise<boolean> {
  const filter = positionals.join(" ");
  const suites = await findConformance(resolve(values.tests), filter);
  const all = suites.flatMap(({ path, suite }) => suite.bodies.map((body) => ({ path, suite: suite.name, body })));
  const chosen = all.filter(({ path, suite, body }) => [path, suite, body.name].some((text) => text.includes(filter)));
  if (chosen.length === 0) throw new Error(`No conformance suite and no body matches "${filter}"`);

  let good = true;
  for (const place of values.on.split(",").map(placeNamed)) {
    try {
      const report = await runIn(place, filter, suites, chosen, tempDir);
      tell(report);
      good &&= report.bodies.every((body) => body.outcome === "passed");
    } catch (error) {
      console.error(`${place} FAILED\n${describeError(error)}`);
      good = false;
    }
  }
  return good;
}

/** A filter that is part of a path loads those files only. */
async function findConformance(testsDir: string, filter: string): Promise<FoundSuite[]> {
  const files = listSuiteFiles(testsDir, "ts").filter((file) => file.class === "conformance");
  const byPath = files.filter((file) => file.path.includes(filter));
  return await loadSuites(byPath.length > 0 ? byPath : files);
}

function placeNamed(name: string): PlaceName {
  const found = (Object.keys(PLACES) as PlaceName[]).find((place) => place === name);
  if (found === undefined) throw new Error(`"${name}" is none of ${Object.keys(PLACES).join(", ")}`);
  return found;
}

async function runIn(
  name: PlaceName,
  filter: string,
  suites: readonly FoundSuite[],
  chosen: readonly EdgeBody[],
  tempDir: string,
): Promise<Report> {
  // Only a whole run leaves its report in the tree: filtered ones may run side by side.
  const reportsDir = filter === "" ? join(ROOT, ".build", "reports") : tempDir;
  const path = join(reportsDir, `edge-${name}.json`);
  Deno.mkdirSync(reportsDir, { recursive: true });
  // A run that does not get to its first body must not leave the last run's report behind.
  await Deno.remove(path).catch(() => {});
  return await runOnEdge({
    runtime: name,
    filter,
    bundle: await bundleSuites(name, ROOT, suites.map((suite) => suite.path), Number(values["settle-ms"])),
    start: PLACES[name],
    tempDir,
    stuckMs: Number(values["stuck-ms"]),
    chosen,
    all: suites.flatMap(({ suite }) => suite.bodies.map((body) => ({ suite: suite.name, body }))),
    save: (report) => Deno.writeTextFileSync(path, JSON.stringify(report, null, 1)),
  });
}

function tell({ runtime, version, bodies }: Report): void {
  for (const { suite, name, outcome, ms, error } of bodies) {
    console.log(`${runtime} ${outcome === "passed" ? "ok    " : "FAILED"} ${suite} › ${name} (${ms ?? 0} ms)`);
    if (outcome !== "passed") console.log((error ?? "the run ended before this body").replace(/^/gm, "    "));
  }
  const passed = bodies.filter((body) => body.outcome === "passed").length;
  console.log(`${runtime} ${version}: ${passed} passed, ${bodies.length - passed} failed`);
}

/** Proves that every child is gone; one that was just ended gets a moment. */
async function checkChildren(probe: ReturnType<typeof childProbe>): Promise<void> {
  const giveUpAt = performance.now() + 5_000;
  for (;;) {
    const left = await probe.leaked();
    if (left.length === 0) return;
    if (performance.now() > giveUpAt) throw new Error(`Left running: ${left.join("; ")}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const children = childProbe();
await children.begin();
// Everything any child writes goes in here, also what miniflare and playwright put in "the" temp folder.
const tempDir = await Deno.makeTempDir({ prefix: "tether-edge-" });
process.env["TMPDIR"] = tempDir;
for (const [signal, code] of [["SIGINT", 130], ["SIGTERM", 143]] as const) {
  process.on(signal, () => {
    // Exit hooks run in the order they were set: those of miniflare and playwright kill their children first.
    process.on("exit", () => Deno.removeSync(tempDir, { recursive: true }));
    process.exit(code);
  });
}

let good = false;
try {
  good = await main(tempDir);
} catch (error) {
  console.error(describeError(error));
} finally {
  await stopBundler();
  await Deno.remove(tempDir, { recursive: true });
}
await checkChildren(children);
// Said outright: connections that miniflare keeps warm would hold the process for a while.
Deno.exit(good ? 0 : 1);
