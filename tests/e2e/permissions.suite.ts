/** Who may run what: asks, answers, rules and races, as the real CLI has them. */
// Loaded ahead of the first query, whose budget for manifests its loading would use up.
import "@modelcontextprotocol/sdk/server/mcp.js";
import { assert } from "chai";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import {
  type CanUseTool,
  createSdkMcpServer,
  type HookCallback,
  type PermissionContext,
  type PermissionResult,
  type PermissionUpdate,
  type PermissionUpdateDestination,
  type SdkMcpServerConfig,
  type SDKMessage,
  tool,
} from "../../mod.ts";
import { deferred } from "../../src/core/deferred.ts";
import { block, turn } from "../../src/testing/mod.ts";
import { suite } from "../harness/suite.ts";
import { until } from "../harness/until.ts";
import { Scene } from "./real_query.ts";
import { Talk } from "./talk.ts";

/** A server with tools that say what they were called with. They only read, so the CLI runs them side by side. */
function letters(names: string): SdkMcpServerConfig {
  return createSdkMcpServer({
    name: "own",
    alwaysLoad: true,
    tools: [...names].map((name) =>
      tool(
        name,
        `is ${name}`,
        { text: z.string().optional() },
        ({ text }) => ({
          content: [{ type: "text", text: `${name} ran${text === undefined ? "" : ` with ${text}`}` }],
        }),
        { annotations: { readOnlyHint: true } },
      )
    ),
  });
}

function call(name: string): ReturnType<typeof block.toolUse> {
  return block.toolUse(`mcp__own__${name}`, {});
}

/** One call after the other, then a word. */
function calls(names: string): ReturnType<typeof turn.text>[] {
  return [...[...names].map((name) => turn.blocks([call(name)])), turn.text("done")];
}

/** Notes what is asked, in short, and answers as it is told to; else allows. */
class Askers {
  readonly names: string[] = [];
  readonly contexts: PermissionContext[] = [];
  /** Answers to come, in order. */
  readonly next: ((context: PermissionContext) => PermissionResult | Promise<PermissionResult>)[] = [];

  readonly canUseTool: CanUseTool = async (name, _input, context) => {
    this.names.push(name.replace("mcp__own__", ""));
    this.contexts.push(context);
    return await (this.next.shift()?.(context) ?? { behavior: "allow" });
  };

  /** What was asked since the last look. */
  take(): string {
    return this.names.splice(0).join(" ");
  }

  /** Allows the next call, with changes. */
  allowWith(...updatedPermissions: PermissionUpdate[]): void {
    this.next.push(() => ({ behavior: "allow", updatedPermissions }));
  }
}

function rules(
  type: "addRules" | "replaceRules" | "removeRules",
  name: string,
  behavior: "allow" | "deny" | "ask",
  destination: PermissionUpdateDestination = "session",
): PermissionUpdate {
  return { type, rules: [{ toolName: `mcp__own__${name}` }], behavior, destination };
}

/** What the CLI notes of a decision, by the id of the call. */
function decisions(messages: readonly SDKMessage[]): Record<string, unknown> {
  const found = messages.flatMap((message) =>
    message.type === "user"
      ? (message as { tool_result_meta?: { id: string; permission_decision?: unknown }[] })
        .tool_result_meta ?? []
      : []
  );
  return Object.fromEntries(found.map(({ id, permission_decision }) => [id, permission_decision]));
}

