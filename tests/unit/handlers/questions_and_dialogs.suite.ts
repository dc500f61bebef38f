import { assert } from "chai";
import { deferred } from "../../../src/core/deferred.ts";
import type { JsonObject } from "../../../src/core/json.ts";
import type { Options } from "../../../src/core/options/mod.ts";
import { NEVER_ANSWERED, NO_ANSWER, UnsupportedRequestError } from "../../../src/core/protocol/mod.ts";
import { rejectsWith } from "../../harness/rejects.ts";
import { suite, type TestContext } from "../../harness/suite.ts";
import { type HandlersFixture, openHandlers } from "./handlers_fixture.ts";

const QUESTIONS = [
  {
    question: "Which database?",
    header: "DB",
    multiSelect: false,
    options: [{ label: "Redis", description: "fast" }, { label: "Postgres", description: "sound", preview: "sql" }],
  },
  { question: "Which days?", multiSelect: true, options: [{ label: "Mon" }, { label: "Tue" }] },
];

const ASK: JsonObject = {
  tool_name: "AskUserQuestion",
  input: { questions: QUESTIONS },
  tool_use_id: "toolu_q",
  agent_id: "agent-1",
  requires_user_interaction: true,
};

const FORM: JsonObject = {
  mcp_server_name: "st",
  message: "your name?",
  mode: "form",
  requested_schema: { type: "object", properties: { name: { type: "string" }, age: { type: "number" } } },
  property_order: ["age", "name"],
  elicitation_id: "e1",
};

function asking(t: TestContext, onQuestion: (...args: never[]) => unknown, options: Options = {}): HandlersFixture {
  return openHandlers(t, { ...options, tether: { onQuestion } } as Options);
}

