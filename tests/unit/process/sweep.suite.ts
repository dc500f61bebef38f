/** Which leftovers of killed hosts are removed, and which are not. */

import { assert } from "chai";
import { isProcessGone, type MarkHost, processMark } from "../../../src/runtime/process_mark.ts";
import { sweepLeftovers, sweepOnce } from "../../../src/transport/process/sweep_leftovers.ts";
import { MemoryFs } from "../../fixtures/memory_fs.ts";
import { suite } from "../../harness/suite.ts";

const BOOT = "3f2a9c1e-0b4d-4c5e-8f6a-1b2c3d4e5f60\n";

/** The text of `/proc/<pid>/stat`, as far as it is read. */
const stat = (start: number): string => `7 (a b) S ${"0 ".repeat(18)}${start} 0`;

/** A machine with some processes: their start times, or undefined for one that may not be looked at. */
function machine(
  processes: Readonly<Record<number, number | undefined>>,
  { boot = BOOT, space = "pid:[4026531836]", platform = "linux" }: {
    readonly boot?: string | undefined;
    readonly space?: string | undefined;
    readonly platform?: "linux" | "darwin";
  } = {},
): MarkHost {
  return {
    platform,
    pid: 7,
    readText(path) {
      if (path.endsWith("boot_id")) return boot;
      const pid = Number(/\d+/.exec(path)?.[0]);
      if (!Object.hasOwn(processes, pid)) return null;
      const start = processes[pid];
      return start === undefined ? undefined : stat(start);
    },
    readLink: () => space,
  };
}

function folders(...names: readonly string[]): MemoryFs {
  const fs = new MemoryFs({ "/tmp/": "" });
  for (const name of names) fs.nodes.set(`/tmp/${name}`, { kind: "directory", mode: 0o700 });
  return fs;
}

const left = (fs: MemoryFs): string[] => Object.keys(fs.list("/tmp")).map((name) => name.replace(/\/$/, ""));

export default suite("sweep", (test) => {
  test("a mark tells a process from a later one with its number, and from those of other boots and containers", () => {
    const mark = processMark(machine({ 7: 100 }))!;
    assert.match(mark, /^7-100-[0-9a-f]+$/);
    assert.isFalse(isProcessGone(machine({ 7: 100 }), mark), "it runs");
    assert.isTrue(isProcessGone(machine({ 7: 101 }), mark), "its number was given away");
    assert.isTrue(isProcessGone(machine({}), mark), "it has ended");
    assert.isFalse(isProcessGone(machine({ 7: undefined }), mark), "it cannot be looked at");
    assert.isFalse(isProcessGone(machine({}, { boot: BOOT.replace("3f", "40") }), mark), "another boot");
    assert.isFalse(isProcessGone(machine({}, { space: "pid:[4026532001]" }), mark), "another container");
    for (const rubbish of ["", "7", "7-100", "0-1-ab", "-7-100-ab", "7-100-xyz", `${mark}0`, `../${mark}`]) {
      assert.isFalse(isProcessGone(machine({}), rubbish), rubbish);
    }
  });

  test("where nothing is certain there is no mark", () => {
    assert.isUndefined(processMark(machine({ 7: 100 }, { platform: "darwin" })));
    assert.isUndefined(processMark(machine({ 7: 100 }, { space: "" })));
    assert.isUndefined(processMark(machine({ 7: 100 }, { boot: "none" })));
    assert.isUndefined(processMark(machine({ 7: undefined })));
    assert.isUndefined(processMark(machine({})));
  });

  test("folders of processes that are gone are removed, all others stay", async () => {
    const fs = folders(
      "tether-launch-1-1-a.Xy",
      "tether-launch-2-1-a.Xy",
      "tether-launch-Xyz",
      "tether-other-1-1-a.Xy",
    );
    fs.nodes.set("/tmp/tether-launch-1-1-a.Xy/settings.json", { kind: "file", bytes: "secret", mode: 0o600 });
    fs.nodes.set("/tmp/tether-launch-1-1-a.open", { kind: "directory", mode: 0o755 });
    fs.nodes.set("/tmp/tether-launch-1-1-a.link", { kind: "link", target: "/home" });
    const asked: string[] = [];
    const processGone = (mark: string): boolean => {
      asked.push(mark);
      return mark === "1-1-a";
    };
    await sweepLeftovers({ fs, processGone });
    assert.sameMembers(left(fs), [
      "tether-launch-1-1-a.link",
      "tether-launch-1-1-a.open",
      "tether-launch-2-1-a.Xy",
      "tether-launch-Xyz",
      "tether-other-1-1-a.Xy",
    ]);
    assert.sameMembers(asked, ["1-1-a", "2-1-a"]);
  });

  test("a sweep removes twenty at most, is made once for a host, and never fails", async () => {
    const names = Array.from({ length: 30 }, (_, n) => `tether-launch-1-1-a.${n}`);
    const many = { fs: folders(...names), processGone: () => true };
    await Promise.all([sweepOnce(many), sweepOnce(many)]);
    assert.lengthOf(left(many.fs), 10);
    const fs = folders("tether-launch-1-1-a.X");
    fs.remove = () => Promise.reject(new Error("not empty"));
    await sweepLeftovers({ fs, processGone: () => true });
    fs.ownTempDirs = () => Promise.reject(new Error("no such place"));
    await sweepLeftovers({ fs, processGone: () => true });
    assert.deepEqual(left(fs), ["tether-launch-1-1-a.X"]);
  });
});
