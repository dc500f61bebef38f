/** Every hook event that the real CLI sends to a callback, and what it makes of the answers. */
// Loaded ahead of the first query, whose budget for manifests its loading would use up.
import "@modelcontextprotocol/sdk/server/mcp.js";
import { assert } from "chai";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  createSdkMcpServer,
  HOOK_EVENTS,
  type HookCallback,
  type HookEvent,
  type HookInput,
  type HookInputMap,
  type Hooks,
  query,
  type SDKMessage,
  tool,
} from "../../mod.ts";
import { deferred } from "../../src/core/deferred.ts";
import { block, turn } from "../../src/testing/mod.ts";
import { suite } from "../harness/suite.ts";
import { until } from "../harness/until.ts";
import { Scene } from "./real_query.ts";
import { Talk } from "./talk.ts";

/** Sent around a question of an MCP server, and in mode `auto`: in bodies of their own. */
const ELSEWHERE: readonly HookEvent[] = ["Elicitation", "ElicitationResult", "Notification", "PermissionDenied"];

/** Nothing that a query can do makes CLI 2.1.332 send them to a callback; the scripted CLI does. */
const NEVER_SENT: readonly HookEvent[] = ["Setup", "TeammateIdle", "CwdChanged", "DirectoryAdded"];

/** Notes what every event brings. */
class Notes {
  readonly inputs: HookInput[] = [];
  readonly ids: (string | undefined)[] = [];

  /** A callback for each event. */
  hooks(answer: (input: HookInput) => Awaited<ReturnType<HookCallback>>): Hooks {
    const note: HookCallback = (input, toolUseID) => {
      this.inputs.push(input);
      this.ids.push(toolUseID);
      return Promise.resolve(answer(input));
    };
    return Object.fromEntries(HOOK_EVENTS.map((event) => [event, [{ hooks: [note] }]]));
  }

  /** What came of one event, in order. */
  of<Event extends HookEvent>(event: Event): HookInputMap[Event][] {
    return this.inputs.filter((input): input is HookInputMap[Event] => input.hook_event_name === event);
  }

  /** The first of an event. */
  first<Event extends HookEvent>(event: Event): HookInputMap[Event] {
    const [input] = this.of(event);
    assert.isDefined(input, `${event} was sent`);
    return input as HookInputMap[Event];
  }
}

function bash(command: string): ReturnType<typeof block.toolUse> {
  return block.toolUse("Bash", { command, description: "d" });
}

function resultOf(messages: readonly SDKMessage[]): Extract<SDKMessage, { type: "result" }> {
  const result = messages.at(-1);
  assert.strictEqual(result?.type, "result");
  return result as Extract<SDKMessage, { type: "result" }>;
}

/** A folder with a command file, a memory file, settings and a file to watch. */
function furnish(cwd: string): void {
  for (const folder of [".claude/commands", "worktree"]) mkdirSync(join(cwd, folder), { recursive: true });
  const command = "---\nallowed-tools: Bash(echo:*)\n---\nSay hello.\n!`echo from-shell`\n";
  writeFileSync(join(cwd, ".claude/commands/hello.md"), command);
  writeFileSync(join(cwd, ".claude/settings.json"), "{}");
  writeFileSync(join(cwd, "CLAUDE.md"), "Be nice.\n");
  writeFileSync(join(cwd, "watched.txt"), "1");
}

