/** Subagents and shells, in the foreground and in the background, as the real CLI tells about them. */
import { assert } from "chai";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  isAssistantMessage,
  isResultMessage,
  isSystemMessage,
  isUserMessage,
  messageKind,
  type Options,
  type SDKMessage,
  type SystemMessageOf,
  type SystemSubtype,
  textOf,
  toolResultsOf,
  toolUsesOf,
} from "../../mod.ts";
import { block, type ModelRequest, turn } from "../../src/testing/mod.ts";
import { suite, type TestContext } from "../harness/suite.ts";
import { DONE } from "./real_query.ts";
import { only, Talk } from "./talk.ts";

const PATIENT = { timeoutMs: 60_000 };
const BASH = { allowedTools: ["Bash"] };

function shell(command: string, background = false) {
  return turn.toolUse("Bash", { command, description: "runs", ...(background ? { run_in_background: true } : {}) });
}

function launch(background: boolean) {
  return turn.toolUse("Agent", {
    description: "looks around",
    prompt: "LOOK",
    subagent_type: "general-purpose",
    ...(background ? {} : { run_in_background: false }),
  });
}

const bySubagent = (request: ModelRequest): boolean => request.agentId !== undefined;

function ofSubtype<S extends SystemSubtype>(messages: readonly SDKMessage[], subtype: S): SystemMessageOf<S>[] {
  return messages.filter((message): message is SDKMessage & SystemMessageOf<S> => isSystemMessage(message, subtype));
}

/** Kinds and main facts of the messages about one task, in order: the first that was begun in the way given. */
function taskStory(messages: readonly SDKMessage[], way: { readonly background: boolean }): string[] {
  // A command that takes its time is a task too; on a busy machine any command.
  const task = ofSubtype(messages, "task_started").find((started) => started.is_backgrounded === way.background);
  const own = (id: string): boolean => id === task?.task_id;
  return messages.flatMap((message) => {
    if (isSystemMessage(message, "background_tasks_changed")) return [`set of ${message.tasks.length}`];
    if (isSystemMessage(message, "task_started") && own(message.task_id)) return [`started ${message.task_type}`];
    if (isSystemMessage(message, "task_progress") && own(message.task_id)) {
      return [`progress ${message.last_tool_name}`];
    }
    if (isSystemMessage(message, "task_updated") && own(message.task_id)) return [`updated ${message.patch.status}`];
    if (isSystemMessage(message, "task_notification") && own(message.task_id)) return [`notified ${message.status}`];
    return [];
  });
}

/** A subagent in the foreground; returns what came. */
async function foreground(t: TestContext, options: Options): Promise<SDKMessage[]> {
  const talk = await Talk.start(t, {
    script: {
      match: [{
        when: bySubagent,
        turns: [
          turn.blocks([
            block.thinking("hm"),
            block.text("I look"),
            block.toolUse("Bash", { command: "echo seen", description: "runs" }, { id: "toolu_sub" }),
          ]),
          turn.text("all seen"),
        ],
      }],
      main: [launch(false), turn.text("he is back")],
    },
    options: { ...BASH, ...options },
  });
  const messages = await talk.say("go");
  assert.isEmpty(await talk.end());
  talk.scene.gone(DONE);
  return messages;
}

/** What a subagent said and did: texts, thoughts, calls. */
function ofSubagent(messages: readonly SDKMessage[]): string[] {
  return messages.filter(isAssistantMessage).filter(({ parent_tool_use_id: parent }) => parent !== null)
    .flatMap(({ message }) => message.content.map((block) => block.type === "text" ? block.text : block.type));
}

