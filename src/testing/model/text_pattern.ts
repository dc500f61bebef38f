import { OptionError } from "../../core/errors/option_error.ts";
import { isJsonObject } from "../../core/json.ts";
import { type Check, checkFields, gotKind, isListOfTexts, must } from "../checks.ts";

/**
 * What a text must be: exactly this one, one that a regular expression finds something in, one that holds some texts and
 * not others, or one that a function says yes to.
 */
export type TextPattern =
  | string
  | RegExp
  | {
    /** Every one of these is in it. */
    readonly includes?: string | readonly string[];
    /** None of these is in it. */
    readonly excludes?: string | readonly string[];
  }
  | ((text: string) => boolean);

/** What a list of names must be: exactly these, in any order, or a list that holds some and not others. */
export type NamesPattern =
  | readonly string[]
  | {
    /** Every one of these is in it. */
    readonly includes?: readonly string[];
    /** None of these is in it. */
    readonly excludes?: readonly string[];
  };

/** How much of a text an error shows. */
const SHOWN_CHARS = 300;

const isWords: Check = must("text, or a list of texts", (value) => typeof value === "string" || isListOfTexts(value));
const isNames: Check = must("a list of texts", isListOfTexts);

/** Checks a pattern. @throws {OptionError} for what is none. */
export function checkTextPattern(pattern: unknown, path: string): void {
  if (typeof pattern === "string" || typeof pattern === "function" || pattern instanceof RegExp) return;
  if (!isJsonObject(pattern)) {
    throw new OptionError(
      path,
      `must be text, a RegExp, { includes, excludes } or a function; it is ${gotKind(pattern)}`,
    );
  }
  checkFields(pattern, path, { includes: isWords, excludes: isWords });
}

/** Checks a pattern of names. @throws {OptionError} for what is none. */
export function checkNamesPattern(pattern: unknown, path: string): void {
  if (isListOfTexts(pattern)) return;
  if (!isJsonObject(pattern)) {
    throw new OptionError(path, `must be a list of texts, or { includes, excludes }; it is ${gotKind(pattern)}`);
  }
  checkFields(pattern, path, { includes: isNames, excludes: isNames });
}

/** How a text differs from its pattern, as the end of a sentence; undefined if it fits. */
export function textDifference(pattern: TextPattern, text: string): string | undefined {
  if (typeof pattern === "string") {
    return text === pattern ? undefined : `expected ${shownText(pattern)}, got ${shownText(text)}`;
  }
  if (pattern instanceof RegExp) {
    // `search` does not move a global pattern's place, as `test` would.
    return text.search(pattern) >= 0 ? undefined : `expected ${pattern}, got ${shownText(text)}`;
  }
  if (typeof pattern === "function") {
    return pattern(text) ? undefined : `not what the function expects, got ${shownText(text)}`;
  }
  const missing = words(pattern.includes).find((word) => !text.includes(word));
  if (missing !== undefined) return `expected to include ${shownText(missing)}, got ${shownText(text)}`;
  const present = words(pattern.excludes).find((word) => text.includes(word));
  return present === undefined ? undefined : `expected not to include ${shownText(present)}, got ${shownText(text)}`;
}

/** How a list of names differs from its pattern, as the end of a sentence; undefined if it fits. */
export function namesDifference(pattern: NamesPattern, names: readonly string[]): string | undefined {
  const got = `got ${shownNames(names)}`;
  if (isListOfTexts(pattern)) {
    const isSame = pattern.length === names.length && pattern.every((name) => names.includes(name)) &&
      names.every((name) => pattern.includes(name));
    return isSame ? undefined : `expected exactly ${shownNames(pattern)}, ${got}`;
  }
  const { includes = [], excludes = [] } = pattern as Exclude<NamesPattern, readonly string[]>;
  const missing = includes.filter((name) => !names.includes(name));
  if (missing.length > 0) return `expected to include ${shownNames(missing)}, ${got}`;
  const present = excludes.filter((name) => names.includes(name));
  return present.length === 0 ? undefined : `expected not to include ${shownNames(present)}, ${got}`;
}

/** A text for an error: quoted, and not longer than one can read. */
export function shownText(text: string): string {
  if (text.length <= SHOWN_CHARS) return JSON.stringify(text);
  return `${JSON.stringify(text.slice(0, SHOWN_CHARS))}… (${text.length} characters)`;
}

/** The same for JSON, which needs no quotes. */
export function clipped(json: string): string {
  return json.length <= SHOWN_CHARS ? json : `${json.slice(0, SHOWN_CHARS)}… (${json.length} characters)`;
}

function shownNames(names: readonly string[]): string {
  return names.length === 0 ? "none" : names.join(", ");
}

function words(given: string | readonly string[] | undefined): readonly string[] {
  return typeof given === "string" ? [given] : given ?? [];
}
