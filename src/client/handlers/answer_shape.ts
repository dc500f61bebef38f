import type { JsonObject } from "../../core/json.ts";

/** @throws {TypeError} if the value has no JSON form. */
export function sendable(value: JsonObject): JsonObject {
  try {
    JSON.stringify(value);
  } catch (cause) {
    throw new TypeError("it returned something that has no JSON form", { cause });
  }
  return value;
}

/** A word for what a value is, for messages. */
export function kindOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
