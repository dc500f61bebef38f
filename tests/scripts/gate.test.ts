import { assert } from "chai";
import { usesPublicOnly } from "../../scripts/compile_node20.ts";
import { publishFaults } from "../../scripts/gate/check_published.ts";
import { filterDocFaults } from "../../scripts/gate/doc_faults.ts";
import { countDenoTests } from "../../scripts/gate/step.ts";
import { runtimeTable, sumOf } from "../../scripts/gate/totals.ts";
import { runCommand } from "../../scripts/run_command.ts";
import { judge } from "../../scripts/run_suites.ts";
import { endSurvivors } from "../../scripts/survivors.ts";
import type { Report, ReportedBody } from "../harness/report.ts";

function report(...outcomes: ReportedBody["outcome"][]): Report {
  const bodies = outcomes.map((outcome, index): ReportedBody => (
    { class: "unit", suite: "s", name: `n${index} # \\`, outcome }
  ));
  return { runtime: "deno", version: "1", probes: [], filter: "", bodies };
}

function command(code: number, output = "", timedOut = false) {
  return { code, output, stderr: "", timedOut, ms: 1 };
}

const NOTHING_LEFT = { files: [], processes: [] };

Deno.test("a run is good when its report and its runner say so", () => {
  const { faults, report: judged } = judge("deno", report("passed"), command(0), NOTHING_LEFT);
  assert.deepEqual(faults, []);
  assert.deepEqual(judged, report("passed"));
});

for (
  const [what, args, said] of [
    ["no report", [undefined, command(0, "crashed"), NOTHING_LEFT], "without a report"],
    [
      "a runner that fails where no body did",
      [report("passed"), command(1), NOTHING_LEFT],
      "every body passed, but the runner ended with code 1",
    ],
    [
      "a runner that passes where a body failed",
      [report("failed"), command(0), NOTHING_LEFT],
      "bodies failed, but the runner ended with code 0",
    ],
    ["a run that did not end", [report("passed"), command(137, "", true), NOTHING_LEFT], "did not end within its time"],
    [
      "files that were left",
      [report("passed"), command(0), { files: ["tether-x"], processes: [] }],
      "left in the temp folder: tether-x",
    ],
    [
      "processes that were left",
      [report("passed"), command(0), { files: [], processes: ["pid 7, claude"] }],
      "left running: pid 7",
    ],
  ] as const
) {
  Deno.test(`a fault of the run itself: ${what}`, () => {
    assert.include(judge("deno", args[0], args[1], args[2]).faults.join(), said);
  });
}

for (
  const [runner, output] of [
    ["TAP", "ok 1 - unit/s › n0 \\# \\\\\nnot ok 2 - unit/s › n1 \\# \\\\\n  error: why\n"],
    [
      "Deno",
      "unit/s › n0 # \\ ... ok (1ms)\nunit/s › n1 # \\ ... FAILED (2ms)\n\nunit/s › n1 # \\ => x:1:1\nerror: why\n\n",
    ],
  ] as const
) {
  Deno.test(`a body that only its runner failed has failed (${runner})`, () => {
    const judged = judge("deno", report("passed", "passed"), command(1, output), NOTHING_LEFT);
    assert.deepEqual(judged.faults, []);
    assert.deepEqual(judged.report?.bodies.map((body) => body.outcome), ["passed", "failed"]);
    assert.include(judged.report!.bodies[1]!.error, "error: why");
  });
}

Deno.test("totals of Deno tests are read, and an ignored or an absent test is a failure", () => {
  assert.include(countDenoTests(0, "\nok | 16 passed | 0 failed (45ms)\n"), { passed: 16, failed: 0 });
  assert.include(countDenoTests(0, "\nok | 3 passed (2 steps) | 0 failed (45ms)\n"), { passed: 3, failed: 0 });
  assert.include(countDenoTests(1, "\nFAILED | 2 passed | 1 failed (1s)\n"), { passed: 2, failed: 1 });
  assert.include(countDenoTests(0, "\nok | 2 passed | 0 failed | 1 ignored (1s)\n"), { passed: 2, failed: 1 });
  assert.include(countDenoTests(0, "\nok | 0 passed | 0 failed (1s)\n"), { passed: 0, failed: 1 });
  assert.include(countDenoTests(1, "error: No test modules found"), { passed: 0, failed: 1 });
  assert.include(countDenoTests(1, "\nok | 2 passed | 0 failed (1s)\nerror: late"), { passed: 2, failed: 1 });
});

