/** Guards and helpers over messages: on a frame of every kind, and on things that are no messages at all. */
import { assert } from "chai";
import fc from "fast-check";
import {
  type ContentBlock,
  fieldsOf,
  isAssistantMessage,
  isErrorResult,
  isResultMessage,
  isStreamEvent,
  isSuccessResult,
  isSystemMessage,
  isUserMessage,
  messageKind,
  type RawMessageStreamEvent,
  type SDKMessage,
  textOf,
  toolResultsOf,
  toolUsesOf,
} from "../../src/core/messages/mod.ts";
import { KNOWN_FRAMES } from "../fixtures/messages/known_frames.ts";
import { SYSTEM_FRAMES } from "../fixtures/messages/system_frames.ts";
import { assistant, failure, replay, streamEvent, success, user } from "../fixtures/messages/turn_frames.ts";
import { suite } from "../harness/suite.ts";

/** A success that is none: the service failed. */
const apiFailure: SDKMessage = { ...success, is_error: true, result: "API Error: 500 oops", api_error_status: 500 };

const ALL: readonly SDKMessage[] = [...KNOWN_FRAMES, apiFailure];

function taken(guard: (message: SDKMessage) => boolean): string[] {
  return ALL.filter(guard).map(messageKind);
}

function streamed(event: RawMessageStreamEvent): SDKMessage {
  return { ...streamEvent, event };
}

/** As the wire has it: anything at all under a known name. */
const anything = fc.record({
  type: fc.constantFrom("assistant", "user", "result", "stream_event", "system", "text", "tool_result", "else"),
  subtype: fc.option(fc.constantFrom("success", "init", "error_max_turns"), { nil: undefined }),
  message: fc.oneof(fc.jsonValue(), fc.record({ content: fc.oneof(fc.jsonValue(), fc.array(fc.jsonValue())) })),
  event: fc.oneof(
    fc.jsonValue(),
    fc.record({
      type: fc.constantFrom("content_block_start", "content_block_delta", "ping"),
      content_block: fc.jsonValue(),
      delta: fc.oneof(fc.jsonValue(), fc.record({ type: fc.constant("text_delta"), text: fc.jsonValue() })),
    }),
  ),
  content: fc.oneof(fc.jsonValue(), fc.array(fc.record({ type: fc.constant("text"), text: fc.jsonValue() }))),
  text: fc.jsonValue(),
  errors: fc.jsonValue(),
  result: fc.jsonValue(),
});

