import { isJsonObject, type JsonObject, type JsonValue } from "../../core/json.ts";

/**
 * Whose settings are read. One invalid value makes a person's file void (`own`); of what an organisation set, only the
 * invalid value goes (`managed`), and where that would loosen something the strictest value stands in for it.
 */
export type Reader = "own" | "managed";

/** Something that is wrong with a value. */
export interface Issue {
  /** Where, as `sandbox.network.allowedDomains`. */
  readonly path: string;
  /** What, without the value: it may be secret. */
  readonly message: string;
}

/** Nothing can be made of a value. */
export const INVALID: unique symbol = Symbol("invalid");
/** A value counts as not set. */
export const ABSENT: unique symbol = Symbol("absent");
/** What is made of a value. */
export type Reading = JsonValue | typeof INVALID | typeof ABSENT;

/** A place in a settings object while it is read. */
export class Place {
  readonly reader: Reader;
  readonly path: string;
  readonly issues: Issue[];

  constructor(reader: Reader, path = "", issues: Issue[] = []) {
    this.reader = reader;
    this.path = path;
    this.issues = issues;
  }

  /** The place of a member. */
  member(key: string | number): Place {
    return new Place(this.reader, this.path === "" ? String(key) : `${this.path}.${key}`, this.issues);
  }

  /** Notes what is wrong here. */
  fail(message: string): typeof INVALID {
    this.issues.push({ path: this.path, message });
    return INVALID;
  }
}

/** What a value may be, and what becomes of one that may not be. */
export interface Rule {
  /** Makes the value out of what was written, or INVALID. */
  readonly read: (value: unknown, at: Place) => Reading;
  /** What an invalid value counts as, whoever wrote it, without a word: a value, or ABSENT. */
  readonly otherwise?: JsonValue | typeof ABSENT;
  /** What an invalid value counts as in managed settings, before `otherwise`. */
  readonly strictest?: JsonValue;
  /** Any value but the strictest loosens something; so it is for switches with a strictest value. */
  readonly guards?: boolean;
  /** The rules of an object's members. */
  readonly members?: Readonly<Record<string, Rule>>;
  /** `null` counts as not set in a person's file too; in managed settings it does anyway. */
  readonly nullable?: boolean;
  /** `null` is invalid in managed settings as well. */
  readonly nullIsInvalid?: boolean;
  /** `false` counts as not set in managed settings. */
  readonly falseUnsets?: boolean;
}

/** Reads a value by its rule. */
export function readBy(rule: Rule, value: unknown, at: Place): Reading {
  const before = at.issues.length;
  const reading = rule.read(value, at);
  if (reading !== INVALID) return reading;
  if (at.reader === "managed" && rule.strictest !== undefined) return structuredClone(rule.strictest);
  if (rule.otherwise === undefined) return INVALID;
  at.issues.length = before;
  return rule.otherwise === ABSENT ? ABSENT : structuredClone(rule.otherwise);
}

/** Reads the value of a key, where `null` can mean that the key is not set. */
export function readMember(rule: Rule, value: unknown, at: Place): Reading {
  const managed = at.reader === "managed";
  if (value === null) {
    const unset = managed
      ? rule.nullIsInvalid !== true && (rule.otherwise === undefined || rule.otherwise === ABSENT)
      : rule.nullable === true;
    if (unset) return ABSENT;
  }
  if (value === false && managed && rule.falseUnsets === true) return ABSENT;
  return readBy(rule, value, at);
}

/** Anything at all. */
export const anything: Rule = { read: (value) => value as JsonValue };

/** `true` or `false`. */
export const flag: Rule = {
  read: (value, at) => typeof value === "boolean" ? value : at.fail("must be true or false"),
};

/** Text. */
export const text: Rule = { read: (value, at) => typeof value === "string" ? value : at.fail("must be text") };

/** Text that passes a test. */
export function textThat(passes: (value: string) => boolean, what: string): Rule {
  return { read: (value, at) => typeof value === "string" && passes(value) ? value : at.fail(`must be ${what}`) };
}

/** Text with something in it. */
export const someText: Rule = textThat((value) => value !== "", "text, and not empty");

