import { isJsonObject, type JsonObject } from "../json.ts";

/** A line as a record, or why it is none. */
export function parseRecord(line: string): JsonObject | "not_json" | "not_an_object" {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    // The error quotes the line, which may hold anything: it goes no further.
    return "not_json";
  }
  return isJsonObject(value) ? value : "not_an_object";
}
