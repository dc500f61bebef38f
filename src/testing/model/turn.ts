import type { JsonObject } from "../../core/json.ts";
import type { ModelRequest } from "./model_request.ts";
import { checkExpectation, type RequestExpectation } from "./request_expectation.ts";
import type { ExpectLine, RepeatLine, ScriptLine } from "./script_line.ts";
import { checkLine, checkTimes } from "./script_line.ts";
import {
  checkBlock,
  checkBlocks,
  checkErrorOptions,
  checkStallOptions,
  checkToolUseOptions,
  checkTurn,
  checkTurnOptions,
} from "./turn_check.ts";

/** One content block of a scripted answer; made by {@linkcode block}. */
export type ModelBlock =
  | {
    /** Plain text. */
    readonly type: "text";
    /** The text, sent in pieces of `chunkChars`. */
    readonly text: string;
  }
  | {
    /** Thinking. */
    readonly type: "thinking";
    /** The thinking text, sent in pieces of `chunkChars`. */
    readonly thinking: string;
    /** The signature that closes it. */
    readonly signature: string;
  }
  | {
    /** A tool call. */
    readonly type: "tool_use";
    /** Id of the call; undefined takes the next free `toolu_scripted_<n>`. */
    readonly id: string | undefined;
    /** Name of the tool as the CLI offered it (`Bash`, `mcp__calc__add`, `Agent`). */
    readonly name: string;
    /** Its arguments. */
    readonly input: JsonObject;
    /** What is streamed in place of the arguments' JSON, to play a model that writes broken JSON. */
    readonly rawInput: string | undefined;
  }
  | {
    /** Any other block, sent whole and unchanged; only an `input` is streamed like that of a tool call. */
    readonly type: "raw";
    /** The block as the Messages API spells it. */
    readonly block: JsonObject;
  };

/** Why the model stopped. */
export type StopReason =
  | "end_turn"
  | "tool_use"
  | "max_tokens"
  | "stop_sequence"
  | "pause_turn"
  | "refusal"
  | "model_context_window_exceeded";

/**
 * Tokens an answer claims to have cost. The CLI (2.1.332) adds them up in `usage` and `modelUsage` of its results, and
 * works out `total_cost_usd` by the list price of the model.
 */
export interface ModelUsage {
  /** Tokens read, without those of the cache. Default 10. */
  readonly inputTokens?: number;
  /** Tokens written. Default 20. */
  readonly outputTokens?: number;
  /** Tokens read from the cache. Default 0. */
  readonly cacheReadInputTokens?: number;
  /** Tokens put into the cache. Default 0. */
  readonly cacheCreationInputTokens?: number;
  /** How many of those are to stay for an hour, at a higher price. Default 0: all of them for five minutes. */
  readonly cacheCreation1hInputTokens?: number;
  /** How many of the tokens written were thinking. Default 0. */
  readonly thinkingTokens?: number;
  /** Searches the service made itself. Default 0. */
  readonly webSearchRequests?: number;
  /** Pages the service fetched itself. Default 0. */
  readonly webFetchRequests?: number;
}

/** How an answer is cut short. `after` counts the deltas (pieces of content) sent before it happens. */
export type Cut =
  | {
    /** The connection is destroyed. */
    readonly kind: "drop";
    /** Deltas sent before. */
    readonly after: number;
  }
  | {
    /** Nothing more is sent until the stall is over; then the answer goes on where it stood. */
    readonly kind: "stall";
    /** Deltas sent before. */
    readonly after: number;
    /** How long, in milliseconds; undefined waits for {@linkcode ScriptedModel.release}. */
    readonly ms: number | undefined;
  }
  | {
    /** An `error` event in mid-stream, then the end of the response. */
    readonly kind: "error";
    /** Deltas sent before. */
    readonly after: number;
    /** The API's word for it, e.g. `overloaded_error`. */
    readonly errorType: string;
    /** The text beside it. */
    readonly message: string;
  };

/** Settings of one answer. */
export interface TurnOptions {
  /** Default `tool_use` if the turn calls a tool, else `end_turn`. */
  readonly stopReason?: StopReason;
  /** Tokens claimed. */
  readonly usage?: ModelUsage;
  /** Longest piece of text in one delta, in UTF-16 units (a surrogate pair stays whole). Default 4096. */
  readonly chunkChars?: number;
  /** Wait before each delta, in milliseconds. Default 0. */
  readonly chunkDelayMs?: number;
  /** Wait before the response begins, in milliseconds. Default 0. */
  readonly delayMs?: number;
  /** Destroys the connection after this many deltas. Asked without streaming: before the response begins. */
  readonly dropAfter?: number;
  /** Falls silent after this many deltas, until released or for `stallMs`. */
  readonly stallAfter?: number;
  /** How long `stallAfter` lasts, in milliseconds. Default: until released. */
  readonly stallMs?: number;
  /** Ends the stream with an `error` event after `after` deltas. */
  readonly errorAfter?: {
    /** Deltas sent before. */
    readonly after: number;
    /** Default `overloaded_error`. */
    readonly type?: string;
    /** Default `Overloaded`. */
    readonly message?: string;
  };
  /** Further response headers, e.g. `anthropic-ratelimit-unified-status`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Fields laid over the message, e.g. `stop_details` or `model`. */
  readonly message?: JsonObject;
}

