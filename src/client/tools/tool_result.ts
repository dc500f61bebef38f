import { isJsonObject } from "../../core/json.ts";
import type { ToolContent, ToolResult } from "./tool_types.ts";
import { unsendablePlace } from "./unsendable_place.ts";

/** Text fields that a block of a known kind must have. */
const TEXT_FIELDS: ReadonlyMap<string, readonly string[]> = new Map([
  ["text", ["text"]],
  ["image", ["data", "mimeType"]],
  ["audio", ["data", "mimeType"]],
  ["resource_link", ["uri", "name"]],
]);

/** A result that tells the model what went wrong. */
export function errorResult(text: string): ToolResult {
  return { content: [{ type: "text", text }], isError: true };
}

/**
 * What a handler returned, as it travels: unchanged, but for a text mirror of data that came without one.
 *
 * @throws {TypeError} for what is no tool result, and for one that holds what JSON has no word for; its place is named.
 */
export function toolResult(returned: unknown): ToolResult {
  if (!isJsonObject(returned)) throw new TypeError("it returned no tool result");
  const { content, structuredContent } = returned as { content?: unknown; structuredContent?: unknown };
  if (structuredContent !== undefined && !isJsonObject(structuredContent)) {
    throw new TypeError("structuredContent is not an object");
  }
  for (const [name, value] of Object.entries(returned)) {
    const unsendable = unsendablePlace(value, name);
    if (unsendable !== undefined) throw new TypeError(`its result cannot be sent: ${unsendable}`);
  }
  if (content === undefined && structuredContent !== undefined) {
    return { ...returned, structuredContent, content: [{ type: "text", text: JSON.stringify(structuredContent) }] };
  }
  if (!Array.isArray(content)) throw new TypeError("its result has no list of content");
  content.forEach(checkBlock);
  return returned as unknown as ToolResult;
}

function checkBlock(block: unknown, index: number): asserts block is ToolContent {
  if (!isJsonObject(block) || typeof block.type !== "string") throw new TypeError(`content[${index}] has no type`);
  for (const field of TEXT_FIELDS.get(block.type) ?? []) {
    if (typeof block[field] !== "string") {
      throw new TypeError(`content[${index}], of type ${block.type}, has no ${field}`);
    }
  }
  if (block.type === "resource" && (!isJsonObject(block.resource) || typeof block.resource.uri !== "string")) {
    throw new TypeError(`content[${index}], of type resource, has no resource with a uri`);
  }
}
