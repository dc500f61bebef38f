import { isJsonObject, type JsonObject } from "../../core/json.ts";
import { ABSENT, entriesOf, INVALID, type Place, readBy, type Reading, readMember, type Rule } from "./rule.ts";

/** How an object is read. */
export interface ObjectOptions {
  /** Keys it must have. */
  readonly required?: readonly string[];
  /** Keys without a rule stay. Default: they go. */
  readonly open?: boolean;
  /** In managed settings invalid members are taken out instead of losing the object. */
  readonly keepsRest?: boolean;
  /** What else goes, by a member that had to be taken out: what that one had held back. */
  readonly takes?: Readonly<Record<string, readonly string[]>>;
  /** That happens as well when only a part of that member had to be taken out. */
  readonly takesForParts?: boolean;
}

/** An object with known keys. */
export function object(fields: Readonly<Record<string, Rule>>, options: ObjectOptions = {}): Rule {
  return {
    members: fields,
    read(value, at) {
      return isJsonObject(value) ? readMembers(value, at, fields, options) : at.fail("must be an object");
    },
  };
}

/** An object that says by one of its keys which it is. */
export function tagged(tag: string, kinds: Readonly<Record<string, Rule>>): Rule {
  return {
    read(value, at) {
      if (!isJsonObject(value)) return at.fail("must be an object");
      const kind = value[tag];
      const rule = typeof kind === "string" && Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
      if (rule !== undefined) return readBy(rule, value, at);
      return at.member(tag).fail(`must be one of ${Object.keys(kinds).map((name) => JSON.stringify(name)).join(", ")}`);
    },
  };
}

function readMembers(
  value: JsonObject,
  at: Place,
  fields: Readonly<Record<string, Rule>>,
  { required = [], open = false, keepsRest = false, takes = {}, takesForParts = false }: ObjectOptions,
): Reading {
  const lenient = keepsRest && at.reader === "managed";
  const kept: JsonObject = {};
  const lost: string[] = [];
  const flawed: string[] = [];
  let unset = false;
  for (const [key, member] of entriesOf(value)) {
    const rule = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (rule === undefined) {
      if (open && !(lenient && member === null)) kept[key] = member as JsonObject[string];
      continue;
    }
    // Elsewhere a member that is null is as invalid as any other.
    const before = at.issues.length;
    const mayUnset = lenient || at.reader === "own" || rule.nullable === true;
    const reading = mayUnset ? readMember(rule, member, at.member(key)) : readBy(rule, member, at.member(key));
    if (at.issues.length > before) flawed.push(key);
    if (reading === INVALID) lost.push(key);
    else if (reading === ABSENT) unset ||= member === null;
    else kept[key] = reading;
  }
  for (const key of required) {
    if (!(key in kept) && !lost.includes(key)) {
      at.member(key).fail("is missing");
      lost.push(key);
    }
  }
  if (lost.length > 0 && (!lenient || lost.some((key) => required.includes(key)))) return INVALID;
  if (lenient) {
    for (const key of (takesForParts ? flawed : lost).flatMap((name) => takes[name] ?? [])) delete kept[key];
  }
  // What is left of an object that lost all it said says nothing.
  const gone = lost.length > 0 || (keepsRest && unset && at.reader === "managed");
  return gone && Object.keys(kept).length === 0 ? ABSENT : kept;
}
