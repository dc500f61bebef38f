/**
 * Where in a value something stands that JSON has no word for, and what it is: `structuredContent.big is a bigint`.
 * Undefined if there is nothing of the kind. A field that is undefined counts as not there, as in JSON.
 *
 * Beside what `JSON.stringify` refuses, that is what it would write as `null` or as an object without what is in it: a
 * function, NaN, a Map, a Promise, bytes.
 */
export function unsendablePlace(value: unknown, place: string): string | undefined {
  try {
    return findIn(value, place, "", []);
  } catch (cause) {
    // A getter or `toJSON` that throws, or a depth the stack does not bear.
    return `${place} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`;
  }
}

function findIn(given: unknown, place: string, key: string, above: readonly object[]): string | undefined {
  const value = hasOwnForm(given) ? given.toJSON(key) : given;
  switch (typeof value) {
    case "bigint":
    case "function":
    case "symbol":
      return `${place} is a ${typeof value}`;
    case "number":
      return Number.isFinite(value) ? undefined : `${place} is ${value}`;
    case "object":
      return value === null ? undefined : findInside(value, place, above);
    default:
      return undefined;
  }
}

function findInside(value: object, place: string, above: readonly object[]): string | undefined {
  if (above.includes(value)) return `${place} holds itself`;
  const inside = [...above, value];
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const at = `${place}[${index}]`;
      if (value[index] === undefined) return `${at} is undefined`;
      const found = findIn(value[index], at, String(index), inside);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `${place} is binary data; encode it as base64`;
  const names = Object.keys(value);
  if (names.length === 0 && !isPlain(value)) return `${place} is ${nameOf(value)}, whose content JSON does not see`;
  for (const name of names) {
    const found = findIn((value as Record<string, unknown>)[name], `${place}.${name}`, name, inside);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Also for objects of another realm, whose prototype is not ours. */
function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value) as object | null;
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function nameOf(value: object): string {
  const { name } = value.constructor ?? {};
  return typeof name === "string" && name !== "" ? `a ${name}` : "an object";
}

/** True for a value that says itself how it is written: a `Date`, a `URL`. */
function hasOwnForm(value: unknown): value is { toJSON(key: string): unknown } {
  return typeof value === "object" && value !== null && typeof (value as { toJSON?: unknown }).toJSON === "function";
}
