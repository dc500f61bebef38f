/** Registers every body with Deno's own runner, its sanitizers on. */
import { planRun } from "../harness/apply_suites.ts";

for (const { id, sanitize, run } of await planRun()) {
  Deno.test({ name: id, sanitizeOps: sanitize, sanitizeResources: sanitize, sanitizeExit: true, fn: run });
}
