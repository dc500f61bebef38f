/** Runs planned bodies in one edge runtime, one after the other, with a report on disk after each. */

import type { Body } from "../../tests/harness/suite.ts";
import { bodyId, type Report, type ReportedBody } from "../../tests/harness/report.ts";
import { type BodyResult, describeError } from "../../tests/harness/run_body.ts";
import { nameSources } from "./bundle_suites.ts";
import type { EdgePlace, StartEdge } from "./edge_place.ts";

/** One body to run, as the suites loaded outside tell it. */
export interface EdgeBody {
  readonly suite: string;
  readonly body: Body;
}

/** What one run needs. */
export interface EdgeRun {
  /** Name for the report. */
  readonly runtime: string;
  readonly filter: string;
  readonly bundle: string;
  readonly start: StartEdge;
  readonly tempDir: string;
  /** Clean-ups and leak checks come on top of a body's own time; past this the runtime counts as stuck. */
  readonly stuckMs: number;
  /** The bodies of the bundle that are to be run, and all there are in it. */
  readonly chosen: readonly EdgeBody[];
  readonly all: readonly EdgeBody[];
  save(report: Report): void;
}

/** Runs the chosen bodies. @throws if the runtime does not start, or its bundle holds other bodies than it should. */
export async function runOnEdge(run: EdgeRun): Promise<Report> {
  const bodies: ReportedBody[] = run.chosen.map(({ suite, body }) => (
    { class: "conformance", suite, name: body.name, outcome: "missing" }
  ));
  let place: EdgePlace | undefined = await run.start(run.bundle, run.tempDir).catch((error) => {
    throw new Error(nameSources(describeError(error), run.bundle));
  });
  const { version, plan } = place;
  const report: Report = { runtime: run.runtime, version, probes: plan.probes, filter: run.filter, bodies };
  try {
    run.save(report);
    comparePlans(run.all.map(idOf), plan.ids);
    refuse(await place.strays(), "while the suites were loaded");
    for (const [index, { body }] of run.chosen.entries()) {
      place ??= await run.start(run.bundle, run.tempDir);
      const startedAt = performance.now();
      let result: BodyResult;
      try {
        const own = await place.run(idOf(run.chosen[index]!), body.timeoutMs + run.stuckMs);
        result = withStrays(own, await place.strays());
        // What failed may still be running.
        if (result.outcome === "failed") await place.reset();
      } catch (error) {
        // The next body gets a fresh runtime: this one may be stuck in a loop, or gone.
        await place.close();
        place = undefined;
        result = { outcome: "failed", ms: Math.round(performance.now() - startedAt), error: describeError(error) };
      }
      const error = result.error === undefined ? {} : { error: nameSources(result.error, run.bundle) };
      bodies[index] = { ...bodies[index]!, ...result, ...error };
      run.save(report);
    }
    if (place !== undefined) refuse(await place.strays(), "after the last body");
  } finally {
    await place?.close();
  }
  return report;
}

function idOf({ suite, body }: EdgeBody): string {
  return bodyId({ class: "conformance", suite, name: body.name });
}

/** A bundle that lost or gained a body would pass unnoticed otherwise. */
function comparePlans(outside: readonly string[], inside: readonly string[]): void {
  const missing = outside.filter((id) => !inside.includes(id));
  const extra = inside.filter((id) => !outside.includes(id));
  if (missing.length === 0 && extra.length === 0 && inside.length === outside.length) return;
  throw new Error(`The suites differ there. Missing: ${missing.join("; ")}. Only there: ${extra.join("; ")}.`);
}

function withStrays(result: BodyResult, strays: readonly string[]): BodyResult {
  if (strays.length === 0) return result;
  return { ...result, outcome: "failed", error: [result.error ?? [], strays].flat().join("\n") };
}

function refuse(strays: readonly string[], when: string): void {
  if (strays.length > 0) throw new Error(`Errors that nobody caught ${when}:\n${strays.join("\n")}`);
}
