/** Starting processes, and what is left of them: errors, environment, stderr, descriptors. */

import { assert } from "chai";
import { chmodSync, copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { CLINotFoundError, SpawnError } from "../../src/core/errors/mod.ts";
import { liveChildren } from "../../src/transport/process/live_children.ts";
import { locateCli } from "../../src/transport/process/locate_cli.ts";
import { startProcess } from "../../src/transport/process/process_transport.ts";
import { startCli } from "../../src/transport/process/start_cli.ts";
import { rejectsWith } from "../harness/rejects.ts";
import { suite, type TestContext } from "../harness/suite.ts";
import { until } from "../harness/until.ts";
import { CHILD_ENV, host, isRunning, readBytes, readText, start, startScript, tempFolder } from "./children.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Why something does not start. */
async function failure(options: { command: string; args?: string[]; cwd?: string; env?: Record<string, string> }) {
  const starting = startProcess(host, { args: [], cwd: "/", env: CHILD_ENV, ...options });
  return await rejectsWith(starting, SpawnError);
}

/** A program of this machine, linked for a C library it does not have. Linux only. */
function foreignProgram(t: TestContext): string {
  const path = join(tempFolder(t), "claude");
  copyFileSync("/bin/true", path);
  const bytes = readFileSync(path);
  const at = bytes.indexOf("/ld-linux");
  assert.isAbove(at, 0);
  bytes.write("/ld-musl-", at, "latin1");
  writeFileSync(path, bytes);
  chmodSync(path, 0o755);
  return path;
}

export default suite("process transport", (test) => {
  test("bytes go both ways unchanged", async (t) => {
    const { transport } = await start(t, "/bin/cat", []);
    const sent = new Uint8Array(700_001).map((_, index) => (index * 31) % 256);
    const received = readBytes(transport.readable);
    const writer = transport.writable.getWriter();
    for (let at = 0; at < sent.length; at += 9_001) await writer.write(sent.slice(at, at + 9_001));
    await writer.close();
    assert.isTrue((await received).every((value, index) => value === sent[index]));
    assert.lengthOf(await received, sent.length);
    assert.deepEqual(await transport.exited, { code: 0, signal: null, stderrTail: "" });
  });

  test("the child gets its environment whole and nothing of the host's", async (t) => {
    const env = { PATH: "/usr/bin:/bin", ODD: "a=b c\nd", EMPTY: "" };
    const { transport } = await start(t, "/usr/bin/env", ["-0"], { env });
    const entries = (await readText(transport.readable)).split("\0").filter((entry) => entry !== "");
    assert.sameMembers(entries, ["PATH=/usr/bin:/bin", "ODD=a=b c\nd", "EMPTY="]);
  });

  test("folder and arguments arrive as given", async (t) => {
    const folder = tempFolder(t);
    const args = ["-c", 'pwd -P; printf "<%s>" "$@"', "sh", "a b", "", "*", "é\u2028"];
    const { transport } = await start(t, "/bin/sh", args, { cwd: folder });
    assert.strictEqual(await readText(transport.readable), `${folder}\n<a b><><*><é\u2028>`);
  });

  test("A21: the account of the child can be named", async (t) => {
    const root = process.getuid?.() === 0;
    const user = root ? "nobody" : String(process.getuid?.());
    const { transport } = await startScript(t, "id -u", { user });
    const uid = Number(await readText(transport.readable));
    assert.strictEqual(uid === process.getuid?.(), !root);
    assert.deepInclude(await transport.exited, { code: 0 });
  });

  test("it tells what was started without its secrets", async (t) => {
    const { transport } = await start(t, "/bin/sh", ["-c", "exit 0 # sk-ant-12345678", "--settings=private"]);
    assert.deepEqual(transport.description, {
      argv: ["/bin/sh", "-c", "***", "--settings=***"],
      cwd: "/",
      pid: transport.pid,
    });
  });

  test("A05: a missing folder is told from a missing program", async (t) => {
    const missing = join(tempFolder(t), "none");
    assert.include(await failure({ command: "/bin/sh", cwd: missing }), { failure: "cwd_missing" });
    assert.include((await failure({ command: "/bin/sh", cwd: missing })).message, missing);
    assert.include(await failure({ command: "/bin/sh", cwd: "/etc/passwd" }), { failure: "cwd_missing" });
    assert.include(await failure({ command: missing }), { failure: "not_found", command: missing });
    assert.include(await failure({ command: "/etc/passwd/claude" }), { failure: "not_found" });
  });

  test("a bare word that is nowhere, with a PATH and with an empty one", async () => {
    assert.include(await failure({ command: "no-such-program-here" }), { failure: "not_found" });
    assert.include(await failure({ command: "no-such-program-here", env: { PATH: "" } }), { failure: "not_found" });
    await rejectsWith(locateCli(host, { path: "sh", env: { PATH: "" } }), CLINotFoundError);
  });

  test("what is there but is no program", async (t) => {
    const folder = tempFolder(t);
    const plain = join(folder, "plain");
    writeFileSync(plain, "#!/bin/sh\n", { mode: 0o644 });
    assert.include(await failure({ command: plain }), { failure: "not_executable" });
    assert.include(await failure({ command: folder }), { failure: "not_executable" });
    const orphan = join(folder, "orphan");
    writeFileSync(orphan, `#!${folder}/no-interpreter\n`, { mode: 0o755 });
    const error = await failure({ command: orphan });
    assert.include(error, { failure: "not_executable" });
    assert.include(error.message, "no-interpreter");
  });

  test("too long a command line", async () => {
    const error = await failure({ command: "/bin/sh", args: ["-c", "exit", "x".repeat(3_000_000)] });
    assert.include(error, { failure: "too_large" });
    assert.notInclude(error.message, "xxx");
  });

  test("A07: linked for another C library, and the next build is tried", async (t) => {
    if (host.platform !== "linux") return assert.notStrictEqual(host.platform, "linux");
    const foreign = foreignProgram(t);
    const error = await failure({ command: foreign });
    assert.include(error, { failure: "wrong_libc" });
    for (const part of ["libc", "musl", foreign]) assert.include(error.message, part);
    const build = (path: string) => ({ command: path, args: [], path, source: "package" } as const);
    const options = { args: ["-c", "echo started"], cwd: "/", env: CHILD_ENV };
    const transport = await startCli(host, { ...build(foreign), alternatives: [build("/bin/sh")] }, options);
    assert.strictEqual(await readText(transport.readable), "started\n");
    await transport.exited;
    const none = startCli(host, { ...build(foreign), alternatives: [build(foreign)] }, options);
    assert.include(await rejectsWith(none, SpawnError), { failure: "wrong_libc" });
  });

  test("A06: a program that is not at the path is a CLI that was not found", async (t) => {
    const path = join(tempFolder(t), "claude");
    const cli = await locateCli(host, { path, env: CHILD_ENV });
    const error = await rejectsWith(startCli(host, cli, { args: [], env: CHILD_ENV }), CLINotFoundError);
    assert.include(error.message, path);
  });

  test("a script honours its first line when it is executable, and runs under the host's own binary when not", async (t) => {
    const folder = tempFolder(t);
    const run = async (name: string, text: string, mode: number) => {
      const path = join(folder, name);
      writeFileSync(path, text, { mode });
      chmodSync(path, mode);
      const env = { ...CHILD_ENV, HOME: folder, DENO_DIR: process.env["DENO_DIR"] ?? folder };
      const cli = await locateCli(host, { path, env });
      const transport = await startCli(host, cli, { args: ["--flag"], cwd: folder, env });
      const text_ = await readText(transport.readable);
      const { code, stderrTail } = await transport.exited;
      assert.strictEqual(code, 0, stderrTail);
      return text_.trim();
    };
    assert.strictEqual(await run("a.mjs", '#!/bin/sh\necho "by sh $1"\n', 0o755), "by sh --flag");
    const program = 'import process from "node:process"; console.log(process.versions.bun ? "bun" : ' +
      'process.versions.deno ? "deno" : "node", process.argv.at(-1));';
    assert.strictEqual(await run("b.mjs", program, 0o644), `${host.name} --flag`);
  });

  test("E02, E03: the callback gets whole lines", async (t) => {
    const { transport, lines } = await startScript(t, "printf 'one  \\n\\ntw' >&2; sleep 0.1; printf 'o\\nthree' >&2");
    await transport.exited;
    assert.deepEqual(lines, ["one", "two", "three"]);
  });

  test("E05: a callback that throws is told of, and the next lines still come", async (t) => {
    const seen: string[] = [];
    const fault = new Error("mine");
    const { transport, diagnostics } = await startScript(t, "echo one >&2; echo two >&2", {
      onStderr: (line) => {
        seen.push(line);
        throw fault;
      },
    });
    await transport.exited;
    assert.deepEqual(seen, ["one", "two"]);
    assert.deepInclude(diagnostics[0], { kind: "callback_failed", callback: "stderr", cause: fault });
  });

  test("E09: the exit carries the end of stderr, secrets masked and colours gone", async (t) => {
    const { transport } = await startScript(
      t,
      `printf '\\033[31mfailed\\033[0m for %s and %s\\n' "$MY_TOKEN" sk-ant-abcdefgh >&2; exit 1`,
      { env: { ...CHILD_ENV, MY_TOKEN: "hunter2hunter2" } },
    );
    assert.deepEqual(await transport.exited, { code: 1, signal: null, stderrTail: "failed for *** and ***" });
  });

  test("many children at once share one exit hook, and each is taken out when it is reaped", async (t) => {
    const hooks = (): number => process.listenerCount("exit");
    const before = hooks();
    const started = await Promise.all(Array.from({ length: 16 }, () => startScript(t, "cat")));
    assert.strictEqual(liveChildren(host).size, 16);
    assert.isAtMost(hooks() - before, 1);
    await Promise.all(started.map(({ transport }) => transport.close()));
    assert.strictEqual(liveChildren(host).size, 0);
    assert.strictEqual(hooks(), before);
  });

  test("a hundred children, one after the other, leave no descriptor and no process behind", async (t) => {
    const openNow = (): number => existsSync("/proc/self/fd") ? readdirSync("/proc/self/fd").length : 0;
    const one = async (): Promise<void> => {
      const { transport } = await startScript(t, "echo hi; cat");
      const text = readText(transport.readable);
      await transport.close();
      assert.strictEqual(await text, "hi\n");
      assert.isFalse(isRunning(transport.pid));
    };
    for (let warmUp = 0; warmUp < 5; warmUp++) await one();
    const before = openNow();
    for (let count = 0; count < 100; count++) await one();
    // Some are closed a turn after the exit they belong to.
    await until(() => openNow() <= before);
    assert.strictEqual(liveChildren(host).size, 0);
  }, { timeoutMs: 60_000 });

  test("children that do not start leave nothing either", async () => {
    const before = existsSync("/proc/self/fd") ? readdirSync("/proc/self/fd").length : 0;
    for (let count = 0; count < 20; count++) await failure({ command: "/no/such/program" });
    assert.strictEqual(liveChildren(host).size, 0);
    if (before > 0) await until(() => readdirSync("/proc/self/fd").length <= before);
  });

  test("output nobody wants can be cancelled, and the child notices", async (t) => {
    const { transport } = await start(t, "/usr/bin/yes", []);
    await transport.readable.cancel();
    const { code, signal } = await transport.exited;
    assert.isTrue(signal === "SIGPIPE" || code !== 0, `code ${code}, signal ${signal}`);
  });

  test("a signal is told as a signal, a code as a code, whatever was sent", async (t) => {
    const { transport } = await startScript(t, "trap 'exit 143' TERM; kill -TERM $$; sleep 5");
    assert.deepInclude(await transport.exited, { code: 143, signal: null });
    await transport.writable.getWriter().write(encode("x")).catch(() => {});
  });
});
