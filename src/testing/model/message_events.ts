import { isJsonObject, type JsonObject } from "../../core/json.ts";
import type { Cut, MessageTurn, ModelBlock, ModelUsage } from "./turn.ts";

/** One server-sent event of a streamed answer. */
export interface MessageEvent {
  /** The event as the API spells it; its `type` is also the event's name. */
  readonly data: JsonObject;
  /** Whether it carries content: pace and cuts count these. */
  readonly delta: boolean;
}

/** Names an answer needs that the script did not give. */
export interface MessageNames {
  /** Id of the message. */
  readonly messageId: string;
  /** Model that is said to answer. */
  readonly model: string;
  /** Makes an id for a tool call that has none. */
  nextToolUseId(): string;
}

/** The whole answer as one object, as the API returns it without streaming. */
export function wholeMessage(turn: MessageTurn, names: MessageNames): JsonObject {
  return envelope(turn, names, turn.blocks.map((item) => wholeBlock(item, names)), stopReason(turn));
}

/** The same answer as a stream of events. Lazy: a huge text costs one piece at a time. */
export function* messageEvents(turn: MessageTurn, names: MessageNames): Generator<MessageEvent, void, undefined> {
  yield structural({ type: "message_start", message: startMessage(turn, names) });
  yield structural({ type: "ping" });
  const size = Math.max(1, turn.options.chunkChars ?? 4096);
  for (const [index, item] of turn.blocks.entries()) {
    yield structural({ type: "content_block_start", index, content_block: emptyBlock(item, names) });
    for (const delta of deltas(item, size)) {
      yield { data: { type: "content_block_delta", index, delta }, delta: true };
    }
    yield structural({ type: "content_block_stop", index });
  }
  const ending = envelope(turn, names, [], stopReason(turn));
  yield structural({
    type: "message_delta",
    delta: {
      stop_reason: ending.stop_reason,
      stop_sequence: ending.stop_sequence,
      ...(ending.stop_details === undefined ? {} : { stop_details: ending.stop_details }),
    },
    usage: ending.usage,
  });
  yield structural({ type: "message_stop" });
}

/** Where an answer is cut short, if it is. */
export function cutOf(turn: MessageTurn): Cut | undefined {
  const { dropAfter, stallAfter, stallMs, errorAfter } = turn.options;
  if (dropAfter !== undefined) return { kind: "drop", after: dropAfter };
  if (stallAfter !== undefined) return { kind: "stall", after: stallAfter, ms: stallMs };
  if (errorAfter === undefined) return undefined;
  const { after, type = "overloaded_error", message = "Overloaded" } = errorAfter;
  return { kind: "error", after, errorType: type, message };
}

/** Text in pieces of at most `size` units; a surrogate pair is never torn apart. */
export function* pieces(text: string, size: number): Generator<string, void, undefined> {
  for (let start = 0; start < text.length;) {
    let end = Math.min(text.length, start + size);
    const last = text.charCodeAt(end - 1);
    if (end < text.length && last >= 0xd800 && last <= 0xdbff) end += end - start > 1 ? -1 : 1;
    yield text.slice(start, end);
    start = end;
  }
}

function structural(data: JsonObject): MessageEvent {
  return { data, delta: false };
}

function envelope(turn: MessageTurn, names: MessageNames, content: JsonObject[], stop: string | null): JsonObject {
  return {
    id: names.messageId,
    type: "message",
    role: "assistant",
    model: names.model,
    content,
    stop_reason: stop,
    stop_sequence: null,
    usage: usage(turn.options.usage),
    ...turn.options.message,
  };
}

function stopReason(turn: MessageTurn): string {
  return turn.options.stopReason ?? (turn.blocks.some((item) => item.type === "tool_use") ? "tool_use" : "end_turn");
}

function usage(given: ModelUsage = {}): JsonObject {
  const { cacheCreationInputTokens = 0, cacheCreation1hInputTokens = 0 } = given;
  const { thinkingTokens, webSearchRequests, webFetchRequests } = given;
  return {
    input_tokens: given.inputTokens ?? 10,
    cache_creation_input_tokens: cacheCreationInputTokens,
    cache_read_input_tokens: given.cacheReadInputTokens ?? 0,
    output_tokens: given.outputTokens ?? 20,
    ...(cacheCreationInputTokens === 0 ? {} : {
      cache_creation: {
        ephemeral_5m_input_tokens: cacheCreationInputTokens - cacheCreation1hInputTokens,
        ephemeral_1h_input_tokens: cacheCreation1hInputTokens,
      },
    }),
    ...(thinkingTokens === undefined ? {} : { output_tokens_details: { thinking_tokens: thinkingTokens } }),
    ...(webSearchRequests === undefined && webFetchRequests === undefined ? {} : {
      server_tool_use: { web_search_requests: webSearchRequests ?? 0, web_fetch_requests: webFetchRequests ?? 0 },
    }),
  };
}

/** The message as it begins: nothing said, one token written. */
function startMessage(turn: MessageTurn, names: MessageNames): JsonObject {
  const begun: JsonObject = { ...envelope(turn, names, [], null), stop_reason: null, stop_sequence: null };
  return { ...begun, usage: { ...(isJsonObject(begun.usage) ? begun.usage : {}), output_tokens: 1 } };
}

function wholeBlock(item: ModelBlock, names: MessageNames): JsonObject {
  switch (item.type) {
    case "text":
      return { type: "text", text: item.text };
    case "thinking":
      return { type: "thinking", thinking: item.thinking, signature: item.signature };
    case "tool_use":
      return { type: "tool_use", id: item.id ?? names.nextToolUseId(), name: item.name, input: item.input };
    case "raw":
      return item.block;
  }
}

function emptyBlock(item: ModelBlock, names: MessageNames): JsonObject {
  switch (item.type) {
    case "text":
      return { type: "text", text: "" };
    case "thinking":
      return { type: "thinking", thinking: "", signature: "" };
    case "tool_use":
      return { type: "tool_use", id: item.id ?? names.nextToolUseId(), name: item.name, input: {} };
    case "raw":
      return isJsonObject(item.block.input) ? { ...item.block, input: {} } : item.block;
  }
}

function* deltas(item: ModelBlock, size: number): Generator<JsonObject, void, undefined> {
  switch (item.type) {
    case "text":
      for (const text of pieces(item.text, size)) yield { type: "text_delta", text };
      return;
    case "thinking":
      for (const thinking of pieces(item.thinking, size)) yield { type: "thinking_delta", thinking };
      yield { type: "signature_delta", signature: item.signature };
      return;
    case "tool_use":
      yield* argumentDeltas(item.rawInput ?? JSON.stringify(item.input), size);
      return;
    case "raw":
      if (isJsonObject(item.block.input)) yield* argumentDeltas(JSON.stringify(item.block.input), size);
      return;
  }
}

/** Arguments of calls always come in pieces, those of the service's own tools too. */
function* argumentDeltas(json: string, size: number): Generator<JsonObject, void, undefined> {
  for (const part of pieces(json, size)) yield { type: "input_json_delta", partial_json: part };
}
