/** A process that the user's own function starts. */

import { assert } from "chai";
import { spawn } from "node:child_process";
import { Readable } from "node:stream";
import type { Diagnostic } from "../../src/core/diagnostics.ts";
import { CLIConnectionError, SpawnError } from "../../src/core/errors/mod.ts";
import type { SpawnedProcess, SpawnOptions } from "../../src/core/options/mod.ts";
import { startSpawned, type StartSpawnedOptions } from "../../src/transport/process/start_spawned.ts";
import { rejectsWith } from "../harness/rejects.ts";
import { suite, type TestContext } from "../harness/suite.ts";
import { CHILD_ENV, firstText, isRunning, readText } from "./children.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

function start(t: TestContext, script: string, more: Partial<StartSpawnedOptions> = {}) {
  const asked: SpawnOptions[] = [];
  const diagnostics: Diagnostic[] = [];
  const transport = startSpawned((options) => {
    asked.push(options);
    const { command, args, cwd, env } = options;
    return spawn(command, args, { cwd, env, stdio: "pipe" }) as SpawnedProcess;
  }, {
    command: "/bin/sh",
    args: ["-c", script],
    cwd: "/",
    env: CHILD_ENV,
    onDiagnostic: (event) => diagnostics.push(event),
    ...more,
  });
  t.cleanup(async () => {
    await transport.close({ graceMs: 0 });
    if (!transport.readable.locked) await transport.readable.cancel();
  });
  return { transport, diagnostics, asked: asked[0]! };
}

export default suite("custom spawner", (test) => {
  test("A22: it is asked with command, arguments, folder, environment and signal, and its process is used", async (t) => {
    const { transport, asked } = start(t, 'echo "in $PWD"; echo err >&2; cat; exit 4');
    assert.deepInclude(asked, { command: "/bin/sh", cwd: "/", env: CHILD_ENV });
    assert.strictEqual(asked.args[0], "-c");
    assert.isFalse(asked.signal.aborted);
    const text = readText(transport.readable);
    const writer = transport.writable.getWriter();
    await writer.write(encode("hello\n"));
    await writer.close();
    assert.strictEqual(await text, "in /\nhello\n");
    assert.deepEqual(await transport.exited, { code: 4, signal: null, stderrTail: "err" });
    assert.isFalse(asked.signal.aborted);
  });

  test("what it wrote before its end can be read afterwards", async (t) => {
    const { transport } = start(t, "head -c 50000 /dev/zero; exit 0");
    await transport.exited;
    assert.lengthOf(await readText(transport.readable), 50_000);
  });

  test("a stubborn one is ended by its own kill(), after its signal has aborted", async (t) => {
    const { transport, diagnostics, asked } = start(t, "trap 'exit 9' TERM; echo up; while :; do sleep 0.05; done", {
      timeouts: { graceMs: 50, termMs: 15_000 },
    });
    await firstText(transport.readable);
    await transport.close();
    assert.isTrue(asked.signal.aborted);
    assert.deepEqual(diagnostics, [{ kind: "process_forced", signal: "SIGTERM", pid: transport.pid }]);
    assert.isFalse(isRunning(transport.pid));
  });

  test("writes to one that is gone reject", async (t) => {
    const { transport } = start(t, "exit 7");
    await transport.exited;
    const error = await rejectsWith(transport.writable.getWriter().write(encode("x")), CLIConnectionError);
    assert.strictEqual(error.code, "process_ended");
  });

  test("one that could not be started ends with the reason", async (t) => {
    const { transport } = start(t, "", { command: "/no/such/program" });
    const { code, signal, stderrTail } = await transport.exited;
    assert.deepEqual([code, signal], [null, null]);
    assert.match(stderrTail, /ENOENT/);
    assert.strictEqual(await readText(transport.readable), "");
  });

  test("a spawner that throws", () => {
    const fault = new Error("mine");
    try {
      startSpawned(() => {
        throw fault;
      }, { command: "claude", args: [], env: {} });
    } catch (error) {
      assert.instanceOf(error, SpawnError);
      assert.strictEqual((error as SpawnError).cause, fault);
      return;
    }
    assert.fail("it should have thrown");
  });

  test("one without stderr and without a pid, that speaks strings, and one that has ended already", async () => {
    const listeners = new Map<string, (code: number | null, signal: string | null) => void>();
    const fake = (exitCode: number | null): SpawnedProcess => ({
      stdin: {
        write: (_chunk, callback) => (callback?.(), true),
        end: (callback) => void callback?.(),
        on: () => {},
      },
      stdout: Readable.from(["é", "x"]),
      killed: false,
      exitCode,
      kill: () => false,
      on: () => {},
      once: (event: string, listener: never) => void listeners.set(event, listener),
      off: () => {},
    });
    const running = startSpawned(() => fake(null), { command: "claude", args: [], env: {} });
    assert.strictEqual(running.pid, -1);
    await running.writable.getWriter().write(encode("x"));
    assert.strictEqual(await readText(running.readable), "éx");
    listeners.get("exit")!(null, "SIGTERM");
    assert.deepEqual(await running.exited, { code: null, signal: "SIGTERM", stderrTail: "" });

    const ended = startSpawned(() => fake(3), { command: "claude", args: [], env: {} });
    assert.deepEqual(await ended.exited, { code: 3, signal: null, stderrTail: "" });
    await ended.readable.cancel();
  });
});
