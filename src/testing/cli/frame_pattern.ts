import { isJsonObject, type JsonObject, type JsonValue } from "../../core/json.ts";

/**
 * What a frame must look like: an object whose fields must all be there and fit (objects in depth, lists item by item,
 * everything else equal), or a function. A text also fits a list of text blocks that says the same, since prompts come
 * either way.
 */
export type FramePattern = JsonObject | ((frame: JsonObject) => boolean);

/** Whether a frame fits. */
export function fitsPattern(pattern: FramePattern, frame: JsonObject): boolean {
  return typeof pattern === "function" ? pattern(frame) : fits(pattern, frame);
}

function fits(pattern: JsonValue | undefined, value: JsonValue | undefined): boolean {
  if (isJsonObject(pattern)) {
    return isJsonObject(value) && Object.keys(pattern).every((key) => fits(pattern[key], value[key]));
  }
  if (Array.isArray(pattern)) {
    return Array.isArray(value) && value.length === pattern.length &&
      pattern.every((item, index) => fits(item, value[index]));
  }
  return pattern === value || (typeof pattern === "string" && Array.isArray(value) && textOf(value) === pattern);
}

function textOf(blocks: readonly JsonValue[]): string | undefined {
  const texts = blocks.map((block) => isJsonObject(block) && block.type === "text" ? block.text : undefined);
  return texts.every((text) => typeof text === "string") ? texts.join("\n") : undefined;
}
