/** Hands the suites in a page to whoever drives the page. */

import type { Suite } from "../../tests/harness/suite.ts";
import { type EdgeTests, edgeTests } from "./bundled_suites.ts";

/** Puts the tests where the driver of the page looks for them. */
export function serve(suites: readonly Suite[], settleMs: number): void {
  (globalThis as { edgeTests?: EdgeTests }).edgeTests = edgeTests(suites, settleMs);
}
