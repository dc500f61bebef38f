import { OptionError } from "../../core/errors/option_error.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../core/json.ts";
import { type Check, checkFields, gotKind, isFlag, isJson, isPositiveCount } from "../checks.ts";
import { ScriptError } from "../script_error.ts";
import type { ModelRequest, ToolResult } from "./model_request.ts";
import {
  checkNamesPattern,
  checkTextPattern,
  clipped,
  namesDifference,
  type NamesPattern,
  shownText,
  textDifference,
  type TextPattern,
} from "./text_pattern.ts";

/** What a tool's answer must be. */
export interface ToolResultExpectation {
  /** Its text, all text blocks joined by newlines. */
  readonly text?: TextPattern;
  /** Whether the tool failed, or was denied. */
  readonly isError?: boolean;
}

/**
 * What a request to the model must look like. What is left out may be anything; a text on its own means exactly that text,
 * `{ includes }` a part of it.
 */
export interface RequestExpectation {
  /** The last thing a user said: {@linkcode ModelRequest.prompt}. */
  readonly prompt?: TextPattern;
  /** The first thing said in the conversation. */
  readonly firstPrompt?: TextPattern;
  /** The system prompt as one text. */
  readonly system?: TextPattern;
  /** The CLI's own notes in the last message, joined by newlines. */
  readonly reminders?: TextPattern;
  /**
   * What the tools of the last answer said, each by the name of the tool or the id of the call. A tool that was called
   * several times has a list, in the order of the calls. Other results may be there too.
   */
  readonly toolResults?: Readonly<
    Record<string, TextPattern | ToolResultExpectation | readonly (TextPattern | ToolResultExpectation)[]>
  >;
  /** Names of the tools offered. */
  readonly tools?: NamesPattern;
  /** The model asked for. */
  readonly model?: TextPattern;
  /** The `max_tokens` of the request. */
  readonly maxTokens?: number;
  /** Fields that `thinking` must have; null: there is none. */
  readonly thinking?: JsonObject | null;
  /** What `anthropic-beta` lists. */
  readonly betas?: NamesPattern;
  /** Headers by name, in any case; null: it is not there. */
  readonly headers?: Readonly<Record<string, TextPattern | null>>;
  /** Whether the answer is to be streamed. */
  readonly stream?: boolean;
  /** Whether a subagent asks. */
  readonly subagent?: boolean;
  /** Fields that the body must have, in depth; lists item by item. */
  readonly body?: JsonObject;
}

type Expected = TextPattern | ToolResultExpectation;

const isHeaderPatterns: Check = (value, path) => {
  for (const [name, pattern] of fieldsOf(value, path)) {
    if (pattern !== null) checkTextPattern(pattern, `${path}.${name}`);
  }
};

const isToolResults: Check = (value, path) => {
  for (const [name, expected] of fieldsOf(value, path)) {
    const list: unknown[] = Array.isArray(expected) ? expected : [expected];
    for (const item of list) checkResultExpectation(item, `${path}.${name}`);
  }
};

const CHECKS: Readonly<Record<keyof RequestExpectation, Check>> = {
  prompt: checkTextPattern,
  firstPrompt: checkTextPattern,
  system: checkTextPattern,
  reminders: checkTextPattern,
  toolResults: isToolResults,
  tools: checkNamesPattern,
  model: checkTextPattern,
  maxTokens: isPositiveCount,
  thinking: (value, path) => value === null ? undefined : isJson(value, path),
  betas: checkNamesPattern,
  headers: isHeaderPatterns,
  stream: isFlag,
  subagent: isFlag,
  body: isJson,
};

/** Checks an expectation. @throws {OptionError} for a field that is not known, or a value that is no pattern. */
export function checkExpectation(expected: unknown, path: string): void {
  checkFields(expected, path, CHECKS);
}

/**
 * Checks that a request looks as expected. For requests that have been answered: `expectRequest(model.requests[0], …)`.
 *
 * @throws {ScriptError} with one problem for each difference, which shows what was expected and what came.
 * @throws {OptionError} for an expectation that is none.
 */
export function expectRequest(request: ModelRequest | undefined, expected: RequestExpectation): void {
  checkExpectation(expected, "expectRequest");
  if (request === undefined) throw new ScriptError("expectRequest", ["there is no such request"]);
  const differences = requestDifferences(request, expected);
  if (differences.length > 0) throw new ScriptError(`request ${request.index}`, differences);
}

