/** What the model and MCP servers want to know of people, asked by the real CLI. */
import { assert } from "chai";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import type {
  ElicitationRequest,
  ElicitationResult,
  HookInput,
  McpServerConfig,
  OnQuestion,
  QuestionAnswers,
  SDKMessage,
} from "../../mod.ts";
import { isSystemMessage } from "../../mod.ts";
import { deferred } from "../../src/core/deferred.ts";
import type { JsonObject } from "../../src/core/json.ts";
import { turn } from "../../src/testing/mod.ts";
import { ownRunArguments } from "../harness/run_program.ts";
import { suite } from "../harness/suite.ts";
import { processFixture } from "../runtime/host_process.ts";
import { Talk } from "./talk.ts";

const SCHEMA = {
  type: "object",
  properties: { name: { type: "string" }, age: { type: "number" } },
  required: ["name"],
};

/** A server of its own process that asks. The first turn waits for it, unless it is to be ready when a file is there. */
function askingServer(readyAt?: string): McpServerConfig {
  const args = ownRunArguments(processFixture("asking_mcp_server"));
  if (readyAt !== undefined) return { command: process.execPath, args: [...args, readyAt] };
  return { command: process.execPath, args, alwaysLoad: true };
}

/** What the first init says of it. */
function statusAtInit(messages: readonly SDKMessage[]): string | undefined {
  const init = messages.find((message) => isSystemMessage(message, "init"));
  return init?.mcp_servers.find(({ name }) => name === "asking")?.status;
}

function ask(elicitation: JsonObject, more: JsonObject = {}): ReturnType<typeof turn.toolUse> {
  return turn.toolUse("mcp__asking__ask", { elicitation, ...more });
}

function question(text: string, settings: { readonly preview?: boolean; readonly multiSelect?: boolean } = {}) {
  const choice = (label: string) => ({
    label,
    description: `it is ${label}`,
    ...(settings.preview === true ? { preview: `<b>${label}</b>` } : {}),
  });
  return {
    question: text,
    header: "Head",
    multiSelect: settings.multiSelect === true,
    options: ["Redis", "Postgres"].map(choice),
  };
}

