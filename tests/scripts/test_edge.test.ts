import { assert } from "chai";
import { join } from "node:path";
import { ROOT } from "../../scripts/root.ts";
import { runCommand } from "../../scripts/run_command.ts";

/** Runs the edge runner on a folder of fixtures. */
async function runEdge(fixtures: string, ...args: string[]): Promise<{ code: number; output: string }> {
  const tests = join(ROOT, "tests/fixtures", fixtures);
  const settings = ["--tests", tests, "--settle-ms", "100", "--stuck-ms", "1500"];
  // A filter keeps the report out of the tree.
  return await runCommand(Deno.execPath(), [
    "run",
    "-A",
    join(ROOT, "scripts/test_edge.ts"),
    ".suite.ts",
    ...settings,
    ...args,
  ]);
}

for (const place of ["workerd", "chromium"]) {
  Deno.test(`${place}: every kind of fault fails its own body, and only that one`, async () => {
    const { code, output } = await runEdge("edge", "--on", place);
    assert.equal(code, 1, output);
    const outcomes = [...output.matchAll(/^(\S+) (ok|FAILED) +faulty on the edge › (.*) \(\d+ ms\)$/gm)];
    assert.isTrue(outcomes.every((match) => match[1] === place), output);
    assert.deepEqual(outcomes.map((match) => `${match[2]}: ${match[3]}`), [
      "ok: has no fault # and \\ in its name",
      "FAILED: fails an assertion",
      "FAILED: hangs",
      "FAILED: leaves a timer",
      "ok: leaves a timer on purpose",
      "FAILED: rejects where nobody waits",
      "FAILED: throws in a timer",
      "FAILED: throws in a microtask",
      "FAILED: asks the network",
      "FAILED: spins",
      "ok: has no fault after all those",
    ], output);
    for (
      const said of [
        "expected 2 to equal 3",
        "longer than 20 ms",
        "LeakError: timers: setTimeout(1000 ms)",
        "unhandled rejection, Error: nobody waits",
        "Error: nobody catches",
        "The network was asked for",
        "faulty.suite.ts", // positions are told in the source
      ]
    ) assert.include(output, said);
  });
}

Deno.test("a module of a runtime fails the bundle, also where the import could be caught", async () => {
  const { code, output } = await runEdge("edge_node_import");
  assert.equal(code, 1, output);
  assert.include(output, "node:os is not there on the edge");
});

Deno.test("a filter that leaves nothing is a failure", async () => {
  const { code, output } = await runEdge("edge", "no such body");
  assert.equal(code, 1, output);
  assert.include(output, "No conformance suite and no body matches");
});
