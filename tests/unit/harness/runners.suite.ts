import { assert } from "chai";
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { Report } from "../../harness/report.ts";
import { suite, type TestContext } from "../../harness/suite.ts";

/** Runs the runner this very body runs under, on another folder of suites. */
async function runAgain(
  t: TestContext,
  root: string,
  more: Record<string, string> = {},
): Promise<{ code: number; output: string; report: string }> {
  const folder = mkdtempSync(join(tmpdir(), "tether-runner-"));
  t.cleanup(() => rmSync(folder, { recursive: true }));
  const [command, ...args] = JSON.parse(process.env["TETHER_TEST_COMMAND"]!) as string[];
  const report = join(folder, "report.json");
  const env = {
    ...process.env,
    TMPDIR: folder,
    TETHER_TEST_ROOT: root,
    TETHER_TEST_REPORT: report,
    TETHER_TEST_FILTER: "",
    TETHER_TEST_SETTLE_MS: "50",
    TETHER_TEST_PATIENCE: "1",
    TETHER_TEST_ORDER: "forwards",
    // node:test takes itself for a part of the outer run otherwise, and speaks another language.
    NODE_TEST_CONTEXT: undefined,
    ...more,
  };
  const child = spawn(command!, args, { env, stdio: ["ignore", "pipe", "pipe"] });
  const texts: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8");
    stream.on("data", (text: string) => texts.push(text));
  }
  const code = await new Promise<number>((resolve) => child.once("close", (code) => resolve(code ?? -1)));
  return { code, output: texts.join(""), report };
}

export default suite("harness: runners", (test) => {
  test("every kind of fault fails its own body, what it leaves open among them (P06)", async (t) => {
    const root = fileURLToPath(new URL("../../fixtures/harness", import.meta.url));
    const { code, output, report } = await runAgain(t, root);
    assert.equal(code, 1, output);
    const bodies = (JSON.parse(readFileSync(report, "utf8")) as Report).bodies;
    assert.deepEqual(
      bodies.filter((body) => body.outcome === "passed").map((body) => body.name),
      ["has no fault # and \\ in its name", "has no fault after all those"],
    );
    const said = Object.fromEntries(bodies.map((body) => [body.name, body.error ?? ""]));
    assert.include(said["fails an assertion"], "expected 2 to equal 3");
    assert.include(said["hangs"], "longer than 20 ms");
    assert.include(said["leaves a timer"], "LeakError: timers: setTimeout(1000 ms)");
    assert.include(said["leaves a child"], "LeakError: children: pid");
    assert.include(said["leaves a descriptor"], "LeakError: descriptors: fd");
    assert.include(said["leaves a temp folder"], "LeakError: temp folders: tether-fixture-");
    assert.include(said["rejects where nobody waits"], "unhandled rejection, Error: nobody waits");
    assert.include(said["throws where nobody catches"], "uncaught exception, Error: nobody catches");
  });

  test("bodies can be taken from the last to the first, and from the middle", async (t) => {
    const root = fileURLToPath(new URL("../../fixtures/harness", import.meta.url));
    const first = "has no fault # and \\ in its name";
    const last = "has no fault after all those";
    for (const [order, names] of [["backwards", [last, first]], ["backwards,middle", [first, last]]] as const) {
      const { code, report } = await runAgain(t, root, {
        TETHER_TEST_FILTER: "has no fault",
        TETHER_TEST_ORDER: order,
      });
      assert.equal(code, 0);
      const { bodies } = JSON.parse(readFileSync(report, "utf8")) as Report;
      assert.deepEqual(bodies.map(({ name, outcome }) => [name, outcome]), names.map((name) => [name, "passed"]));
    }
  });

  test("a folder without suites is a failure and leaves no report", async (t) => {
    const root = mkdtempSync(join(tmpdir(), "tether-empty-"));
    t.cleanup(() => rmSync(root, { recursive: true }));
    const { code, output, report } = await runAgain(t, root);
    assert.notEqual(code, 0);
    assert.include(output, "Cannot find any *.suite.");
    assert.throws(() => readFileSync(report), /ENOENT/);
  });
});
