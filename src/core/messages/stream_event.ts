import type { AssistantMessageBody } from "./assistant.ts";
import type { ContentBlock } from "./content_blocks.ts";
import type { SDKFrame } from "./frame.ts";
import type { UnknownKind } from "./unknown.ts";
import type { Usage } from "./usage.ts";

/** A piece that is added to a block. */
export type ContentBlockDelta =
  | { type: "text_delta"; text: string }
  | { type: "thinking_delta"; thinking: string; estimated_tokens?: number | null }
  | { type: "signature_delta"; signature: string }
  | { type: "input_json_delta"; partial_json: string }
  | { type: "citations_delta"; citation: unknown }
  | { type: "compaction_delta"; content: string | null; encrypted_content?: string | null }
  | { type: UnknownKind; [key: string]: unknown };

/** An event of the service's stream, as it came. */
export type RawMessageStreamEvent =
  | { type: "message_start"; message: AssistantMessageBody }
  | { type: "content_block_start"; index: number; content_block: ContentBlock }
  | { type: "content_block_delta"; index: number; delta: ContentBlockDelta }
  | { type: "content_block_stop"; index: number }
  | {
    type: "message_delta";
    delta: { stop_reason: string | null; stop_sequence: string | null; [key: string]: unknown };
    usage: Partial<Usage>;
    context_management?: AssistantMessageBody["context_management"];
  }
  | { type: "message_stop" }
  | { type: UnknownKind; [key: string]: unknown };

/**
 * A part of an answer while it is being written; only with `includePartialMessages`. The whole block arrives as an
 * assistant message before its `content_block_stop`.
 */
export interface SDKPartialAssistantMessage extends SDKFrame {
  /** The kind. */
  type: "stream_event";
  /** The event. */
  event: RawMessageStreamEvent;
  /** The `tool_use` id of the Agent call when a subagent writes it, else `null`. */
  parent_tool_use_id: string | null;
  /** Milliseconds to the first token; on `message_start`. */
  ttft_ms?: number;
  /** The client line it answers. */
  user_message_uuid?: string;
  /** The client lines it answers, when several were folded into one turn. */
  user_message_uuids?: string[];
  /** Why it goes on with a turn that a restart had cut off. */
  resume_reason?: string;
  /** The id of the message that is being written. Outside the peer's types (CLI 2.1.332). */
  api_message_id?: string;
  /** How a thought is meant to be shown: `updates`. Outside the peer's types (CLI 2.1.332). */
  thinking_display?: string;
  /** Bookkeeping of the CLI; on `message_start`. Outside the peer's types (CLI 2.1.332). */
  owed_rows?: unknown[];
}
