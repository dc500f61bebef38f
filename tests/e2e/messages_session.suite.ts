/** What is told about a session beside its turns, on the real CLI: commands, compaction, hooks, refused tools, modes, titles. */
import { assert } from "chai";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import {
  isAssistantMessage,
  isErrorResult,
  isResultMessage,
  isSuccessResult,
  isSystemMessage,
  isUserMessage,
  messageKind,
  type Options,
  type SDKMessage,
  type SystemMessageOf,
  type SystemSubtype,
  textOf,
  toolResultsOf,
} from "../../mod.ts";
import { turn } from "../../src/testing/mod.ts";
import { ownRunArguments } from "../harness/run_program.ts";
import { suite } from "../harness/suite.ts";
import { processFixture } from "../runtime/host_process.ts";
import { DONE } from "./real_query.ts";
import { only, Talk } from "./talk.ts";

const PATIENT = { timeoutMs: 60_000 };

function ofSubtype<S extends SystemSubtype>(messages: readonly SDKMessage[], subtype: S): SystemMessageOf<S>[] {
  return messages.filter((message): message is SDKMessage & SystemMessageOf<S> => isSystemMessage(message, subtype));
}

function touch(file: string) {
  return turn.toolUse("Bash", { command: `touch ${file}`, description: "d" });
}

