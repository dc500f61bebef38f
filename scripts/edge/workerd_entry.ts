/** The main module of the worker that runs the suites in workerd: one request lists them, every other runs one body. */

import type { Suite } from "../../tests/harness/suite.ts";
import { edgeTests } from "./bundled_suites.ts";
import { watchTimers } from "./stray_errors.ts";

// The bundle loads the suites after this module.
watchTimers();

/** Makes the worker's default export. */
export function serve(suites: readonly Suite[], settleMs: number): { fetch(request: Request): Promise<Response> } {
  const tests = edgeTests(suites, settleMs);
  return {
    async fetch(request) {
      switch (new URL(request.url).pathname) {
        case "/list":
          return Response.json({ ids: tests.ids, probes: tests.probes });
        case "/run":
          return Response.json(await tests.run(await request.text()));
        case "/strays":
          return Response.json(tests.strays());
        default:
          return new Response("No such path", { status: 404 });
      }
    },
  };
}
