/**
 * What a turn is made of, on the real CLI: blocks, partial events, limits, structured answers, echoes and receipts.
 *
 * Not provoked here or beside, and fed by the scripted CLI in `messages_pass_through`: `control_request_progress`, which no
 * request of a public method brings about. `tool_progress` has a suite of its own: it takes half a minute.
 */
import { assert } from "chai";
import {
  isAssistantMessage,
  isErrorResult,
  isResultMessage,
  isStreamEvent,
  isSuccessResult,
  isSystemMessage,
  isUserMessage,
  messageKind,
  type RawMessageStreamEvent,
  ResultError,
  type SDKMessage,
  textOf,
  toolResultsOf,
  toolUsesOf,
} from "../../mod.ts";
import { block, turn } from "../../src/testing/mod.ts";
import { rejection } from "../harness/rejects.ts";
import { suite } from "../harness/suite.ts";
import { cliEnvFor } from "./real_cli.ts";
import { CUT_SHORT, DONE } from "./real_query.ts";
import { only, Talk } from "./talk.ts";

const BASH = { allowedTools: ["Bash"] };
const PATIENT = { timeoutMs: 60_000 };

/** The events of a stream, in order. */
function eventsOf(messages: readonly SDKMessage[]): RawMessageStreamEvent[] {
  return messages.filter(isStreamEvent).map(({ event }) => event);
}

/** What the deltas of one kind add up to. */
function added(messages: readonly SDKMessage[], type: string, field: string): string {
  return eventsOf(messages).flatMap((event) =>
    event.type === "content_block_delta" && event.delta.type === type
      ? [String((event.delta as Record<string, unknown>)[field])]
      : []
  ).join("");
}

/** Kinds of the blocks the assistant's messages hold. */
function blockKinds(messages: readonly SDKMessage[]): string[] {
  return messages.filter(isAssistantMessage).flatMap(({ message }) => message.content.map(({ type }) => type));
}

