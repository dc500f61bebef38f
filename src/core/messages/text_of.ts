import { isJsonObject } from "../json.ts";
import type { ContentBlock, ToolResultBlock, ToolUseBlock } from "./content_blocks.ts";
import type { SDKMessage } from "./message.ts";

// Messages are the CLI's own objects, which nobody has checked: what is not as its type says is left out, never thrown at.

/**
 * The text in a message, or in a block of one.
 *
 * - `assistant`, `user`: its text blocks, joined with nothing between. No thoughts, no tool calls, no tool results.
 * - `stream_event`: the piece of text it adds; so what a stream adds up to is the text of its `assistant` messages.
 * - `result`: the final text, or what went wrong (several errors are joined by `"; "`).
 * - a `text` block; a `tool_result` block (its text blocks, a line each).
 *
 * Empty for everything else. What a subagent says counts as any other text: look at `parent_tool_use_id` to tell.
 */
export function textOf(source: SDKMessage | ContentBlock): string {
  switch (source.type) {
    case "assistant":
    case "user":
      return textsIn(contentOf(source)).join("");
    case "stream_event":
      return addedText(source.event);
    case "result":
      return resultText(source);
    case "text":
      return typeof source.text === "string" ? source.text : "";
    case "tool_result":
      return textsIn(source.content).join("\n");
    default:
      return "";
  }
}

/** The tool calls in a message: those that the CLI runs. Empty for all but `assistant` messages. */
export function toolUsesOf(message: SDKMessage): ToolUseBlock[] {
  return message.type === "assistant" ? blocksOf<ToolUseBlock>(contentOf(message), "tool_use") : [];
}

/** The answers of tools in a message, refusals included. Empty for all but `user` messages. */
export function toolResultsOf(message: SDKMessage): ToolResultBlock[] {
  return message.type === "user" ? blocksOf<ToolResultBlock>(contentOf(message), "tool_result") : [];
}

function contentOf(message: { readonly message: unknown }): unknown {
  return isJsonObject(message.message) ? message.message.content : undefined;
}

function blocksOf<Block extends ContentBlock>(content: unknown, type: Block["type"]): Block[] {
  return Array.isArray(content) ? content.filter((block) => isJsonObject(block) && block.type === type) : [];
}

function textsIn(content: unknown): string[] {
  if (typeof content === "string") return [content];
  return blocksOf<Extract<ContentBlock, { type: "text" }>>(content, "text").map(textOf);
}

function addedText(event: unknown): string {
  if (!isJsonObject(event)) return "";
  const piece = event.type === "content_block_start"
    ? event.content_block
    : event.type === "content_block_delta"
    ? event.delta
    : undefined;
  if (!isJsonObject(piece) || (piece.type !== "text" && piece.type !== "text_delta")) return "";
  return typeof piece.text === "string" ? piece.text : "";
}

function resultText(result: { readonly result?: unknown; readonly errors?: unknown }): string {
  if (typeof result.result === "string") return result.result;
  const errors: unknown[] = Array.isArray(result.errors) ? result.errors : [result.errors];
  return errors.filter((error) => typeof error === "string").join("; ");
}
