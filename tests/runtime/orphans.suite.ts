/** What becomes of a child when its host ends: in good order, by an error, by a signal, by one that nobody can catch. */

import { assert } from "chai";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import type { HostTask } from "../fixtures/process/host_program.ts";
import { denoPath, runProgram } from "../harness/run_program.ts";
import { suite, type TestContext } from "../harness/suite.ts";
import { until } from "../harness/until.ts";
import { CHILD_ENV, isRunning, killWith, newMark, pause, runningWith, tempFolder } from "./children.ts";
import { hostProgram, processFixture, startHost } from "./host_process.ts";

const LINGER = "while :; do sleep 0.05; done";

/** A host with a child that bears a mark and ignores the end of its input. */
function task(script: string, mark: string, more: Partial<HostTask> = {}): HostTask {
  return { command: "/bin/sh", args: ["-c", script, mark], cwd: "/", env: CHILD_ENV, then: "wait", ...more };
}

function marked(t: TestContext): string {
  const mark = newMark();
  t.cleanup(() => killWith(mark));
  return mark;
}

/** The watchdogs of a child. */
function watchdogs(pid: number): number[] {
  return runningWith(` lifeline ${pid} `).map((process) => process.pid);
}

export default suite("orphans", (test) => {
  test("a killed host leaves nothing: its watchdog ends the child, what is in the child's group, and itself", async (t) => {
    const mark = marked(t);
    const host = startHost(t, task(`sh -c "${LINGER}" ${mark} & echo up; ${LINGER}`, mark));
    const { pid } = await host.heard("started");
    await host.heard("output");
    await until(() => watchdogs(pid).length === 1);
    // Child and helper, and the host that was told of them. A process that is just becoming another has no name, or its parent's.
    await until(() => runningWith(mark).length === 2 + 1);
    await host.kill("SIGKILL");
    await until(() => runningWith(mark).length === 0);
    await until(() => watchdogs(pid).length === 0);
    assert.isEmpty(host.all("diagnostic"));
  });

  test("a child that ignores SIGTERM is killed by the watchdog after its patience", async (t) => {
    const mark = marked(t);
    const host = startHost(t, task(`trap '' TERM; echo up; ${LINGER}`, mark));
    const { pid } = await host.heard("started");
    await host.heard("output");
    await until(() => watchdogs(pid).length === 1);
    await host.kill("SIGKILL");
    await until(() => !isRunning(pid));
    await until(() => watchdogs(pid).length === 0);
  }, { timeoutMs: 30_000 });

  test("the watchdog asks before it kills: a killed host's child sees SIGTERM and may leave by itself", async (t) => {
    const mark = marked(t);
    const saw = join(tempFolder(t), "saw");
    const host = startHost(t, task(`exec 2>&-; trap 'echo TERM > "${saw}"; exit 0' TERM; echo up; ${LINGER}`, mark));
    const { pid } = await host.heard("started");
    await host.heard("output");
    await until(() => watchdogs(pid).length === 1);
    await host.kill("SIGKILL");
    await until(() => !isRunning(pid));
    assert.strictEqual(readFileSync(saw, "utf8"), "TERM\n");
    await until(() => watchdogs(pid).length === 0);
  });

  test(
    "one watchdog ends all children of a killed host: one that is slow to leave, and one that came later",
    async (t) => {
      const mark = marked(t);
      const folders = ["the first's", "the last's"].map((name) => join(tempFolder(t), name));
      for (const folder of folders) mkdirSync(folder);
      const host = startHost(
        t,
        task(`trap '' TERM; echo up; ${LINGER}`, mark, {
          folder: folders[0]!,
          beside: [{ script: "exit 0" }, { script: LINGER, folder: folders[1]! }],
        }),
      );
      await host.heard("output");
      const pids = host.all("started").map(({ pid }) => pid);
      assert.lengthOf(pids, 3);
      await until(() => watchdogs(pids[0]!).length === 1);
      assert.isEmpty([...watchdogs(pids[1]!), ...watchdogs(pids[2]!)]);
      await until(() => !isRunning(pids[1]!));
      await host.kill("SIGKILL");
      await until(() => !isRunning(pids[2]!));
      assert.isTrue(isRunning(pids[0]!), "it does not listen to SIGTERM");
      await until(() => folders.every((folder) => !existsSync(folder)));
      await until(() => runningWith(mark).length === 0 && watchdogs(pids[0]!).length === 0);
    },
    { timeoutMs: 30_000 },
  );

  test("control: without the watchdog a killed host leaves its child", async (t) => {
    const mark = marked(t);
    const host = startHost(t, task(`echo up; ${LINGER}`, mark, { lifeline: false }));
    const { pid } = await host.heard("started");
    await host.heard("output");
    assert.isEmpty(watchdogs(pid));
    await host.kill("SIGKILL");
    await pause(1_500);
    assert.isTrue(isRunning(pid));
  });

  test("SIGTERM and SIGINT to a host that does not listen for them are no different", async (t) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      const mark = marked(t);
      const host = startHost(t, task(`echo up; ${LINGER}`, mark));
      const { pid } = await host.heard("started");
      await until(() => watchdogs(pid).length === 1);
      await host.kill(signal);
      await until(() => runningWith(mark).length === 0);
    }
  });

  for (const lifeline of [true, false]) {
    test(`F14: a host that exits ends its child with SIGTERM, ${lifeline ? "with" : "without"} a watchdog`, async (t) => {
      const mark = marked(t);
      const saw = join(tempFolder(t), "saw");
      const host = startHost(
        t,
        // Its stderr is broken by then: a shell that tells of its helper's end there would not come to what it traps.
        task(`exec 2>&-; trap 'echo TERM > "${saw}"; exit 0' TERM; echo up; ${LINGER}`, mark, {
          lifeline,
          then: "exit",
        }),
      );
      assert.strictEqual(await host.ended(), 0);
      await until(() => existsSync(saw) && readFileSync(saw, "utf8") === "TERM\n");
      await until(() => runningWith(mark).length === 0);
    });
  }

  test("a host that throws leaves nothing", async (t) => {
    const mark = marked(t);
    const host = startHost(t, task(`echo up; ${LINGER}`, mark, { then: "throw" }));
    const { pid } = await host.heard("started");
    assert.strictEqual(await host.ended(), 1);
    assert.include(host.stderr, "the host's own fault");
    await until(() => runningWith(mark).length === 0);
    await until(() => watchdogs(pid).length === 0);
  });

  for (const then of ["wait", "exit"] as const) {
    test(`what was written for a child goes with its host: ${then === "wait" ? "killed" : "it exits"}`, async (t) => {
      const mark = marked(t);
      const folder = join(tempFolder(t), "-a folder's 名");
      mkdirSync(folder);
      writeFileSync(join(folder, "secret"), "x");
      const host = startHost(t, task(`echo up; ${LINGER}`, mark, { folder, then }));
      const { pid } = await host.heard("started");
      if (then === "wait") {
        await until(() => watchdogs(pid).length === 1);
        assert.isTrue(existsSync(folder));
        await host.kill("SIGKILL");
      } else await host.ended();
      await until(() => !existsSync(folder));
      await until(() => runningWith(mark).length === 0 && watchdogs(pid).length === 0);
    });
  }

  test("a host whose child ends ends too, and no watchdog is left", async (t) => {
    for (const [script, then] of [["echo up", "end"], [`echo up; ${LINGER}`, "close"]] as const) {
      const mark = marked(t);
      const host = startHost(t, task(script, mark, { then }));
      const { pid } = await host.heard("started");
      await host.heard("exited");
      assert.strictEqual(await host.ended(), 0);
      assert.isEmpty(watchdogs(pid));
      assert.isEmpty(runningWith(mark));
    }
  });

  test("a signal to the host's own group does not reach child or watchdog: the host decides", async (t) => {
    const mark = marked(t);
    const host = startHost(t, task(`echo up; ${LINGER}`, mark));
    const { pid } = await host.heard("started");
    await host.heard("output");
    await until(() => watchdogs(pid).length === 1);
    const group = (of: number): string =>
      readFileSync(`/proc/${of}/stat`, "latin1").replace(/^.*\) . \d+ /s, "").split(" ")[0]!;
    assert.strictEqual(group(pid), String(pid));
    assert.strictEqual(group(watchdogs(pid)[0]!), String(watchdogs(pid)[0]!));
  });

  test("Deno with leave to run the child alone: it runs without a watchdog, and that is said with the reason", async (t) => {
    const mark = marked(t);
    const child = join(tempFolder(t), "child");
    writeFileSync(child, `#!/bin/sh\necho up; cat\n`);
    chmodSync(child, 0o755);
    const host = startHost(t, {
      command: child,
      args: [mark],
      cwd: "/",
      env: CHILD_ENV,
      then: "close",
      graceMs: 20_000,
    }, {
      command: denoPath(),
      args: ["run", "--no-prompt", `--allow-run=${child}`, hostProgram()],
    });
    assert.deepInclude(await host.heard("exited"), { code: 0, signal: null });
    const [diagnostic] = host.all("diagnostic");
    assert.strictEqual(diagnostic?.kind, "orphan_guard_off");
    assert.include(diagnostic?.reason, "--allow-run");
    assert.strictEqual(host.output, "up\n");
  });

  test("Deno with leave to run the child and sh: the watchdog works, also where a group may not be signalled", async (t) => {
    const mark = marked(t);
    const child = join(tempFolder(t), "child");
    writeFileSync(child, `#!/bin/sh\necho up; ${LINGER}\n`);
    chmodSync(child, 0o755);
    const run = {
      command: denoPath(),
      args: ["run", "--no-prompt", `--allow-run=${child},/bin/sh`, hostProgram()],
    };
    const given = { command: child, args: [mark], cwd: "/", env: CHILD_ENV };
    const killed = startHost(t, { ...given, then: "wait" }, run);
    const { pid } = await killed.heard("started");
    await until(() => watchdogs(pid).length === 1);
    await killed.kill("SIGKILL");
    await until(() => runningWith(mark).length === 0);
    assert.isEmpty(killed.all("diagnostic"));

    const closed = startHost(t, { ...given, then: "close" }, run);
    assert.deepInclude(await closed.heard("exited"), { signal: "SIGTERM" });
    assert.deepEqual(closed.all("diagnostic").map(({ kind }) => kind), ["process_forced"]);
  });

  test("Deno tells what rights forbid, and a missing folder, without the right to read", async (t) => {
    const child = join(tempFolder(t), "child");
    writeFileSync(child, "#!/bin/sh\n");
    chmodSync(child, 0o755);
    const fails = async (given: Partial<HostTask>): Promise<string | undefined> => {
      const base = { command: child, args: [], cwd: "/", env: CHILD_ENV, then: "end" } as const;
      const host = startHost(t, { ...base, ...given }, {
        command: denoPath(),
        args: ["run", "--no-prompt", `--allow-run=${child}`, hostProgram()],
      });
      return (await host.heard("failed")).failure;
    };
    assert.strictEqual(await fails({ command: "/bin/sh" }), "denied");
    assert.strictEqual(await fails({ cwd: "/no/such/folder" }), "cwd_missing");
    assert.strictEqual(await fails({ longArgument: 3_000_000 }), "too_large");
  });

  test("loading Deno's adapter takes no permission, and nothing is asked for", async (t) => {
    const folder = tempFolder(t);
    const audit = join(folder, "audit.jsonl");
    // Without any flag of this kind Deno's own `node:child_process` would slip in `-A`.
    const args = ["run", "--no-prompt", "--deny-ffi", processFixture("adapter_probe")];
    const env = { ...CHILD_ENV, HOME: folder, DENO_DIR: process.env["DENO_DIR"] ?? folder, NO_COLOR: "1" };
    const result = await runProgram(t, denoPath(), args, { env: { ...env, DENO_AUDIT_PERMISSIONS: audit } });
    assert.deepEqual([result.code, result.stderr], [0, ""]);
    assert.deepEqual(JSON.parse(result.stdout), {
      name: "deno",
      mayRun: false,
      homeDir: null,
      environment: "permission_denied",
      stat: { kind: "unknown", executable: false },
      identity: null,
    });
    assert.strictEqual(existsSync(audit) ? readFileSync(audit, "utf8") : "", "");
  });
});
