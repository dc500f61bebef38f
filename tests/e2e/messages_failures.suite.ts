/** What becomes of a turn when the service fails, limits or refuses, on the real CLI. */
import { assert } from "chai";
import {
  isAssistantMessage,
  isErrorResult,
  isSuccessResult,
  isSystemMessage,
  isUserMessage,
  messageKind,
  ResultError,
  type SDKMessage,
  textOf,
} from "../../mod.ts";
import { type ModelRequest, turn } from "../../src/testing/mod.ts";
import { rejection } from "../harness/rejects.ts";
import { suite, type TestContext } from "../harness/suite.ts";
import { cliEnvFor } from "./real_cli.ts";
import { CUT_SHORT, DONE, type Scene } from "./real_query.ts";
import { only, Talk } from "./talk.ts";

/** Back-offs of half a second and more add up, and a busy machine is slow. */
const PATIENT = { timeoutMs: 60_000 };

const retries = (count: number) => ({ model, folders }: Scene) => ({
  env: cliEnvFor(model, folders, { CLAUDE_CODE_MAX_RETRIES: String(count) }),
});

/** What was said last: a prompt that got no answer stands before the next one in the same message. */
function said(request: ModelRequest): string {
  return request.prompt.split("\n").at(-1) ?? "";
}

function retriesIn(messages: readonly SDKMessage[]): unknown[] {
  return messages.filter((message) => isSystemMessage(message, "api_retry"))
    .map(({ attempt, max_retries: most, error_status: status, error }) => [attempt, most, status, error]);
}

/** What each status becomes: the word on the assistant's message, the service's word, and whether it is tried again. */
const FAILURES: readonly [status: number, error: string, type: string, retriedAs?: string][] = [
  [400, "unknown", "invalid_request_error"],
  [401, "authentication_failed", "authentication_error", "authentication_failed"],
  [403, "authentication_failed", "permission_error"],
  [404, "model_not_found", "not_found_error"],
  [429, "rate_limit", "rate_limit_error", "rate_limit"],
  [500, "server_error", "api_error", "server_error"],
  [529, "server_error", "overloaded_error", "overloaded"],
];

async function failures(t: TestContext): Promise<void> {
  let drops = 0;
  const talk = await Talk.start(t, {
    script: (request) => {
      const task = said(request);
      if (task === "drop") return drops++ === 0 ? turn.drop() : turn.text("here I am");
      if (task === "credit") return turn.error(400, { message: "Your credit balance is too low" });
      if (task === "stream") return turn.text("one two three", { chunkChars: 4, errorAfter: { after: 0 } });
      return turn.error(Number(task), { message: `words of ${task}` });
    },
    options: retries(1),
  });
  for (const [status, error, type, retriedAs] of FAILURES) {
    const messages = await talk.say(String(status));
    const again = retriedAs === undefined ? [] : ["system/api_retry"];
    assert.deepEqual(messages.map(messageKind), ["system/init", ...again, "assistant", "result/success"], `${status}`);
    if (retriedAs !== undefined) assert.deepEqual(retriesIn(messages), [[1, 1, status, retriedAs]]);
    const synthetic = only(messages.filter(isAssistantMessage));
    assert.deepInclude(synthetic, {
      error,
      is_api_error_message: true,
      api_error_status: status,
      api_error_type: type,
    });
    assert.strictEqual(synthetic.message.model, "<synthetic>");
    const result = only(messages.filter(isErrorResult));
    assert.deepInclude(result, { subtype: "success", terminal_reason: "api_error", api_error_status: status });
    assert.strictEqual(textOf(result), textOf(synthetic));
    if (status !== 404) assert.include(textOf(result), `words of ${status}`);
  }
  const poor = only((await talk.say("credit")).filter(isAssistantMessage));
  assert.strictEqual(poor.error, "billing_error");
  const dropped = await talk.say("drop");
  assert.deepEqual(retriesIn(dropped), [[1, 1, null, "unknown"]]);
  assert.strictEqual(only(dropped.filter(isSuccessResult)).result, "here I am");
  const broken = only((await talk.say("stream")).filter(isErrorResult));
  assert.deepInclude(broken, { api_error_status: 529, api_error_type: "overloaded_error" });
  const error = await rejection(talk.end());
  assert.instanceOf(error, ResultError);
  assert.deepInclude((error as ResultError).result, { subtype: "success", is_error: true, api_error_status: 529 });
  talk.scene.gone(CUT_SHORT);
}

async function fallback(t: TestContext): Promise<void> {
  const talk = await Talk.start(t, {
    script: (request) => request.model.includes("sonnet") ? turn.text("I step in") : turn.error(529),
    options: (scene) => ({ ...retries(4)(scene), fallbackModel: "claude-sonnet-5" }),
  });
  const messages = await talk.say("go");
  const retry = "system/api_retry";
  assert.deepEqual(messages.map(messageKind), [
    "system/init",
    retry,
    retry,
    "system/model_fallback",
    "assistant",
    "result/success",
  ]);
  assert.deepEqual(retriesIn(messages), [[1, 4, 529, "overloaded"], [2, 4, 529, "overloaded"]]);
  assert.deepInclude(only(messages.filter((message) => isSystemMessage(message, "model_fallback"))), {
    trigger: "overloaded",
    original_model: "claude-opus-5-5",
    fallback_model: "claude-sonnet-5",
  });
  assert.strictEqual(only(messages.filter(isAssistantMessage)).message.model, "claude-sonnet-5");
  assert.isEmpty(await talk.end());
  talk.scene.gone(DONE);
}