/** One of some words. `aliases` are other ways to write them. */
export function oneOf(words: readonly string[], aliases: Readonly<Record<string, string>> = {}): Rule {
  return {
    read(value, at) {
      if (typeof value === "string" && words.includes(value)) return value;
      if (typeof value === "string" && Object.hasOwn(aliases, value)) return aliases[value] ?? INVALID;
      return at.fail(`must be one of ${words.map((word) => JSON.stringify(word)).join(", ")}`);
    },
  };
}

/** Bounds of a number. */
export interface Bounds {
  /** No fraction, and no more than can be counted exactly. */
  readonly whole?: boolean;
  readonly from?: number;
  readonly above?: number;
  readonly to?: number;
}

/** A number. */
export function number({ whole, from, above, to }: Bounds = {}): Rule {
  const fits = (value: number) =>
    (whole !== true || Number.isSafeInteger(value)) && (from === undefined || value >= from) &&
    (above === undefined || value > above) && (to === undefined || value <= to);
  const bounds = [
    from === undefined ? "" : `from ${from}`,
    above === undefined ? "" : `above ${above}`,
    to === undefined ? "" : `up to ${to}`,
  ].filter((part) => part !== "").join(" ");
  const message = `must be a ${whole === true ? "whole " : ""}number${bounds === "" ? "" : ` ${bounds}`}`;
  return { read: (value, at) => typeof value === "number" && fits(value) ? value : at.fail(message) };
}

/** The first rule that can make something of a value. */
export function either(what: string, ...rules: readonly Rule[]): Rule {
  return {
    read(value, at) {
      const before = at.issues.length;
      for (const rule of rules) {
        const reading = readBy(rule, value, at);
        at.issues.length = before;
        if (reading !== INVALID) return reading;
      }
      return at.fail(`must be ${what}`);
    },
  };
}

/** How a list is read. */
export interface ListOptions {
  /** Who may have invalid members taken out instead of losing the list. Default: nobody. */
  readonly keepsRest?: "managed" | "everyone";
  /** In managed settings a list stays when all its members were taken out. Default: it goes with them. */
  readonly mayEmpty?: boolean;
  /** Lists of this length at least. */
  readonly atLeast?: number;
}

/** A list of values of one rule. */
export function list(member: Rule, { keepsRest, mayEmpty = false, atLeast = 0 }: ListOptions = {}): Rule {
  return {
    read(value, at) {
      if (!Array.isArray(value)) return at.fail("must be a list");
      const lenient = keepsRest === "everyone" || (keepsRest === "managed" && at.reader === "managed");
      const kept: JsonValue[] = [];
      let lost = false;
      value.forEach((item: unknown, index) => {
        const reading = readBy(member, item, at.member(index));
        if (reading === INVALID) lost = true;
        else if (reading !== ABSENT) kept.push(reading);
      });
      if (lost && !lenient) return INVALID;
      if (lost && kept.length === 0 && !mayEmpty && at.reader === "managed") return INVALID;
      return value.length < atLeast ? at.fail(`must have ${atLeast} members at least`) : kept;
    },
  };
}

/** A list of text. */
export function texts(options: ListOptions = {}): Rule {
  return list(text, options);
}

/** An object whose keys are free and whose values have one rule. `keepsRest`: invalid ones are taken out. */
export function record(
  member: Rule,
  { keepsRest, mayEmpty = false }: Pick<ListOptions, "keepsRest" | "mayEmpty"> = {},
): Rule {
  return {
    read(value, at) {
      if (!isJsonObject(value)) return at.fail("must be an object");
      const lenient = keepsRest === "everyone" || (keepsRest === "managed" && at.reader === "managed");
      const kept: JsonObject = {};
      let lost = false;
      for (const [key, item] of entriesOf(value)) {
        const reading = readBy(member, item, at.member(key));
        if (reading === INVALID) lost = true;
        else if (reading !== ABSENT) kept[key] = reading;
      }
      if (lost && lenient && Object.keys(kept).length === 0 && !mayEmpty) return INVALID;
      return lost && !lenient ? INVALID : kept;
    },
  };
}

/** The members of an object, without the one key that would change its prototype. */
export function entriesOf(value: JsonObject): [string, unknown][] {
  return Object.entries(value).filter(([key]) => key !== "__proto__");
}