export default suite("questions on the real CLI", (test) => {
  test("onQuestion beside canUseTool: previews, several choices, notes, what is passed over, and a refusal", async (t) => {
    const answers: (QuestionAnswers | null)[] = [
      { "Which one?": "Redis", "Which many?": ["Redis", "Postgres"], "Open?": "words of my own" },
      {
        "Which one?": { answer: "Postgres", notes: "as we said" },
        "Which many?": { unanswered: "skipped" },
        "Open?": { unanswered: "replied_in_chat" },
      },
      {},
      null,
    ];
    const previews: (string | undefined)[] = [];
    const toCallback: string[] = [];
    const onQuestion: OnQuestion = (questions, { toolUseID }) => {
      previews.push(...questions.flatMap(({ options }) => options.map(({ preview }) => preview)));
      assert.match(toolUseID, /^toolu_/);
      return Promise.resolve(answers.shift() as QuestionAnswers | null);
    };
    const questions = [
      question("Which one?", { preview: true }),
      question("Which many?", { multiSelect: true }),
      question("Open?"),
    ];
    const talk = await Talk.start(t, {
      script: [1, 2, 3, 4].flatMap(() => [turn.toolUse("AskUserQuestion", { questions }), turn.text("I see")]),
      options: {
        toolConfig: { askUserQuestion: { previewFormat: "html" } },
        canUseTool: (name) => {
          toCallback.push(name);
          return Promise.resolve({ behavior: "allow" });
        },
        tether: { onQuestion },
      },
    });
    const { scene } = talk;
    const told = () => scene.model.requests.at(-1)?.lastToolResult()?.text ?? "";

    await talk.say("1");
    assert.deepEqual(previews.slice(0, 3), ["<b>Redis</b>", "<b>Postgres</b>", undefined]);
    for (const part of ['"Which one?"="Redis"', "<b>Redis</b>", '"Which many?"="Redis, Postgres"', "words of my own"]) {
      assert.include(told(), part);
    }
    const second = await talk.say("2");
    assert.include(told(), '"Which one?"="Postgres" selected preview:\n<b>Postgres</b> notes: as we said');
    const annotations = second.flatMap((message) =>
      message.type === "user" ? [(message.tool_use_result as { annotations?: JsonObject }).annotations] : []
    );
    assert.deepEqual(annotations[0] as unknown, {
      "Which one?": { preview: "<b>Postgres</b>", notes: "as we said" },
      "Which many?": { unanswered: "skipped" },
      "Open?": { unanswered: "replied_in_chat" },
    });
    await talk.say("3");
    assert.strictEqual(told(), "The user did not answer the questions.");
    await talk.say("4");
    assert.strictEqual(told(), "The user did not answer.");
    assert.deepEqual(toCallback, []);
    await talk.end();
  });

  test("with canUseTool alone the questions go there, and its answers to the model", async (t) => {
    const talk = await Talk.start(t, {
      script: [turn.toolUse("AskUserQuestion", { questions: [question("Which one?")] }), turn.text("I see")],
      options: {
        canUseTool: (_name, input) =>
          Promise.resolve({ behavior: "allow", updatedInput: { ...input, answers: { "Which one?": "Redis" } } }),
      },
    });
    await talk.say("go");
    assert.include(talk.scene.model.requests.at(-1)?.lastToolResult()?.text, '"Which one?"="Redis"');
    await talk.end();
  });

  test("H32 I18 L28 L37 a server's form and page: accepted, declined, cancelled, failed, taken back; its hooks see it", async (t) => {
    const requests: ElicitationRequest[] = [];
    const hooked: HookInput[] = [];
    const open = deferred<AbortSignal>();
    const note = (input: HookInput) => {
      hooked.push(input);
      return Promise.resolve();
    };
    const page = { mode: "url", message: "sign in", url: "https://example.com/sign-in", elicitationId: "e-1" };
    const form = (message: string) => ({ mode: "form", message, requestedSchema: SCHEMA });
    const talk = await Talk.start(t, {
      script: [
        turn.toolUse("mcp__asking__plain", {}),
        ask(form("accept")),
        ask(form("decline")),
        ask(form("cancel")),
        ask(form("throw")),
        ask(form("rubbish")),
        ask(page, { complete: "e-1" }),
        turn.text("done"),
        ask(form("hang")),
        turn.text("and on"),
      ],
      options: {
        mcpServers: { asking: askingServer() },
        allowedTools: ["mcp__asking"],
        hooks: {
          Elicitation: [{ hooks: [note] }],
          ElicitationResult: [{ hooks: [note] }],
          Notification: [{ hooks: [note] }],
        },
        onElicitation: async (request, { signal }): Promise<ElicitationResult> => {
          requests.push(request);
          switch (request.message) {
            case "accept":
              return { action: "accept", content: { name: "Bob", age: 7 } };
            case "decline":
            case "cancel":
              return { action: request.message };
            case "throw":
              throw new Error("nobody is there");
            case "rubbish":
              return {} as ElicitationResult;
            case "hang":
              open.resolve(signal);
              return await deferred<ElicitationResult>().promise;
            default:
              return { action: "accept" };
          }
        },
      },
    });
    const { scene } = talk;
    const messages = await talk.say("go");
    assert.strictEqual(statusAtInit(messages), "connected");
    const told = scene.model.requests.map((request) => request.lastToolResult()?.text).filter((text) =>
      text !== undefined
    );
    assert.deepEqual(told.slice(0, 6), [
      "plain ran",
      'told: {"action":"accept","content":{"name":"Bob","age":7}}',
      'told: {"action":"decline"}',
      'told: {"action":"cancel"}',
      'told: {"action":"cancel"}',
      'told: {"action":"cancel"}',
    ]);
    assert.match(told[6] as string, /^told: \{"action":"accept"/);
    const [first] = requests;
    assert.deepInclude(first, { serverName: "asking", message: "accept", mode: "form" });
    assert.deepEqual(Object.keys(first?.requestedSchema?.properties as object), ["name", "age"]);
    assert.deepInclude(requests.at(-1), { mode: "url", url: page.url, elicitationId: "e-1" });
    assert.include(JSON.stringify(messages), '"subtype":"elicitation_complete"');
    const failed = scene.diagnostics.filter((event) => event.kind === "callback_failed");
    assert.deepEqual(failed.map((event) => "callback" in event && event.callback), ["onElicitation", "onElicitation"]);

    const byEvent = (name: string) => hooked.filter((input) => input.hook_event_name === name);
    assert.deepInclude(byEvent("Elicitation")[0], { mcp_server_name: "asking", message: "accept", mode: "form" });
    assert.deepInclude(byEvent("ElicitationResult")[0], { action: "accept", content: { name: "Bob", age: 7 } });
    assert.deepInclude(byEvent("Notification")[0], { notification_type: "elicitation_response" });

    const over = talk.say("again");
    const signal = await open.promise;
    await scene.query.interrupt();
    await over;
    assert.isTrue(signal.aborted);
    await talk.end();
  });

  test("H32 L37 a server that is slow to start is pending until it is there; without a callback its question is declined", async (t) => {
    let ready = "";
    const talk = await Talk.start(t, {
      script: [ask({ message: "anybody?", requestedSchema: SCHEMA }), turn.text("done")],
      options: ({ folders }) => {
        ready = join(folders.cwd, "ready");
        return { mcpServers: { asking: askingServer(ready) }, allowedTools: ["mcp__asking"] };
      },
    });
    const [pending] = await talk.scene.query.mcpServerStatus();
    assert.deepInclude(pending, { name: "asking", status: "pending" });
    await writeFile(ready, "");
    await talk.connected("asking");
    assert.strictEqual(statusAtInit(await talk.say("go")), "connected");
    assert.strictEqual(talk.scene.model.requests.at(-1)?.lastToolResult()?.text, 'told: {"action":"decline"}');
    await talk.end();
  });
});