/** What the service says of a plan's limit. */
function limitHeaders(status: string, used: string): Record<string, string> {
  const reset = "4102444800";
  return {
    "anthropic-ratelimit-unified-status": status,
    "anthropic-ratelimit-unified-reset": reset,
    "anthropic-ratelimit-unified-representative-claim": "five_hour",
    "anthropic-ratelimit-unified-5h-utilization": used,
    "anthropic-ratelimit-unified-5h-reset": reset,
    "anthropic-ratelimit-unified-5h-surpassed-threshold": "0.9",
  };
}

export default suite("messages of failures", (test) => {
  test(
    "errors of the service: retries are told, then a text that stands for the failure, then a success that is none (M30 O03 O12 O13)",
    async (t) => {
      // Side by side: what takes time here is waiting.
      await Promise.all([failures(t), fallback(t)]);
    },
    PATIENT,
  );

  test("a plan's limit that comes near, and one that is reached: told, and not tried again (M13 O13)", async (t) => {
    const talk = await Talk.start(t, {
      script: [
        turn.text("near", { headers: limitHeaders("allowed_warning", "0.92") }),
        turn.error(429, { headers: limitHeaders("rejected", "1.0") }),
      ],
      options: ({ model, folders }) => {
        const { ANTHROPIC_API_KEY: _, ...env } = cliEnvFor(model, folders);
        return { env: { ...env, CLAUDE_CODE_OAUTH_TOKEN: "sk-ant-oat01-scripted" } };
      },
    });
    const limitIn = (messages: readonly SDKMessage[]) => {
      const event = only(messages.filter((message) => message.type === "rate_limit_event"));
      return event.rate_limit_info;
    };
    const near = await talk.say("go");
    assert.deepInclude(limitIn(near), {
      status: "allowed_warning",
      rateLimitType: "five_hour",
      utilization: 0.92,
      surpassedThreshold: 0.9,
      resetsAt: 4_102_444_800,
      isUsingOverage: false,
    });
    assert.isTrue(isSuccessResult(near.at(-1)!));

    const reached = await talk.say("go on");
    assert.deepEqual(reached.map(messageKind), ["system/init", "rate_limit_event", "assistant", "result/success"]);
    assert.deepInclude(limitIn(reached), { status: "rejected", rateLimitType: "five_hour" });
    const synthetic = only(reached.filter(isAssistantMessage));
    assert.deepInclude(synthetic, { error: "rate_limit", api_error: "usage_limit_reached", api_error_status: 429 });
    assert.include(textOf(synthetic), "5-hour limit");
    assert.isTrue(isErrorResult(reached.at(-1)!));
    assert.instanceOf(await rejection(talk.end()), ResultError);
  });

  test("out of output tokens: continued three times; a refusal: asked once more, then told, or another model takes over and frames are taken back (M31)", async (t) => {
    const refuse = (category?: string) =>
      turn.refusal("I would rather", {
        message: { stop_details: { type: "refusal", category: category ?? null, explanation: "because" } },
      });
    const talk = await Talk.start(t, {
      script: [
        ...[1, 2, 3, 4].map((part) => turn.maxTokens(`part ${part}`)),
        ...[refuse(), refuse(), refuse("cyber"), refuse("cyber")],
        turn.text("then I"),
      ],
    });
    const cut = await talk.say("write a book");
    assert.deepEqual(cut.filter(isUserMessage).map(({ isSynthetic }) => isSynthetic), [true, true, true]);
    const parts = cut.filter(isAssistantMessage);
    assert.deepEqual(parts.slice(0, 4).map(textOf), ["part 1", "part 2", "part 3", "part 4"]);
    assert.deepInclude(parts[4], { error: "max_output_tokens", api_error: "max_output_tokens" });
    assert.deepInclude(only(cut.filter(isErrorResult)), { subtype: "success", terminal_reason: "api_error" });

    const plain = await talk.say("do it");
    const asked = only(plain.filter(isUserMessage));
    assert.deepInclude(asked, { isSynthetic: true, refusal_retry: true, refused_message_id: "msg_scripted_5" });
    const refused = plain.filter((message) => isSystemMessage(message, "model_refusal_no_fallback"));
    assert.deepInclude(only(refused), { original_model: "claude-opus-5-5", api_refusal_explanation: "because" });
    const last = plain.filter(isAssistantMessage).at(-1)!;
    assert.deepInclude(last, { error: "invalid_request" });
    assert.isTrue(isErrorResult(plain.at(-1)!));
    const withheld = plain.filter(isAssistantMessage)[0]!;
    assert.strictEqual(withheld.message.stop_details?.explanation, "because");

    const handed = await talk.say("do the other thing");
    const fallen = only(handed.filter((message) => isSystemMessage(message, "model_refusal_fallback")));
    assert.deepInclude(fallen, { trigger: "refusal", direction: "retry", original_model: "claude-opus-5-5" });
    assert.strictEqual(fallen.api_refusal_category, "cyber");
    const answer = handed.filter(isAssistantMessage).at(-1)!;
    assert.deepEqual([textOf(answer), answer.message.model], ["then I", fallen.fallback_model]);
    assert.deepEqual(answer.supersedes, fallen.retracted_message_uuids);
    const earlier = handed.slice(0, handed.indexOf(answer)).map(({ uuid }) => uuid);
    assert.includeMembers(earlier, answer.supersedes ?? ["none"]);
    assert.isEmpty(await talk.end());
    talk.scene.gone(DONE);
  });
});
