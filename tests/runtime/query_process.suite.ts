/** The query on real child processes that misbehave: a scripted CLI run by the host's own binary. */
import { assert } from "chai";
import { spawn } from "node:child_process";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import {
  CLIConnectionError,
  CLINotFoundError,
  type Diagnostic,
  OptionError,
  type Options,
  ProcessError,
  query,
  type SDKMessage,
  type SpawnedProcess,
} from "../../mod.ts";
import { type CliScript, scriptedCli, type ScriptedCliProgram, step } from "../../src/testing/mod.ts";
import { rejection, rejectsWith } from "../harness/rejects.ts";
import { suite, type TestContext } from "../harness/suite.ts";

type Exit = Extract<Diagnostic, { kind: "process_exited" }>;

/** What came of one query. */
interface Outcome {
  readonly error: unknown;
  readonly messages: SDKMessage[];
  readonly diagnostics: Diagnostic[];
  readonly exit: Exit | undefined;
  readonly program: ScriptedCliProgram;
}

/** A folder that goes when the body is over. */
async function folder(t: TestContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "tether-process-"));
  t.cleanup(() => rm(path, { recursive: true, force: true }));
  return path;
}

async function start(t: TestContext, script: CliScript, given: Options = {}): Promise<Outcome> {
  const program = await scriptedCli(script).program();
  t.cleanup(() => program.close());
  const diagnostics: Diagnostic[] = [];
  const messages: SDKMessage[] = [];
  const { tether, ...options } = given;
  const running = query({
    prompt: "hi",
    options: {
      pathToClaudeCodeExecutable: program.executable,
      cwd: await folder(t),
      env: { PATH: "/usr/local/bin:/usr/bin:/bin" },
      ...options,
      tether: { onDiagnostic: (event) => diagnostics.push(event), ...tether },
    },
  });
  t.cleanup(() => running.close());
  let error: unknown;
  try {
    for await (const message of running) messages.push(message);
  } catch (thrown) {
    error = thrown;
  }
  const exit = diagnostics.find((event): event is Exit => event.kind === "process_exited");
  if (exit !== undefined && existsSync("/proc/self")) {
    assert.isFalse(existsSync(`/proc/${exit.pid}`), "the child is reaped");
  }
  return { error, messages, diagnostics, exit, program };
}

/** Rejects while it is being started. */
function startFails(options: Options): Promise<unknown> {
  const running = query({ prompt: "hi", options: { env: {}, ...options } });
  return rejection(running.next());
}

/** A program that plays one turn, and does not tell its version when it is initialized. */
async function silentAboutVersion(t: TestContext, onVersion: string): Promise<string> {
  const path = join(await folder(t), "claude");
  const answer = `{"type":"control_response","response":{"subtype":"success","request_id":"'"$id"'","response":{}}}`;
  await writeFile(
    path,
    `#!/bin/sh
if [ "$1" = -v ]; then ${onVersion}; exit; fi
read -r line
id=$(printf %s "$line" | sed 's/.*"request_id":"\\([^"]*\\)".*/\\1/')
echo '${answer}'
read -r line
echo '{"type":"result","subtype":"success","is_error":false,"result":""}'
cat >/dev/null
`,
  );
  await chmod(path, 0o755);
  return path;
}

/** Where in its life a child may end. */
const STAGES: readonly (readonly [string, (end: CliScript) => CliScript])[] = [
  ["before it reads", (end) => [end]],
  ["after initialize", (end) => [step.initialize(), end]],
  ["after the prompt", (end) => [step.user(), end]],
  ["in mid-turn", (end) => [step.begin(), step.assistant("half an ans"), end]],
  ["after the result", (end) => [step.begin(), step.assistant("all of it"), step.finish({ idle: false }), end]],
];

