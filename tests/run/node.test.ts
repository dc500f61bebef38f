/** Registers every body with `node:test`. Node 22 and later run this file; Node 20 runs its compiled form. */
import { test } from "node:test";
import { planRun } from "../harness/apply_suites.ts";

for (const { id, run } of await planRun()) test(id, run);
