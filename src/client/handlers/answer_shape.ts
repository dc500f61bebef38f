import { isJsonObject, type JsonObject } from "../../core/json.ts";
import { findUnsendable } from "../../core/streams/sendable.ts";

/**
 * A plain copy of a value, as it travels: what is checked is then what is sent, and writing it cannot fail any more.
 *
 * @throws {TypeError} if it has no JSON form, or one without what it holds (a Map, a Promise).
 */
export function sendable(value: JsonObject): JsonObject {
  let wire: unknown;
  let unsendable: string | undefined;
  try {
    wire = JSON.parse(JSON.stringify(value));
    unsendable = findUnsendable(value);
  } catch (cause) {
    throw new TypeError("it returned something that has no JSON form", { cause });
  }
  if (unsendable !== undefined) throw new TypeError(`it returned something that holds ${unsendable}`);
  if (!isJsonObject(wire) || (Object.keys(wire).length === 0 && !isPlain(value))) {
    throw new TypeError("it returned an object whose fields JSON does not see");
  }
  return wire;
}

/** Also for objects of another realm, whose prototype is not ours. */
function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value) as object | null;
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** A word for what a value is, for messages. */
export function kindOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
