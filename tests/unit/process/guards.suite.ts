/** What ends a child that its host has left or lost: the hook, the watchdog, the sweep, and Windows' way. */

import { assert } from "chai";
import { deferred } from "../../../src/core/deferred.ts";
import type { Diagnostic } from "../../../src/core/diagnostics.ts";
import { SpawnError } from "../../../src/core/errors/mod.ts";
import type { ChildHandle, Runtime } from "../../../src/core/runtime.ts";
import { sweepGroup } from "../../../src/transport/process/group_sweep.ts";
import { Lifeline, planLifeline } from "../../../src/transport/process/lifeline.ts";
import { LiveChildren, liveChildren } from "../../../src/transport/process/live_children.ts";
import { startProcess, type StartProcessOptions } from "../../../src/transport/process/process_transport.ts";
import { FakeChild, FakeMachine, type FakeMachineOptions } from "../../fixtures/fake_machine.ts";
import { rejectsWith } from "../../harness/rejects.ts";
import { suite } from "../../harness/suite.ts";
import { until } from "../../harness/until.ts";
import { VirtualClock } from "../../harness/virtual_clock.ts";

const ENV = { PATH: "/opt/bin", SystemRoot: "D:\\Win" };
const SH = { "/bin/sh": "" };

/** A child started on a machine, with what was reported. */
async function start(options: FakeMachineOptions, more: Partial<StartProcessOptions> = {}) {
  const machine = new FakeMachine(options);
  const diagnostics: Diagnostic[] = [];
  const clock = new VirtualClock();
  const transport = await startProcess(machine, {
    command: "claude",
    args: [],
    env: ENV,
    onDiagnostic: (event) => diagnostics.push(event),
    clock,
    ...more,
  });
  return { machine, diagnostics, clock, transport, child: machine.children[0]! };
}

function child(detached = true): FakeChild {
  return new FakeChild(7, { command: "claude", args: [], env: {}, detached });
}

