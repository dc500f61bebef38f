import { assert } from "chai";
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import process from "node:process";
import { type Options, ProcessError, query } from "../../mod.ts";
import { detectRuntime } from "../../src/runtime/detect.ts";
import {
  type CliScript,
  type JsonObject,
  replay,
  scriptedCli,
  type ScriptedCliOptions,
  type ScriptedCliProgram,
  ScriptError,
  step,
} from "../../src/testing/mod.ts";
import { rejection, rejectsWith } from "../harness/rejects.ts";
import { suite, type TestContext } from "../harness/suite.ts";
import { until } from "../harness/until.ts";

const PATH = "/usr/local/bin:/usr/bin:/bin";

async function makeProgram(
  t: TestContext,
  script: CliScript,
  options?: ScriptedCliOptions,
): Promise<ScriptedCliProgram> {
  const program = await scriptedCli(script, options).program();
  t.cleanup(() => program.close());
  return program;
}

/** A started double: what it wrote so far, and its end. */
interface Started {
  readonly child: ChildProcess;
  readonly out: () => string;
  readonly err: () => string;
  readonly outEnded: () => boolean;
  readonly closed: Promise<{ readonly code: number | null; readonly signal: string | null }>;
}

function start(t: TestContext, program: ScriptedCliProgram, args: readonly string[] = [], read = true): Started {
  const child = spawn(program.executable, args, {
    env: { PATH, CLAUDE_CODE_SDK_READS_SESSION_STATE: "1", MARK: "here" },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let out = "";
  let err = "";
  let outEnded = false;
  if (read) child.stdout!.on("data", (chunk) => out += chunk).on("end", () => outEnded = true);
  child.stderr!.on("data", (chunk) => err += chunk);
  child.stdin!.on("error", () => {}); // a double may leave before it has read everything
  const closed = new Promise<{ code: number | null; signal: string | null }>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve({ code, signal }));
  });
  t.cleanup(async () => {
    if (child.exitCode === null && child.signalCode === null) signal(child, "SIGKILL");
    child.stdout!.resume();
    await closed;
  });
  return { child, out: () => out, err: () => err, outEnded: () => outEnded, closed };
}

/** Deno 2.9 tells of any child that `child.kill()` was called on that the signal ended it. */
function signal(child: ChildProcess, name: "SIGTERM" | "SIGINT" | "SIGKILL"): void {
  process.kill(child.pid!, name);
}

const line = (frame: JsonObject) => JSON.stringify(frame) + "\n";
const USER = line({ type: "user", message: { role: "user", content: "hi" }, uuid: "u-1" });
const INITIALIZE = line({ type: "control_request", request_id: "i", request: { subtype: "initialize" } });