export default suite("messages of a session", (test) => {
  test(
    "local commands, compaction by hand and by need, a title, a reset with its new id (M26 M27 M28 N15)",
    async (t) => {
      const talk = await Talk.start(t, {
        script: (request) => {
          const long = request.prompt.endsWith("a long one");
          return turn.text("answer", long ? { usage: { inputTokens: 990_000 } } : {});
        },
        options: { title: "My title" },
      });
      const first = await talk.say("one");
      assert.strictEqual(only(ofSubtype(first, "session_title_changed")).title, "My title");
      const session = first.at(-1)!.session_id;
      assert.strictEqual(await talk.scene.query.sessionId, session);

      const compacted = await talk.say("/compact");
      const statuses = ofSubtype(compacted, "status");
      assert.deepEqual(statuses.map(({ status, compact_result: result }) => [status, result]), [
        ["compacting", undefined],
        [null, "success"],
      ]);
      const boundary = only(ofSubtype(compacted, "compact_boundary"));
      assert.strictEqual(boundary.compact_metadata.trigger, "manual");
      assert.isAbove(boundary.compact_metadata.pre_tokens, 0);
      assert.isNumber(boundary.compact_metadata.post_tokens);
      const [summary, printed] = compacted.filter(isUserMessage);
      assert.deepInclude(summary, { isSynthetic: true });
      assert.include(textOf(summary!), "Scripted summary.");
      assert.isTrue(printed?.isReplay);
      assert.include(textOf(printed!), "<local-command-stdout>Compacted");
      const order = compacted.filter((message) => message.type !== "system" || message.subtype !== "init");
      assert.deepEqual(order.map(messageKind), [
        "system/status",
        "system/status",
        "system/compact_boundary",
        "user",
        "user",
        "result/success",
      ]);
      assert.deepInclude(only(compacted.filter(isResultMessage)), { local_command: "compact", num_turns: 0 });

      await talk.say("a long one");
      const auto = await talk.say("goes on");
      const { compact_metadata: made } = only(ofSubtype(auto, "compact_boundary"));
      assert.strictEqual(made.trigger, "auto");
      assert.isAbove(made.pre_tokens, 900_000);
      assert.isAbove(made.cumulative_dropped_tokens ?? 0, 900_000);
      assert.isTrue(isSuccessResult(auto.at(-1)!), "the turn itself goes on");

      const usage = only((await talk.say("/usage")).filter(isAssistantMessage));
      assert.strictEqual(usage.message.model, "<synthetic>");
      assert.deepEqual(usage.local_command_run, { command: "usage", args: "" });
      assert.include(textOf(usage), "Estimated cost");
      const context = only((await talk.say("/context")).filter(isAssistantMessage));
      assert.include(textOf(context), "Context Usage");
      assert.strictEqual(context.context_usage?.raw_max_tokens, 1_000_000);

      const cleared = await talk.say("/clear");
      const reset = only(cleared.filter((message) => message.type === "conversation_reset"));
      assert.deepInclude(reset, { trigger: "clear", session_id: session });

      assert.deepEqual(only(ofSubtype(cleared, "background_tasks_changed")).tasks, []);
      const after = cleared.at(-1)!;
      assert.deepInclude(after, { type: "result", local_command: "clear" });
      // The new conversation's own id is yet another one.
      assert.notInclude([session, reset.new_conversation_id], after.session_id);
      assert.strictEqual(await talk.scene.query.sessionId, after.session_id);
      const anew = await talk.say("anew");
      assert.isTrue(anew.every((message) => message.session_id === after.session_id));
      assert.isEmpty(await talk.end());
      talk.scene.gone(DONE);
    },
    PATIENT,
  );

  test(
    "command hooks: started, progress, response; what they say to people; one that sends the model back to work (M16 I24)",
    async (t) => {
      const hook = (command: string, matcher?: string) => [{
        ...(matcher === undefined ? {} : { matcher }),
        hooks: [{ type: "command", command }],
      }];
      const hooks = {
        SessionStart: hook("echo begun"),
        PreToolUse: hook(`echo '{"systemMessage":"be careful"}'`, "Bash"),
        // The CLI looks for news every second.
        PostToolUse: hook("echo slow; sleep 1.2; echo oops >&2; exit 1"),
        Stop: hook("if [ -e stopped ]; then exit 0; fi; touch stopped; echo 'go on' >&2; exit 2"),
      };
      const talk = await Talk.start(t, {
        script: [touch("x"), turn.text("done"), turn.text("really done")],
        options: {
          allowedTools: ["Bash"],
          includeHookEvents: true,
          settings: { hooks } as Options["settings"] & object,
        },
      });
      const messages = await talk.say("go");
      const started = ofSubtype(messages, "hook_started");
      const names = ["SessionStart:startup", "PreToolUse:Bash", "PostToolUse:Bash", "Stop", "Stop"];
      assert.deepEqual(started.map((message) => message.hook_name), names);
      assert.deepEqual(started.map((message) => message.hook_event), names.map((name) => name.split(":")[0]));
      const responses = ofSubtype(messages, "hook_response");
      assert.deepEqual(responses.map(({ hook_id: id }) => id), started.map(({ hook_id: id }) => id));
      assert.deepEqual(responses.map(({ outcome, exit_code: code, output }) => [outcome, code, output]), [
        ["success", 0, "begun\n"],
        ["success", 0, '{"systemMessage":"be careful"}\n'],
        ["error", 1, "slow\noops\n"],
        ["error", 2, "go on\n"],
        ["success", 0, ""],
      ]);
      const progress = ofSubtype(messages, "hook_progress");
      assert.isNotEmpty(progress);
      assert.deepInclude(progress[0], { hook_id: started[2]?.hook_id, stdout: "slow\n", stderr: "", output: "slow\n" });
      assert.deepInclude(only(ofSubtype(messages, "informational")), {
        content: "PreToolUse:Bash says: be careful",
        level: "notice",
      });
      assert.deepInclude(only(ofSubtype(messages, "notification")), { key: "stop-hook-error", priority: "immediate" });
      const feedback = only(messages.filter(isUserMessage).filter(({ isSynthetic }) => isSynthetic === true));
      assert.match(textOf(feedback), /^Stop hook feedback:[^]*go on/);
      assert.deepInclude(only(messages.filter(isSuccessResult)), { result: "really done", num_turns: 3 });
      assert.isEmpty(await talk.end());
    },
    PATIENT,
  );

  test("refused tools, a blocked prompt, changes of mode (M12 M30)", async (t) => {
    const asked: string[] = [];
    const talk = await Talk.start(t, {
      script: [touch("a"), turn.text("then not"), touch("b"), touch("c"), turn.text("never mind")],
      options: {
        canUseTool: (_name, input) => {
          asked.push(String(input.command));
          return Promise.resolve({ behavior: "deny", message: "not you", interrupt: input.command === "touch b" });
        },
        hooks: {
          UserPromptSubmit: [{
            hooks: [(input) =>
              Promise.resolve(
                "prompt" in input && input.prompt === "bad words" ? { decision: "block", reason: "no such words" } : {},
              )],
          }],
        },
      },
    });
    const denials = (messages: readonly SDKMessage[]): unknown[] =>
      only(messages.filter(isResultMessage)).permission_denials.map((denial) => [
        denial.tool_name,
        denial.tool_use_id,
        denial.tool_input.command,
      ]);

    const denied = await talk.say("one");
    assert.isEmpty(ofSubtype(denied, "permission_denied"), "the one who denied knows");
    assert.deepEqual(denied.flatMap(toolResultsOf).map((result) => [result.is_error, textOf(result)]), [
      [true, "not you"],
    ]);
    assert.deepInclude(only(denied.filter(isUserMessage)), { tool_use_result: "Error: not you" });
    assert.deepEqual(denials(denied), [["Bash", "toolu_scripted_1", "touch a"]]);
    assert.isTrue(isSuccessResult(denied.at(-1)!));

    const stopped = await talk.say("two");
    assert.deepInclude(only(stopped.filter(isErrorResult)), {
      subtype: "error_during_execution",
      terminal_reason: "aborted_tools",
    });
    assert.deepEqual(denials(stopped), [["Bash", "toolu_scripted_2", "touch b"]]);

    const blocked = await talk.say("bad words");
    assert.deepEqual(blocked.map(messageKind), ["system/init", "system/informational", "result/success"]);
    const said = only(ofSubtype(blocked, "informational"));
    assert.deepInclude(said, { level: "warning", prevent_continuation: true });
    assert.deepInclude(said.prompt_submit_outcome, { kind: "blocked_by_hook", reason: "no such words" });
    const result = only(blocked.filter(isSuccessResult));
    assert.include(result.result, "no such words");
    assert.notProperty(result, "terminal_reason");

    await talk.scene.query.setPermissionMode("dontAsk");
    const unasked = await talk.say("three");
    assert.deepInclude(only(ofSubtype(unasked, "status")), { status: null, permissionMode: "dontAsk" });
    assert.strictEqual(only(ofSubtype(unasked, "init")).permissionMode, "dontAsk");
    assert.deepInclude(only(ofSubtype(unasked, "permission_denied")), {
      tool_name: "Bash",
      tool_use_id: "toolu_scripted_3",
      decision_reason_type: "mode",
    });
    assert.deepEqual(denials(unasked), [["Bash", "toolu_scripted_3", "touch c"]]);
    assert.deepEqual(asked, ["touch a", "touch b"]);
    assert.isEmpty(await talk.end());
    talk.scene.gone(DONE);
  });

  test(
    "a suggestion after the result, commands that appear, an elicitation at a page that is done (M30)",
    async (t) => {
      const asked: unknown[] = [];
      const elicitation = { mode: "url", message: "Look", elicitationId: "page-1", url: "https://example.org/" };
      const talk = await Talk.start(t, {
        script: {
          main: [
            turn.toolUse("mcp__page__ask", { elicitation, complete: "page-1" }),
            turn.text("asked"),
            turn.text("two"),
          ],
          side: () => turn.text("run the tests"),
        },
        options: (scene) => ({
          promptSuggestions: true,
          allowedTools: ["mcp__page__ask"],
          mcpServers: {
            page: {
              type: "stdio",
              command: process.execPath,
              args: ownRunArguments(processFixture("asking_mcp_server")),
              env: { HOME: scene.folders.home, NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" },
              alwaysLoad: true,
            },
          },
          onElicitation: (request) => {
            asked.push(request);
            return Promise.resolve({ action: "accept" });
          },
        }),
      });
      await talk.connected("page");
      const first = await talk.say("ask");
      assert.deepInclude(asked[0], { mode: "url", url: "https://example.org/" });
      assert.deepInclude(only(ofSubtype(first, "elicitation_complete")), {
        mcp_server_name: "page",
        elicitation_id: "page-1",
      });
      const use = first.filter(isAssistantMessage)[0]!;
      assert.strictEqual(use.tool_use_meta?.[0]?.id, "toolu_scripted_1");

      const folder = join(talk.scene.folders.cwd, ".claude", "commands");
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, "greet.md"), "---\ndescription: says hello\n---\nhello");
      await talk.scene.query.reloadSkills();
      await talk.say("two");
      await talk.end();
      // The CLI also watches the folders by itself: the list comes once or twice, and the last one counts.
      const { commands } = ofSubtype(talk.scene.messages, "commands_changed").at(-1)!;
      assert.deepInclude(commands.find(({ name }) => name === "greet"), { argumentHint: "" });
      const suggested = talk.scene.messages.filter((message) => message.type === "prompt_suggestion");
      assert.isNotEmpty(suggested);
      assert.deepEqual([...new Set(suggested.map(({ suggestion }) => suggestion))], ["run the tests"]);
      const after = talk.scene.messages.findIndex(isResultMessage);
      assert.isAbove(talk.scene.messages.indexOf(suggested[0]!), after);

      talk.scene.gone(DONE);
    },
    PATIENT,
  );
});
