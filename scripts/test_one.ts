/**
 * `deno task test:one <part of a name> [--runtime deno|bun|node|node24|node20|all]`: some suites, quickly. The part may
 * be of a suite's path, its name, or a body's name. `--log` shows the runner's own output (with what bodies print), `--quiet` only failures and totals.
 */

import { parseArgs } from "node:util";
import { PROCESS_RUNTIMES, runSuites, runtimeNamed } from "./run_suites.ts";

const { values, positionals } = parseArgs({
  args: Deno.args,
  allowPositionals: true,
  options: {
    runtime: { type: "string", default: "deno" },
    log: { type: "boolean", default: false },
    quiet: { type: "boolean", default: false },
  },
});
const filter = positionals.join(" ");
const runtimes = values.runtime === "all" ? PROCESS_RUNTIMES : values.runtime.split(",").map(runtimeNamed);

let passed = 0;
let failed = 0;
for (const runtime of runtimes) {
  const { report, faults } = await runSuites(runtime, { filter, echo: values.log });
  for (const body of report?.bodies ?? []) {
    const good = body.outcome === "passed";
    if (good) passed += 1;
    else failed += 1;
    if (good && values.quiet) continue;
    console.log(`${runtime} ${good ? "ok    " : "FAILED"} ${body.suite} › ${body.name} (${body.ms ?? 0} ms)`);
    if (!good) console.log((body.error ?? "the run ended before this body").replace(/^/gm, "    "));
  }
  for (const fault of faults) {
    failed += 1;
    console.log(`FAILED ${fault}`);
  }
}
console.log(`${passed} passed, ${failed} failed`);
if (failed > 0 || passed === 0) Deno.exit(1);
