/**
 * What in a value JSON has no word for, so that `JSON.stringify` would write `null` or leave it out: a function, a
 * symbol, a number that is not finite, undefined in a list. Undefined if there is nothing of the kind; a field that is
 * undefined counts as not there.
 *
 * Looks at the value as `JSON.stringify` does, and must run after that succeeded: then there is no cycle, and no depth
 * that the stack does not bear. A replacer would do the same in one pass, but makes the writing of long strings slow.
 */
export function findUnsendable(value: unknown): string | undefined {
  return findIn(value, "", false);
}

function findIn(given: unknown, key: string | number, inList: boolean): string | undefined {
  const value = hasOwnForm(given) ? given.toJSON(String(key)) : given;
  switch (typeof value) {
    case "function":
      return "a function";
    case "symbol":
      return "a symbol";
    case "number":
      return Number.isFinite(value) ? undefined : "a number that is not finite";
    case "undefined":
      return inList ? "undefined in a list" : undefined;
    case "object":
      if (value === null) return undefined;
      return Array.isArray(value) ? findInList(value) : findInFields(value as Record<string, unknown>);
    default:
      return undefined;
  }
}

function findInList(list: readonly unknown[]): string | undefined {
  for (let index = 0; index < list.length; index++) {
    const found = findIn(list[index], index, true);
    if (found !== undefined) return found;
  }
  return undefined;
}

function findInFields(record: Record<string, unknown>): string | undefined {
  for (const key of Object.keys(record)) {
    const found = findIn(record[key], key, false);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** True for a value that says itself how it is written: a `Date`, a `URL`. */
function hasOwnForm(value: unknown): value is { toJSON(key: string): unknown } {
  return typeof value === "object" && value !== null && typeof (value as { toJSON?: unknown }).toJSON === "function";
}