export default suite("hooks on the real CLI", (test) => {
  test("I16 I17 I18 I25 I26 every event that reaches a callback, with its fields", async (t) => {
    const notes = new Notes();
    let cwd = "";
    const talk = await Talk.start(t, {
      script: {
        main: [
          turn.blocks([bash("echo fine"), bash("exit 3")]),
          turn.toolUse("Write", { file_path: "made.txt", content: "x" }),
          turn.toolUse("TaskCreate", { subject: "sweep", description: "the floor" }),
          turn.toolUse("TaskUpdate", { taskId: "1", status: "completed" }),
          turn.toolUse("EnterWorktree", { name: "wt" }),
          turn.toolUse("ExitWorktree", { action: "remove", discard_changes: true }),
          turn.toolUse("Agent", {
            description: "d",
            prompt: "p",
            subagent_type: "general-purpose",
            run_in_background: false,
          }),
          turn.text("first done"),
          turn.text("second done"),
          turn.error(403),
          turn.text("third done"),
        ],
        match: [{
          name: "agent",
          when: (request) => request.agentId !== undefined,
          turns: [turn.toolUse("Bash", { command: "echo by-the-agent", description: "d" }), turn.text("agent done")],
        }],
      },
      options: (scene) => {
        cwd = scene.folders.cwd;
        furnish(cwd);
        return {
          settingSources: ["user", "project", "local"],
          tools: ["Bash", "Write", "Agent", "TaskCreate", "TaskUpdate", "EnterWorktree", "ExitWorktree"],
          allowedTools: ["Bash", "Agent", "TaskCreate", "TaskUpdate", "EnterWorktree", "ExitWorktree"],
          canUseTool: () => Promise.resolve({ behavior: "allow" }),
          hooks: notes.hooks(({ hook_event_name: hookEventName }) => {
            switch (hookEventName) {
              case "WorktreeCreate":
                return { hookSpecificOutput: { hookEventName, worktreePath: join(cwd, "worktree") } };
              case "SessionStart":
                return {
                  hookSpecificOutput: {
                    hookEventName,
                    watchPaths: [join(cwd, "watched.txt")],
                    additionalContext: "said at the start",
                  },
                };
              default:
                return {};
            }
          }),
        };
      },
    });
    await talk.say("go");
    await talk.scene.query.setModel("sonnet");
    await talk.say("/hello you");
    await talk.say("fails");
    writeFileSync(join(cwd, ".claude/settings.json"), JSON.stringify({ env: { A: "b" } }));
    await talk.say("/compact");
    await talk.say("/clear");
    await talk.say("anew");
    // Again and again: a watcher that is not there yet has missed the last change.
    const change = (): void => {
      const value = String(Math.random());
      writeFileSync(join(cwd, "watched.txt"), value);
      writeFileSync(join(cwd, ".claude/settings.json"), JSON.stringify({ env: { A: value } }));
    };
    const changing = setInterval(change, 3_000);
    t.cleanup(() => clearInterval(changing));
    change();
    await until(() => notes.of("FileChanged").length > 0 && notes.of("ConfigChange").length > 0);
    clearInterval(changing);
    await talk.end();

    const sent = new Set(notes.inputs.map((input) => input.hook_event_name));
    assert.sameMembers(HOOK_EVENTS.filter((event) => !sent.has(event)), [...ELSEWHERE, ...NEVER_SENT]);
    for (const { session_id, transcript_path, cwd } of notes.inputs) {
      for (const field of [session_id, transcript_path, cwd]) assert.isString(field);
    }

    const fine = notes.first("PreToolUse");
    assert.deepInclude(fine, { tool_name: "Bash", tool_input: { command: "echo fine", description: "d" } });
    assert.deepEqual(fine.effort, { level: "medium" });
    assert.strictEqual(notes.ids[notes.inputs.indexOf(fine)], fine.tool_use_id);
    const ran = notes.first("PostToolUse");
    assert.deepInclude(ran.tool_response as object, { stdout: "fine", stderr: "" });
    assert.strictEqual(ran.tool_use_id, fine.tool_use_id);
    assert.isNumber(ran.duration_ms);
    assert.deepInclude(notes.first("PostToolUseFailure"), { error: "Exit code 3", is_interrupt: false });
    const names = notes.first("PostToolBatch").tool_calls.map((
      { tool_name, tool_response },
    ) => [tool_name, tool_response]);
    assert.deepEqual(names, [["Bash", "fine"], ["Bash", "Exit code 3"]]);
    const asked = notes.first("PermissionRequest");
    assert.strictEqual(asked.tool_name, "Write");
    assert.deepEqual(asked.permission_suggestions, [{ type: "setMode", mode: "acceptEdits", destination: "session" }]);
    assert.deepInclude(notes.first("TaskCreated"), { task_subject: "sweep", task_description: "the floor" });
    assert.strictEqual(notes.first("TaskCompleted").task_id, notes.first("TaskCreated").task_id);
    assert.strictEqual(notes.first("WorktreeCreate").name, "wt");
    assert.strictEqual(notes.first("WorktreeRemove").worktree_path, join(cwd, "worktree"));

    const { agent_id: agentId } = notes.first("SubagentStart");
    const inAgent = notes.of("PreToolUse").find((input) => input.agent_id !== undefined);
    assert.deepInclude(inAgent, { agent_id: agentId, agent_type: "general-purpose" });
    assert.isUndefined(fine.agent_id, "the main thread has none");
    assert.deepInclude(notes.first("SubagentStop"), { agent_id: agentId, last_assistant_message: "agent done" });
    assert.isString(notes.first("SubagentStop").agent_transcript_path);

    assert.deepEqual(notes.of("UserPromptSubmit").map(({ prompt }) => prompt), ["go", "/hello you", "fails", "anew"]);
    assert.deepInclude(notes.first("UserPromptExpansion"), {
      expansion_type: "slash_command",
      command_name: "hello",
      command_args: "you",
      command_source: "projectSettings",
    });
    assert.deepInclude(notes.first("PreSkillShellCommand"), {
      tool_input: { command: "echo from-shell" },
      command_name: "hello",
      invoked_by: "user",
    });
    assert.deepInclude(notes.first("MessageDisplay"), { delta: "first done", index: 0, final: true });
    assert.deepInclude(notes.first("Stop"), { stop_hook_active: false, last_assistant_message: "first done" });
    assert.strictEqual(notes.first("StopFailure").error, "authentication_failed");
    for (const event of ["PreModelSwitch", "PostModelSwitch"] as const) {
      assert.deepInclude(notes.first(event), { requested_model: "sonnet", source: "sdk" });
    }
    assert.deepInclude(notes.first("PreCompact"), { trigger: "manual", custom_instructions: null });
    assert.include(notes.first("PostCompact").compact_summary, "Scripted");
    assert.deepEqual(notes.of("SessionStart").map(({ source }) => source), ["compact", "clear"]);
    assert.strictEqual(notes.first("SessionEnd").reason, "clear");
    assert.include(JSON.stringify(talk.scene.model.requests.at(-1)?.messages), "said at the start");
    assert.deepInclude(notes.first("InstructionsLoaded"), {
      memory_type: "Project",
      file_path: join(cwd, "CLAUDE.md"),
    });
    assert.deepInclude(notes.first("ConfigChange"), { source: "project_settings" });
    assert.deepInclude(notes.first("FileChanged"), { event: "change", file_path: join(cwd, "watched.txt") });
  });

  test("I05 I09 I10 I11 I13 I14 I15 I20 I21 what a hook answers is what happens", async (t) => {
    const asked: unknown[] = [];
    const fired: string[] = [];
    const decide: HookCallback<"PreToolUse"> = ({ tool_input }) => {
      const input = tool_input as { readonly command: string };
      const verdict = (permissionDecision: "allow" | "deny" | "ask", permissionDecisionReason: string) =>
        ({ hookEventName: "PreToolUse", permissionDecision, permissionDecisionReason }) as const;
      switch (input.command) {
        case "echo denied":
          return Promise.resolve({ hookSpecificOutput: verdict("deny", "the hook says no") });
        case "echo asked":
          return Promise.resolve({ hookSpecificOutput: verdict("ask", "the hook is not sure") });
        case "echo allowed; true >> file":
          return Promise.resolve({ hookSpecificOutput: verdict("allow", "fine") });
        case "echo given":
          return Promise.resolve({
            hookSpecificOutput: {
              hookEventName: "PreToolUse",
              updatedInput: { ...input, command: "echo changed" },
              additionalContext: "the hook has changed it",
            },
          });
        case "echo async":
          return Promise.resolve({ async: true, asyncTimeout: 5 });
        case "echo disputed":
          return Promise.resolve({ hookSpecificOutput: verdict("allow", "fine"), systemMessage: "a word of the hook" });
        default:
          return Promise.resolve({});
      }
    };
    const dispute: HookCallback<"PreToolUse"> = ({ tool_input }) =>
      Promise.resolve(
        (tool_input as { readonly command: string }).command !== "echo disputed"
          ? {}
          : { decision: "block", reason: "the other hook says no" },
      );
    const note = (matcher: string) => ({
      matcher,
      hooks: [
        (({ tool_name }) => {
          fired.push(`${matcher} ${tool_name}`);
          return Promise.resolve();
        }) satisfies HookCallback<"PreToolUse">,
      ],
    });
    const talk = await Talk.start(t, {
      script: [
        turn.blocks([
          bash("echo denied"),
          bash("echo asked"),
          bash("echo allowed; true >> file"),
          bash("echo given"),
          bash("echo async"),
          bash("echo disputed"),
          bash("echo replaced"),
          block.toolUse("mcp__own__say", {}),
        ]),
        turn.text("first"),
        turn.text("second"),
        turn.text("third"),
        turn.toolUse("Bash", { command: "echo stopping", description: "d" }),
      ],
      options: {
        mcpServers: {
          own: createSdkMcpServer({
            name: "own",
            alwaysLoad: true,
            tools: [tool("say", "says", {}, () => ({ content: [{ type: "text", text: "the tool's" }] }))],
          }),
        },
        allowedTools: ["Bash(echo:*)", "mcp__own__say"],
        canUseTool: (_name, { command }, { decisionReason }) => {
          asked.push({ command, decisionReason });
          return Promise.resolve({ behavior: "allow" });
        },
        hooks: {
          PreToolUse: [
            { matcher: "Bash", hooks: [decide] },
            { matcher: "Read|Bash", hooks: [dispute] },
            ...["Ba", "bash", "[", "B.sh", "*", "mcp__own__say"].map(note),
          ],
          PostToolUse: [{
            hooks: [({ tool_name, tool_input, tool_response }) => {
              const { command } = tool_input as { readonly command?: string };
              if (command === "echo stopping") return Promise.resolve({ continue: false, stopReason: "enough" });
              const hookEventName = "PostToolUse";
              if (tool_name === "mcp__own__say") {
                const updatedMCPToolOutput = [{ type: "text", text: "the hook's" }];
                return Promise.resolve({ hookSpecificOutput: { hookEventName, updatedMCPToolOutput } });
              }
              if (command !== "echo replaced") return Promise.resolve();
              const updatedToolOutput = { ...tool_response as object, stdout: "another output" };
              return Promise.resolve({ hookSpecificOutput: { hookEventName, updatedToolOutput } });
            }],
          }, {
            onFailure: "block",
            hooks: [
              ({ tool_name }) =>
                tool_name === "mcp__own__say" ? Promise.reject(new Error("the watcher is away")) : Promise.resolve(),
            ],
          }],
          Stop: [{
            hooks: [({ last_assistant_message: last }) =>
              Promise.resolve(
                last === "first"
                  ? { hookSpecificOutput: { hookEventName: "Stop", additionalContext: "one more thing" } }
                  : last === "second"
                  ? { decision: "block", reason: "not yet" }
                  : {},
              )],
          }],
          UserPromptSubmit: [{
            hooks: [({ prompt }) =>
              Promise.resolve(
                prompt === "rude" ? { decision: "block", reason: "no such words" } : {
                  hookSpecificOutput: {
                    hookEventName: "UserPromptSubmit",
                    additionalContext: "said beside the prompt",
                    sessionTitle: "A title",
                  },
                },
              )],
          }],
        },
      },
    });
    const { scene } = talk;
    const first = await talk.say("go");
    assert.deepEqual(asked, [{ command: "echo asked", decisionReason: "the hook is not sure" }]);
    assert.deepEqual([...new Set(fired)].sort(), [
      "* Bash",
      "* mcp__own__say",
      "B.sh Bash",
      "mcp__own__say mcp__own__say",
    ]);
    const [opening, afterTools, reminded, sentBack] = scene.model.requests;
    assert.include(JSON.stringify(opening?.messages), "said beside the prompt");
    const results = [...afterTools?.toolResults() ?? []].sort((a, b) => a.toolUseId < b.toolUseId ? -1 : 1);
    assert.deepEqual(results.map(({ text }) => text), [
      "PreToolUse:Bash hook error: the hook says no",
      "asked",
      "allowed",
      "changed",
      "async",
      "PreToolUse:Bash hook error: the other hook says no",
      "another output",
      "the hook's",
    ]);
    const notesToModel = JSON.stringify(afterTools?.messages.at(-1));
    assert.include(notesToModel, "the hook has changed it");
    assert.include(notesToModel, "blocking because onFailure is");
    assert.include(JSON.stringify(reminded?.messages.at(-1)), "one more thing");
    assert.include(JSON.stringify(sentBack?.messages), "not yet");
    assert.include(JSON.stringify(first), "PreToolUse:Bash says: a word of the hook");
    assert.include(JSON.stringify(first), '"title":"A title"');

    const asks = scene.model.requests.length;
    const blocked = await talk.say("rude");
    assert.include(JSON.stringify(blocked), '"prompt_submit_outcome":{"kind":"blocked_by_hook"');
    assert.strictEqual(resultOf(blocked).subtype, "success");
    assert.lengthOf(scene.model.requests, asks, "the model was not asked");
    assert.strictEqual(resultOf(await talk.say("stop")).terminal_reason, "hook_stopped");
    await talk.end();
  });

  test("I12 a deferred call ends the turn, and a session that resumes asks again", async (t) => {
    const asked: (string | undefined)[] = [];
    const hooks = (permissionDecision: "defer" | "allow"): Hooks => ({
      PreToolUse: [{
        hooks: [(_input, toolUseID) => {
          asked.push(toolUseID);
          return Promise.resolve({ hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision } });
        }],
      }],
    });
    const scene = await Scene.start(t, {
      script: [
        turn.toolUse("Bash", { command: "echo later-$((1+1))", description: "d" }),
        turn.text("it ran"),
        turn.text("and on"),
      ],
      prompt: "go",
      options: { allowedTools: ["Bash"], hooks: hooks("defer") },
    });
    await scene.drain();
    const [result] = scene.results();
    assert.deepInclude(result, { subtype: "success", terminal_reason: "tool_deferred" });
    assert.deepInclude(result as object, {
      deferred_tool_use: {
        id: "toolu_scripted_1",
        name: "Bash",
        input: { command: "echo later-$((1+1))", description: "d" },
      },
    });
    // Another process, another day: the call is decided on before the new prompt is looked at.
    const later = query({
      prompt: "go on",
      options: scene.options({ resume: result?.session_id, allowedTools: ["Bash"], hooks: hooks("allow") }),
    });
    t.cleanup(() => later.close());
    const results: unknown[] = [];
    for await (const message of later) {
      if (message.type === "result" && message.subtype === "success") results.push(message.result);
    }
    assert.deepEqual(asked, ["toolu_scripted_1", "toolu_scripted_1"]);
    assert.deepEqual(results, ["it ran", "and on"]);
    assert.strictEqual(scene.toolOutput(1), "later-2");
  });

  test("I18 PermissionDenied tells of a classifier's refusal; the permission callback is not asked", async (t) => {
    const denied: HookInputMap["PermissionDenied"][] = [];
    const asked: string[] = [];
    const scene = await Scene.start(t, {
      script: [turn.toolUse("Bash", { command: "rm -rf ../nothing", description: "d" }), turn.text("done")],
      prompt: "go",
      options: {
        permissionMode: "auto",
        canUseTool: (name) => {
          asked.push(name);
          return Promise.resolve({ behavior: "allow" });
        },
        hooks: { PermissionDenied: [{ hooks: [(input) => Promise.resolve(void denied.push(input))] }] },
      },
    });
    await scene.drain();
    assert.deepEqual(asked, []);
    assert.lengthOf(denied, 1);
    assert.deepInclude(denied[0], { tool_name: "Bash", tool_use_id: "toolu_scripted_1", permission_mode: "auto" });
    assert.isString(denied[0]?.reason);
  });

  test("I22 I23 an interrupt while a gate is open: its signal fires, the tool does not run, the turn has a result", async (t) => {
    const open = deferred<AbortSignal>();
    const talk = await Talk.start(t, {
      script: [turn.toolUse("Bash", { command: "touch ran", description: "d" }), turn.text("still here")],
      options: {
        allowedTools: ["Bash"],
        hooks: {
          PreToolUse: [{
            hooks: [(_input, _id, { signal }) => {
              open.resolve(signal);
              return deferred<void>().promise;
            }],
          }],
        },
      },
    });
    const turnOver = talk.say("go");
    const signal = await open.promise;
    await talk.scene.query.interrupt();
    assert.strictEqual(resultOf(await turnOver).subtype, "error_during_execution");
    assert.isTrue(signal.aborted);
    assert.strictEqual(resultOf(await talk.say("and now?")).subtype, "success");
    await talk.end();
    assert.notInclude(JSON.stringify(talk.scene.messages), '"is_error":false,"tool_use_id"');
  });
});