export default suite("permissions on the real CLI", (test) => {
  test("J06 every kind of update holds for the next call, and is kept where it was told to be", async (t) => {
    const askers = new Askers();
    let cwd = "";
    let configDir = "";
    const write = (path: string) => turn.toolUse("Write", { file_path: path, content: "x" });
    const talk = await Talk.start(t, {
      script: [
        ...calls("aa"),
        ...calls("bb"),
        ...calls("cc"),
        ...calls("dcd"),
        ...calls("ee"),
        ...calls("ff"),
        ...calls("gg"),
        ...calls("hd"),
        write("one.txt"),
        write("two.txt"),
        turn.text("done"),
        write("../outside/one.txt"),
        write("../outside/two.txt"),
        turn.text("done"),
        write("../beyond/one.txt"),
        write("../outside/three.txt"),
        turn.text("done"),
      ],
      options: (scene) => {
        ({ cwd, configDir } = scene.folders);
        return {
          mcpServers: { own: letters("abcdefgh") },
          settingSources: ["user", "project", "local"],
          canUseTool: askers.canUseTool,
        };
      },
    });
    const settings = (path: string) => existsSync(path) ? readFileSync(path, "utf8") : "";
    const local = () => settings(join(cwd, ".claude/settings.local.json"));
    // The file may be written a moment after the turn is over.
    const kept = (path: string, name: string) => until(() => settings(path).includes(`"mcp__own__${name}"`));

    askers.next.push(({ suggestions = [] }) => ({ behavior: "allow", updatedPermissions: suggestions }));
    await talk.say("a suggestion given back");
    assert.strictEqual(askers.take(), "a");
    await kept(join(cwd, ".claude/settings.local.json"), "a");

    askers.allowWith(rules("addRules", "b", "deny"));
    await talk.say("a rule that denies");
    assert.strictEqual(askers.take(), "b");
    assert.include(talk.scene.model.requests.at(-1)?.lastToolResult()?.text, "No such tool");

    askers.allowWith(rules("addRules", "c", "allow"));
    await talk.say("a rule for the session");
    assert.strictEqual(askers.take(), "c");

    askers.allowWith(rules("replaceRules", "d", "allow"));
    await talk.say("other rules instead");
    assert.strictEqual(askers.take(), "d c", "c is asked again, d no more");

    askers.allowWith(rules("addRules", "e", "allow", "userSettings"));
    await talk.say("a rule of the user");
    assert.strictEqual(askers.take(), "e");
    await kept(join(configDir, "settings.json"), "e");

    askers.allowWith(rules("addRules", "f", "allow", "cliArg"));
    await talk.say("a rule as if by argument");
    assert.strictEqual(askers.take(), "f");

    askers.allowWith(rules("addRules", "g", "allow", "projectSettings"));
    await talk.say("a rule of the project");
    await kept(join(cwd, ".claude/settings.json"), "g");
    askers.take();

    askers.allowWith(rules("removeRules", "d", "allow"));
    await talk.say("a rule that is taken back");
    assert.strictEqual(askers.take(), "h d", "d is asked again");

    askers.next.push(({ suggestions = [] }) => ({ behavior: "allow", updatedPermissions: suggestions }));
    const edits = await talk.say("edits from now on");
    assert.strictEqual(askers.take(), "Write");
    assert.include(JSON.stringify(edits), '"permissionMode":"acceptEdits"');

    askers.next.push(({ suggestions = [] }) => {
      assert.deepEqual(suggestions.map(({ type }) => type), ["addDirectories"]);
      return { behavior: "allow", updatedPermissions: suggestions };
    });
    await talk.say("a folder more");
    assert.strictEqual(askers.take(), "Write");

    askers.allowWith({
      type: "removeDirectories",
      directories: [join(cwd, "../outside")],
      destination: "session",
    });
    await talk.say("a folder less");
    assert.strictEqual(askers.take(), "Write Write");
    for (const name of ["c", "d", "f"]) assert.notInclude(local(), `"mcp__own__${name}"`);
    await talk.end();
  });

  test("J02 J03 J04 J13 J14 J16 asks side by side, each with its own answer; classification; subagents; ask rules", async (t) => {
    const askers = new Askers();
    const answers: Record<string, PermissionResult> = {
      a: { behavior: "allow", updatedInput: { text: "another" }, decisionClassification: "user_permanent" },
      b: { behavior: "deny", message: "not b", decisionClassification: "user_reject" },
      c: { behavior: "allow", updatedInput: { text: 5 } },
    };
    const allAsked = deferred<void>();
    const talk = await Talk.start(t, {
      script: {
        main: [
          turn.blocks([call("a"), call("b"), call("c")]),
          turn.text("done"),
          turn.blocks([
            block.toolUse("Bash", { command: "echo once", description: "d" }),
            block.toolUse("Bash", { command: "ls", description: "d" }),
            block.toolUse("Read", { file_path: "../nothing.txt" }),
          ]),
          turn.text("done"),
          turn.toolUse("Agent", {
            description: "d",
            prompt: "p",
            subagent_type: "general-purpose",
            run_in_background: true,
          }),
          turn.text("sent"),
          turn.text("it is back"),
        ],
        match: [{
          name: "agent",
          when: (request) => request.agentId !== undefined,
          turns: [turn.blocks([call("d")]), turn.text("agent done")],
        }],
      },
      options: ({ folders: { cwd } }) => {
        mkdirSync(join(cwd, ".claude"));
        const permissions = { ask: ["Bash(echo:*)", "Read"] };
        writeFileSync(join(cwd, ".claude/settings.json"), JSON.stringify({ permissions }));
        return {
          mcpServers: { own: letters("abcd") },
          settingSources: ["project"],
          allowedTools: ["Bash", "Read"],
          canUseTool: async (name, input, context) => {
            const result = await askers.canUseTool(name, input, context);
            if (context.agentID !== undefined || !name.startsWith("mcp__")) return result;
            if (askers.names.length === 3) allAsked.resolve();
            // None is answered before all have come, and then the last first.
            await allAsked.promise;
            return answers[name.at(-1) as string] as PermissionResult;
          },
        };
      },
    });
    const first = await talk.say("three at once");
    assert.strictEqual(askers.take(), "a b c");
    assert.deepEqual(askers.contexts.map(({ toolUseID }) => toolUseID), [1, 2, 3].map((n) => `toolu_scripted_${n}`));
    assert.lengthOf([...new Set(askers.contexts.map(({ requestId }) => requestId))], 3);
    assert.deepEqual(askers.contexts[0]?.mcpServer, { name: "own", source: "sdk" });
    const results = talk.scene.model.requests.at(-1)?.toolResults() ?? [];
    const byId = Object.fromEntries(results.map(({ toolUseId, text }) => [toolUseId.at(-1), text]));
    assert.strictEqual(byId[1], "a ran with another");
    assert.strictEqual(byId[2], "not b");
    assert.include(byId[3], "Invalid arguments for tool c");
    const noted = decisions(first);
    assert.deepEqual(noted.toolu_scripted_1, { decision: "accept", source: "user_permanent" });
    assert.deepEqual(noted.toolu_scripted_2, { decision: "reject", source: "user_reject" });
    const result = talk.scene.results()[0];
    assert.deepEqual(result?.permission_denials.map(({ tool_use_id }) => tool_use_id), ["toolu_scripted_2"]);

    askers.contexts.length = 0;
    await talk.say("an ask rule against an allow rule; reading is not asked for");
    assert.strictEqual(askers.take(), "Bash Read");
    assert.strictEqual(askers.contexts[0]?.decisionReasonType, "rule");
    assert.deepInclude(askers.contexts[1]?.matchedAskRule, { source: "projectSettings", toolName: "Read" });

    askers.contexts.length = 0;
    await talk.say("somebody else");
    await talk.end();
    assert.strictEqual(askers.take(), "d");
    assert.isString(askers.contexts[0]?.agentID);
  });

  test("J04 J17 a deny that interrupts ends the turn; an interrupt takes an open ask back; a plan is asked for", async (t) => {
    const open = deferred<AbortSignal>();
    const asked: string[] = [];
    const talk = await Talk.start(t, {
      script: [
        turn.blocks([call("a")]),
        turn.blocks([call("b")]),
        turn.toolUse("ExitPlanMode", { plan: "do it" }),
        turn.text("the end"),
      ],
      options: {
        mcpServers: { own: letters("ab") },
        canUseTool: async (name, _input, { signal }) => {
          asked.push(name);
          if (name.endsWith("a")) return { behavior: "deny", message: "stop it all", interrupt: true };
          if (name === "ExitPlanMode") return { behavior: "allow" };
          open.resolve(signal);
          return await deferred<PermissionResult>().promise;
        },
      },
    });
    const [denied] = (await talk.say("one")).filter((message) => message.type === "result");
    assert.deepInclude(denied, { subtype: "error_during_execution", terminal_reason: "aborted_tools" });
    const over = talk.say("two");
    const signal = await open.promise;
    await talk.scene.query.interrupt();
    await over;
    assert.isTrue(signal.aborted);
    await talk.scene.query.setPermissionMode("plan");
    await talk.say("three");
    assert.strictEqual(asked.at(-1), "ExitPlanMode");
    await talk.end();
  });

  test("J04 a turn that a deny interrupts ends the query with a result, not with an error", async (t) => {
    const scene = await Scene.start(t, {
      script: [turn.toolUse("Bash", { command: "touch stopped", description: "makes a file" })],
      prompt: "Make a file.",
      options: { canUseTool: () => Promise.resolve({ behavior: "deny", message: "stop it all", interrupt: true }) },
    });
    const kinds: unknown[] = [];
    for await (const message of scene.query) if (message.type === "result") kinds.push(message.subtype);
    assert.deepEqual(kinds, ["error_during_execution"]);
  });

  test("I19 the hook and the callback are asked together: the first verdict counts, and the other is taken back", async (t) => {
    const asks: { readonly name: string; readonly signal: AbortSignal }[] = [];
    const callbackFirst = deferred<void>();
    const hook: HookCallback<"PermissionRequest"> = async ({ tool_name }) => {
      if (tool_name.endsWith("c")) return;
      if (!tool_name.endsWith("a")) {
        await callbackFirst.promise;
        return { hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { behavior: "deny" } } };
      }
      // The callback has been asked, too, and is still thinking.
      while (asks.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      const decision = { behavior: "allow", updatedInput: { text: "the hook's" } } as const;
      return { hookSpecificOutput: { hookEventName: "PermissionRequest", decision } };
    };
    const talk = await Talk.start(t, {
      script: [turn.blocks([call("a")]), turn.blocks([call("b")]), turn.blocks([call("c")]), turn.text("done")],
      options: {
        mcpServers: { own: letters("abc") },
        hooks: {
          PermissionRequest: [
            { hooks: [hook] },
            { matcher: "mcp__own__c", onFailure: "block", hooks: [() => Promise.reject(new Error("it is closed"))] },
          ],
        },
        canUseTool: async (name, _input, { signal }) => {
          asks.push({ name, signal });
          if (name.endsWith("b")) return { behavior: "allow", updatedInput: { text: "the callback's" } };
          return await deferred<PermissionResult>().promise;
        },
      },
    });
    const messages = await talk.say("go");
    callbackFirst.resolve();
    const texts = talk.scene.model.requests.slice(1, 4).map((request) => request.lastToolResult()?.text);
    assert.deepEqual(texts, [
      "a ran with the hook's",
      "b ran with the callback's",
      "PermissionRequest hook failed: it is closed",
    ]);
    assert.isTrue(asks[0]?.signal.aborted, "the hook was first: the callback is told");
    assert.deepEqual(decisions(messages), {
      toolu_scripted_1: { decision: "accept", source: "hook", reason_type: "hook" },
      toolu_scripted_2: { decision: "accept", source: "user_temporary" },
      toolu_scripted_3: { decision: "reject", source: "hook", reason_type: "hook" },
    });
    await talk.end();
  });

  test("J15 without anybody to ask a call is denied, and the stream says so", async (t) => {
    const scene = await Scene.start(t, {
      script: [turn.toolUse("Bash", { command: "touch x", description: "d" }), turn.text("done")],
      prompt: "go",
    });
    await scene.drain();
    assert.include(scene.kinds(), "system/permission_denied");
    assert.isFalse(existsSync(join(scene.folders.cwd, "x")));
  });
});
