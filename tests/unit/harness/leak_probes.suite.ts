import { assert } from "chai";
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, existsSync, mkdtempSync, openSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { childProbe, descriptorProbe, processProbes, tempDirProbe } from "../../harness/leaks/process_probes.ts";
import { strayErrorProbe } from "../../harness/leaks/stray_error_probe.ts";
import { timerProbe } from "../../harness/leaks/timer_probe.ts";
import { runBody } from "../../harness/run_body.ts";
import { type Body, suite } from "../../harness/suite.ts";

const hasProc = existsSync("/proc/self/fd");

/** What the probe says of a body, given no time to settle. */
async function verdict(probe: Parameters<typeof runBody>[1] & object, run: Body["run"]): Promise<string> {
  const result = await runBody({ name: "leaks", timeoutMs: 5_000, run }, { settleMs: 0, ...probe });
  return result.error ?? result.outcome;
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => child.once("close", () => resolve()));
}

export default suite("harness: leak probes", (test) => {
  test("a pending timeout is a leak, and its place is told", async (t) => {
    const said = await verdict({ probes: [timerProbe()] }, () => {
      const timer = setTimeout(() => {}, 60_000);
      t.cleanup(() => clearTimeout(timer));
    });
    assert.match(said, /LeakError: timers: setTimeout\(60000 ms\) set at .*leak_probes/);
  });

  test("a running interval is a leak", async (t) => {
    const said = await verdict({ probes: [timerProbe()] }, () => {
      const timer = setInterval(() => {}, 60_000);
      t.cleanup(() => clearInterval(timer));
    });
    assert.include(said, "LeakError: timers: setInterval(60000 ms)");
  });

  test("timers that fired, or were cleared in whatever way, are none", async () => {
    const said = await verdict({ probes: [timerProbe()] }, async () => {
      clearTimeout(setTimeout(() => {}, 60_000));
      clearInterval(setInterval(() => {}, 60_000));
      clearTimeout(setInterval(() => {}, 60_000));
      clearTimeout(Number(setTimeout(() => {}, 60_000)));
      const args = await new Promise((resolve) => setTimeout((...given: number[]) => resolve(given), 1, 7, 8));
      assert.deepEqual(args, [7, 8]);
    });
    assert.equal(said, "passed");
  });

  test("the timer functions are the runtime's own again afterwards", async () => {
    const { setTimeout, setInterval, clearTimeout, clearInterval } = globalThis;
    let during: unknown;
    await verdict({ probes: [timerProbe()] }, () => {
      during = globalThis.setTimeout;
    });
    assert.notEqual(during, setTimeout);
    assert.deepEqual(
      [globalThis.setTimeout, globalThis.setInterval, globalThis.clearTimeout, globalThis.clearInterval],
      [setTimeout, setInterval, clearTimeout, clearInterval],
    );
  });

  test("a temp folder with the product's prefix is a leak, another one is not", async (t) => {
    const said = await verdict({ probes: [tempDirProbe()] }, () => {
      for (const prefix of ["tether-probe-", "other-probe-"]) {
        const folder = mkdtempSync(join(tmpdir(), prefix));
        t.cleanup(() => rmdirSync(folder));
      }
    });
    assert.match(said, /^LeakError: temp folders: tether-probe-\w+$/);
  });

  test("a rejection that is handled a moment later is none", async () => {
    const said = await verdict({ probes: [strayErrorProbe()] }, async () => {
      const failing = Promise.reject(new Error("somebody waits"));
      await Promise.resolve();
      await failing.catch(() => {});
    });
    assert.equal(said, "passed");
  });

  if (!hasProc) return;

  test("every probe runs where there is /proc", () => {
    assert.deepEqual(processProbes().map((probe) => probe.kind), ["temp folders", "children", "descriptors"]);
  });

  test("a running child is a leak", async (t) => {
    const said = await verdict({ probes: [childProbe()] }, () => {
      const child = spawn("sleep", ["60"], { stdio: "ignore" });
      t.cleanup(async () => {
        child.kill("SIGKILL");
        await ended(child);
      });
    });
    assert.match(said, /LeakError: children: pid \d+, .*sleep 60/);
  });

  test("a child that ended and was reaped is none", async () => {
    const said = await verdict({ probes: [childProbe(), descriptorProbe()], settleMs: 2_000 }, async () => {
      await ended(spawn("true"));
    });
    assert.equal(said, "passed");
  });

  test("an open file is a leak", async (t) => {
    const said = await verdict({ probes: [descriptorProbe()] }, () => {
      const fd = openSync(fileURLToPath(import.meta.url), "r");
      t.cleanup(() => closeSync(fd));
    });
    assert.match(said, /LeakError: descriptors: fd \d+, .*leak_probes/);
  });

  test("a child's open pipe is a leak", async (t) => {
    const said = await verdict({ probes: [descriptorProbe()] }, () => {
      const child = spawn("cat", { stdio: ["pipe", "ignore", "ignore"] });
      t.cleanup(async () => {
        child.stdin.end();
        await ended(child);
      });
    });
    assert.match(said, /LeakError: descriptors: fd \d+, (pipe|socket):/);
  });
});