/** Every way in which a request is not what is expected. */
export function requestDifferences(request: ModelRequest, expected: RequestExpectation): string[] {
  const found: string[] = [];
  const add = (what: string, difference: string | undefined): void => {
    if (difference !== undefined) found.push(`${what}: ${difference}`);
  };
  const text = (what: string, pattern: TextPattern | undefined, got: string): void =>
    add(what, pattern === undefined ? undefined : textDifference(pattern, got));
  const plain = (what: string, wanted: number | boolean | undefined, got: unknown): void =>
    add(what, wanted === undefined || wanted === got ? undefined : `expected ${wanted}, got ${got ?? "none"}`);
  text("prompt", expected.prompt, request.prompt);
  text("firstPrompt", expected.firstPrompt, request.firstPrompt);
  text("system", expected.system, request.system);
  text("reminders", expected.reminders, request.reminders.join("\n"));
  text("model", expected.model, request.model);
  plain("maxTokens", expected.maxTokens, request.maxTokens);
  plain("stream", expected.stream, request.stream);
  plain("subagent", expected.subagent, request.agentId !== undefined);
  if (expected.tools !== undefined) add("tools", namesDifference(expected.tools, request.toolNames));
  if (expected.betas !== undefined) add("betas", namesDifference(expected.betas, request.betas));
  if (expected.thinking === null) {
    add("thinking", request.thinking === undefined ? undefined : `expected none, got ${shown(request.thinking)}`);
  } else if (expected.thinking !== undefined) {
    found.push(...jsonDifferences(expected.thinking, request.thinking, "thinking"));
  }
  if (expected.body !== undefined) found.push(...jsonDifferences(expected.body, request.body, "body"));
  for (const [name, pattern] of Object.entries(expected.headers ?? {})) {
    const got = request.headers[name.toLowerCase()];
    if (pattern === null) add(`header ${name}`, got === undefined ? undefined : `expected none, got ${shownText(got)}`);
    else if (got === undefined) add(`header ${name}`, "it is not there");
    else add(`header ${name}`, textDifference(pattern, got));
  }
  for (const [key, wanted] of Object.entries(expected.toolResults ?? {})) {
    found.push(...resultDifferences(request, key, Array.isArray(wanted) ? wanted : [wanted as Expected]));
  }
  return found;
}

function resultDifferences(request: ModelRequest, key: string, wanted: readonly Expected[]): string[] {
  const all = request.toolResults();
  const byId = all.filter((result) => result.toolUseId === key);
  const results = byId.length > 0 ? byId : inOrderOfCalls(request, all.filter((result) => result.toolName === key));
  if (results.length !== wanted.length) {
    const others = all.map(({ toolName, toolUseId }) => `${toolName ?? "?"} (${toolUseId})`).join(", ");
    return [
      `result of ${key}: expected ${wanted.length}, got ${results.length}; there are results of ${others || "no tool"}`,
    ];
  }
  return results.flatMap((result, index) => {
    const what = wanted.length === 1 ? `result of ${key}` : `result ${index + 1} of ${key}`;
    return resultDifference(result, wanted[index]!).map((difference) => `${what}: ${difference}`);
  });
}

/** Results come in the order in which the tools ended. */
function inOrderOfCalls(request: ModelRequest, results: readonly ToolResult[]): ToolResult[] {
  const order = request.toolUses().map(({ id }) => id);
  return [...results].sort((one, other) => order.indexOf(one.toolUseId) - order.indexOf(other.toolUseId));
}

function resultDifference(result: ToolResult, expected: Expected): string[] {
  const { text, isError } = isResultExpectation(expected) ? expected : { text: expected };
  const said = text === undefined ? undefined : textDifference(text, result.text);
  const word = (failed: boolean): string => failed ? "an error" : "no error";
  return [
    ...said === undefined ? [] : [said],
    ...isError === undefined || isError === result.isError
      ? []
      : [`expected ${word(isError)}, got ${word(result.isError)}: ${shownText(result.text)}`],
  ];
}

/** In which places a value lacks what is expected: objects in depth, lists item by item, everything else equal. */
function jsonDifferences(expected: JsonValue, got: JsonValue | undefined, path: string): string[] {
  if (Array.isArray(expected)) {
    if (!Array.isArray(got)) return [`${path}: expected a list, got ${shown(got)}`];
    if (got.length !== expected.length) return [`${path}: expected ${expected.length} items, got ${shown(got)}`];
    return expected.flatMap((item, index) => jsonDifferences(item, got[index], `${path}[${index}]`));
  }
  if (!isJsonObject(expected)) {
    return expected === got ? [] : [`${path}: expected ${shown(expected)}, got ${shown(got)}`];
  }
  if (!isJsonObject(got)) return [`${path}: expected an object, got ${shown(got)}`];
  return Object.entries(expected as JsonObject).flatMap(([name, value]) =>
    value === undefined ? [] : jsonDifferences(value, (got as JsonObject)[name], `${path}.${name}`)
  );
}

function checkResultExpectation(expected: unknown, path: string): void {
  if (isResultExpectation(expected)) checkFields(expected, path, { text: checkTextPattern, isError: isFlag });
  else checkTextPattern(expected, path);
}

function isResultExpectation(expected: unknown): expected is ToolResultExpectation {
  return isJsonObject(expected) && !(expected instanceof RegExp) && ("text" in expected || "isError" in expected);
}

function fieldsOf(value: unknown, path: string): [string, unknown][] {
  if (!isJsonObject(value)) throw new OptionError(path, `must be an object; it is ${gotKind(value)}`);
  return Object.entries(value);
}

function shown(value: JsonValue | undefined): string {
  return value === undefined ? "none" : clipped(JSON.stringify(value));
}
