import { assert } from "chai";
import { SpawnError } from "../../../src/core/errors/mod.ts";
import type { SpawnOptions } from "../../../src/core/runtime.ts";
import { explainSpawnFailure } from "../../../src/runtime/spawn_failure.ts";
import { elfHead, FakeMachine, type FakeMachineOptions } from "../../fixtures/fake_machine.ts";
import { suite } from "../../harness/suite.ts";

/** What is made of an error of the system. */
async function explain(
  error: { code?: string; name?: string; message?: string },
  options: Partial<SpawnOptions>,
  machine: FakeMachineOptions = {},
) {
  const { fs, platform } = new FakeMachine(machine);
  const full = { command: "/x/claude", args: [], env: {}, ...options };
  const spawnError = await explainSpawnFailure(fs, platform, full, Object.assign(new Error(error.message), error));
  assert.instanceOf(spawnError, SpawnError);
  assert.strictEqual(spawnError.code, `spawn_${spawnError.failure}`);
  assert.isNotEmpty((spawnError.cause as Error).name);
  return spawnError;
}

const CLAUDE = { "/x/claude": "" };

export default suite("spawn failures", (test) => {
  test("A05: a missing folder to start in is told from a missing program, and named", async () => {
    const missing = await explain({ code: "ENOENT" }, { cwd: "/nope" }, { files: CLAUDE });
    assert.strictEqual(missing.failure, "cwd_missing");
    assert.include(missing.message, '"/nope"');
    const file = await explain({ code: "ENOTDIR" }, { cwd: "/x/claude" }, { files: CLAUDE });
    assert.strictEqual(file.failure, "cwd_missing");
    assert.include(file.message, "not a directory");
  });

  test("Deno's own words are taken where nothing may be looked at", async () => {
    const blind = { blind: true };
    const no = "Failed to spawn '/x/claude': No such cwd '/nope'";
    assert.strictEqual(
      (await explain({ code: "ENOENT", message: no }, { cwd: "/nope" }, blind)).failure,
      "cwd_missing",
    );
    const file = "Failed to spawn '/x/claude': cwd is not a directory '/f'";
    assert.strictEqual((await explain({ code: "ENOENT", message: file }, { cwd: "/f" }, blind)).failure, "cwd_missing");
    assert.strictEqual((await explain({ code: "ENOENT" }, { cwd: "/" }, blind)).failure, "not_found");
    assert.strictEqual((await explain({ code: "EACCES" }, {}, blind)).failure, "not_executable");
  });

  test("A06: a missing program, by path, on PATH, or inside a file", async () => {
    for (const command of ["/x/none", "none", "/x/claude/inside"]) {
      const error = await explain({ code: "ENOENT" }, { command }, { files: CLAUDE });
      assert.strictEqual(error.failure, "not_found");
      assert.include(error.message, JSON.stringify(command));
    }
    assert.strictEqual(
      (await explain({ code: "ENOTDIR" }, { command: "/x/claude/inside" }, { files: CLAUDE })).failure,
      "not_found",
    );
    assert.strictEqual((await explain({ code: "ENAMETOOLONG" }, {})).failure, "not_found");
  });

  test("a relative program is looked for in the folder it starts in", async () => {
    const files = { "/app/bin/claude": { executable: false } };
    const error = await explain({ code: "EACCES" }, { command: "bin/claude", cwd: "/app" }, { files });
    assert.strictEqual(error.failure, "not_executable");
  });

  test("A07: there, but its loader is not: the C library is named", async () => {
    for (const [loader, libc] of [["/lib/ld-musl-x86_64.so.1", "musl"], ["/lib64/ld-linux-x86-64.so.2", "glibc"]]) {
      const files = { "/x/claude": { bytes: elfHead(loader) } };
      const error = await explain({ code: "ENOENT" }, {}, { files });
      assert.strictEqual(error.failure, "wrong_libc");
      for (const part of [libc!, "libc", loader!]) assert.include(error.message, part);
      const there = await explain({ code: "ENOENT" }, {}, { files: { ...files, [loader!]: "" } });
      assert.strictEqual(there.failure, "not_executable");
    }
  });

  test("a script whose interpreter is not there", async () => {
    const error = await explain({ code: "ENOENT" }, {}, { files: { "/x/claude": "#! /opt/none/node --x\n" } });
    assert.strictEqual(error.failure, "not_executable");
    assert.include(error.message, "/opt/none/node");
  });

  test("not marked as executable, a folder, and no program for this machine", async () => {
    const plain = { "/x/claude": { executable: false } };
    assert.strictEqual((await explain({ code: "EACCES" }, {}, { files: plain })).failure, "not_executable");
    assert.strictEqual(
      (await explain({ code: "EACCES" }, { command: "/x" }, { files: plain })).failure,
      "not_executable",
    );
    assert.strictEqual((await explain({ code: "ENOEXEC" }, {}, { files: CLAUDE })).failure, "not_executable");
    assert.strictEqual((await explain({ code: "EACCES" }, { command: "word" })).failure, "not_executable");
  });

  test("what rights forbid: Deno, Node, and the system's own", async () => {
    assert.strictEqual((await explain({ name: "NotCapable" }, {}, { blind: true })).failure, "denied");
    assert.strictEqual((await explain({ code: "ERR_ACCESS_DENIED" }, {})).failure, "denied");
    assert.strictEqual((await explain({ code: "EPERM" }, {}, { files: CLAUDE })).failure, "denied");
  });

  test("too long a command line: its size is told, its content is not", async () => {
    const error = await explain({ code: "E2BIG" }, { args: ["secret".repeat(1_000)], env: { A: "hidden" } });
    assert.strictEqual(error.failure, "too_large");
    assert.match(error.message, /6020 bytes/);
    assert.notMatch(error.message, /secret|hidden/);
    const windows = { platform: "win32" } as const;
    assert.strictEqual((await explain({ code: "ENAMETOOLONG" }, {}, windows)).failure, "too_large");
  });

  test("anything else keeps the system's word", async () => {
    const error = await explain({ code: "EMFILE" }, {});
    assert.deepEqual([error.failure, error.command], ["other", "/x/claude"]);
    assert.include(error.message, "EMFILE");
  });
});