Deno.test("what would be published beside the sources is told, and what would be missing", () => {
  const line = (name: string): string => `   file:///repository/${name} (1.00KB)\n`;
  const needed = ["mod.ts", "deno.json", "README.md", "LICENSE", "CHANGELOG.md"].map(line).join("");
  assert.deepEqual(publishFaults(needed + line("src/core/json.ts"), "file:///repository/"), []);
  assert.deepEqual(publishFaults(needed + line("tests/x.ts"), "file:///repository/"), [
    "tests/x.ts would be published",
  ]);
  assert.include(publishFaults("", "file:///repository/"), "LICENSE would not be published");
});

Deno.test("documentation faults count, but for types of other packages", () => {
  const output = [
    "Check mod.ts\n",
    "error[private-type-ref]: public type 'A[\"x\"]' references private type 'Theirs'\n  --> mod.ts:1:1\n\n",
    "error[private-type-ref]: public type 'A[\"y\"]' references private type 'Ours'\n  --> mod.ts:2:1\n\n",
    "error[missing-jsdoc]: exported symbol is missing JSDoc documentation\n  --> mod.ts:3:1\n",
  ].join("");
  const faults = filterDocFaults(output, "interface Ours {}");
  assert.lengthOf(faults, 2);
  assert.include(faults[0], "'Ours'");
  assert.include(faults[1], "missing-jsdoc");
  assert.deepEqual(filterDocFaults("panicked", ""), ["panicked"]);
});

Deno.test("a suite runs on the package itself if it, and what it is made of, knows public entries only", () => {
  const entries = new Set(["mod.ts", "src/testing/mod.ts"]);
  const graph = new Map([
    ["tests/e2e/a.suite.ts", ["mod.ts", "tests/e2e/helper.ts"]],
    ["tests/e2e/b.suite.ts", ["mod.ts", "tests/e2e/inner.ts"]],
    ["tests/e2e/helper.ts", ["src/testing/mod.ts"]],
    ["tests/e2e/inner.ts", ["src/core/json.ts"]],
    ["tests/unit/c.suite.ts", ["tests/harness/suite.ts"]],
    ["mod.ts", ["src/core/json.ts"]],
  ]);
  const answers = ["a", "b"].map((name) => usesPublicOnly(`tests/e2e/${name}.suite.ts`, graph, entries));
  assert.deepEqual(answers, [true, false]);
  assert.isFalse(usesPublicOnly("tests/unit/c.suite.ts", graph, entries));
});

Deno.test("the table and the sum say what the reports say", () => {
  const lines = runtimeTable([report("passed", "failed", "missing")]).split("\n");
  assert.match(lines[1]!, /^deno +1 +- +1\+2! +- +- +0$/);
  const results = [{ passed: 2, failed: 1, details: "" }, { passed: 3, failed: 0, details: "" }];
  assert.deepEqual(sumOf(results), { passed: 5, failed: 1 });
});

/** True once a process is gone; a zombie that nobody reaps is gone too. */
async function isGone(pid: number): Promise<boolean> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const stat = await Deno.readTextFile(`/proc/${pid}/stat`).catch(() => undefined);
    if (stat === undefined || /\) [ZX] /.test(stat)) return true;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return false;
}

Deno.test("a command that takes too long is ended with all it started", async () => {
  const result = await runCommand("sh", ["-c", "sleep 60 & echo $!; wait"], { timeoutMs: 200 });
  assert.isTrue(result.timedOut);
  assert.notEqual(result.code, 0);
  assert.match(result.output, /^\d+\n$/);
  assert.isTrue(await isGone(Number(result.output)));
});

Deno.test("a command that ends leaves nothing behind in its group", async () => {
  const result = await runCommand("sh", ["-c", "sleep 60 & echo $!"], { timeoutMs: 20_000 });
  assert.isFalse(result.timedOut);
  assert.equal(result.code, 0);
  assert.isTrue(await isGone(Number(result.output)));
});

Deno.test("what outlives a run is found by the run's folder, told and ended", async () => {
  const folder = await Deno.makeTempDir({ prefix: "tether-survivors-" });
  try {
    // Out of the group and out of the family: only its environment tells whose it is.
    const script = 'env -i RUN="$1" PATH="$PATH" setsid sleep 60 >/dev/null 2>&1 </dev/null & sleep 0.5';
    await runCommand("sh", ["-c", script, "sh", folder]);
    const told = await endSurvivors(folder, 300);
    assert.lengthOf(told, 1);
    assert.match(told[0]!, /^pid \d+, sleep 60$/);
    assert.isTrue(await isGone(Number(/\d+/.exec(told[0]!)![0])));
    assert.deepEqual(await endSurvivors(folder, 0), []);
  } finally {
    await Deno.remove(folder);
  }
});