export default suite("messages of a turn", (test) => {
  test("thoughts, text, a tool call and its result, with the events they are written in (M01 M03 M04 M15 M21 M22 M23 M24)", async (t) => {
    const command = { command: "echo one", description: "says one" };
    const talk = await Talk.start(t, {
      script: [
        turn.blocks(
          [block.thinking("let me think about it"), block.text("Hello there"), block.toolUse("Bash", command)],
          { chunkChars: 6 },
        ),
        turn.text("done"),
      ],
      options: { ...BASH, includePartialMessages: true },
    });
    const messages = await talk.say("go");

    // On a machine that is busy even an echo may take so long that it is told of as a task.
    const beside = /^stream_event$|^system\/(thinking_tokens|task_)/;
    const whole = messages.filter((message) => !beside.test(messageKind(message)));
    const request = ["system/status", "assistant"];
    assert.deepEqual(whole.map(messageKind), [
      "system/init",
      ...request,
      "assistant",
      "assistant",
      "user",
      ...request,
      "result/success",
    ]);
    assert.deepEqual(messages.filter((message) => isSystemMessage(message, "status")).map(({ status }) => status), [
      "requesting",
      "requesting",
    ]);

    const [first, second, third] = messages.filter(isAssistantMessage);
    assert.deepEqual(blockKinds(messages), ["thinking", "text", "tool_use", "text"]);
    assert.strictEqual(first?.message.id, third?.message.id, "frames of one response share its id");
    assert.deepInclude(first, { parent_tool_use_id: null, request_id: "req_scripted_1" });
    assert.deepInclude(first?.message, { role: "assistant", model: "claude-opus-5-5", stop_reason: null });
    assert.strictEqual(textOf(second!), "Hello there");
    assert.deepEqual(toolUsesOf(third!).map(({ name, input }) => [name, input]), [["Bash", command]]);
    const answered = only(messages.filter(isUserMessage));
    assert.deepInclude(answered.tool_use_result, { stdout: "one", stderr: "", interrupted: false });
    assert.deepEqual(toolResultsOf(answered).map((result) => [result.tool_use_id, result.is_error, textOf(result)]), [
      ["toolu_scripted_1", false, "one"],
    ]);

    const names = eventsOf(messages).map(({ type }) => type);
    assert.strictEqual(names[0], "message_start");
    assert.strictEqual(names.at(-1), "message_stop");
    assert.deepEqual(names.filter((name) => name === "content_block_start").length, 4);
    assert.deepEqual(names.filter((name) => name === "content_block_stop").length, 4);
    assert.strictEqual(added(messages, "thinking_delta", "thinking"), "let me think about it");
    assert.strictEqual(added(messages, "signature_delta", "signature"), "c2NyaXB0ZWQ=");
    assert.deepEqual(JSON.parse(added(messages, "input_json_delta", "partial_json")), command);
    const streamed = messages.filter(isStreamEvent).map(textOf).join("");
    assert.strictEqual(streamed, messages.filter(isAssistantMessage).map(textOf).join(""));
    const at = (index: number): string => messageKind(messages[index]!);
    const firstWhole = messages.findIndex(isAssistantMessage);
    assert.deepEqual([at(firstWhole), at(firstWhole + 1)], ["assistant", "stream_event"]);
    const after = messages[firstWhole + 1]!;
    assert.isTrue(isStreamEvent(after) && after.event.type === "content_block_stop", "the whole block comes before");
    const estimates = messages.filter((message) => isSystemMessage(message, "thinking_tokens"));
    assert.isNotEmpty(estimates);
    assert.strictEqual(
      estimates.reduce((sum, { estimated_tokens_delta: more }) => sum + more, 0),
      estimates.at(-1)?.estimated_tokens,
    );

    const result = only(messages.filter(isSuccessResult));
    assert.deepInclude(result, { result: "done", num_turns: 2, stop_reason: "end_turn", terminal_reason: "completed" });
    assert.deepInclude(result.usage, { input_tokens: 20, output_tokens: 40 });
    assert.strictEqual(result.modelUsage["claude-opus-5-5"]?.outputTokens, 40);
    const ids = new Set(messages.map((message) => message.session_id));
    assert.strictEqual(ids.size, 1);
    assert.strictEqual(
      new Set(messages.map((message) => message.uuid)).size,
      messages.length,
      "a uuid of its own each",
    );
    assert.isEmpty(await talk.end());
    talk.scene.gone(DONE);
  });

  test("blocks of the service's own tools, sealed thoughts and unknown blocks pass; broken arguments arrive marked (M03 M05 M18 M22 N16 N24)", async (t) => {
    const found = { type: "web_search_result", url: "https://example.org", title: "t", encrypted_content: "e" };
    const answer = { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: [found] };
    const unknown = { type: "hologram", shape: { x: 1 } };
    const talk = await Talk.start(t, {
      script: [
        turn.blocks([
          block.redactedThinking("sealed"),
          block.raw({ type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "q" } }),
          block.raw(answer),
          block.raw(unknown),
          block.text("found"),
        ]),
        turn.blocks([block.text(""), block.brokenToolUse("Bash", '{"command": "ls')]),
        turn.text("sorry"),
        turn.text("so far", { stopReason: "pause_turn" }),
      ],
    });
    const search = await talk.say("search");
    const blocks = search.filter(isAssistantMessage).flatMap(({ message }) => message.content);
    assert.deepEqual(blocks as unknown[], [
      { type: "redacted_thinking", data: "sealed" },
      { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "q" } },
      answer,
      unknown,
      { type: "text", text: "found" },
    ]);
    assert.strictEqual(textOf(only(search.filter(isResultMessage))), "found");
    assert.isEmpty(search.filter(isStreamEvent), "partial messages were not asked for");

    const broken = await talk.say("broken");
    assert.deepEqual(broken.flatMap(toolUsesOf).map(({ input }) => input), [
      { __unparsedToolInput: { raw: '{"command": "ls', len: 15 } },
    ]);
    assert.deepEqual(blockKinds(broken), ["tool_use", "text"], "an empty text is not shown, nor anything in its place");
    const refused = only(broken.flatMap(toolResultsOf));
    assert.isTrue(refused.is_error);
    assert.include(textOf(refused), "could not be parsed as JSON");

    const paused = only((await talk.say("pause")).filter(isSuccessResult));
    assert.deepInclude(paused, { stop_reason: "pause_turn", result: "so far" });
    assert.isEmpty(await talk.end());
    const results = talk.scene.messages.filter(isResultMessage);
    assert.deepEqual(results.map((result) => result.result_index), [0, 1, 2]);
    const usage = results.map((result) => [
      result.usage.input_tokens,
      result.modelUsage["claude-opus-5-5"]?.inputTokens,
      result.model_usage_since_last_result?.["claude-opus-5-5"]?.inputTokens,
    ]);
    assert.deepEqual(usage, [[10, 10, 10], [20, 30, 20], [10, 40, 10]], "of the turn, of the process, of the turn");
    assert.strictEqual(new Set(talk.scene.messages.map((message) => message.session_id)).size, 1);
  });

  test("the limits on turns and on money: an error result that names them, and the last one is the query's error (N20 O02)", async (t) => {
    const talk = await Talk.start(t, {
      script: (request) =>
        turn.toolUse("Bash", { command: "true", description: "d" }, {
          usage: { inputTokens: request.prompt.endsWith("costly") ? 900_000 : 1 },
        }),
      options: { ...BASH, maxTurns: 1, maxBudgetUsd: 0.5 },
    });
    const turns = only((await talk.say("go")).filter(isErrorResult));
    assert.deepInclude(turns, { subtype: "error_max_turns", is_error: true, terminal_reason: "max_turns" });
    assert.strictEqual(textOf(turns), "Reached maximum number of turns (1)");
    const money = only((await talk.say("costly")).filter(isErrorResult));
    assert.deepInclude(money, { subtype: "error_max_budget_usd", is_error: true, terminal_reason: "budget_exhausted" });
    assert.strictEqual(textOf(money), "Reached maximum budget ($0.5)");
    assert.isAbove(money.total_cost_usd, 0.5);
    const error = await rejection(talk.end());
    assert.instanceOf(error, ResultError);
    assert.deepInclude((error as ResultError).result, { subtype: "error_max_budget_usd" });
    talk.scene.gone(CUT_SHORT);
  });

  test("structured answers: right, wrong and then right, never given, wrong to the end (N17)", async (t) => {
    const talk = await Talk.start(t, {
      script: (request) => {
        const task = request.prompt.split("\n").at(-1);
        if (task === "right") return turn.toolUse("StructuredOutput", { a: 5 });
        if (task === "never" || request.prompt.includes("MUST call")) return turn.text("no thanks");
        const again = task === "wrong first" && request.lastToolResult()?.isError === true;
        return turn.toolUse("StructuredOutput", { a: again ? 6 : "bad" });
      },
      options: ({ model, folders }) => ({
        outputFormat: {
          type: "json_schema",
          schema: { type: "object", properties: { a: { type: "number" } }, required: ["a"] },
        },
        env: cliEnvFor(model, folders, { MAX_STRUCTURED_OUTPUT_RETRIES: "2" }),
      }),
    });
    const right = only((await talk.say("right")).filter(isSuccessResult));
    assert.deepEqual([right.structured_output, right.result], [{ a: 5 }, '{"a":5}']);

    const mended = await talk.say("wrong first");
    assert.deepEqual(mended.flatMap(toolResultsOf).map((result) => [result.is_error, textOf(result)]), [
      [true, "Output does not match required schema: /a: must be number"],
      [undefined, "Structured output provided successfully"],
    ]);
    assert.deepEqual(only(mended.filter(isSuccessResult)).structured_output, { a: 6 });

    const never = await talk.say("never");
    assert.isTrue(only(never.filter(isUserMessage)).isSynthetic, "the CLI reminds the model once");
    const plain = only(never.filter(isSuccessResult));
    assert.strictEqual(plain.result, "no thanks");
    assert.notProperty(plain, "structured_output");

    const wrong = only((await talk.say("always wrong")).filter(isErrorResult));
    assert.deepInclude(wrong, {
      subtype: "error_max_structured_output_retries",
      terminal_reason: "structured_output_retry_exhausted",
    });
    assert.include(textOf(wrong), "/a: must be number");
    assert.instanceOf(await rejection(talk.end()), ResultError);
  }, PATIENT);

  test("echoes, receipts and states that were asked for; a line without a turn; an interrupt (M19 M20 M30 N13 N14 N25)", async (t) => {
    const uuid = "11111111-1111-4111-8111-111111111111";
    const talk = await Talk.start(t, {
      script: [
        turn.text("one"),
        turn.text("one two three", { chunkChars: 4, stallAfter: 2 }),
        turn.text("three"),
      ],
      options: ({ model, folders }) => ({
        includePartialMessages: true,
        extraArgs: { "replay-user-messages": null },
        env: cliEnvFor(model, folders, { CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: "1" }),
      }),
    });
    const message = (content: string) => ({ type: "user", message: { role: "user", content } }) as const;
    const states = (messages: readonly SDKMessage[]): string[] =>
      messages.filter((message) => isSystemMessage(message, "session_state_changed")).map(({ state }) => state);

    const first = await talk.say({ ...message("go"), uuid, origin: { kind: "human" } });
    assert.isBelow(first.findIndex(isUserMessage), first.findIndex(isStreamEvent), "the echo precedes what answers it");
    const whole = first.filter((message) => !isStreamEvent(message) && !isSystemMessage(message, "status"));
    assert.deepEqual(whole.map(messageKind), [
      "system/session_state_changed",
      "command_lifecycle",
      "command_lifecycle",
      "system/init",
      "user",
      "assistant",
      "result/success",
    ]);
    assert.deepInclude(only(first.filter(isUserMessage)), { uuid, isReplay: true });
    const answer = only(first.filter(isResultMessage));
    assert.deepInclude(answer, { user_message_uuid: uuid, user_message_uuids: [uuid] });
    assert.deepEqual(answer.origin, { kind: "human" });

    const silent = await talk.say({ ...message("context only"), shouldQuery: false });
    assert.deepInclude(only(silent.filter(isResultMessage)), { subtype: "success", num_turns: 0, result: "" });
    assert.isEmpty(silent.filter(isAssistantMessage));
    assert.lengthOf(talk.scene.model.requests, 1);
    assert.notProperty(only(silent.filter(isResultMessage)), "origin");

    talk.push("cut me");
    await talk.readTo((message) => isStreamEvent(message) && textOf(message) === "two ");
    assert.include(JSON.stringify(talk.scene.model.requests[1]?.messages), "context only");
    await talk.scene.query.interrupt();
    const cut = await talk.readTo(isResultMessage);
    const half = only(cut.filter(isAssistantMessage));
    assert.deepEqual([textOf(half), half.aborted], ["one two ", true]);
    assert.deepInclude(only(cut.filter(isErrorResult)), {
      subtype: "error_during_execution",
      terminal_reason: "aborted_streaming",
    });

    const last = await talk.say("/ text");
    assert.strictEqual(textOf(only(last.filter(isSuccessResult))), "three");
    assert.isTrue(talk.scene.model.requests[2]?.prompt.endsWith("/ text"));

    const rest = await talk.end();
    const all = talk.scene.messages;
    assert.deepEqual(states(all), ["running", "idle", "running", "idle", "running", "idle", "running", "idle"]);
    assert.deepEqual(states(rest), ["idle"]);
    const receipts = all.filter((message) => message.type === "command_lifecycle");
    assert.deepEqual(receipts.map((receipt) => [receipt.command_uuid, receipt.state]), [
      [uuid, "queued"],
      [uuid, "started"],
      [uuid, "completed"],
    ], "of lines that were given a uuid, and of no other");
    talk.scene.gone(DONE);
  });
});
