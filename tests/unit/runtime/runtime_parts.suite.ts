/** The pure parts under the runtime adapters. */

import { assert } from "chai";
import { executableFormat, libcOfLoader } from "../../../src/core/executable_format.ts";
import { filePath, pathRules } from "../../../src/core/paths.ts";
import { runtimeName } from "../../../src/runtime/detect.ts";
import { type NodeStyleFs, nodeStyleFs } from "../../../src/runtime/node_style_fs.ts";
import { npmArch, npmPlatform } from "../../../src/runtime/npm_names.ts";
import { findPackageDir } from "../../../src/runtime/package_dir.ts";
import { parseProcStat } from "../../../src/runtime/proc_stat.ts";
import { ProcessGroup } from "../../../src/runtime/process_group.ts";
import { someOf } from "../../../src/runtime/some_of.ts";
import { elfHead, FakeMachine } from "../../fixtures/fake_machine.ts";
import { suite } from "../../harness/suite.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

export default suite("runtime parts", (test) => {
  test("the runtime is told by what it can do", () => {
    const node = { versions: { node: "22.0.0" }, execPath: "/usr/bin/node", pid: 1, kill() {} };
    const deno = { Command: class {}, version: { deno: "2.9.6" } };
    assert.strictEqual(runtimeName({ Deno: deno, process: node }), "deno");
    assert.strictEqual(runtimeName({ Bun: { spawn() {} }, process: node }), "bun");
    assert.strictEqual(runtimeName({ process: node }), "node");
    // Edge runtimes: a process without a program, Deno without commands, nothing at all.
    assert.isUndefined(runtimeName({ process: { versions: { node: "22.0.0" }, execPath: "", pid: 1, kill() {} } }));
    assert.isUndefined(runtimeName({ process: { versions: { node: "22.0.0" } } }));
    assert.isUndefined(runtimeName({ Deno: { version: { deno: "2.9.6" } } }));
    assert.isUndefined(runtimeName({}));
  });

  test("names of platforms and processors as npm has them", () => {
    assert.deepEqual(["linux", "darwin", "windows", "win32", "freebsd"].map(npmPlatform), [
      "linux",
      "darwin",
      "win32",
      "win32",
      "other",
    ]);
    assert.deepEqual(["x86_64", "aarch64", "x64", "arm64", "riscv64"].map(npmArch), [
      "x64",
      "arm64",
      "x64",
      "arm64",
      "riscv64",
    ]);
  });

  test("paths: POSIX", () => {
    const { join, dirname, basename, isAbsolute, isBareWord } = pathRules("linux");
    assert.strictEqual(join("/a/", "b", "c"), "/a/b/c");
    assert.strictEqual(join("/", "b"), "/b");
    assert.deepEqual(["/a/b", "/a/b//", "/a", "/", "a/b", "a"].map(dirname), ["/a", "/a", "/", "/", "a", "."]);
    assert.deepEqual(["/a/b/", "b", "/"].map(basename), ["b", "b", ""]);
    assert.deepEqual(["/a", "a/b", "C:\\x"].map(isAbsolute), [true, false, false]);
    assert.deepEqual(["claude", "./claude", "a\\b"].map(isBareWord), [true, false, true]);
  });

  test("paths: Windows", () => {
    const { join, dirname, basename, isAbsolute, isBareWord } = pathRules("win32");
    assert.strictEqual(join("C:\\a\\", "b"), "C:\\a\\b");
    assert.strictEqual(join("C:\\", "b"), "C:\\b");
    assert.deepEqual(["C:\\a\\b", "C:/a/b/", "C:\\a", "C:\\", "\\\\s\\h\\x", "\\\\s\\h", "a"].map(dirname), [
      "C:\\a",
      "C:/a",
      "C:\\",
      "C:\\",
      "\\\\s\\h\\",
      "\\\\s\\h",
      ".",
    ]);
    assert.deepEqual(["C:\\a/b", "x.exe"].map(basename), ["b", "x.exe"]);
    assert.deepEqual(["C:\\a", "\\\\s\\h", "C:a", "\\a", "a"].map(isAbsolute), [true, true, false, false, false]);
    assert.deepEqual(["claude", "a/b", "a\\b", "C:claude"].map(isBareWord), [true, false, false, false]);
  });

  test("paths of URLs", () => {
    assert.strictEqual(filePath("file:///a%20b/c.ts?x#y", "linux"), "/a b/c.ts");
    assert.strictEqual(filePath("file:///C:/a%20b/c.ts", "win32"), "C:\\a b\\c.ts");
    assert.strictEqual(filePath("file://server/share/c.ts", "win32"), "\\\\server\\share\\c.ts");
    assert.strictEqual(filePath("/a/b", "linux"), "/a/b");
    for (const other of ["https://example.com/x.ts", "data:text/javascript,", "file:///a%ff", "", "rel/path"]) {
      assert.isUndefined(filePath(other, "linux"), other);
    }
  });

  test("a package is found in every folder above, links followed", async () => {
    const { fs } = new FakeMachine({
      files: {
        "/a/node_modules/@s/p/package.json": "{}",
        "/a/b/node_modules/q": { link: "/store/q" },
        "/store/q/index.js": "",
      },
    });
    const find = (name: string, from: string) => findPackageDir(fs, "linux", name, from);
    assert.strictEqual(await find("@s/p", "file:///a/b/c/d.ts"), "/a/node_modules/@s/p");
    assert.strictEqual(await find("q", "/a/b/c"), "/store/q");
    assert.isUndefined(await find("q", "/a/x"));
    assert.isUndefined(await find("q", "https://example.com/a/b/c.ts"));
  });

  test("formats of programs", () => {
    const loader = "/lib/ld-musl-x86_64.so.1";
    assert.deepEqual(executableFormat(elfHead(loader)), { kind: "elf", loader });
    assert.deepEqual(executableFormat(elfHead(undefined)), { kind: "elf", loader: undefined });
    // Cut short anywhere it is still no fault.
    const head = elfHead(loader);
    for (let size = 0; size < head.length; size++) {
      const format = executableFormat(head.subarray(0, size));
      assert.include(["elf", "unknown"], format.kind);
      if (format.kind === "elf" && size < 256 + loader.length) assert.isUndefined(format.loader);
    }
    assert.deepEqual(executableFormat(bytes("#!/usr/bin/env node\nx")), {
      kind: "script",
      interpreter: "/usr/bin/env",
    });
    assert.deepEqual(executableFormat(bytes("#! /bin/sh")), { kind: "script", interpreter: "/bin/sh" });
    assert.deepEqual(executableFormat(bytes("#!\n")), { kind: "unknown" });
    assert.deepEqual(executableFormat(new Uint8Array([0xcf, 0xfa, 0xed, 0xfe, 7])), { kind: "mach_o" });
    assert.deepEqual(executableFormat(bytes("MZ")), { kind: "pe" });
    assert.deepEqual(executableFormat(bytes("echo hi")), { kind: "unknown" });
    assert.deepEqual(executableFormat(new Uint8Array()), { kind: "unknown" });
  });

  test("loaders and their C libraries", () => {
    for (
      const [loader, libc] of [
        ["/lib64/ld-linux-x86-64.so.2", "glibc"],
        ["/lib/ld-linux-aarch64.so.1", "glibc"],
        ["/lib/ld-linux-armhf.so.3", "glibc"],
        ["/lib64/ld64.so.2", "glibc"],
        ["/lib/ld-2.31.so", "glibc"],
        ["/lib/ld-musl-aarch64.so.1", "musl"],
        ["/system/bin/linker64", undefined],
      ] as const
    ) assert.strictEqual(libcOfLoader(loader), libc, loader);
  });

  test("/proc/<pid>/stat, also with a name that looks like its fields", () => {
    const rest = "1 2 3 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 4711 99 99";
    assert.deepEqual(parseProcStat(`12 (a) S 1) ${"S " + rest}`), { zombie: false, startTime: "4711" });
    assert.deepEqual(parseProcStat(`12 (sh) Z ${rest}`), { zombie: true, startTime: "4711" });
    assert.isUndefined(parseProcStat(""));
  });

  test("a group is signalled while its leader lives", () => {
    const sent: (string | 0)[] = [];
    let there = true;
    const group = new ProcessGroup((signal) => (sent.push(signal), there), () => 0);
    assert.isTrue(group.signal("SIGTERM"));
    there = false;
    // A refusal (no right to) is no proof that it is gone.
    assert.isFalse(group.signal("SIGTERM"));
    there = true;
    assert.isTrue(group.signal(0));
    assert.deepEqual(sent, ["SIGTERM", "SIGTERM", 0]);
  });

  test("after its leader's end it is signalled only along an unbroken chain of sightings", () => {
    let now = 0;
    let there = true;
    const sent: (string | 0)[] = [];
    const group = new ProcessGroup((signal) => (sent.push(signal), there), () => now);
    group.leaderEnded();
    now = 900;
    assert.isTrue(group.signal(0));
    now = 1_800;
    assert.isTrue(group.signal("SIGKILL"));
    now = 3_000;
    assert.isFalse(group.signal("SIGKILL"));
    now = 3_001;
    assert.isFalse(group.signal(0));
    assert.deepEqual(sent, [0, "SIGKILL"]);

    const other = new ProcessGroup((signal) => (sent.push(signal), there), () => now);
    other.leaderEnded();
    there = false;
    assert.isFalse(other.signal(0));
    there = true;
    assert.isFalse(other.signal("SIGKILL"), "seen gone once, its number is nobody's we know");
  });

  test("a crowd of folders of other accounts hides none of ours for long", async () => {
    const names = [...Array.from({ length: 40 }, (_, index) => `p-${index}`), "p-ours", "other"];
    const entry = (name: string) => ({
      name,
      isFile: () => false,
      isDirectory: () => true,
      isSymbolicLink: () => false,
    });
    const fs = nodeStyleFs(
      {
        readdir: () => Promise.resolve(names.map(entry)),
        lstat: (path: string) =>
          Promise.resolve({ isDirectory: () => true, mode: 0o40700, uid: path === "/t/p-ours" ? 1 : 2 }),
      } as unknown as NodeStyleFs,
      "linux",
      (name) => `/t/${name}`,
      1,
    );
    const seen = new Set<string>();
    for (let look = 0; look < 300; look++) for (const path of await fs.ownTempDirs("p-", 5)) seen.add(path);
    assert.deepEqual([...seen], ["/t/p-ours"]);

    assert.sameMembers(someOf([1, 2, 3], 3), [1, 2, 3]);
    assert.sameMembers(someOf([1, 2, 3], 9), [1, 2, 3]);
    assert.strictEqual(new Set(someOf([1, 2, 3], 2)).size, 2);
    assert.deepEqual(someOf([], 2), []);
  });
});
