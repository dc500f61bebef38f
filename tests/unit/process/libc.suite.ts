import { assert } from "chai";
import { SpawnError } from "../../../src/core/errors/mod.ts";
import { probeLibc } from "../../../src/transport/process/libc.ts";
import type { LocatedCli } from "../../../src/transport/process/located_cli.ts";
import { startCli } from "../../../src/transport/process/start_cli.ts";
import { CLINotFoundError } from "../../../src/core/errors/mod.ts";
import { elfHead, FakeMachine, type FakeMachineOptions } from "../../fixtures/fake_machine.ts";
import { rejectsWith } from "../../harness/rejects.ts";
import { suite } from "../../harness/suite.ts";

const GLIBC = { bytes: elfHead("/lib64/ld-linux-x86-64.so.2") };
const MUSL = { bytes: elfHead("/lib/ld-musl-x86_64.so.1") };

function probe(files: FakeMachineOptions["files"], more: FakeMachineOptions = {}) {
  return probeLibc(new FakeMachine({ files: files!, ...more }));
}

function candidate(path: string) {
  return { command: path, args: [], path, source: "package" } as const;
}

const BOTH: LocatedCli = { ...candidate("/a/claude"), alternatives: [candidate("/b/claude")] };

export default suite("C library", (test) => {
  test("the system's own shell tells first, whatever the runtime says of itself", async () => {
    assert.strictEqual(await probe({ "/bin/sh": GLIBC }, { libcHint: "musl" }), "glibc");
    assert.strictEqual(await probe({ "/bin/sh": MUSL }, { libcHint: "glibc" }), "musl");
    const nix = { bytes: elfHead("/nix/store/x-glibc-2.40/lib/ld-linux-x86-64.so.2") };
    assert.strictEqual(await probe({ "/bin/sh": nix }), "glibc");
    assert.strictEqual(await probe({ "/bin/sh": { link: "/bin/busybox" }, "/bin/busybox": MUSL }), "musl");
  });

  test("a static shell says nothing; ldd, then the loaders do", async () => {
    const sh = { bytes: elfHead(undefined) };
    assert.strictEqual(await probe({ "/bin/sh": sh, "/usr/bin/ldd": "#!/bin/sh\n# the musl loader" }), "musl");
    assert.strictEqual(await probe({ "/bin/sh": sh, "/usr/bin/ldd": "#! /bin/bash\n# GNU C Library" }), "glibc");
    assert.strictEqual(await probe({ "/bin/sh": sh, "/lib/ld-musl-x86_64.so.1": "" }), "musl");
    assert.strictEqual(
      await probe({ "/bin/sh": sh, "/lib/ld-linux-aarch64.so.1": "" }, { arch: "arm64" }),
      "glibc",
    );
  });

  test("both loaders say nothing; then the runtime's word is taken, and without it nothing is known", async () => {
    const both = { "/lib/ld-musl-x86_64.so.1": "", "/lib64/ld-linux-x86-64.so.2": "" };
    assert.strictEqual(await probe(both, { libcHint: "musl" }), "musl");
    assert.isUndefined(await probe(both));
    assert.strictEqual(await probe({}, { blind: true, libcHint: "glibc" }), "glibc");
  });

  test("A07: a build that will not start for want of its C library gives way to the other one", async () => {
    const machine = new FakeMachine({ refuses: (command) => command === "/a/claude" ? "wrong_libc" : undefined });
    const transport = await startCli(machine, BOTH, { args: ["-v"], env: {}, lifeline: false });
    assert.deepEqual(machine.children.map(({ options }) => [options.command, ...options.args]), [["/b/claude", "-v"]]);
    machine.children[0]!.end();
    await transport.exited;
  });

  test("A07: when none starts the error names every build, libc and the way out", async () => {
    const error = await rejectsWith(
      startCli(new FakeMachine({ refuses: () => "wrong_libc" }), BOTH, { args: [], env: {} }),
      SpawnError,
    );
    assert.strictEqual(error.failure, "wrong_libc");
    for (const part of ["/a/claude", "/b/claude", "libc", "musl", "glibc", "pathToClaudeCodeExecutable"]) {
      assert.include(error.message, part);
    }
    assert.instanceOf(error.cause, SpawnError);
  });

  test("any other failure ends the search", async () => {
    const machine = new FakeMachine({ refuses: () => "cwd_missing" });
    const error = await rejectsWith(startCli(machine, BOTH, { args: [], env: {} }), SpawnError);
    assert.strictEqual(error.failure, "cwd_missing");
  });

  test("A06: nothing at the path is a CLI that was not found, with the path", async () => {
    const machine = new FakeMachine({ refuses: () => "not_found" });
    const error = await rejectsWith(startCli(machine, BOTH, { args: [], env: {} }), CLINotFoundError);
    assert.include(error.message, "/a/claude");
    assert.deepEqual(error.tried, ["/a/claude"]);
    assert.instanceOf(error.cause, SpawnError);
  });
});
