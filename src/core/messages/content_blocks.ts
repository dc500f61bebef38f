import type { UnknownKind } from "./unknown.ts";

/** Plain text. */
export interface TextBlock {
  type: "text";
  text: string;
  /** Sources the text leans on, as the model service gave them. */
  citations?: unknown[] | null;
}

/** What the model thought before it spoke. */
export interface ThinkingBlock {
  type: "thinking";
  thinking: string;
  /** Proof that the text is the model's own; needed to send it back. */
  signature: string;
}

/** Thinking that the service keeps to itself. */
export interface RedactedThinkingBlock {
  type: "redacted_thinking";
  data: string;
}

/** The model calls a tool that the CLI runs. */
export interface ToolUseBlock {
  type: "tool_use";
  /** Pairs the call with its `tool_result`. */
  id: string;
  name: string;
  /** Broken JSON of the model arrives as `{ __unparsedToolInput: { raw, len } }` (CLI 2.1.332). */
  input: Record<string, unknown>;
}

/** The model calls a tool that the service runs by itself. */
export interface ServerToolUseBlock {
  type: "server_tool_use";
  id: string;
  name: string;
  input: Record<string, unknown>;
}

/** What the service's web search found, or how it failed. */
export interface WebSearchToolResultBlock {
  type: "web_search_tool_result";
  tool_use_id: string;
  content: unknown;
}

/** What a tool answered. */
export interface ToolResultBlock {
  type: "tool_result";
  tool_use_id: string;
  content?: string | ContentBlock[];
  is_error?: boolean;
}

/** Where the bytes of an image or a document are. */
export type MediaSource =
  | { type: "base64"; media_type: string; data: string }
  | { type: "url"; url: string }
  | { type: "text"; media_type: string; data: string }
  | { type: "file"; file_id: string }
  | { type: "content"; content: string | ContentBlock[] };

/** A picture. */
export interface ImageBlock {
  type: "image";
  source: MediaSource;
}

/** A document: PDF or text. */
export interface DocumentBlock {
  type: "document";
  source: MediaSource;
  title?: string | null;
  context?: string | null;
  citations?: { enabled?: boolean } | null;
}

/** A block of a kind this version does not know, passed on as it came. */
export interface UnknownContentBlock {
  /** What the service calls it. Compare it as a string. */
  type: UnknownKind;
  [key: string]: unknown;
}

/** One piece of a message, read or written. The union is open: other kinds pass through. */
export type ContentBlock =
  | TextBlock
  | ThinkingBlock
  | RedactedThinkingBlock
  | ToolUseBlock
  | ServerToolUseBlock
  | WebSearchToolResultBlock
  | ToolResultBlock
  | ImageBlock
  | DocumentBlock
  | UnknownContentBlock;

/** A block of a prompt: as {@linkcode ContentBlock}, with the cache mark the service takes on input. */
export type ContentBlockParam = ContentBlock & {
  cache_control?: { type: "ephemeral"; ttl?: "5m" | "1h" } | null;
};
