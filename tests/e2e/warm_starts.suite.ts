/** `startup()` and `prewarm()` on the real CLI. */
import { assert } from "chai";
import { existsSync } from "node:fs";
import { mkdir, readdir, realpath, stat, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import process from "node:process";
import {
  ControlRequestError,
  ControlTimeoutError,
  type Diagnostic,
  type Options,
  prewarm,
  ResultError,
  type SDKMessage,
  startup,
} from "../../mod.ts";
import { type ScriptedModel, scriptedModel, turn } from "../../src/testing/mod.ts";
import { patience } from "../harness/patience.ts";
import { rejection, rejectsWith } from "../harness/rejects.ts";
import { suite, type TestContext } from "../harness/suite.ts";
import { cliEnvFor, type CliHome, makeCliHome, pinnedCli } from "./real_cli.ts";
import { texts, userMessage } from "./real_query.ts";

interface Place {
  readonly model: ScriptedModel;
  readonly folders: CliHome;
  readonly diagnostics: Diagnostic[];
  readonly options: Options;
}

async function place(t: TestContext, script: Parameters<typeof scriptedModel>[0]): Promise<Place> {
  const folders = await makeCliHome(t);
  const model = await scriptedModel(script);
  t.cleanup(() => model.close());
  const diagnostics: Diagnostic[] = [];
  const options: Options = {
    pathToClaudeCodeExecutable: pinnedCli().path,
    env: cliEnvFor(model, folders),
    tether: { onDiagnostic: (event) => diagnostics.push(event), timeouts: { graceMs: 60_000 } },
  };
  return { model, folders, diagnostics, options };
}

async function collect(messages: AsyncIterable<SDKMessage>): Promise<SDKMessage[]> {
  const all: SDKMessage[] = [];
  for await (const message of messages) all.push(message);
  return all;
}

function kinds(messages: readonly SDKMessage[]): string[] {
  return messages.map((message) => "subtype" in message ? `${message.type}/${message.subtype}` : message.type);
}

/** The process left by itself, once. */
function assertGone({ diagnostics }: Place, code: number): void {
  const exits = diagnostics.flatMap((event) => event.kind === "process_exited" ? [event] : []);
  assert.deepEqual(exits.map(({ code, signal, forced }) => ({ code, signal, forced })), [
    { code, signal: null, forced: false },
  ]);
  if (existsSync("/proc/self")) assert.isFalse(existsSync(`/proc/${exits[0]?.pid}`), "the process is reaped");
}

export default suite("warm_starts_e2e", (test) => {
  test("startup: ready before there is a prompt; a hook, a result, and it leaves (H31)", async (t) => {
    const scene = await place(t, [
      turn.toolUse("Bash", { command: "echo one", description: "d" }),
      turn.text("done"),
    ]);
    const hooked: string[] = [];
    const warm = await startup({
      options: {
        ...scene.options,
        cwd: scene.folders.cwd,
        allowedTools: ["Bash"],
        hooks: {
          PreToolUse: [{
            hooks: [({ tool_name }) => {
              hooked.push(tool_name);
              return Promise.resolve({});
            }],
          }],
        },
      },
    });
    assert.lengthOf(scene.model.requests, 0, "the model was not asked");
    const messages = await collect(warm.query([userMessage("a")]));
    assert.deepEqual(texts(messages), ["done"]);
    assert.deepEqual(hooked, ["Bash"]);
    assertGone(scene, 0);
  });

  test("startup that is not used, not in time, or impossible leaves no process", async (t) => {
    const unused = await place(t, []);
    const warm = await startup({ options: { ...unused.options, cwd: unused.folders.cwd } });
    await warm.close();
    assertGone(unused, 0);
    const late = await place(t, []);
    const options = { ...late.options, cwd: late.folders.cwd };
    const error = await rejectsWith(startup({ options, initializeTimeoutMs: 1 }), ControlTimeoutError);
    assert.strictEqual(error.timeoutMs, 1);
    assertGone(late, 0);
    const impossible = await place(t, []);
    const resumed = { ...impossible.options, cwd: impossible.folders.cwd, resume: crypto.randomUUID() };
    assert.include((await rejectsWith(startup({ options: resumed }), ResultError)).message, "No conversation found");
    assertGone(impossible, 1);
  });

  test("a start that a hook holds up: with a limit of its own it ends in time, and says which hook and how far", async (t) => {
    const scene = await place(t, []);
    const settings = { hooks: { SessionStart: [{ hooks: [{ type: "command", command: "sleep 60" }] }] } };
    await writeFile(join(scene.folders.configDir, "settings.json"), JSON.stringify(settings));
    const options = { ...scene.options, cwd: scene.folders.cwd, tether: { timeouts: { graceMs: 0 } } };
    const error = await rejectsWith(startup({ options, initializeTimeoutMs: 1_500 * patience() }), ControlTimeoutError);
    assert.match(String(error.cause), /has come to \w+; hooks that run: SessionStart/);
  });

  test("prewarm: it waits in a private folder, is claimed for another, and leaves nothing behind", async (t) => {
    const scene = await place(t, [turn.text("hello")]);
    const { folders } = scene;
    // These settings travel in a private file of their own.
    const spare = await prewarm({ options: { ...scene.options, settings: { includeCoAuthoredBy: false } } });
    const spares = join(folders.configDir, "spares");
    const [name, ...others] = await readdir(spares);
    assert.lengthOf(others, 0);
    assert.strictEqual((await stat(join(spares, String(name)))).mode & 0o777, 0o700);
    const messages = await collect(spare.claim({ prompt: "hi", options: { cwd: folders.cwd } }));
    const claim = await spare.claimed;
    assert.strictEqual(claim.cwd, await realpath(folders.cwd));
    assert.isAbove(claim.parkedMs, 0);
    const init = messages.find((message) => message.type === "system" && message.subtype === "init");
    assert.deepInclude(init as unknown as Record<string, unknown>, { cwd: claim.cwd, session_id: claim.sessionId });
    assert.deepEqual(texts(messages), ["hello"]);
    await spare.exited;
    assertGone(scene, 0);
    assert.deepEqual(await readdir(spares), []);
  });

  test("prewarm: what a claim lays over it counts, and what it was started with stays", async (t) => {
    const scene = await place(t, [turn.text("hello")]);
    const { folders } = scene;
    await mkdir(join(folders.cwd, ".claude", "commands"), { recursive: true });
    await writeFile(join(folders.cwd, ".claude", "commands", "greet.md"), "Say hello.\n");
    const own = await realpath(folders.home);
    const spare = await prewarm({ options: { ...scene.options, cwd: own } });
    const running = spare.claim({
      prompt: "hi",
      options: {
        cwd: relative(process.cwd(), folders.cwd),
        model: "claude-sonnet-5",
        maxThinkingTokens: 2_000,
        permissionMode: "plan",
        settings: { effortLevel: "low" },
        appendSystemPrompt: "Speak of OLIVES.",
        title: "About olives",
        additionalDirectories: [folders.configDir],
        agents: { picker: { description: "Picks olives", prompt: "Pick." } },
      },
    });
    assert.include((await running.supportedCommands()).map(({ name }) => name), "greet", "a command of the folder");
    assert.include((await running.supportedAgents()).map(({ name }) => name), "picker");
    assert.strictEqual(await running.sessionId, (await spare.claimed).sessionId);
    const messages = await collect(running);
    const init = messages.find((message) => message.type === "system" && message.subtype === "init");
    assert.deepInclude(init as unknown as Record<string, unknown>, {
      cwd: await realpath(folders.cwd),
      model: "claude-sonnet-5",
      permissionMode: "plan",
    });
    assert.include(kinds(messages), "system/session_title_changed");
    assert.include(JSON.stringify(scene.model.requests[0]?.body.system), "Speak of OLIVES.");
    await spare.exited;
    assert.isFalse(existsSync(join(folders.configDir, "spares")), "it had a folder");
    assertGone(scene, 0);
  });

  test("prewarm: a claim the CLI refuses is told with its word, no model is asked, nothing is left", async (t) => {
    const scene = await place(t, []);
    const { folders } = scene;
    const refusals: [object, string, string | undefined][] = [
      [{ cwd: join(folders.cwd, "nowhere") }, "claim_session", "cwd_not_found"],
      [{ cwd: folders.cwd, settings: { permissions: 5 } }, "apply_flag_settings", undefined],
      [{ cwd: folders.cwd, env: { ANTHROPIC_MODEL: "x" } }, "claim_session", "env_key_not_claimable"],
    ];
    await Promise.all(refusals.map(async ([options, subtype, errorCode]) => {
      const spare = await prewarm({ options: scene.options });
      const running = spare.claim({ prompt: "hi", options: options as never });
      const error = await rejectsWith(collect(running), ControlRequestError);
      assert.deepInclude({ ...error }, { subtype, errorCode });
      assert.strictEqual(await rejection(spare.claimed), error);
      await spare.exited;
    }));
    assert.lengthOf(scene.model.requests, 0);
    assert.deepEqual(await readdir(join(folders.configDir, "spares")), []);
  });

  test("prewarm: closed or aborted while it waits, it is gone, and so is its folder", async (t) => {
    const abortController = new AbortController();
    const scene = await place(t, []);
    const closed = await prewarm({ options: scene.options });
    const tether = { ...scene.options.tether, isolateConfig: true };
    const aborted = await prewarm({ options: { ...scene.options, abortController, tether } });
    assert.lengthOf(
      await readdir(join(scene.folders.configDir, "spares")),
      1,
      "the other waits in its own config directory",
    );
    await closed.close();
    abortController.abort("enough");
    await Promise.all([closed.exited, aborted.exited]);
    assert.propertyVal(await rejection(aborted.claimed), "cause", "enough");
    assert.deepEqual(await readdir(join(scene.folders.configDir, "spares")), []);
    assert.lengthOf(scene.diagnostics.filter(({ kind }) => kind === "process_exited"), 2);
  });
});
