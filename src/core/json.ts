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

/** A deep copy of what was parsed from JSON. */
export function copyOfJson<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(copyOfJson) as T;
  const copy: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(value)) {
    // Assigned, a field of this name would become the prototype.
    if (key === "__proto__") Object.defineProperty(copy, key, { ...OWN_FIELD, value: copyOfJson(field) });
    else copy[key] = copyOfJson(field);
  }
  return copy as T;
}

const OWN_FIELD = { enumerable: true, configurable: true, writable: true } as const;