export default suite("guards", (test) => {
  test("F14: an orderly end of the host sends SIGTERM to every live child, to its group if it has one", () => {
    const machine = new FakeMachine();
    const live = new LiveChildren(machine);
    const [grouped, single] = [child(), child(false)];
    live.add(grouped, "folder of the child");
    live.add(single);
    assert.strictEqual(machine.exitHooks.size, 1);
    for (const hook of machine.exitHooks) hook();
    assert.deepEqual([grouped.groupSignals, grouped.signals], [["SIGTERM"], []]);
    assert.deepEqual([single.groupSignals, single.signals], [[], ["SIGTERM"]]);
    assert.deepEqual(machine.removedAtExit, ["folder of the child"]);
  });

  test("F13: a child is registered until it is reaped, and without children there is no hook", async () => {
    const { machine, transport, child } = await start({ files: SH }, { lifeline: false });
    assert.deepEqual([liveChildren(machine).size, machine.exitHooks.size], [1, 1]);
    child.end();
    await transport.exited;
    assert.deepEqual([liveChildren(machine).size, machine.exitHooks.size], [0, 0]);
  });

  test("A08: a child that does not start leaves nothing registered", async () => {
    const machine = new FakeMachine({ files: SH, refuses: () => "not_found" });
    await rejectsWith(startProcess(machine, { command: "claude", args: [], env: {} }), SpawnError);
    assert.deepEqual([liveChildren(machine).size, machine.exitHooks.size, machine.children.length], [0, 0, 0]);
  });

  test("a watchdog is planned only where a shell may run and is there", async () => {
    const plan = (options: FakeMachineOptions) => planLifeline(new FakeMachine(options));
    assert.deepEqual(await plan({ files: SH }), { possible: true, shell: "/bin/sh" });
    assert.deepEqual(await plan({ files: { "/usr/bin/sh": "" } }), { possible: true, shell: "/usr/bin/sh" });
    // Deno with --allow-run=sh knows it by the path it found.
    assert.deepEqual(await plan({ blind: true, mayRun: (command) => command === "/usr/bin/sh" }), {
      possible: true,
      shell: "/usr/bin/sh",
    });
    for (
      const [options, word] of [
        [{ files: SH, mayRun: () => false }, "--allow-run"],
        [{ platform: "win32" }, "Windows"],
        [{ files: { "/bin/sh": { executable: false } }, mayRun: (command: string) => command !== "sh" }, "no shell"],
      ] as const
    ) {
      const refused = await plan(options);
      assert.isFalse(refused.possible);
      if (!refused.possible) assert.include(refused.reason, word);
    }
  });

  test("with a watchdog the child has a group, and the watchdog ends with the child", async () => {
    const { machine, diagnostics, transport, child } = await start({ files: SH });
    assert.isTrue(child.options.detached);
    // What the child is to be sent first need not wait for it.
    assert.lengthOf(machine.children, 1);
    await until(() => machine.children.length === 2);
    const watchdog = machine.children[1]!;
    assert.deepInclude(watchdog.options, { command: "/bin/sh", detached: true, stdout: "null", stderr: "null" });
    assert.deepEqual(watchdog.options.args.slice(2), ["lifeline", String(child.pid), "5"]);
    // The child's secrets are none of its business.
    assert.deepEqual(watchdog.options.env, { PATH: "/opt/bin:/usr/bin:/bin" });
    assert.deepEqual(watchdog.signals, []);
    child.end();
    await transport.exited;
    assert.deepEqual(watchdog.signals, ["SIGKILL"]);
    assert.deepEqual(diagnostics, []);
  });

  test("where none can run the child is alone and has no group, and that is said", async () => {
    const { machine, diagnostics, transport, child } = await start({ mayRun: () => false });
    assert.isFalse(child.options.detached);
    assert.lengthOf(machine.children, 1);
    assert.deepEqual(diagnostics.map(({ kind }) => kind), ["orphan_guard_off"]);
    child.end();
    await transport.exited;
  });

  test("on Windows there is none, and that is said; switched off, nothing is said", async () => {
    const windows = await start({ platform: "win32" });
    assert.deepEqual(windows.diagnostics.map(({ kind }) => kind), ["orphan_guard_off"]);
    windows.child.end();
    const off = await start({ files: SH }, { lifeline: false });
    assert.deepEqual([off.diagnostics, off.child.options.detached, off.machine.children.length], [[], false, 1]);
    off.child.end();
    await Promise.all([windows.transport.exited, off.transport.exited]);
  });

  test("a watchdog that does not start is reported, and the child runs on", async () => {
    const { diagnostics, transport, child } = await start({
      files: SH,
      refuses: (command) => command === "/bin/sh" ? "denied" : undefined,
    });
    await until(() => diagnostics.length > 0);
    assert.deepInclude(diagnostics[0], { kind: "orphan_guard_off" });
    child.end();
    assert.deepInclude(await transport.exited, { code: 0 });
  });

  test("a watchdog that ends before its child is reported; one that ends after it is not", async () => {
    const { machine, diagnostics, transport, child } = await start({ files: SH });
    await until(() => machine.children.length === 2);
    machine.children[1]!.end({ code: null, signal: "SIGKILL" });
    await until(() => diagnostics.length > 0);
    assert.deepInclude(diagnostics[0], { kind: "orphan_guard_off" });
    child.end();
    await transport.exited;
    assert.lengthOf(diagnostics, 1);
  });

  test("a child that is gone before its watchdog was started gets none", async () => {
    const machine = new FakeMachine();
    await new Lifeline(machine, "/bin/sh", child(), {}, () => {}).end();
    assert.isEmpty(machine.children);
  });

  test("one watchdog for all children of a host: it is told who comes and goes, and leaves with the last", async () => {
    const machine = new FakeMachine();
    const pids = [7, 8, 9, 10];
    const [a, b, c, d] = pids.map((pid) =>
      new FakeChild(pid, { command: "claude", args: [], env: {}, detached: true })
    );
    const watch = (child: FakeChild, folder?: string) => new Lifeline(machine, "/bin/sh", child, {}, () => {}, folder);
    const lines = [watch(a!, "/tmp/of a"), watch(b!, "/tmp/of b"), watch(c!, "/tmp/\n")];
    await until(() => machine.children.length === 1);
    const [watchdog] = machine.children;
    assert.deepEqual(watchdog!.options.args.slice(2), ["lifeline", "7", "5", "/tmp/of a"]);
    lines.push(watch(d!));
    await lines[0]!.end();
    await until(() => watchdog!.input.endsWith("-7\n"));
    // A name that would end the line is not told.
    assert.strictEqual(watchdog!.input, "+8 /tmp/of b\n+9 \n+10 \n-7\n");
    await Promise.all([lines[1]!.end(), lines[2]!.end()]);
    assert.deepEqual(watchdog!.signals, []);
    await lines[3]!.end();
    assert.deepEqual(watchdog!.signals, ["SIGKILL"]);
    const next = watch(a!);
    await until(() => machine.children.length === 2);
    await next.end();
    assert.deepEqual(machine.children[1]!.signals, ["SIGKILL"]);
  });

  test("a watchdog that ends too early is reported to every child, once, and the next child gets a new one", async () => {
    const machine = new FakeMachine();
    const told: string[] = [];
    const watch = (name: string): Lifeline =>
      new Lifeline(machine, "/bin/sh", child(), {}, ({ kind }) => told.push(`${name} ${kind}`));
    const lines = [watch("a"), watch("b")];
    await until(() => machine.children.length === 1);
    machine.children[0]!.end({ code: null, signal: "SIGKILL" });
    await until(() => told.length === 2);
    assert.deepEqual(told, ["a orphan_guard_off", "b orphan_guard_off"]);
    lines.push(watch("c"));
    await until(() => machine.children.length === 2);
    await Promise.all(lines.map((line) => line.end()));
    assert.deepEqual(machine.children[1]!.signals, ["SIGKILL"]);
    assert.lengthOf(told, 2);
  });

  test("ending a watchdog that is still being started waits for it, so that none is left", async () => {
    const machine = new FakeMachine();
    const started = deferred<ChildHandle>();
    const slow = { ...machine, platform: machine.platform, spawn: () => (asked = true, started.promise) };
    let asked = false;
    const lifeline = new Lifeline(slow as unknown as Runtime, "/bin/sh", child(), {}, () => {});
    await until(() => asked);
    const ended = lifeline.end();
    const watchdog = child();
    started.resolve(watchdog);
    await ended;
    assert.deepEqual(watchdog.signals, ["SIGKILL"]);
  });

  test("a signal goes to the whole group, or to the child where there is none, and is reported", async () => {
    for (const lifeline of [true, false]) {
      const { diagnostics, clock, transport, child } = await start({ files: SH }, {
        lifeline,
        timeouts: { graceMs: 10, termMs: 20 },
      });
      child.obeys = ["SIGKILL"];
      const closed = transport.close();
      await clock.pass(10);
      await clock.pass(20);
      await closed;
      assert.deepEqual(
        [child.groupSignals, child.signals],
        lifeline ? [["SIGTERM", "SIGKILL"], []] : [[], [
          "SIGTERM",
          "SIGKILL",
        ]],
      );
      assert.deepEqual(diagnostics, [
        { kind: "process_forced", signal: "SIGTERM", pid: child.pid },
        { kind: "process_forced", signal: "SIGKILL", pid: child.pid },
      ]);
    }
  });

  test("Windows: the whole tree is ended by taskkill, without a shell, and before the child itself", async () => {
    const { machine, clock, transport, child } = await start({ platform: "win32" });
    const closed = transport.close({ graceMs: 0 });
    await until(() => machine.children.length === 2);
    const taskkill = machine.children[1]!;
    assert.strictEqual(taskkill.options.command, "D:\\Win\\System32\\taskkill.exe");
    assert.deepEqual(taskkill.options.args, ["/PID", String(child.pid), "/T", "/F"]);
    assert.deepEqual(child.signals, []);
    taskkill.end();
    await closed;
    assert.deepEqual(child.signals, ["SIGKILL"]);
    assert.strictEqual(clock.pending, 0);
  });

  test("Windows: without taskkill the child alone is ended", async () => {
    const { transport, child } = await start({
      platform: "win32",
      refuses: (command) => command.endsWith("taskkill.exe") ? "denied" : undefined,
    });
    await transport.close({ graceMs: 0 });
    assert.deepEqual(child.signals, ["SIGKILL"]);
  });

  test("what a forced child left in its group is waited for, then killed", async () => {
    const clock = new VirtualClock();
    const leaving = child();
    leaving.members = 2;
    let swept = false;
    void sweepGroup(leaving, 5_000, clock).then(() => swept = true);
    await clock.pass(1_000);
    assert.isFalse(swept);
    leaving.members = 0;
    await clock.pass(20);
    assert.isTrue(swept);
    assert.deepEqual(leaving.groupSignals, []);

    const staying = child();
    staying.members = 1;
    const gone = sweepGroup(staying, 50, clock);
    await clock.pass(20);
    await clock.pass(20);
    await clock.pass(20);
    await gone;
    assert.deepEqual(staying.groupSignals, ["SIGKILL"]);
    assert.strictEqual(clock.pending, 0);
  });

  test("a group that only zombies keep alive does not hold the end up for ever", async () => {
    const clock = new VirtualClock();
    const zombies = child();
    zombies.killGroup = () => true;
    zombies.members = 1;
    const gone = sweepGroup(zombies, 0, clock);
    for (let look = 0; look < 12; look++) await clock.pass(20);
    await gone;
    assert.strictEqual(clock.pending, 0);
  });
});
