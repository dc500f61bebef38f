import type { UnknownKind } from "./unknown.ts";

/** Plain text. */
export interface TextBlock {
  /** The kind. */
  type: "text";
  /** The words. */
  text: string;
  /** Sources the text leans on, as the model service gave them. */
  citations?: unknown[] | null;
}

/** What the model thought before it spoke. */
export interface ThinkingBlock {
  /** The kind. */
  type: "thinking";
  /** The thought. */
  thinking: string;
  /** Proof that the text is the model's own; needed to send it back. */
  signature: string;
}

/** Thinking that the service keeps to itself. */
export interface RedactedThinkingBlock {
  /** The kind. */
  type: "redacted_thinking";
  /** The sealed thought; needed to send it back. */
  data: string;
}

/** The model calls a tool that the CLI runs. */
export interface ToolUseBlock {
  /** The kind. */
  type: "tool_use";
  /** Pairs the call with its `tool_result`. */
  id: string;
  /** The tool. */
  name: string;
  /** Broken JSON of the model arrives as `{ __unparsedToolInput: { raw, len } }` (CLI 2.1.332). */
  input: Record<string, unknown>;
}

/** The model calls a tool that the service runs by itself. */
export interface ServerToolUseBlock {
  /** The kind. */
  type: "server_tool_use";
  /** Pairs the call with its result. */
  id: string;
  /** The tool. */
  name: string;
  /** What it is called with. */
  input: Record<string, unknown>;
}

/** One page the service's web search found. */
export interface WebSearchResult {
  /** The kind. */
  type: "web_search_result";
  /** Where it is. */
  url: string;
  /** Its title. */
  title: string;
  /** What the model reads; needed to send it back. */
  encrypted_content: string;
  /** How old it is, in words. */
  page_age?: string | null;
}

/** What the service's web search found, or how it failed. */
export interface WebSearchToolResultBlock {
  /** The kind. */
  type: "web_search_tool_result";
  /** The call it answers. */
  tool_use_id: string;
  /** What was found, or why nothing was. */
  content: WebSearchResult[] | { type: "web_search_tool_result_error"; error_code: string };
}

/** What another tool of the service answered. */
export interface ServerToolResultBlock {
  /** The kind, which names the tool. */
  type:
    | "advisor_tool_result"
    | "bash_code_execution_tool_result"
    | "code_execution_tool_result"
    | "text_editor_code_execution_tool_result"
    | "tool_search_tool_result"
    | "web_fetch_tool_result";
  /** The call it answers. */
  tool_use_id: string;
  /** The answer, in the tool's own shape. */
  content: unknown;
}

/** The model calls a tool of an MCP server that the service reaches by itself. */
export interface McpToolUseBlock {
  /** The kind. */
  type: "mcp_tool_use";
  /** Pairs the call with its result. */
  id: string;
  /** The tool. */
  name: string;
  /** The server. */
  server_name: string;
  /** What it is called with. */
  input: Record<string, unknown>;
}

/** What such a tool answered. */
export interface McpToolResultBlock {
  /** The kind. */
  type: "mcp_tool_result";
  /** The call it answers. */
  tool_use_id: string;
  /** The tool failed. */
  is_error: boolean;
  /** The answer. */
  content: string | ContentBlock[];
}

/** What a tool answered. */
export interface ToolResultBlock {
  /** The kind. */
  type: "tool_result";
  /** The call it answers. */
  tool_use_id: string;
  /** What the model reads. */
  content?: string | ContentBlock[];
  /** The tool failed, or was refused. */
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
  /** The kind. */
  type: "image";
  /** Where the picture is. */
  source: MediaSource;
}

/** A document: PDF or text. */
export interface DocumentBlock {
  /** The kind. */
  type: "document";
  /** Where the document is. */
  source: MediaSource;
  /** Its title. */
  title?: string | null;
  /** What it is about. */
  context?: string | null;
  /** Whether the model may cite it. */
  citations?: { enabled?: boolean } | null;
}

/** A block of a kind this version does not know, passed on as it came. */
export interface UnknownContentBlock {
  /** What the service calls it. Compare it as a string. */
  type: UnknownKind;
  /** Whatever else it holds; nothing has been checked. */
  [key: string]: unknown;
}

/** The service has shortened the conversation: what it made of what came before. */
export interface CompactionBlock {
  /** The kind. */
  type: "compaction";
  /** In words. */
  content: string | null;
  /** The same, sealed; needed to send it back. */
  encrypted_content?: string | null;
  /** Proof that it is the service's own. */
  signature?: string | null;
  /** Tools that came or went with it. */
  tool_changes?: object[] | null;
}

/** A file for the service's own tools. */
export interface ContainerUploadBlock {
  /** The kind. */
  type: "container_upload";
  /** The file. */
  file_id: string;
}

/** The service went on with another model. */
export interface FallbackBlock {
  /** The kind. */
  type: "fallback";
  /** The model that was asked. */
  from: object;
  /** The model that answered. */
  to: object;
  /** Why. */
  trigger: object;
}

/** What tools an MCP server of the service has. */
export interface McpToolListingBlock {
  /** The kind. */
  type: "mcp_tool_listing";
  /** The server. */
  mcp_server_name: string;
  /** Its tools. */
  tools: object[];
}

/** Something that was found, for the model to quote. */
export interface SearchResultBlock {
  /** The kind. */
  type: "search_result";
  /** Where it is. */
  source: string;
  /** What it is called. */
  title: string;
  /** What it says. */
  content: TextBlock[];
  /** Whether it may be quoted. */
  citations?: object;
}

/** One piece of a message, read or written. The union is open: other kinds pass through. */
export type ContentBlock =
  | TextBlock
  | ThinkingBlock
  | RedactedThinkingBlock
  | ToolUseBlock
  | ServerToolUseBlock
  | WebSearchToolResultBlock
  | ServerToolResultBlock
  | McpToolUseBlock
  | McpToolResultBlock
  | ToolResultBlock
  | ImageBlock
  | DocumentBlock
  | SearchResultBlock
  | ContainerUploadBlock
  | CompactionBlock
  | FallbackBlock
  | McpToolListingBlock
  | UnknownContentBlock;

/** A block as other packages type it: what a tool is called with, and what it answers, may be anything. */
export type BlockAsGiven<Block> = Block extends ToolResultBlock
  ? Omit<Block, "content"> & { content?: string | (ContentBlock | { type: string })[] }
  : Block extends { input: Record<string, unknown> } ? Omit<Block, "input"> & { input: unknown }
  : Block;

/** A block of a prompt: as {@linkcode ContentBlock}, with the cache mark the service takes on input. */
export type ContentBlockParam = BlockAsGiven<ContentBlock> & {
  cache_control?: { type: "ephemeral"; ttl?: "5m" | "1h" } | null;
};