/** An answer with content. */
export interface MessageTurn {
  /** Discriminator. */
  readonly kind: "message";
  /** What it says, in order. */
  readonly blocks: readonly ModelBlock[];
  /** How it is said. */
  readonly options: TurnOptions;
}

/** Settings of an API error. */
export interface ErrorTurnOptions {
  /** The API's word for it; default: the one that belongs to the status. */
  readonly type?: string;
  /** The text beside it; default: a sentence naming the status. */
  readonly message?: string;
  /** Seconds in `retry-after`; default: none. The CLI waits at least this long before it tries again (2.1.332). */
  readonly retryAfter?: number;
  /** Tells the client whether it may try again (`x-should-retry`). Default: its own rule for the status. */
  readonly retry?: boolean;
  /** Further response headers. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Wait before the response, in milliseconds. Default 0. */
  readonly delayMs?: number;
}

/** An HTTP error in place of an answer. */
export interface ErrorTurn {
  /** Discriminator. */
  readonly kind: "error";
  /** HTTP status. */
  readonly status: number;
  /** Its details. */
  readonly options: ErrorTurnOptions;
}

/** Silence before the first byte. */
export interface StallTurn {
  /** Discriminator. */
  readonly kind: "stall";
  /** How long, in milliseconds; undefined waits for {@linkcode ScriptedModel.release}. */
  readonly ms: number | undefined;
  /** What is answered when the stall is over; undefined drops the connection. */
  readonly then: Turn | undefined;
}

/** A connection that is destroyed without an answer. */
export interface DropTurn {
  /** Discriminator. */
  readonly kind: "drop";
}

/** One answer of a scripted model; made by {@linkcode turn}. */
export type Turn = MessageTurn | ErrorTurn | StallTurn | DropTurn;

/** Settings of a tool call. */
export interface ToolUseOptions {
  /** Id of the call. Default: the next free `toolu_scripted_<n>`. */
  readonly id?: string;
}

/** Makes the blocks of {@linkcode turn.blocks}. Each throws an `OptionError` for what is no such block. */
export const block: {
  /** Plain text. */
  text(text: string): ModelBlock;
  /** Thinking. `signature` is what the service signs it with; default a constant. */
  thinking(thinking: string, signature?: string): ModelBlock;
  /** Thinking nobody may read: `data` is its encrypted form. */
  redactedThinking(data: string): ModelBlock;
  /** A tool call. */
  toolUse(name: string, input?: JsonObject, options?: ToolUseOptions): ModelBlock;
  /** A tool call whose arguments are streamed as `rawInput`, which need not be JSON. */
  brokenToolUse(name: string, rawInput: string, options?: ToolUseOptions): ModelBlock;
  /** Any other block (`server_tool_use`, `web_search_tool_result`, …), sent whole; only an `input` is streamed. */
  raw(block: JsonObject): ModelBlock;
} = {
  text: (text) => checkBlock({ type: "text", text }, "block.text"),
  thinking: (thinking, signature = "c2NyaXB0ZWQ=") =>
    checkBlock({ type: "thinking", thinking, signature }, "block.thinking"),
  redactedThinking: (data) =>
    checkBlock({ type: "raw", block: { type: "redacted_thinking", data } }, "block.redactedThinking"),
  toolUse: (name, input = {}, options = {}) => toolUseBlock(name, input, undefined, options, "block.toolUse"),
  brokenToolUse: (name, rawInput, options = {}) => toolUseBlock(name, {}, rawInput, options, "block.brokenToolUse"),
  raw: (raw) => checkBlock({ type: "raw", block: raw }, "block.raw"),
};

/**
 * Makes the lines of a scripted model. Each throws an `OptionError` at once for what the model could not play: an option
 * that is not known, a pace that is none, arguments that JSON has no word for.
 *
 * What the CLI makes of each was seen with 2.1.332; the guide has the table.
 */
