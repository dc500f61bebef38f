/** A host killed while the real CLI works for it: in the middle of a model call, and in the middle of a tool. */

import { assert } from "chai";
import { scriptedModel, type Turn, turn } from "../../src/testing/mod.ts";
import type { HostTask } from "../fixtures/process/host_program.ts";
import { denoPath } from "../harness/run_program.ts";
import { suite, type TestContext } from "../harness/suite.ts";
import { until } from "../harness/until.ts";
import { killWith, newMark, pause, runningWith } from "../runtime/children.ts";
import { type HostCommand, type HostProcess, hostProgram, startHost } from "../runtime/host_process.ts";
import { cliEnvFor, makeCliHome, pinnedCli } from "./real_cli.ts";

/** How long what a killed host left may take to go. */
const GONE_WITHIN_MS = 10_000;

interface Working {
  readonly host: HostProcess;
  /** Stands on the command lines of the CLI and of its tool. */
  readonly mark: string;
}

/** A host whose CLI has sent its first request. */
async function startWorking(
  t: TestContext,
  script: (mark: string) => Turn[],
  more: { readonly lifeline?: boolean; readonly run?: HostCommand } = {},
): Promise<Working> {
  const mark = newMark();
  const model = await scriptedModel(script(mark));
  t.cleanup(() => model.close());
  const folders = await makeCliHome(t);
  t.cleanup(() => killWith(mark));
  const task: HostTask = {
    command: pinnedCli().path,
    args: [
      "--output-format=stream-json",
      "--verbose",
      "--input-format=stream-json",
      "--allowedTools=Bash",
      `--append-system-prompt=${mark}`,
    ],
    cwd: folders.cwd,
    env: cliEnvFor(model, folders),
    input: [
      { type: "control_request", request_id: "1", request: { subtype: "initialize" } },
      { type: "user", message: { role: "user", content: "Work" }, parent_tool_use_id: null, session_id: "" },
    ].map((line) => JSON.stringify(line)),
    then: "wait",
    ...more.lifeline === undefined ? {} : { lifeline: more.lifeline },
  };
  const host = startHost(t, task, more.run);
  await host.heard("started");
  await model.waitForRequest(1);
  return { host, mark };
}

/** A tool call that runs until somebody ends it, with the mark on its command line. */
function tool(mark: string): Turn[] {
  return [turn.toolUse("Bash", { command: `sh -c 'while :; do sleep 1; done' tool-${mark}`, description: "Wait" })];
}

async function toolRuns(mark: string): Promise<void> {
  await until(() => runningWith(` tool-${mark}`).some(({ commandLine }) => commandLine.startsWith("sh ")));
}

/** What is left of it after the time it has. */
async function leftOf(mark: string): Promise<string[]> {
  const giveUpAt = performance.now() + GONE_WITHIN_MS;
  while (runningWith(mark).length > 0 && performance.now() < giveUpAt) await pause(100);
  return runningWith(mark).map(({ commandLine }) => commandLine);
}

export default suite("orphans of the real CLI", (test) => {
  test("a host killed in the middle of a model call leaves nothing", async (t) => {
    const { host, mark } = await startWorking(t, () => [turn.stall()]);
    assert.isNotEmpty(runningWith(mark));
    await host.kill("SIGKILL");
    assert.deepEqual(await leftOf(mark), []);
  }, { timeoutMs: 60_000 });

  test("a host killed in the middle of a tool leaves neither CLI nor tool", async (t) => {
    const { host, mark } = await startWorking(t, tool);
    await toolRuns(mark);
    await host.kill("SIGKILL");
    assert.deepEqual(await leftOf(mark), []);
    assert.isEmpty(host.all("diagnostic"));
  }, { timeoutMs: 60_000 });

  test("a host that exits in the middle of a tool leaves neither", async (t) => {
    const { host, mark } = await startWorking(t, tool);
    await toolRuns(mark);
    await host.kill("SIGTERM");
    assert.deepEqual(await leftOf(mark), []);
  }, { timeoutMs: 60_000 });

  test("control: without the watchdog both are still there", async (t) => {
    const { host, mark } = await startWorking(t, tool, { lifeline: false });
    await toolRuns(mark);
    await host.kill("SIGKILL");
    const left = await leftOf(mark);
    assert.isTrue(left.some((line) => line.includes("--append-system-prompt")), "the CLI");
    assert.isTrue(left.some((line) => line.includes(`tool-${mark}`)), "its tool");
  }, { timeoutMs: 60_000 });

  test("without the rights for a watchdog the CLI runs, and the diagnostic is there", async (t) => {
    const { host, mark } = await startWorking(t, () => [turn.stall()], {
      run: { command: denoPath(), args: ["run", "--no-prompt", `--allow-run=${pinnedCli().path}`, hostProgram()] },
    });
    assert.deepEqual(host.all("diagnostic").map(({ kind }) => kind), ["orphan_guard_off"]);
    assert.isNotEmpty(runningWith(mark));
  }, { timeoutMs: 60_000 });
});
