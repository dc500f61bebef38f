import { OptionError } from "../core/errors/option_error.ts";
import { isJsonObject, type JsonObject } from "../core/json.ts";
import { checkSendable } from "../core/streams/encode_frame.ts";

/** Looks at one value. @throws {OptionError} naming `path` if it is wrong. */
export type Check = (value: unknown, path: string) => void;

/** The longest wait a timer can be set for: with more it would run out at once. */
const LONGEST_MS = 2 ** 31 - 1;

/** A word for what was given instead, without its content. */
export function gotKind(value: unknown): string {
  if (value === undefined) return "undefined";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "string") return "text";
  if (typeof value === "object") return "an object";
  return `a ${typeof value}`;
}

/**
 * Checks the fields of settings: each one that is given by its own check, and none that has no check, so that a misspelt
 * one is told instead of having no effect.
 */
export function checkFields(given: unknown, path: string, checks: Readonly<Record<string, Check>>): void {
  if (!isJsonObject(given)) throw new OptionError(path, `must be an object; it is ${gotKind(given)}`);
  for (const [name, value] of Object.entries(given)) {
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    if (check === undefined) {
      throw new OptionError(`${path}.${name}`, `is not known; known: ${Object.keys(checks).join(", ")}`);
    }
    if (value !== undefined) check(value, `${path}.${name}`);
  }
}

/** Makes a check that says what a value must be. */
export function must(be: string, fits: (value: unknown) => boolean): Check {
  return (value, path) => {
    if (!fits(value)) throw new OptionError(path, `must be ${be}; it is ${shown(value)}`);
  };
}

/** A text. */
export const isText: Check = must("text", (value) => typeof value === "string");
/** A text that is not empty. */
export const isName: Check = must("a name", (value) => typeof value === "string" && value !== "");
/** True or false. */
export const isFlag: Check = must("true or false", (value) => typeof value === "boolean");
/** A function. */
export const isFunction: Check = must("a function", (value) => typeof value === "function");
/** 0, 1, 2 … */
export const isCount: Check = must("a whole number of at least 0", (value) => isInteger(value, 0));
/** 1, 2, 3 … */
export const isPositiveCount: Check = must("a whole number of at least 1", (value) => isInteger(value, 1));
/** A wait that a timer can be set for. */
export const isMilliseconds: Check = must(
  `milliseconds: a number from 0 to ${LONGEST_MS}`,
  (value) => typeof value === "number" && value >= 0 && value <= LONGEST_MS,
);
/** A list of texts. */
export const isTexts: Check = must("a list of texts", isListOfTexts);
/** An object that can be written as JSON. */
export const isJson: Check = (value, path) => {
  if (!isJsonObject(value)) throw new OptionError(path, `must be an object; it is ${gotKind(value)}`);
  checkSendable(value, path);
};

/** One of some words. */
export function oneOf(...words: readonly string[]): Check {
  return must(`one of ${words.join(", ")}`, (value) => words.includes(value as string));
}

/** Headers: names and values that HTTP can carry. */
export const isHeaders: Check = (value, path) => {
  if (!isJsonObject(value)) throw new OptionError(path, `must be an object; it is ${gotKind(value)}`);
  for (const [name, text] of Object.entries(value as JsonObject)) {
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) {
      throw new OptionError(path, "holds a name that no header can have");
    }
    if (typeof text !== "string" || !/^[\t\x20-\x7e\x80-\xff]*$/.test(text)) {
      throw new OptionError(
        `${path}.${name}`,
        "must be text that a header can hold: one line, no character above U+00FF",
      );
    }
  }
};

/** Whether a value is a list of nothing but texts. */
export function isListOfTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && Array.from(value).every((item) => typeof item === "string");
}

function isInteger(value: unknown, minimum: number): boolean {
  return Number.isSafeInteger(value) && (value as number) >= minimum;
}

function shown(value: unknown): string {
  return typeof value === "number" || typeof value === "boolean" ? String(value) : gotKind(value);
}
