import type { JsonObject } from "../../core/json.ts";

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

/** Tokens an answer claims to have cost. */
export interface ModelUsage {
  /** Default 10. */
  readonly inputTokens?: number;
  /** Default 20. */
  readonly outputTokens?: number;
  /** Default 0. */
  readonly cacheReadInputTokens?: number;
  /** Default 0. */
  readonly cacheCreationInputTokens?: number;
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
  /** Seconds in `retry-after`; default: none. The CLI waits this long instead of its own back-off (2.1.332). */
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

/** Makes the blocks of {@linkcode turn.blocks}. */
export const block: {
  /** Plain text. */
  text(text: string): ModelBlock;
  /** Thinking. `signature` defaults to a constant. */
  thinking(thinking: string, signature?: string): ModelBlock;
  /** Thinking nobody may read. */
  redactedThinking(data: string): ModelBlock;
  /** A tool call. */
  toolUse(name: string, input: JsonObject, options?: ToolUseOptions): ModelBlock;
  /** A tool call whose arguments are streamed as `rawInput`, which need not be JSON. */
  brokenToolUse(name: string, rawInput: string, options?: ToolUseOptions): ModelBlock;
  /** Any other block (`server_tool_use`, `web_search_tool_result`, …), sent whole; only an `input` is streamed. */
  raw(block: JsonObject): ModelBlock;
} = {
  text: (text) => ({ type: "text", text }),
  thinking: (thinking, signature = "c2NyaXB0ZWQ=") => ({ type: "thinking", thinking, signature }),
  redactedThinking: (data) => ({ type: "raw", block: { type: "redacted_thinking", data } }),
  toolUse: (name, input, options = {}) => ({ type: "tool_use", id: options.id, name, input, rawInput: undefined }),
  brokenToolUse: (name, rawInput, options = {}) => ({ type: "tool_use", id: options.id, name, input: {}, rawInput }),
  raw: (raw) => ({ type: "raw", block: raw }),
};

/** Makes the answers of a scripted model. */
export const turn: {
  /** Says something. */
  text(text: string, options?: TurnOptions): Turn;
  /** Only thinks; most turns think and then speak: see {@linkcode turn.blocks}. */
  thinking(thinking: string, options?: TurnOptions): Turn;
  /** Calls one tool. */
  toolUse(name: string, input: JsonObject, options?: TurnOptions & ToolUseOptions): Turn;
  /** Several blocks in one answer: text before a tool call, tools in parallel, thinking first. */
  blocks(blocks: readonly ModelBlock[], options?: TurnOptions): Turn;
  /** Declines. CLI 2.1.332 asks once more before it gives up, so script two. */
  refusal(explanation?: string, options?: TurnOptions): Turn;
  /** Runs out of output tokens after `text`. CLI 2.1.332 asks for up to three continuations. */
  maxTokens(text: string, options?: TurnOptions): Turn;
  /** Answers with an HTTP error. 401, 429, 500 and 529 are retried by the CLI, so script what comes after. */
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
} = {
  text: (text, options = {}) => message([block.text(text)], options),
  thinking: (thinking, options = {}) => message([block.thinking(thinking)], options),
  toolUse: (name, input, options = {}) => message([block.toolUse(name, input, options)], options),
  blocks: message,
  refusal: (explanation = "The scripted model declines.", options = {}) =>
    message([block.text(explanation)], { stopReason: "refusal", ...options }),
  maxTokens: (text, options = {}) => message([block.text(text)], { stopReason: "max_tokens", ...options }),
  error: (status, options = {}) => ({ kind: "error", status, options }),
  stall: (options = {}) => ({ kind: "stall", ms: options.ms, then: options.then }),
  drop: () => ({ kind: "drop" }),
};

function message(blocks: readonly ModelBlock[], options: TurnOptions = {}): Turn {
  return { kind: "message", blocks, options };
}