export default suite("scripted CLI as a process", (test) => {
  test("plays a conversation over real pipes and keeps what it saw", async (t) => {
    const program = await makeProgram(t, [step.initialize(), step.turn("Hello!")]);
    const { child, out, closed } = start(t, program, ["--verbose", "--model=x"]);
    child.stdin!.write(INITIALIZE + USER);
    await until(() => out().includes('"type":"result"') && out().includes('"idle"'));
    child.stdin!.end();
    assert.deepEqual(await closed, { code: 0, signal: null });
    const frames = out().trim().split("\n").map((text) => JSON.parse(text) as JsonObject);
    assert.deepEqual(frames.map((frame) => frame.type), [
      "control_response",
      "system",
      "command_lifecycle",
      "command_lifecycle",
      "system",
      "assistant",
      "result",
      "command_lifecycle",
      "system",
    ]);
    await program.verify();
    const [run] = await program.runs();
    assert.deepEqual(run!.argv, ["--verbose", "--model=x"]);
    assert.strictEqual(run!.pid, child.pid, "signals to the child reach the double itself");
    assert.strictEqual(run!.env.MARK, "here");
    assert.isFalse(Object.hasOwn(run!.env, "HOME"), "nothing is inherited");
    assert.deepEqual(run!.received.map((frame) => frame.type), ["control_request", "user"]);
    assert.deepEqual(run!.end, { code: 0, signal: null });
  });

  test("also starts as a command with arguments, and again and again", async (t) => {
    const program = await makeProgram(t, [step.turn("x")], { cli: "old" });
    for (let round = 0; round < 2; round++) {
      const child = spawn(program.command, [...program.args, "--round", String(round)], {
        env: { PATH },
        stdio: ["pipe", "ignore", "inherit"],
      });
      const closed = new Promise((resolve) => child.once("close", resolve));
      child.stdin!.end(USER);
      assert.strictEqual(await closed, 0);
    }
    assert.deepEqual((await program.runs()).map((run) => run.argv[1]), ["0", "1"]);
    await program.verify();
  });

  test("tells its version without playing", async (t) => {
    const program = await makeProgram(t, [step.turn("x")]);
    const { out, closed } = start(t, program, ["-v"]);
    assert.deepEqual(await closed, { code: 0, signal: null });
    assert.strictEqual(out(), "2.1.332 (Claude Code)\n");
    assert.deepEqual(await program.runs(), []);
    await rejectsWith(program.verify(), ScriptError);
  });

  test("without the variable that asks for states it sends none", async (t) => {
    const program = await makeProgram(t, [step.turn("x")]);
    const child = spawn(program.executable, [], { env: { PATH }, stdio: ["pipe", "pipe", "inherit"] });
    let out = "";
    child.stdout!.on("data", (chunk) => out += chunk);
    const closed = new Promise((resolve) => child.once("close", resolve));
    child.stdin!.end(USER);
    assert.strictEqual(await closed, 0);
    assert.include(out, "command_lifecycle");
    assert.notInclude(out, "session_state_changed");
  });

  test("an unmet expectation ends it with code 70 and words on stderr", async (t) => {
    const program = await makeProgram(t, [step.user("something else")]);
    const { child, err, closed } = start(t, program);
    child.stdin!.end(USER);
    assert.deepEqual(await closed, { code: 70, signal: null });
    assert.include(err(), "scriptedCli: input ended while it waited for a user line");
    const error = await rejectsWith(program.verify(), ScriptError);
    assert.include(error.problems[0]!, "input ended");
  });

  test("exits with a code, and by a signal", async (t) => {
    const coded = await makeProgram(t, [step.stderr("bye\n"), step.exit(3)]);
    const first = start(t, coded);
    assert.deepEqual(await first.closed, { code: 3, signal: null });
    assert.strictEqual(first.err(), "bye\n");
    const killed = start(t, await makeProgram(t, [step.kill("SIGKILL")]));
    assert.deepEqual(await killed.closed, { code: null, signal: "SIGKILL" });
    const termed = start(t, await makeProgram(t, [step.kill("SIGTERM")]));
    assert.deepEqual(await termed.closed, { code: null, signal: "SIGTERM" });
  });

  test("obeys SIGTERM with code 143 as the CLI does, SIGINT with 0", async (t) => {
    for (const [name, code] of [["SIGTERM", 143], ["SIGINT", 0]] as const) {
      const { child, out, closed } = start(t, await makeProgram(t, [step.emit({ type: "up" }), step.hang()]));
      await until(() => out() !== "");
      signal(child, name);
      assert.deepEqual(await closed, { code, signal: null });
    }
  });

  test("ignores SIGTERM and the end of input if told so, and keeps its record when killed", async (t) => {
    const program = await makeProgram(t, [step.user(), step.emit({ type: "up" })], {
      sigterm: "ignore",
      eof: "ignore",
    });
    const { child, out, closed } = start(t, program);
    child.stdin!.end(USER);
    await until(() => out() !== "");
    signal(child, "SIGTERM");
    const [alive] = await program.runs();
    assert.isUndefined(alive!.end);
    signal(child, "SIGKILL");
    assert.deepEqual(await closed, { code: null, signal: "SIGKILL" });
    const [run] = await program.runs();
    assert.lengthOf(run!.received, 1);
    assert.isUndefined(run!.unplayed);
    const error = await rejectsWith(program.verify(), ScriptError);
    assert.include(error.problems[0]!, "ended from outside");
  });

  test("ends its output and lives on", async (t) => {
    const { child, out, outEnded, closed } = start(
      t,
      await makeProgram(t, [step.emit({ type: "up" }), step.closeOutput(), step.eof(), step.exit(4)]),
    );
    await until(outEnded);
    assert.include(out(), '"up"');
    assert.isNull(child.exitCode);
    child.stdin!.end();
    assert.deepEqual(await closed, { code: 4, signal: null });
  });

  test("blocks on a full pipe like any process, and still obeys SIGTERM", async (t) => {
    const flood = Array.from({ length: 40 }, () => step.emit({ type: "flood", text: "x".repeat(100_000) }));
    const program = await makeProgram(t, [step.user(), flood, step.user("never")]);
    const { child, closed } = start(t, program, [], false);
    child.stdin!.write(USER);
    while ((await program.runs())[0]?.received.length !== 1) await new Promise((resolve) => setTimeout(resolve, 5));
    signal(child, "SIGTERM");
    child.stdout!.resume();
    assert.deepEqual(await closed, { code: 143, signal: null });
  });

  test("lets go of its input: writes of the host fail", async (t) => {
    const program = await makeProgram(t, [step.closeInput(), step.emit({ type: "up" }), step.hang()]);
    // The adapter of this runtime: Bun's own child_process passes over a pipe that nobody reads.
    const runtime = await detectRuntime();
    const child = await runtime.spawn({ command: program.executable, args: [], env: { PATH } });
    const output = child.stdout.getReader();
    const writer = child.stdin.getWriter();
    t.cleanup(async () => {
      child.kill("SIGKILL");
      await child.exited;
      await Promise.all([output.cancel(), child.stderr.cancel(), writer.abort().catch(() => {})]);
    });
    await output.read();
    await rejection((async () => {
      // A read that is under way may still take the first.
      for (;;) {
        await writer.write(new TextEncoder().encode(USER));
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    })());
    const [run] = await program.runs();
    assert.deepEqual(run!.received, []);
    assert.isUndefined(run!.end);
  });

  test("writes in pieces, and leaves a line unfinished", async (t) => {
    const program = await makeProgram(t, [
      step.pieces([{ type: "a" }, { type: "b" }], { sizes: 7, upTo: -4 }),
      step.stderr("torn"),
      step.eof(),
    ]);
    const { child, out, err, closed } = start(t, program);
    await until(() => err() === "torn");
    const [first, torn] = out().split("\n");
    assert.strictEqual((JSON.parse(first!) as JsonObject).type, "a");
    assert.match(torn!, /^\{"type":"b","uuid":".*[^}]$/);
    child.stdin!.end();
    assert.deepEqual(await closed, { code: 0, signal: null });
  });

  test("stops reading: its input fills up", async (t) => {
    const program = await makeProgram(t, [step.stopReading(), step.emit({ type: "up" }), step.hang()]);
    const { child, out } = start(t, program);
    await until(() => out() !== "");
    // Larger than what a read that was under way and the pipe can hold.
    child.stdin!.write(line({ type: "pad", text: "x".repeat(2_000_000) }) + USER);
    await new Promise((resolve) => setTimeout(resolve, 100));
    assert.deepEqual((await program.runs())[0]!.received, []);
  });

  test("functions cannot be played by a program", async () => {
    const cli = scriptedCli([step.turn("x"), step.run(() => {}), step.request("a", () => ({}))]);
    const error = await rejectsWith(cli.program(), ScriptError);
    assert.deepEqual(error.problems, [
      "step 4 (run) holds a function, which no program can be given",
      "step 5 (expect) holds a function, which no program can be given",
    ]);
  });

  test("a recording is played as a process too, and what goes wrong in it is told", async (t) => {
    const text = readFileSync(new URL("../fixtures/recordings/text.jsonl", import.meta.url), "utf8");
    const program = await replay(text).program();
    t.cleanup(() => program.close());
    const ask = (options: Options) =>
      query({
        prompt: "Hello",
        options: { ...options, pathToClaudeCodeExecutable: program.executable, env: { PATH } },
      });
    const types: string[] = [];
    for await (const message of ask({})) types.push(message.type);
    assert.deepEqual(types, ["system", "assistant", "result"]);
    await program.verify();
    const run = ask({});
    run.setModel("opus").catch(() => {}); // told by the loop
    const error = await rejectsWith(
      (async () => {
        for await (const _ of run);
      })(),
      ProcessError,
    );
    assert.strictEqual(error.exitCode, 70);
    assert.match(error.stderrTail, /replay: expected line \d+, user .*; got control_request set_model/);
    await rejectsWith(replay(text, { compare: () => true }).program(), ScriptError);
  });

  test("close removes its files", async (t) => {
    const program = await makeProgram(t, []);
    assert.isTrue(existsSync(program.executable));
    await program.close();
    assert.isFalse(existsSync(program.executable));
    await program[Symbol.asyncDispose]();
  });
});