export default suite("questions, elicitations and dialogs", (test) => {
  test("onQuestion gets typed questions, and its answers land in the input", async (t) => {
    let seen: unknown[] = [];
    const fixture = asking(t, (...args) => {
      seen = args;
      return Promise.resolve({ "Which database?": "Redis", "Which days?": "Mon, Tue" });
    });
    const answer = await fixture.ask("can_use_tool", ASK, { requestId: "u-1" });
    assert.deepEqual(seen[0], QUESTIONS);
    const { signal, ...context } = seen[1] as { signal: AbortSignal };
    assert.isFalse(signal.aborted);
    assert.deepEqual(context as unknown, { requestId: "u-1", toolUseID: "toolu_q", agentID: "agent-1" });
    assert.deepEqual(answer, {
      behavior: "allow",
      updatedInput: { questions: QUESTIONS, answers: { "Which database?": "Redis", "Which days?": "Mon, Tue" } },
      toolUseID: "toolu_q",
    });
    assert.isTrue(fixture.handlers.asks);
  });

  test("several labels may come as a list; a question may go unanswered", async (t) => {
    const fixture = asking(t, () => Promise.resolve({ "Which days?": ["Mon", "Tue"], "Which database?": undefined }));
    const answer = await fixture.ask("can_use_tool", ASK) as { updatedInput: JsonObject };
    assert.deepEqual(answer.updatedInput.answers, { "Which days?": "Mon, Tue" });
    assert.deepEqual(fixture.diagnostics, []);
  });

  test("the preview of the choice goes along; so do notes, and how a question was passed over", async (t) => {
    const given: [unknown, JsonObject][] = [
      [{ "Which database?": "Postgres" }, {
        answers: { "Which database?": "Postgres" },
        annotations: { "Which database?": { preview: "sql" } },
      }],
      [{ "Which database?": { answer: "my own", notes: "n" }, "Which days?": { unanswered: "skipped" } }, {
        answers: { "Which database?": "my own" },
        annotations: { "Which database?": { notes: "n" }, "Which days?": { unanswered: "skipped" } },
      }],
      [{ "Which days?": { answer: ["Mon", "Tue"] } }, { answers: { "Which days?": "Mon, Tue" } }],
      [{ "Which days?": { unanswered: "dismissed" } }, {
        answers: {},
        annotations: { "Which days?": { unanswered: "dismissed" } },
      }],
    ];
    for (const [answers, expected] of given) {
      const answer = await asking(t, () => Promise.resolve(answers)).ask("can_use_tool", ASK);
      assert.deepEqual((answer as JsonObject).updatedInput as JsonObject, { questions: QUESTIONS, ...expected });
    }
  });

  test("null refuses to answer, and the model is told", async (t) => {
    const fixture = asking(t, () => Promise.resolve(null));
    const answer = await fixture.ask("can_use_tool", ASK);
    assert.deepEqual(answer, { behavior: "deny", message: "The user did not answer.", toolUseID: "toolu_q" });
    assert.deepEqual(fixture.diagnostics, []);
  });

  test("rubbish, a throw and answers to no question deny and are reported", async (t) => {
    const failures: (() => unknown)[] = [
      () => undefined,
      () => "Redis",
      () => ({ "Which database?": 5 }),
      () => ({ "Which database?": { notes: "n" } }),
      () => ({ "Which database?": [{ label: "Redis" }] }),
      () => ({ "Which database?": { answer: ["Redis", undefined] } }),
      () => ({ "Which database?": { answer: "Redis", notes: 5 } }),
      () => ({ "Which database?": { unanswered: true } }),
      () => ({ DB: "Redis" }),
      () => {
        throw new Error("boom");
      },
      () => Promise.reject(new Error("boom")),
    ];
    for (const failure of failures) {
      const fixture = asking(t, failure);
      const answer = await fixture.ask("can_use_tool", ASK) as JsonObject;
      assert.strictEqual(answer.behavior, "deny");
      assert.lengthOf(fixture.diagnostics, 1);
      assert.include(fixture.diagnostics[0], { kind: "callback_failed", callback: "onQuestion", gate: true });
    }
  });

  test("an answer to no question among others is dropped and reported", async (t) => {
    const fixture = asking(t, () => Promise.resolve({ "Which database?": "Redis", "Which planet?": "Mars" }));
    const answer = await fixture.ask("can_use_tool", ASK) as { updatedInput: JsonObject };
    assert.deepEqual(answer.updatedInput.answers, { "Which database?": "Redis" });
    assert.include(fixture.diagnostics[0], { callback: "onQuestion", gate: false });
  });

  test("a question tool called without questions is denied", async (t) => {
    const fixture = asking(t, () => Promise.resolve({}));
    const answer = await fixture.ask("can_use_tool", { ...ASK, input: {} }) as JsonObject;
    assert.strictEqual(answer.behavior, "deny");
  });

  test("onQuestion alone: whatever else is asked is denied", async (t) => {
    const fixture = asking(t, () => Promise.resolve(null));
    const answer = await fixture.ask("can_use_tool", { tool_name: "Bash", input: {}, tool_use_id: "toolu_1" });
    assert.include(answer as JsonObject, { behavior: "deny", toolUseID: "toolu_1" });
  });

  test("onQuestion beside canUseTool takes the questions and leaves the rest", async (t) => {
    const asked: string[] = [];
    const fixture = asking(t, () => {
      asked.push("question");
      return Promise.resolve({});
    }, {
      canUseTool: (name) => {
        asked.push(name);
        return Promise.resolve({ behavior: "allow" });
      },
    });
    await fixture.ask("can_use_tool", ASK);
    await fixture.ask("can_use_tool", { tool_name: "Bash", input: {} });
    assert.deepEqual(asked, ["question", "Bash"]);
  });

  test("canUseTool alone gets the questions", async (t) => {
    const asked: string[] = [];
    const fixture = openHandlers(t, {
      canUseTool: (name, input) => {
        asked.push(name);
        return Promise.resolve({ behavior: "allow", updatedInput: { ...input, answers: {} } });
      },
    });
    await fixture.ask("can_use_tool", ASK);
    assert.deepEqual(asked, ["AskUserQuestion"]);
  });

  test("H32 an elicitation without a callback is declined", async (t) => {
    assert.deepEqual(await openHandlers(t, {}).ask("elicitation", FORM), { action: "decline" });
  });

  test("H32 an elicitation reaches its callback, the form in the server's own order, and its answer is sent", async (t) => {
    let seen: unknown[] = [];
    const fixture = openHandlers(t, {
      onElicitation: (...args) => {
        seen = args;
        return Promise.resolve({ action: "accept", content: { name: "Bob" } });
      },
    });
    const answer = await fixture.ask("elicitation", FORM, { requestId: "u-1" });
    assert.deepEqual(answer, { action: "accept", content: { name: "Bob" } });
    const [request, context] = seen as [JsonObject, JsonObject];
    assert.deepEqual(request, {
      serverName: "st",
      message: "your name?",
      mode: "form",
      elicitationId: "e1",
      requestedSchema: FORM.requested_schema,
    });
    const { properties } = request.requestedSchema as { properties: JsonObject };
    assert.deepEqual(Object.keys(properties), ["age", "name"]);
    assert.strictEqual(context.requestId, "u-1");
    assert.isTrue(fixture.handlers.asks);
  });

  test("an elicitation whose callback fails is cancelled, and reported", async (t) => {
    const failures = [() => Promise.reject(new Error("boom")), () => undefined, () => ({}), () => ({ action: "yes" })];
    for (const failure of failures) {
      const fixture = openHandlers(t, { onElicitation: failure } as unknown as Options);
      assert.deepEqual(await fixture.ask("elicitation", FORM), { action: "cancel" });
      assert.include(fixture.diagnostics[0], { kind: "callback_failed", callback: "onElicitation", gate: false });
    }
  });

  test("null from an elicitation or a dialog sends no answer", async (t) => {
    const fixture = openHandlers(t, {
      onElicitation: () => Promise.resolve(null),
      onUserDialog: () => Promise.resolve(null),
      supportedDialogKinds: ["kind"],
    });
    assert.strictEqual(await fixture.ask("elicitation", FORM), NO_ANSWER);
    assert.strictEqual(await fixture.ask("request_user_dialog", { dialog_kind: "kind", payload: {} }), NO_ANSWER);
  });

  test("an elicitation that is taken back tells its callback and is not reported", async (t) => {
    let signal: AbortSignal | undefined;
    const fixture = openHandlers(t, {
      onElicitation: (_request, context) => {
        signal = context.signal;
        return deferred<null>().promise;
      },
    });
    const controller = new AbortController();
    const answer = fixture.ask("elicitation", FORM, { signal: controller.signal });
    controller.abort();
    assert.deepEqual(await answer, { action: "cancel" });
    assert.isTrue(signal?.aborted);
    assert.deepEqual(fixture.diagnostics, []);
  });

  test("H33 declared dialog kinds travel, and only those reach the callback", async (t) => {
    const seen: unknown[] = [];
    const fixture = openHandlers(t, {
      onUserDialog: (request) => {
        seen.push(request);
        return Promise.resolve({ behavior: "completed", result: { choice: 1 } });
      },
      supportedDialogKinds: ["refusal_fallback_prompt"],
    });
    assert.deepEqual(await fixture.handlers.initializeFields(), { supportedDialogKinds: ["refusal_fallback_prompt"] });
    const fields = { dialog_kind: "refusal_fallback_prompt", payload: { a: 1 }, tool_use_id: "toolu_1" };
    assert.deepEqual(await fixture.ask("request_user_dialog", fields), {
      behavior: "completed",
      result: { choice: 1 },
    });
    assert.deepEqual(seen, [{ dialogKind: "refusal_fallback_prompt", payload: { a: 1 }, toolUseID: "toolu_1" }]);
    const other = await fixture.ask("request_user_dialog", { dialog_kind: "other", payload: {} });
    assert.deepEqual(other, { behavior: "cancelled" });
    assert.lengthOf(seen, 1);
  });

  test("H33 a dialog without a callback is met with silence; one that fails is cancelled", async (t) => {
    const silent = openHandlers(t, {});
    assert.strictEqual(await silent.ask("request_user_dialog", { dialog_kind: "k", payload: {} }), NO_ANSWER);
    const failures = [() => Promise.reject(new Error("boom")), () => ({ behavior: "done" }), () => 1];
    for (const failure of failures) {
      const fixture = openHandlers(t, { onUserDialog: failure, supportedDialogKinds: ["k"] } as unknown as Options);
      const answer = await fixture.ask("request_user_dialog", { dialog_kind: "k", payload: {} });
      assert.deepEqual(answer, { behavior: "cancelled" });
      assert.include(fixture.diagnostics[0], { callback: "onUserDialog", gate: false });
    }
  });

  test("H13 what is not known is refused as the protocol says; what is another kind of host's is left alone", async (t) => {
    const fixture = openHandlers(t, {});
    for (const subtype of ["made_up", "initialize", "set_permission_mode", "oauth_token_refresh", "ui_copy"]) {
      const error = await rejectsWith(fixture.ask(subtype, {}), UnsupportedRequestError);
      assert.strictEqual(error.message, `Unsupported control request subtype: ${subtype}`);
    }
    for (
      const subtype of ["remote_tool_call", "remote_plumbing_call", "remote_tools_probe", "remote_tools_reannounce"]
    ) {
      assert.strictEqual(await fixture.ask(subtype, {}), NEVER_ANSWERED);
    }
  });
});
