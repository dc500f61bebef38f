/** Children that misbehave, each ended all the same, and nothing of what they said lost. */

import { assert } from "chai";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CLIConnectionError } from "../../src/core/errors/mod.ts";
import { rejectsWith } from "../harness/rejects.ts";
import { suite } from "../harness/suite.ts";
import { until } from "../harness/until.ts";
import {
  firstText,
  isRunning,
  killWith,
  newMark,
  pause,
  readBytes,
  readText,
  runningWith,
  startScript,
  tempFolder,
} from "./children.ts";

const QUICK = { graceMs: 150, termMs: 150 };
/** Lives until it is killed, whatever is on its input. */
const LINGER = "while :; do sleep 0.05; done";
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

export default suite("stubborn children", (test) => {
  test("F06: one that leaves at the end of its input gets no signal and has the time to save", async (t) => {
    const saved = join(tempFolder(t), "saved");
    const { transport, diagnostics } = await startScript(t, `cat; sleep 0.2; echo done > '${saved}'`);
    await transport.close();
    assert.deepEqual(await transport.exited, { code: 0, signal: null, stderrTail: "" });
    assert.strictEqual(readFileSync(saved, "utf8"), "done\n");
    assert.deepEqual(diagnostics, []);
    assert.isFalse(isRunning(transport.pid));
  });

  test("F05, F07: one that ignores the end of its input is ended by SIGTERM and by nothing harder", async (t) => {
    const { transport, diagnostics } = await startScript(t, `trap 'exit 3' TERM; echo up; ${LINGER}`, {
      timeouts: { graceMs: 100, termMs: 15_000 },
    });
    await firstText(transport.readable);
    await transport.close();
    assert.deepInclude(await transport.exited, { code: 3, signal: null });
    assert.deepEqual(diagnostics, [{ kind: "process_forced", signal: "SIGTERM", pid: transport.pid }]);
    assert.isFalse(isRunning(transport.pid));
  });

  test("F05: one that ignores SIGTERM too is killed", async (t) => {
    const { transport, diagnostics } = await startScript(t, `trap '' TERM; echo up; ${LINGER}`, { timeouts: QUICK });
    await firstText(transport.readable);
    await transport.close();
    assert.deepInclude(await transport.exited, { code: null, signal: "SIGKILL" });
    assert.deepEqual(diagnostics.map((event) => "signal" in event && event.signal), ["SIGTERM", "SIGKILL"]);
    assert.isFalse(isRunning(transport.pid));
  });

  test("what a killed one has started in its group goes with it", async (t) => {
    const mark = newMark();
    t.cleanup(() => killWith(mark));
    const { transport } = await startScript(
      t,
      `trap '' TERM; sh -c "${LINGER}" ${mark} >/dev/null 2>&1 & echo up; ${LINGER}`,
      { timeouts: QUICK },
    );
    await firstText(transport.readable);
    assert.isNotEmpty(runningWith(mark));
    await transport.close();
    assert.isEmpty(runningWith(mark));
  });

  test("one that obeys SIGTERM while its helper does not: the helper is killed after the same patience", async (t) => {
    const mark = newMark();
    t.cleanup(() => killWith(mark));
    const { transport } = await startScript(
      t,
      `sh -c "trap '' TERM; ${LINGER}" ${mark} >/dev/null 2>&1 & sleep 0.3; echo up; trap 'exit 0' TERM; ${LINGER}`,
      { timeouts: QUICK },
    );
    await firstText(transport.readable);
    await transport.close();
    assert.isEmpty(runningWith(mark));
  });

  test("one that leaves in good order may leave something running: that was its own will", async (t) => {
    const mark = newMark();
    t.cleanup(() => killWith(mark));
    const { transport } = await startScript(t, `sh -c "${LINGER}" ${mark} >/dev/null 2>&1 </dev/null & cat`);
    await until(() => runningWith(mark).length > 0);
    await transport.close();
    assert.deepInclude(await transport.exited, { code: 0 });
    assert.isNotEmpty(runningWith(mark));
  });

  test("one that closes its output but lives: the output ends, it does not, and close ends it", async (t) => {
    const { transport } = await startScript(t, `echo last; exec >&- 2>&-; ${LINGER}`, { timeouts: QUICK });
    assert.strictEqual(await readText(transport.readable), "last\n");
    assert.isTrue(isRunning(transport.pid));
    await transport.close();
    assert.isFalse(isRunning(transport.pid));
  });

  test("a grandchild that holds the output delays the end a moment, and what the child wrote all arrives", async (t) => {
    const mark = newMark();
    t.cleanup(() => killWith(mark));
    const { transport } = await startScript(t, `sh -c "${LINGER}" ${mark} & head -c 60000 /dev/zero; echo last`);
    assert.deepInclude(await transport.exited, { code: 0, signal: null });
    const text = await readText(transport.readable);
    assert.strictEqual(text.length, 60_005);
    assert.isTrue(text.endsWith("last\n"));
    assert.isNotEmpty(runningWith(mark));
  });

  test("a grandchild that floods the output on and on cannot keep it open", async (t) => {
    const mark = newMark();
    t.cleanup(() => killWith(mark));
    const { transport } = await startScript(t, `yes ${mark} & echo first; sleep 0.1`);
    const text = await readText(transport.readable);
    assert.include(text, "first\n");
    assert.deepInclude(await transport.exited, { code: 0 });
  });

  test("E06: a grandchild that holds stderr delays nothing, and the half line before it is told", async (t) => {
    const mark = newMark();
    t.cleanup(() => killWith(mark));
    const { transport, lines } = await startScript(
      t,
      `sh -c "${LINGER}" ${mark} >/dev/null & printf 'half a li' >&2; exit 7`,
    );
    assert.deepEqual(await transport.exited, { code: 7, signal: null, stderrTail: "half a li" });
    assert.deepEqual(lines, ["half a li"]);
    assert.isNotEmpty(runningWith(mark));
  });

  test("E01, E08: a megabyte of stderr that nobody asked for is read, and stops nobody", async (t) => {
    const { transport } = await startScript(
      t,
      "head -c 1048576 /dev/zero | tr '\\0' e >&2; echo through; echo end >&2",
      {
        onStderr: undefined,
        limits: { stderrTailBytes: 10 },
      },
    );
    assert.strictEqual(await readText(transport.readable), "through\n");
    assert.deepEqual(await transport.exited, { code: 0, signal: null, stderrTail: "eeeeeeend" });
  });

  test("one that writes half a line and dies", async (t) => {
    const { transport } = await startScript(t, `printf '{"type":"assist'; kill -KILL $$`);
    assert.strictEqual(await readText(transport.readable), '{"type":"assist');
    assert.deepInclude(await transport.exited, { code: null, signal: "SIGKILL" });
  });

  for (const stage of ["at once", "after a line of input", "in mid-output", "at the end of input"] as const) {
    const before = {
      "at once": "",
      "after a line of input": "read -r line; ",
      "in mid-output": "read -r line; echo partly; ",
      "at the end of input": "cat; ",
    }[stage];
    for (
      const [end, expected] of [
        ["exit 0", { code: 0, signal: null }],
        ["exit 7", { code: 7, signal: null }],
        ["kill -TERM $$; sleep 5", { code: null, signal: "SIGTERM" }],
      ] as const
    ) {
      test(`one that ends ${stage}: ${end}`, async (t) => {
        const { transport, diagnostics } = await startScript(t, before + end);
        const writer = transport.writable.getWriter();
        // Whether a child that is leaving still takes a line is a matter of chance.
        await writer.write(bytes("line\n")).catch(() => {});
        await writer.close().catch(() => {});
        const text = await readText(transport.readable);
        assert.deepInclude(await transport.exited, expected);
        assert.strictEqual(
          text,
          stage === "in mid-output" ? "partly\n" : stage === "at the end of input" ? "line\n" : "",
        );
        assert.deepEqual(diagnostics, []);
      });
    }
  }

  test("F15: one that does not read its input: writes wait, and close is bounded", async (t) => {
    const { transport } = await startScript(t, `echo up; ${LINGER}`, { timeouts: QUICK });
    await firstText(transport.readable);
    const writer = transport.writable.getWriter();
    const chunk = new Uint8Array(64 * 1024);
    let taken = 0;
    let failure: unknown;
    const writing = (async () => {
      try {
        for (;;) {
          await writer.write(chunk);
          taken += chunk.length;
        }
      } catch (error) {
        failure = error;
      }
    })();
    for (let seen = -1; seen !== taken;) {
      seen = taken;
      await pause(100);
    }
    assert.isAtMost(taken, 1024 * 1024, "a full pipe holds the writer");
    await transport.close();
    await writing;
    assert.instanceOf(failure, CLIConnectionError);
    assert.isFalse(isRunning(transport.pid));
  });

  test("F03: one that closes its input but lives: a write rejects, the output goes on", async (t) => {
    const { transport } = await startScript(t, `exec <&-; echo up; sleep 0.3; echo still here; ${LINGER}`, {
      timeouts: QUICK,
    });
    assert.strictEqual(await firstText(transport.readable), "up\n");
    const writer = transport.writable.getWriter();
    const error = await rejectsWith(
      (async () => {
        for (let count = 0; count < 100; count++) await writer.write(new Uint8Array(64 * 1024));
      })(),
      CLIConnectionError,
    );
    assert.strictEqual(error.code, "input_closed");
    assert.strictEqual(await firstText(transport.readable), "still here\n");
  });

  test("F02: a write to one that is gone rejects with how it ended, a large one in flight too", async (t) => {
    const { transport } = await startScript(t, "sleep 0.2; exit 7");
    const writer = transport.writable.getWriter();
    await rejectsWith(writer.write(new Uint8Array(8 * 1024 * 1024)), CLIConnectionError);
    await transport.exited;
    const other = await startScript(t, "exit 7");
    await other.transport.exited;
    const error = await rejectsWith(other.transport.writable.getWriter().write(bytes("x")), CLIConnectionError);
    assert.strictEqual(error.code, "process_ended");
    assert.include(error.message, "exit code 7");
  });

  test("one that floods its output while nobody reads is held, and nothing is lost or buffered", async (t) => {
    const progress = join(tempFolder(t), "progress");
    const { transport } = await startScript(
      t,
      `n=0; while [ $n -lt 200 ]; do head -c 65536 /dev/zero; n=$((n+1)); echo $n > '${progress}'; done`,
    );
    const written = (): string => existsSync(progress) ? readFileSync(progress, "utf8") : "";
    for (let seen = "none"; seen !== written() || seen === "";) {
      seen = written();
      await pause(200);
    }
    assert.isBelow(Number(written()), 32, "blocks that were written without a reader");
    assert.lengthOf(await readBytes(transport.readable), 200 * 65_536);
    assert.deepInclude(await transport.exited, { code: 0 });
  });

  test("one that floods while nobody reads is closed all the same, and what it wrote is still there", async (t) => {
    const { transport } = await startScript(t, "echo first; exec yes", { timeouts: { graceMs: 50, termMs: 15_000 } });
    await transport.close();
    assert.deepInclude(await transport.exited, { code: null, signal: "SIGTERM" });
    // F18
    assert.match(await readText(transport.readable), /^first\n(y\n)+/);
  });

  test("F12: close is idempotent, a later one with less patience shortens it, and closing what is gone is nothing", async (t) => {
    const { transport, diagnostics } = await startScript(t, `trap '' TERM; echo up; ${LINGER}`, {
      timeouts: { graceMs: 60_000, termMs: 100 },
    });
    await firstText(transport.readable);
    const first = transport.close();
    await Promise.all([first, transport.close({ graceMs: 30_000 }), transport.close({ graceMs: 20 })]);
    assert.lengthOf(diagnostics, 2);
    await transport.close();
    await transport.close({ graceMs: 0 });
    assert.lengthOf(diagnostics, 2);
  });

  test("a last frame handed over before close still reaches the child", async (t) => {
    const { transport } = await startScript(t, "cat");
    const text = readText(transport.readable);
    const writer = transport.writable.getWriter();
    void writer.write(bytes("one\n"));
    void writer.write(bytes("two\n"));
    await transport.close();
    assert.strictEqual(await text, "one\ntwo\n");
  });
});