export default suite("query on processes", (test) => {
  for (const [stage, script] of STAGES) {
    const finished = stage === "after the result";
    test(`exit 0 ${stage}: the loop ends, and says if there was no result (G13)`, async (t) => {
      const { error, exit } = await start(t, script([step.exit(0)]));
      assert.deepInclude(exit, { code: 0, signal: null });
      if (finished) assert.isUndefined(error);
      else assert.propertyVal(error, "code", "no_result");
    });
    test(`exit 7 ${stage}: a ProcessError with code, stderr, cwd and masked argv`, async (t) => {
      const { error, exit } = await start(
        t,
        script([step.stderr("ANTHROPIC_API_KEY=sk-ant-secret1234 bad\n"), step.exit(7)]),
      );
      assert.deepInclude(exit, { code: 7, signal: null });
      assert.instanceOf(error, ProcessError);
      const told = error as ProcessError;
      assert.strictEqual(told.exitCode, 7);
      assert.include(told.stderrTail, "bad");
      assert.notInclude(told.stderrTail + told.message, "secret1234");
      assert.isString(told.cwd);
      assert.isNotEmpty(told.argv);
    });
    test(`ended by SIGKILL ${stage}`, async (t) => {
      const { error, exit } = await start(t, script([step.kill("SIGKILL")]));
      assert.strictEqual(exit?.signal, "SIGKILL");
      assert.instanceOf(error, ProcessError);
      assert.deepInclude(error, { code: "process_killed", signal: "SIGKILL" });
    });
  }

  test("half a line, then death", async (t) => {
    const { error } = await start(t, [step.begin(), step.raw('{"type":"assist'), step.kill("SIGKILL")]);
    assert.instanceOf(error, ProcessError);
    assert.propertyVal((error as ProcessError).cause, "code", "truncated_output");
  });

  test("a child that ignores the end of its input is ended after the grace; the result was delivered, so no error", async (t) => {
    const { error, exit, messages, diagnostics } = await start(t, [step.turn("ok"), step.eof(), step.hang()], {
      tether: { timeouts: { graceMs: 200, termMs: 5_000 } },
    });
    assert.isUndefined(error);
    assert.isTrue(exit?.forced);
    assert.strictEqual(messages.at(-1)?.type, "result");
    assert.deepInclude(diagnostics.find((event) => event.kind === "process_forced"), { signal: "SIGTERM" });
  });

  test("a child that closes its output and lives on is ended after the grace", async (t) => {
    const { error, exit } = await start(t, [step.turn("ok"), step.closeOutput(), step.hang()], {
      tether: { timeouts: { graceMs: 200 } },
    });
    assert.isUndefined(error);
    assert.isTrue(exit?.forced);
  });

  test(
    "100 MB after the end of input, to a consumer that sleeps: nobody is ended meanwhile, nothing is lost",
    async (t) => {
      const line = JSON.stringify({
        type: "assistant",
        message: { role: "assistant", content: [] },
        pad: "x".repeat(999_900),
      });
      const file = join(await folder(t), "flood.mjs");
      await writeFile(
        file,
        `
      import { createInterface } from "node:readline";
      const say = (frame) => process.stdout.write(JSON.stringify(frame) + "\\n");
      const lines = createInterface({ input: process.stdin });
      lines.on("line", (text) => {
        const frame = JSON.parse(text);
        if (frame.type === "control_request") {
          say({ type: "control_response", response: { subtype: "success", request_id: frame.request_id, response: {} } });
        } else if (frame.type === "user") {
          say({ type: "command_lifecycle", command_uuid: frame.uuid, state: "queued" });
          say({ type: "system", subtype: "session_state_changed", state: "running", sdk_host_only: true });
          say({ type: "result", subtype: "success", is_error: false, result: "" });
          say({ type: "command_lifecycle", command_uuid: frame.uuid, state: "completed" });
          say({ type: "system", subtype: "session_state_changed", state: "idle", sdk_host_only: true });
        }
      });
      lines.on("close", async () => {
        const line = ${JSON.stringify(line)} + "\\n";
        for (let n = 0; n < 100; n++) {
          if (!process.stdout.write(line)) await new Promise((resolve) => process.stdout.once("drain", resolve));
        }
      });
      `,
      );
      const diagnostics: Diagnostic[] = [];
      const running = query({
        prompt: "hi",
        options: {
          pathToClaudeCodeExecutable: file,
          cwd: await folder(t),
          env: { PATH: "/usr/local/bin:/usr/bin:/bin" },
          tether: { timeouts: { graceMs: 500 }, onDiagnostic: (event) => diagnostics.push(event) },
        },
      });
      t.cleanup(() => running.close());
      assert.strictEqual((await running.next()).value?.type, "result");
      await new Promise((resolve) => setTimeout(resolve, 3_000));
      assert.notInclude(diagnostics.map((event) => event.kind), "process_forced");
      let count = 0;
      for await (const message of running) if (message.type === "assistant") count++;
      assert.strictEqual(count, 100);
      assert.deepInclude(diagnostics.find((event) => event.kind === "process_exited"), { code: 0, forced: false });
    },
    { timeoutMs: 60_000 },
  );

  test("a prompt that the child never reads is an error when it leaves", async (t) => {
    const running = await start(t, [step.stopReading(), step.sleep(200), step.exit(0)]);
    assert.instanceOf(running.error, ProcessError);
  });

  test("stderr reaches its callback line by line; a callback that throws ends nothing (E02, E05)", async (t) => {
    const lines: string[] = [];
    const { error, diagnostics } = await start(
      t,
      [step.stderr("one\ntw"), step.sleep(50), step.stderr("o\n\nthree"), step.turn("ok")],
      {
        stderr: (line) => {
          lines.push(line);
          throw new Error("mine");
        },
      },
    );
    assert.isUndefined(error);
    assert.deepEqual(lines, ["one", "two", "three"]);
    assert.include(diagnostics.map((event) => event.kind), "callback_failed");
  });

  test("spawnClaudeCodeProcess starts the process instead (A22)", async (t) => {
    const started: string[] = [];
    const { error, messages, exit } = await start(t, [step.turn("ok")], {
      spawnClaudeCodeProcess: ({ command, args, cwd, env }) => {
        started.push(command);
        // The process of node:child_process has the shape that is asked for.
        return spawn(command, args, { cwd, env }) as unknown as SpawnedProcess;
      },
    });
    assert.isUndefined(error);
    assert.lengthOf(started, 1);
    assert.lengthOf(messages, 3);
    assert.strictEqual(exit?.code, 0);
  });

  test("a CLI that does not tell its version is asked for it; an old one is reported (A09, A11)", async (t) => {
    const path = await silentAboutVersion(t, 'echo "1.0.77 (Claude Code)"');
    const versions: unknown[] = [];
    for (const skip of [{}, { CLAUDE_AGENT_SDK_SKIP_VERSION_CHECK: "1" }]) {
      const running = query({
        prompt: "hi",
        options: {
          pathToClaudeCodeExecutable: path,
          cwd: "/",
          env: { PATH: "/usr/bin:/bin", ...skip },
          tether: {
            timeouts: { quietMs: 50 },
            onDiagnostic: (event) => event.kind === "version_untested" && versions.push(event.version),
          },
        },
      });
      t.cleanup(() => running.close());
      for await (const message of running) assert.strictEqual(message.type, "result");
    }
    assert.deepEqual(versions, ["1.0.77"]);
  });

  test("what a version query leaves running, its output in hand, is not waited for", async (t) => {
    const pidFile = join(await folder(t), "pid");
    const path = await silentAboutVersion(t, `sleep 60 & echo $! >${pidFile}`);
    const running = query({
      prompt: "hi",
      options: {
        pathToClaudeCodeExecutable: path,
        cwd: "/",
        env: { PATH: "/usr/bin:/bin" },
        tether: { timeouts: { quietMs: 50 } },
      },
    });
    t.cleanup(() => running.close());
    for await (const message of running) assert.strictEqual(message.type, "result");
    const left = Number(await readFile(pidFile, "utf8"));
    assert.isTrue(process.kill(left, "SIGKILL"), "it was still there when the query was over");
  });

  test("options on the way: argv, env and cwd are what was asked for, secrets are not on the command line", async (t) => {
    const cwd = await folder(t);
    const { program, error } = await start(t, [step.initialize({ mcp_servers_applied: true }), step.turn("ok")], {
      cwd,
      env: { PATH: "/usr/bin:/bin", OWN: "value" },
      model: "--evil",
      allowedTools: ["Read", "Bash(ls:*)"],
      mcpServers: { remote: { type: "http", url: "http://127.0.0.1:1", headers: { Authorization: "top-secret" } } },
    });
    assert.isUndefined(error);
    const [run] = await program.runs();
    assert.include(run?.argv, "--model=--evil");
    assert.include(run?.argv, "--allowedTools=Read,Bash(ls:*)");
    assert.notInclude(run?.argv.join(" "), "top-secret");
    assert.strictEqual(run?.env.OWN, "value");
    assert.strictEqual(run?.env.CLAUDE_CODE_ENTRYPOINT, "sdk-ts");
    assert.strictEqual(run?.env.CLAUDE_CODE_SDK_READS_SESSION_STATE, "1");
    assert.strictEqual(run?.cwd, cwd);
    const config = run?.argv.find((argument) => argument.startsWith("--mcp-config="));
    if (config !== undefined) {
      assert.isFalse(existsSync(config.slice("--mcp-config=".length)), "the file is gone with the child");
    } else assert.include(JSON.stringify(run?.received[0]), "top-secret");
  });

  test("a CLI that is not there is a CLINotFoundError that names the path (A06)", async () => {
    const error = await startFails({ pathToClaudeCodeExecutable: "/nonexistent/claude", cwd: "/" });
    assert.instanceOf(error, CLINotFoundError);
    assert.include((error as Error).message, "/nonexistent/claude");
  });

  test("a folder that is not there is told apart from a missing CLI (A05)", async (t) => {
    const program = await scriptedCli([]).program();
    t.cleanup(() => program.close());
    const error = await startFails({ pathToClaudeCodeExecutable: program.executable, cwd: "/nonexistent/folder" });
    assert.instanceOf(error, CLIConnectionError);
    assert.notInstanceOf(error, CLINotFoundError);
    assert.propertyVal(error, "code", "spawn_cwd_missing");
    assert.include((error as Error).message, "/nonexistent/folder");
  });

  test("a file that cannot be started says so (A06)", async (t) => {
    const path = join(await folder(t), "claude");
    await writeFile(path, "not a program");
    await chmod(path, 0o644);
    const error = await startFails({ pathToClaudeCodeExecutable: path, cwd: "/" });
    assert.instanceOf(error, CLIConnectionError);
    assert.notInstanceOf(error, CLINotFoundError);
    assert.include((error as Error).message, path);
    const dir = join(await folder(t), "claude");
    await mkdir(dir);
    assert.instanceOf(await startFails({ pathToClaudeCodeExecutable: dir, cwd: "/" }), CLIConnectionError);
  });

  test("a program linked for a libc that is not there: the error says libc, not 'not found' (A07)", async (t) => {
    if (process.platform !== "linux") return;
    const source = await readFile("/bin/true");
    const interpreter = source.indexOf("/lib64/ld-linux") >= 0 ? "/lib64/ld-linux" : "/lib/ld-linux";
    source.write("/nolib", source.indexOf(interpreter));
    const path = join(await folder(t), "claude");
    await writeFile(path, source);
    await chmod(path, 0o755);
    const error = await startFails({ pathToClaudeCodeExecutable: path, cwd: "/" });
    assert.instanceOf(error, CLIConnectionError);
    assert.notInstanceOf(error, CLINotFoundError);
    assert.match((error as Error).message, /libc/);
  });

  const refused: readonly (readonly [string, Options, string])[] = [
    ["NUL in a value", { model: "a\0b" }, "model"],
    ["NUL in the environment", { env: { A: "a\0b" } }, "env"],
    ["a line break in an id", { resume: "a\nb" }, "resume"],
    [
      "two permission channels",
      { permissionPromptToolName: "x", canUseTool: () => Promise.resolve(null) },
      "permission",
    ],
    ["a fallback that is the model", { model: "m", fallbackModel: "m" }, "fallbackModel"],
    ["an unknown name in tether", { tether: { tiemouts: {} } as never }, "tether.tiemouts"],
    ["an impossible limit", { tether: { limits: { queueBytes: -1 } } }, "tether.limits.queueBytes"],
    ["a frame limit past the longest string", { tether: { limits: { maxMessageBytes: 2 ** 30 } } }, "tether.limits"],
    ["a skill that smuggles a rule", { skills: ["a),Bash(*"] }, "skills"],
  ];
  for (const [what, options, option] of refused) {
    test(`${what} is an OptionError, and nothing is started`, async (t) => {
      const program = await scriptedCli([]).program();
      t.cleanup(() => program.close());
      const given = { pathToClaudeCodeExecutable: program.executable, ...options };
      const started = async (): Promise<void> => {
        for await (const _ of query({ prompt: "hi", options: given }));
      };
      const error = await rejectsWith(started(), OptionError);
      assert.include(error.option, option);
      assert.deepEqual(await program.runs(), []);
    });
  }
});
