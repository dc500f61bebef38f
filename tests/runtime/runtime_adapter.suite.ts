/** What each adapter promises by itself. */

import { assert } from "chai";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import type { ChildHandle, SpawnOptions } from "../../src/core/runtime.ts";
import { detectRuntime, runtimeName } from "../../src/runtime/detect.ts";
import { rejection } from "../harness/rejects.ts";
import { ownRunArguments, runProgram } from "../harness/run_program.ts";
import { suite, type TestContext } from "../harness/suite.ts";
import { processFixture } from "./host_process.ts";
import { CHILD_ENV, firstText, host, isRunning, readText, tempFolder } from "./children.ts";

async function spawn(t: TestContext, script: string, options: Partial<SpawnOptions> = {}): Promise<ChildHandle> {
  const child = await host.spawn({ command: "/bin/sh", args: ["-c", script], cwd: "/", env: CHILD_ENV, ...options });
  t.cleanup(async () => {
    if (!child.killGroup("SIGKILL")) child.kill("SIGKILL");
    await child.exited;
    for (const stream of [child.stdout, child.stderr]) if (!stream.locked) await stream.cancel();
    if (!child.stdin.locked) await child.stdin.abort().catch(() => {});
  });
  return child;
}

export default suite("runtime adapter", (test) => {
  test("it is the one of this runtime, and always the same", async () => {
    const { bun, deno } = process.versions as Record<string, string | undefined>;
    assert.strictEqual(host.name, deno !== undefined ? "deno" : bun !== undefined ? "bun" : "node");
    assert.strictEqual(runtimeName(), host.name);
    assert.strictEqual(await detectRuntime(), host);
    assert.strictEqual(host.platform, process.platform as string);
    assert.strictEqual(host.arch, process.arch as string);
    assert.match(host.version, /^\d+\.\d+\.\d+/);
    assert.strictEqual(host.execPath(), process.execPath);
    assert.strictEqual(host.cwd(), process.cwd());
    assert.strictEqual(host.homeDir(), process.env["HOME"]);
    assert.strictEqual(host.environment()["PATH"], process.env["PATH"]);
    assert.isTrue(host.mayRun("/bin/sh"));
  });

  test("a signal to one that is gone is false, and never throws", async (t) => {
    const child = await spawn(t, "exit 3", { detached: true });
    assert.deepEqual(await child.exited, { code: 3, signal: null });
    assert.isFalse(child.kill("SIGTERM"));
    assert.isFalse(child.kill("SIGKILL"));
    assert.isFalse(child.groupAlive());
    assert.isFalse(child.killGroup("SIGKILL"));
  });

  test("one that has ended but was not reaped yet counts as gone", async (t) => {
    if (host.platform !== "linux") return assert.notStrictEqual(host.platform, "linux");
    const child = await spawn(t, "exit 0");
    // Without a turn of the event loop nobody reaps it.
    const giveUpAt = performance.now() + 5_000;
    while (isRunning(child.pid) && performance.now() < giveUpAt);
    assert.isFalse(child.kill("SIGTERM"));
    assert.deepEqual(await child.exited, { code: 0, signal: null });
  });

  test("a pid is signalled only if it runs and is still the same process", async (t) => {
    // The first `sleep` ends and is left a zombie by what its parent became.
    const child = await spawn(t, "sleep 0 & echo $!; exec sleep 30");
    const zombie = Number(await firstText(child.stdout));
    const identity = host.pidIdentity(child.pid);
    if (host.platform === "linux") {
      const giveUpAt = performance.now() + 5_000;
      while (isRunning(zombie) && performance.now() < giveUpAt);
      assert.isFalse(host.killPid(zombie, "SIGTERM"));
      assert.match(identity!, /^\d+$/);
      assert.isFalse(host.killPid(child.pid, "SIGTERM", `${Number(identity) - 1}`));
    }
    for (const nobody of [0, -1, 2 ** 22 + 1]) assert.isFalse(host.killPid(nobody, "SIGTERM"));
    assert.isTrue(host.killPid(child.pid, "SIGTERM", identity));
    assert.deepEqual(await child.exited, { code: null, signal: "SIGTERM" });
    assert.isFalse(host.killPid(child.pid, "SIGTERM", identity));
    assert.isUndefined(host.pidIdentity(child.pid));
  });

  test("a detached child leads a group of its own, one that is not stays in the host's", async (t) => {
    const group = async (detached: boolean): Promise<[number, number]> => {
      const child = await spawn(t, "ps -o pgid= -p $$; read -r _", { detached });
      return [Number(await firstText(child.stdout)), child.pid];
    };
    const [own, pid] = await group(true);
    assert.strictEqual(own, pid);
    const [shared, other] = await group(false);
    assert.notStrictEqual(shared, other);
  });

  test("a group outlives its leader as long as it has members, and can be ended then", async (t) => {
    const child = await spawn(t, "sleep 30 >/dev/null 2>&1 & echo $!", { detached: true });
    const member = Number(await firstText(child.stdout));
    await child.exited;
    assert.isTrue(child.groupAlive());
    assert.isTrue(child.killGroup("SIGKILL"));
    const giveUpAt = performance.now() + 5_000;
    while (isRunning(member) && performance.now() < giveUpAt) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.isFalse(isRunning(member));
  });

  test("what is not piped is empty", async (t) => {
    const child = await spawn(t, "echo out; echo err >&2", { stdout: "null", stderr: "null" });
    assert.strictEqual(await readText(child.stdout), "");
    assert.strictEqual(await readText(child.stderr), "");
    assert.deepEqual(await child.exited, { code: 0, signal: null });
  });

  test("a child whose output nobody touches is held, not read into memory", async (t) => {
    const progress = join(tempFolder(t), "progress");
    writeFileSync(progress, "0");
    const block = "head -c 65536 /dev/zero";
    const child = await spawn(t, `n=0; while [ $n -lt 200 ]; do ${block}; n=$((n+1)); echo $n > '${progress}'; done`);
    let seen = "";
    for (let now = "none"; now !== seen || now === "0";) {
      seen = now;
      await new Promise((resolve) => setTimeout(resolve, 200));
      now = readFileSync(progress, "utf8");
    }
    assert.isBelow(Number(seen), 32, "blocks of 64 KiB");
    assert.lengthOf(await readText(child.stdout), 200 * 65_536);
    assert.deepEqual(await child.exited, { code: 0, signal: null });
  });

  test("output that was written before the end can be read long after it", async (t) => {
    const child = await spawn(t, "head -c 60000 /dev/zero; echo err >&2");
    await child.exited;
    await new Promise((resolve) => setTimeout(resolve, 100));
    assert.lengthOf(await readText(child.stdout), 60_000);
    assert.strictEqual(await readText(child.stderr), "err\n");
  });

  test("files: what is there, its first bytes, and what is not", async (t) => {
    const folder = tempFolder(t);
    const path = join(folder, "file");
    writeFileSync(path, "0123456789", { mode: 0o644 });
    const { fs } = host;
    assert.deepEqual(await fs.stat(path), { kind: "file", executable: host.platform === "win32" });
    assert.deepInclude(await fs.stat("/bin/sh"), { kind: "file", executable: true });
    assert.deepInclude(await fs.stat(folder), { kind: "directory" });
    assert.deepInclude(await fs.stat("/dev/null"), { kind: "other" });
    assert.strictEqual(new TextDecoder().decode(await fs.readHead(path, 4)), "0123");
    assert.strictEqual(new TextDecoder().decode(await fs.readHead(path, 400)), "0123456789");
    assert.strictEqual(await fs.realPath(join(folder, ".", "file")), path);
    for (const none of [join(folder, "none"), join(path, "inside"), `/${"x".repeat(5_000)}`, "nul\0"]) {
      assert.isUndefined(await fs.stat(none));
      assert.isUndefined(await fs.readHead(none, 4));
      assert.isUndefined(await fs.realPath(none));
    }
    assert.isUndefined(await fs.readHead(folder, 4));
  });

  test("files: written for their owner alone, replaced, and removed", async (t) => {
    const { fs } = host;
    const folder = await fs.makeTempDir("tether-adapter-");
    t.cleanup(() => fs.remove(folder));
    assert.strictEqual(statSync(folder).mode & 0o777, 0o700);
    const path = join(folder, "secret");
    writeFileSync(path, "old and much longer", { mode: 0o644 });
    await fs.writeFile(path, "new", { mode: 0o600 });
    assert.strictEqual(readFileSync(path, "utf8"), "new");
    assert.strictEqual(statSync(path).mode & 0o777, 0o600);
    await fs.writeFile(path, new Uint8Array([104, 105]), { mode: 0o700 });
    assert.strictEqual(readFileSync(path, "utf8"), "hi");
    await fs.remove(folder);
    await fs.remove(folder);
    assert.isUndefined(await fs.stat(folder));
  });

  test("files: a private folder has a full path, also where the place for them is named by half of one", async (t) => {
    const folder = tempFolder(t);
    mkdirSync(join(folder, "half"));
    const { PATH = "", DENO_DIR = "" } = process.env;
    const env = { PATH, DENO_DIR, HOME: folder, TMPDIR: "half", NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" };
    const args = ownRunArguments(processFixture("temp_probe"));
    const { stdout, stderr } = await runProgram(t, process.execPath, args, { env, cwd: folder });
    assert.match(stdout, /^\/.*\/half\/tether-probe-[^/]+\n$/, stderr);
    assert.isTrue(existsSync(stdout.trim()));
  });

  test("files: read whole, listed as they stand, folders and links made", async (t) => {
    const { fs } = host;
    const folder = tempFolder(t);
    const decode = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes);
    await fs.makeDir(join(folder, "made"), { mode: 0o700 });
    assert.strictEqual(statSync(join(folder, "made")).mode & 0o777, 0o700);
    await rejection(fs.makeDir(join(folder, "made"), { mode: 0o700 }));
    await rejection(fs.makeDir(join(folder, "none", "made"), { mode: 0o700 }));
    writeFileSync(join(folder, "file"), "0123456789");
    await fs.linkDir(join(folder, "made"), join(folder, "link"));
    await fs.writeFile(join(folder, "link", "inside"), "through the link", { mode: 0o600 });
    assert.strictEqual(decode(await fs.readFile(join(folder, "made", "inside"))), "through the link");
    assert.strictEqual(decode(await fs.readFile(join(folder, "file"))), "0123456789");
    assert.sameDeepMembers([...await fs.readDir(folder) ?? []], [
      { name: "file", kind: "file" },
      { name: "link", kind: "link" },
      { name: "made", kind: "directory" },
    ]);
    assert.deepInclude(await fs.readDir("/dev"), { name: "null", kind: "other" });
    for (const none of [join(folder, "none"), join(folder, "file", "inside"), "nul\0"]) {
      assert.isUndefined(await fs.readFile(none));
      assert.isUndefined(await fs.readDir(none));
    }
    assert.isUndefined(await fs.readFile(folder));
    assert.isUndefined(await fs.readDir(join(folder, "file")));
    await fs.remove(join(folder, "link"));
    assert.deepEqual(await fs.readDir(join(folder, "made")), [{ name: "inside", kind: "file" }], "a link goes alone");
  });

  test("packages are found from a module, links followed", async () => {
    const folder = await host.packageDir("chai", import.meta.url);
    assert.strictEqual(await host.fs.realPath(folder!), folder);
    assert.deepInclude(await host.fs.stat(join(folder!, "package.json")), { kind: "file" });
    assert.isUndefined(await host.packageDir("@tether/no-such-package", import.meta.url));
  });
});
