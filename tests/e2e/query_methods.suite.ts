/** What can be asked of a query about its session, its files and what is loaded, on the real CLI. */
import { assert } from "chai";
import { existsSync } from "node:fs";
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { AbortError, ControlRequestError, type HookCallback, type SDKUserMessage } from "../../mod.ts";
import { turn } from "../../src/testing/mod.ts";
import { Mailbox } from "../harness/mailbox.ts";
import { rejection, rejectsWith } from "../harness/rejects.ts";
import { suite } from "../harness/suite.ts";
import { pinnedCli } from "./real_cli.ts";
import { DONE, Scene, userMessage } from "./real_query.ts";

/** A message with a uuid of ours. */
function numbered(content: string): SDKUserMessage & { readonly uuid: string } {
  return { ...userMessage(content), uuid: crypto.randomUUID() };
}

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

async function refused(promise: Promise<unknown>): Promise<{ code: string | undefined; text: string }> {
  const error = await rejectsWith(promise, ControlRequestError);
  return { code: error.errorCode, text: error.message };
}

const isResult = (message: { readonly type: string }): boolean => message.type === "result";

export default suite("query methods on the real CLI", (test) => {
  test("the session: what it is, its modes, models and settings; refusals are typed; /clear gives it another id (H21 H22 H23 H28 N15)", async (t) => {
    const refuseHaiku: HookCallback<"PreModelSwitch"> = ({ to_model }) =>
      Promise.resolve(
        String(to_model).includes("haiku")
          ? {
            hookSpecificOutput: {
              hookEventName: "PreModelSwitch",
              permissionDecision: "deny",
              permissionDecisionReason: "too small",
            },
          }
          : {},
      );
    const prompt = new Mailbox<SDKUserMessage>();
    const scene = await Scene.start(t, {
      script: [turn.text("one"), turn.text("two")],
      prompt,
      options: { hooks: { PreModelSwitch: [{ hooks: [refuseHaiku] }] } },
    });
    const { query } = scene;
    const id = query.sessionId;

    const first = await query.initializationResult();
    assert.strictEqual(first.claude_code_version, pinnedCli().version);
    assert.isTrue(first.hooks_applied);
    assert.include(first.available_output_styles, "Concise");
    assert.deepEqual(await query.supportedModels(), first.models);
    assert.include(first.models.map(({ value }) => value), "opus");
    assert.deepInclude(first.models[0], { supportsAdaptiveThinking: true });
    assert.deepEqual(await query.supportedAgents(), first.agents);
    assert.include(first.agents.map(({ name }) => name), "Explore");
    assert.deepEqual(await query.supportedCommands(), first.commands);
    assert.include(first.commands.map(({ name }) => name), "debug");
    assert.deepInclude(await query.accountInfo(), { apiKeySource: "ANTHROPIC_API_KEY", apiProvider: "firstParty" });

    assert.deepEqual(await query.setPermissionMode("plan"), { mode: "plan" });
    assert.strictEqual((await refused(query.setPermissionMode("rubbish"))).code, "invalid_mode");
    assert.strictEqual((await refused(query.setPermissionMode("bypassPermissions"))).code, "bypass_not_launched");
    assert.deepEqual(await query.setPermissionMode("manual" as "default"), { mode: "default" });

    await query.setModel("claude-sonnet-5");
    const blocked = await refused(query.setModel("claude-haiku-4-5"));
    assert.strictEqual(blocked.code, "blocked_by_hook");
    assert.include(blocked.text, "too small");
    await query.setMaxThinkingTokens(1_000);
    await query.setMaxThinkingTokens(null, "omitted");
    assert.include((await refused(query.setMaxThinkingTokens("x" as never))).text, "max_thinking_tokens");

    await query.applyFlagSettings({ effortLevel: "low" });
    assert.include((await refused(query.applyFlagSettings("x" as never))).text, "object");
    assert.include((await refused(query.applyFlagSettings({ permissions: 5 as never }))).text, "permissions");
    await query.updateSettings("localSettings", { outputStyle: "Concise" });
    const local = await readFile(join(scene.folders.cwd, ".claude", "settings.local.json"), "utf8");
    assert.deepEqual(JSON.parse(local), { outputStyle: "Concise" });
    assert.include((await refused(query.updateSettings("localSettings", { model: "x" }))).text, "model");
    assert.include((await refused(query.updateSettings("rubbish", {}))).text, "rubbish");

    assert.deepEqual(await query.interrupt(), { still_queued: [] });

    prompt.put(userMessage("go"));
    await scene.until(isResult);
    const init = scene.messages.find((message) => message.type === "system" && message.subtype === "init");
    assert.deepInclude(init, { model: "claude-sonnet-5", session_id: await id });
    assert.strictEqual(scene.model.requests[0]?.body.model, "claude-sonnet-5");
    assert.deepEqual(scene.model.requests[0]?.body.output_config, { effort: "low" });
    await query.setModel();
    await query.applyFlagSettings({ effortLevel: null });

    prompt.put(userMessage("/clear"));
    await scene.until(({ type }) => type === "conversation_reset");
    const next = await query.sessionId;
    assert.notStrictEqual(next, await id, "a promise that was taken stays what it was");
    await scene.until(isResult);
    assert.deepInclude(scene.messages.at(-1), { session_id: next });
    prompt.put(userMessage("go on"));
    await scene.until(isResult);
    assert.deepInclude(scene.messages.at(-1), { session_id: next });
    assert.strictEqual(await query.sessionId, next);
    assert.notDeepEqual(scene.model.requests.at(-1)?.body.output_config, { effort: "low" }, "null takes it back");
    assert.notStrictEqual(scene.model.requests.at(-1)?.body.model, "claude-sonnet-5", "back to the default");
    prompt.end();
    await scene.drain();
    scene.gone(DONE);

    assert.strictEqual(await query.sessionId, next, "what is known stays known");
    assert.strictEqual(await query.initializationResult(), first);
    assert.instanceOf(await rejection(query.setPermissionMode("plan")), AbortError);
    assert.instanceOf(await rejection(query.readFile("f")), AbortError, "no null for a CLI that is gone");
  });

  test("files and reports: read, rewound, seeded; context, cost; plugins, skills and styles are loaded anew (H30 N21 N26)", async (t) => {
    const prompt = new Mailbox<SDKUserMessage>();
    const scene = await Scene.start(t, {
      script: [
        turn.toolUse("Write", { file_path: "new.txt", content: "one\n" }),
        turn.text("written"),
        turn.toolUse("Edit", { file_path: "seen.txt", old_string: "old", new_string: "new" }),
        turn.text("edited"),
      ],
      prompt,
      options: {
        enableFileCheckpointing: true,
        permissionMode: "acceptEdits",
        agents: { knitter: { description: "knits", prompt: "Knit." } },
      },
    });
    const { query, folders: { cwd, configDir } } = scene;
    const seen = join(cwd, "seen.txt");
    await writeFile(seen, "old text\n");
    const made = join(cwd, "new.txt");

    assert.deepInclude(await query.readFile("seen.txt"), {
      contents: "old text\n",
      absPath: seen,
      requested_path: "seen.txt",
    });
    assert.deepInclude(await query.readFile("seen.txt", { maxBytes: 3, encoding: "base64" }), {
      contents: "b2xk",
      encoding: "base64",
      truncated: true,
    });
    assert.isNull(await query.readFile("nothing.txt"));
    assert.isNull(await query.readFile("/etc/passwd"));

    const line = numbered("write");
    prompt.put(line);
    await scene.until(isResult);
    assert.isTrue(existsSync(made));
    const preview = await query.rewindFiles(line.uuid, { dryRun: true });
    assert.deepInclude(preview, { canRewind: true, filesChanged: [made] });
    assert.isTrue(existsSync(made), "a dry run changes nothing");
    assert.deepInclude(await query.rewindFiles(line.uuid), { canRewind: true });
    assert.isFalse(existsSync(made));
    await refused(query.rewindFiles(crypto.randomUUID()));

    // A file that was not read may not be edited; this one counts as read.
    await query.seedReadState(seen, (await stat(seen)).mtimeMs);
    prompt.put(userMessage("edit"));
    await scene.until(isResult);
    assert.strictEqual(await readFile(seen, "utf8"), "new text\n");

    const usage = await query.getContextUsage();
    assert.isAbove(usage.totalTokens, 0);
    assert.isAtLeast(usage.maxTokens, usage.totalTokens);
    assert.include(usage.categories.map(({ kind }) => kind), "free");
    assert.include(usage.agents.map(({ agentType }) => agentType), "knitter");
    assert.isAtLeast((await query.getContextUsage({ detail: "full" })).totalTokens, usage.totalTokens);
    await refused(query.getContextUsage({ detail: "rubbish" as never }));
    const cost = await query.usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET({ skipBehaviors: true });
    assert.isAbove(cost.session.total_cost_usd, 0);
    assert.deepInclude(cost, { subscription_type: null, rate_limits_available: false, rate_limits: null });

    await write(
      join(cwd, ".claude", "skills", "juggle", "SKILL.md"),
      "---\nname: juggle\ndescription: juggles\n---\nJuggle.",
    );
    const { skills } = await query.reloadSkills();
    assert.deepInclude(skills.find(({ name }) => name === "juggle"), { description: "juggles (project)" });
    await write(join(configDir, "output-styles", "pirate.md"), "---\nname: pirate\ndescription: arr\n---\nArr.");
    assert.include((await query.reloadOutputStyles()).available_output_styles, "pirate");
    const plugin = join(cwd, "plugin");
    await write(join(plugin, ".claude-plugin", "plugin.json"), JSON.stringify({ name: "extra", version: "1.0.0" }));
    await write(join(plugin, "commands", "shine.md"), "---\ndescription: shines\n---\nShine.");
    const loaded = await query.reloadPlugins({
      addPlugins: [{ type: "local", path: plugin }],
      holdOnCacheImpact: true,
      refuseIfBusy: true,
    });
    assert.strictEqual(loaded.error_count, 0);
    assert.isFalse(loaded.held);
    assert.include(loaded.plugins.map(({ name }) => name), "extra");
    assert.include(loaded.commands.map(({ name }) => name), "extra:shine");
    prompt.end();
    await scene.drain();
    assert.include((await query.supportedCommands()).map(({ name }) => name), "juggle", "told by commands_changed");
    scene.gone(DONE);
  });
});
