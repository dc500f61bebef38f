/** Plain JSON values, as they travel on the wire. */

/** Any JSON value. */
export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;

/** A JSON object whose fields have not been checked yet. */
export interface JsonObject {
  /** Any field; it may be missing. */
  [key: string]: JsonValue | undefined;
}

/** True for an object that is neither `null` nor an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
