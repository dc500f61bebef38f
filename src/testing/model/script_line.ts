import { OptionError } from "../../core/errors/option_error.ts";
import { isJsonObject } from "../../core/json.ts";
import { gotKind } from "../checks.ts";
import type { ModelRequest } from "./model_request.ts";
import { checkExpectation, type RequestExpectation } from "./request_expectation.ts";
import type { Turn } from "./turn.ts";
import { checkTurn } from "./turn_check.ts";

/** An answer for a request that must be what is expected; made by {@linkcode turn.expect}. */
export interface ExpectLine {
  /** Discriminator. */
  readonly kind: "expect";
  /** What the request must look like. */
  readonly expected: RequestExpectation;
  /** The answer, or what makes one. */
  readonly line: Turn | ((request: ModelRequest) => Turn | Promise<Turn>);
}

/** A line for several requests; made by {@linkcode turn.repeat}. */
export interface RepeatLine {
  /** Discriminator. */
  readonly kind: "repeat";
  /** For how many requests. */
  readonly times: number;
  /** The line. */
  readonly line: ScriptLine;
}

/** One line of a script: an answer, what makes one from the request, or one of both with a condition or a number of times. */
export type ScriptLine = Turn | ((request: ModelRequest) => Turn | Promise<Turn>) | ExpectLine | RepeatLine;

/** A line that answers one request. */
export type SingleLine = Exclude<ScriptLine, RepeatLine>;

/** A line, and for how many requests it stands. */
export interface CountedLine {
  /** The line. */
  readonly line: SingleLine;
  /** At least 1; `Infinity` for all that follow. */
  readonly times: number;
}

/** Checks a number of times. @throws {OptionError} for what is none. */
export function checkTimes(times: unknown, path: string): void {
  if (times === Infinity || (Number.isSafeInteger(times) && (times as number) >= 1)) return;
  throw new OptionError(path, "must be told how often: a whole number of at least 1, or Infinity");
}

/** Checks one line. @throws {OptionError} for what is none. */
export function checkLine(line: unknown, path: string): void {
  if (typeof line === "function") return;
  const { kind, ...item } = (isJsonObject(line) ? line : {}) as Partial<ExpectLine | RepeatLine>;
  if (kind === "repeat") {
    const { times, line: inner } = item as RepeatLine;
    checkTimes(times, path);
    return checkLine(inner, path);
  }
  if (kind === "expect") {
    const { expected, line: inner } = item as ExpectLine;
    checkExpectation(expected, path);
    return typeof inner === "function" ? undefined : checkTurn(inner, path);
  }
  checkTurn(line, path);
}

/** The lines of a list, each with its number of times. @throws {OptionError} for a list that cannot be played. */
export function countLines(lines: readonly ScriptLine[], path: string): CountedLine[] {
  const counted: CountedLine[] = [];
  // Not `map`: a hole in a list is no line either.
  for (let index = 0; index < lines.length; index++) {
    checkLine(lines[index], `${path}[${index}]`);
    if (counted.at(-1)?.times === Infinity) {
      throw new OptionError(`${path}[${index}]`, "is never reached: the line before it is repeated for ever");
    }
    counted.push(single(lines[index]!));
  }
  return counted;
}

function single(line: ScriptLine): CountedLine {
  if (typeof line === "function" || line.kind !== "repeat") return { line, times: 1 };
  const inner = single(line.line);
  return { line: inner.line, times: inner.times * line.times };
}

/** Says what was given in place of a script. */
export function noScript(given: unknown, path: string): OptionError {
  const hint = isJsonObject(given) && typeof (given as { kind?: unknown }).kind === "string"
    ? "a single line: put it into a list"
    : gotKind(given);
  return new OptionError(path, `must be a list of lines or a function that answers each request; it is ${hint}`);
}
