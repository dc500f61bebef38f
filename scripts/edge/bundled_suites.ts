/** The suites inside a bundle, and how one of their bodies is run there. Web APIs only. */

import type { LeakProbe } from "../../tests/harness/leaks/leak_probe.ts";
import { timerProbe } from "../../tests/harness/leaks/timer_probe.ts";
import { bodyId } from "../../tests/harness/report.ts";
import { type BodyResult, runBody } from "../../tests/harness/run_body.ts";
import type { Body, Suite } from "../../tests/harness/suite.ts";
import { strayErrorProbe, takeStrayErrors } from "./stray_errors.ts";

/** What the runner outside asks of a bundle, whichever place it runs in. */
export interface EdgeTests {
  /** The id of every body. */
  readonly ids: readonly string[];
  /** The kinds of leaks that are watched for. */
  readonly probes: readonly string[];
  /** Runs one body. */
  run(id: string): Promise<BodyResult>;
  /** Errors that strayed outside of any body. */
  strays(): readonly string[];
}

/** Makes the suites of a bundle runnable. `settleMs`: see {@linkcode runBody}. */
export function edgeTests(suites: readonly Suite[], settleMs: number): EdgeTests {
  const bodies = new Map<string, Body>();
  for (const { name: suite, bodies: own } of suites) {
    for (const body of own) bodies.set(bodyId({ class: "conformance", suite, name: body.name }), body);
  }
  const probes: LeakProbe[] = [strayErrorProbe(), timerProbe()];
  return {
    ids: [...bodies.keys()],
    probes: probes.map((probe) => probe.kind),
    run(id) {
      const body = bodies.get(id);
      if (body === undefined) throw new Error(`The bundle has no body "${id}"`);
      return runBody(body, { probes, settleMs });
    },
    strays: takeStrayErrors,
  };
}