export default suite("messages of tasks", (test) => {
  test(
    "a subagent in the foreground; its words only with forwardSubagentText, its calls always (M10 M11 M25)",
    async (t) => {
      const [plain, forwarded] = await Promise.all([foreground(t, {}), foreground(t, { forwardSubagentText: true })]);
      assert.deepEqual(ofSubagent(plain), ["tool_use"]);
      assert.deepEqual(ofSubagent(forwarded), ["thinking", "I look", "tool_use", "all seen"]);
      for (const messages of [plain, forwarded]) {
        const [call, ...rest] = messages.flatMap(toolUsesOf);
        assert.deepEqual([call?.name, ...rest.map(({ id }) => id)], ["Agent", "toolu_sub"]);
        const story = taskStory(messages, { background: false });
        assert.deepEqual(story, ["started local_agent", "progress Bash", "updated completed", "notified completed"]);
        const started = only(
          ofSubtype(messages, "task_started").filter(({ task_type: type }) => type === "local_agent"),
        );
        assert.deepInclude(started, {
          tool_use_id: call?.id,
          description: "looks around",
          prompt: "LOOK",
          subagent_type: "general-purpose",
          is_backgrounded: false,
          spawn_depth: 1,
        });
        const ended = only(
          ofSubtype(messages, "task_notification").filter(({ task_id: id }) => id === started.task_id),
        );
        assert.deepInclude(ended, { task_id: started.task_id, status: "completed", summary: "all seen" });
        assert.strictEqual(ended.usage?.tool_uses, 1);
        for (const message of messages.filter((message) => isAssistantMessage(message) || isUserMessage(message))) {
          const inside = message.parent_tool_use_id !== null;
          assert.strictEqual(message.agent_id, inside ? started.task_id : undefined);
          if (inside) assert.strictEqual(message.parent_tool_use_id, call?.id);
        }
        const results = messages.flatMap(toolResultsOf);
        assert.deepEqual(results.map(({ tool_use_id: id }) => id), ["toolu_sub", call?.id]);
        assert.include(textOf(results[1]!), "all seen");
        const structured = messages.filter(isUserMessage).at(-1)?.tool_use_result;
        assert.deepInclude(structured, { status: "completed", agentType: "general-purpose", totalToolUseCount: 1 });
        const result = only(messages.filter(isResultMessage));
        assert.strictEqual(result.subagent_stats?.completed, 1);
      }
    },
    PATIENT,
  );

  test(
    "in the background, a subagent and shells: told when they begin and end, each end starts a turn; one is stopped (M10 M11 M30)",
    async (t) => {
      const idOf = (request: ModelRequest): string =>
        /ID: (\w+)/.exec(request.lastToolResult()?.text ?? "")?.[1] ?? "none";
      const talk = await Talk.start(t, {
        script: {
          match: [{ when: bySubagent, turns: [turn.stall({ then: shell("echo seen") }), turn.text("all seen")] }],
          main: [
            launch(true),
            turn.text("launched"),
            turn.text("he is back"),
            shell("until [ -e go ]; do sleep 0.05; done; echo over", true),
            turn.text("it runs"),
            turn.text("it is over"),
            shell("sleep 600", true),
            (request) => turn.toolUse("TaskStop", { task_id: idOf(request) }),
            turn.text("stopped"),
          ],
        },
        options: BASH,
      });
      /** All that comes of a prompt whose task starts a second turn. A task that ended within the first would not. */
      const twoTurns = async (prompt: string, endTask: () => Promise<unknown>): Promise<SDKMessage[]> => {
        const first = await talk.say(prompt);
        await endTask();
        return [...first, ...await talk.readTo((message) => message.type === "result" && message.origin !== undefined)];
      };

      const { model, folders } = talk.scene;
      const agent = await twoTurns("send somebody", () => model.waitForStall().then(() => model.release()));
      assert.deepEqual(taskStory(agent, { background: true }), [
        "set of 1",
        "started local_agent",
        "progress Bash",
        "updated completed",
        "notified completed",
        "set of 0",
      ]);

      const sent = agent.filter(isUserMessage).find(({ parent_tool_use_id: parent }) => parent === null);
      assert.deepInclude(sent?.tool_use_result, { isAsync: true, status: "async_launched" });
      assert.isTrue(ofSubtype(agent, "task_notification").at(-1)?.summary_is_report);
      const results = agent.filter(isResultMessage);
      assert.deepEqual(results.map(textOf), ["launched", "he is back"]);
      assert.notProperty(results[0], "origin");
      assert.deepInclude(results[1]?.origin, { kind: "task-notification" });
      const turns = agent.map(messageKind).filter((kind) => kind === "system/init");
      assert.lengthOf(turns, 2, "the end of the task starts a turn");

      const run = await twoTurns("run it", () => writeFile(join(folders.cwd, "go"), ""));

      assert.deepEqual(taskStory(run, { background: true }), [
        "set of 1",
        "started local_bash",
        "updated completed",
        "notified completed",
        "set of 0",
      ]);
      const shellId = ofSubtype(run, "background_tasks_changed")[0]?.tasks[0]?.task_id;
      const over = only(ofSubtype(run, "task_notification").filter(({ task_id: id }) => id === shellId));
      assert.deepInclude(over, { status: "completed" });
      assert.match(over.output_file, new RegExp(`${over.task_id}\\.output$`));
      assert.include(textOf(run.flatMap(toolResultsOf)[0]!), over.task_id);

      const stop = await talk.say("stop it");
      assert.deepEqual(taskStory(stop, { background: true }), [
        "set of 1",
        "started local_bash",
        "updated killed",
        "notified stopped",
        "set of 0",
      ]);
      assert.deepEqual(stop.filter(isResultMessage).map(textOf), ["stopped"]);
      assert.isEmpty(await talk.end());
      talk.scene.gone(DONE);
    },
    PATIENT,
  );
});