export default suite("message helpers", (test) => {
  test("each guard takes its kind, and nothing else of all there are", () => {
    assert.deepEqual(taken(isAssistantMessage), ["assistant"]);
    assert.deepEqual(taken(isUserMessage), ["user", "user"]);
    assert.deepEqual(taken(isStreamEvent), ["stream_event"]);
    assert.deepEqual(taken(isResultMessage), ["result/error_max_turns", "result/success", "result/success"]);
    assert.lengthOf(taken((message) => isSystemMessage(message)), Object.keys(SYSTEM_FRAMES).length);
    for (const subtype of Object.keys(SYSTEM_FRAMES)) {
      assert.deepEqual(taken((message) => isSystemMessage(message, subtype)), [`system/${subtype}`]);
    }
    assert.deepEqual(taken((message) => isSystemMessage(message, "success")), [], "the subtype of a result");
  });

  test("a result either went well or did not: a success of which the service says that it failed is no success", () => {
    assert.deepEqual(ALL.filter(isSuccessResult), [{ ...success, is_error: false }]);
    assert.deepEqual<SDKMessage[]>(ALL.filter(isErrorResult), [failure, apiFailure]);
  });

  test("an unknown kind is taken by no guard, an unknown subtype by the one for system messages", () => {
    const kind = { type: "brand_new_kind", words: 1 } as unknown as SDKMessage;
    const subtype = { type: "system", subtype: "brand_new", words: 1 } as unknown as SDKMessage;
    const guards = [isAssistantMessage, isUserMessage, isStreamEvent, isResultMessage, isSuccessResult, isErrorResult];
    for (const guard of guards) assert.deepEqual([guard(kind), guard(subtype)], [false, false], guard.name);
    assert.deepEqual([isSystemMessage(kind), isSystemMessage(subtype)], [false, true]);
    assert.isTrue(isSystemMessage(subtype, "brand_new"));
    assert.isFalse(isSystemMessage(subtype, "init"));
    assert.deepEqual([messageKind(kind), messageKind(subtype)], ["brand_new_kind", "system/brand_new"]);
    assert.strictEqual(fieldsOf(kind).words, 1);
    assert.strictEqual(fieldsOf(kind), kind as unknown, "it is the message itself");
  });

  test("the guards do in filter and find, which tell them more than the message", () => {
    const system = ALL.filter(isSystemMessage);
    assert.sameMembers(system, ALL.filter(({ type }) => type === "system"));
    assert.isNotEmpty(system);
    assert.strictEqual(ALL.find(isSystemMessage), system[0]);
    assert.strictEqual(ALL.flatMap(toolUsesOf).length, ALL.map((message) => toolUsesOf(message)).flat().length);
    assert.deepEqual(ALL.map(textOf), ALL.map((message) => textOf(message)));
  });

  test("textOf: text blocks of assistant and user, pieces of a stream, what a result says; else nothing", () => {
    assert.strictEqual(textOf(assistant), "Hello there");
    assert.deepEqual([textOf(user), textOf(replay)], ["look", "look"]);
    assert.strictEqual(textOf({ type: "user", message: { role: "user", content: "plain" } }), "plain");
    assert.strictEqual(textOf(success), '{"a":5}');
    assert.strictEqual(textOf(apiFailure), "API Error: 500 oops");
    assert.strictEqual(textOf(failure), "Reached maximum number of turns (2); and more");
    const spoken = ["assistant", "user", "stream_event", "result"];
    for (const message of ALL.filter(({ type }) => !spoken.includes(type))) {
      assert.strictEqual(textOf(message), "", messageKind(message));
    }
  });

  test("textOf adds a stream up to the text of its message, thoughts and tool arguments left out", () => {
    const events: RawMessageStreamEvent[] = [
      { type: "message_start", message: assistant.message },
      { type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "hm", signature: "" } },
      { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "let me" } },
      { type: "content_block_stop", index: 0 },
      { type: "content_block_start", index: 1, content_block: { type: "text", text: "He" } },
      { type: "content_block_delta", index: 1, delta: { type: "text_delta", text: "llo " } },
      { type: "content_block_delta", index: 1, delta: { type: "text_delta", text: "there" } },
      { type: "content_block_stop", index: 1 },
      { type: "content_block_delta", index: 2, delta: { type: "input_json_delta", partial_json: '{"a":' } },
      { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage: { output_tokens: 3 } },
      { type: "message_stop" },
    ];
    assert.strictEqual(events.map((event) => textOf(streamed(event))).join(""), textOf(assistant));
  });

  test("textOf of a block: its words, or the lines of a tool's answer", () => {
    const blocks: readonly [ContentBlock, string][] = [
      [{ type: "text", text: "words" }, "words"],
      [{ type: "tool_result", tool_use_id: "t", content: "plain" }, "plain"],
      [{ type: "tool_result", tool_use_id: "t" }, ""],
      [{ type: "thinking", thinking: "hm", signature: "" }, ""],
      [{ type: "tool_use", id: "t", name: "Bash", input: { text: "no" } }, ""],
    ];
    for (const [block, text] of blocks) assert.strictEqual(textOf(block), text, block.type);
    assert.deepEqual(toolResultsOf(user).map(textOf), ["3\nand more", "refused"]);
  });

  test("toolUsesOf and toolResultsOf: the calls the CLI runs, and their answers", () => {
    assert.deepEqual(toolUsesOf(assistant).map(({ id, name, input }) => [id, name, input.a]), [
      ["toolu_1", "mcp__calc__add", 1],
    ]);
    assert.deepEqual(toolResultsOf(user).map(({ tool_use_id, is_error }) => [tool_use_id, is_error]), [
      ["toolu_1", false],
      ["toolu_2", true],
    ]);
    assert.deepEqual(toolResultsOf({ type: "user", message: { role: "user", content: "plain" } }), []);
    for (const message of ALL) {
      if (message.type !== "assistant") assert.deepEqual(toolUsesOf(message), [], messageKind(message));
      if (message.type !== "user") assert.deepEqual(toolResultsOf(message), [], messageKind(message));
    }
  });

  test("whatever the wire brings, no helper throws: the text is a text, and only blocks of the kind come out (M06 O04)", () => {
    fc.assert(
      fc.property(anything, (value) => {
        const message = value as unknown as SDKMessage;
        assert.isString(textOf(message));
        for (const use of toolUsesOf(message)) assert.strictEqual(use.type, "tool_use");
        for (const result of toolResultsOf(message)) assert.strictEqual(result.type, "tool_result");
        assert.strictEqual(isSuccessResult(message) || isErrorResult(message), isResultMessage(message));
      }),
      { seed: 20_261_130, numRuns: 500 },
    );
    const odd = { type: "result", subtype: "error_during_execution", errors: ["a", 1, null, "b"] };
    assert.strictEqual(textOf(odd as unknown as SDKMessage), "a; b");
    assert.strictEqual(textOf({ ...odd, errors: "bare" } as unknown as SDKMessage), "bare");
  });
});