export const turn: {
  /** Says something. */
  text(text: string, options?: TurnOptions): Turn;
  /** Only thinks; most turns think and then speak: see {@linkcode turn.blocks}. The CLI asks for something to be seen. */
  thinking(thinking: string, options?: TurnOptions): Turn;
  /** Calls one tool. `input` defaults to no arguments. */
  toolUse(name: string, input?: JsonObject, options?: TurnOptions & ToolUseOptions): Turn;
  /** Several blocks in one answer: text before a tool call, tools in parallel, thinking first. */
  blocks(blocks: readonly ModelBlock[], options?: TurnOptions): Turn;
  /** Declines. The CLI asks once more before it gives up, so script two. */
  refusal(explanation?: string, options?: TurnOptions): Turn;
  /** Runs out of output tokens after `text`. The CLI asks for up to three continuations. */
  maxTokens(text: string, options?: TurnOptions): Turn;
  /** Fills the context window with `text`. The CLI asks for a continuation, as after {@linkcode turn.maxTokens}. */
  contextWindowExceeded(text: string, options?: TurnOptions): Turn;
  /**
   * Pauses a long turn of the service's own tools. The CLI does not ask for the rest: it ends the turn with the text there
   * is, and with an error where the last block is a call of the service's.
   */
  pauseTurn(blocks: readonly ModelBlock[], options?: TurnOptions): Turn;
  /** Answers with an HTTP error. 401, 408, 409, 429 and 5xx are retried by the CLI, so script what comes after. */
  error(status: number, options?: ErrorTurnOptions): Turn;
  /** Says nothing until released, or for `ms`; then answers `then`, or drops the connection. */
  stall(options?: {
    /** How long, in milliseconds. Default: until released. */
    readonly ms?: number;
    /** What is answered afterwards. Default: the connection is dropped. */
    readonly then?: Turn;
  }): Turn;
  /** Destroys the connection without an answer; the CLI retries. */
  drop(): Turn;
  /**
   * The same line for the next `times` requests: `turn.repeat(3, turn.error(529))`. `Infinity` is for every one that
   * follows, so it must be the last line.
   */
  repeat(times: number, line: ScriptLine): RepeatLine;
  /**
   * Answers with `line` if the request is what it should be. If it is not, the turn fails with what was expected and what
   * came instead, and {@linkcode ScriptedModel.problems} keeps that.
   *
   * @example
   * ```ts
   * import { scriptedModel, turn } from "@tether/agent/testing";
   *
   * const model = await scriptedModel([
   *   turn.expect({ prompt: "Add 1 and 2." }, turn.toolUse("mcp__calc__add", { a: 1, b: 2 })),
   *   turn.expect({ toolResults: { mcp__calc__add: "3" } }, turn.text("The sum is 3.")),
   * ]);
   * await model.close();
   * ```
   */
  expect(expected: RequestExpectation, line: Turn | ((request: ModelRequest) => Turn | Promise<Turn>)): ExpectLine;
} = {
  text: (text, options = {}) => message([block.text(text)], options, "turn.text"),
  thinking: (thinking, options = {}) => message([block.thinking(thinking)], options, "turn.thinking"),
  toolUse: (name, input = {}, options = {}) => {
    const { id, ...rest } = options;
    return message(
      [toolUseBlock(name, input, undefined, id === undefined ? {} : { id }, "turn.toolUse")],
      rest,
      "turn.toolUse",
    );
  },
  blocks: (blocks, options = {}) => message(blocks, options, "turn.blocks"),
  refusal: (explanation = "The scripted model declines.", options = {}) =>
    message([block.text(explanation)], { stopReason: "refusal", ...options }, "turn.refusal"),
  maxTokens: (text, options = {}) =>
    message([block.text(text)], { stopReason: "max_tokens", ...options }, "turn.maxTokens"),
  contextWindowExceeded: (text, options = {}) =>
    message(
      [block.text(text)],
      { stopReason: "model_context_window_exceeded", ...options },
      "turn.contextWindowExceeded",
    ),
  pauseTurn: (blocks, options = {}) => message(blocks, { stopReason: "pause_turn", ...options }, "turn.pauseTurn"),
  error: (status, options = {}) => {
    checkErrorOptions(status, options, "turn.error");
    return { kind: "error", status, options };
  },
  stall: (options = {}) => {
    checkStallOptions(options, "turn.stall");
    return { kind: "stall", ms: options.ms, then: options.then };
  },
  drop: () => ({ kind: "drop" }),
  repeat: (times, line) => {
    checkTimes(times, "turn.repeat");
    checkLine(line, "turn.repeat");
    return { kind: "repeat", times, line };
  },
  expect: (expected, line) => {
    checkExpectation(expected, "turn.expect");
    if (typeof line !== "function") checkTurn(line, "turn.expect");
    return { kind: "expect", expected, line };
  },
};

function message(blocks: readonly ModelBlock[], options: TurnOptions, path: string): Turn {
  checkBlocks(blocks, path);
  checkTurnOptions(options, path);
  return { kind: "message", blocks, options };
}

function toolUseBlock(
  name: string,
  input: JsonObject,
  rawInput: string | undefined,
  options: ToolUseOptions,
  path: string,
): ModelBlock {
  checkToolUseOptions(options, path);
  return checkBlock({ type: "tool_use", id: options.id, name, input, rawInput }, path);
}
