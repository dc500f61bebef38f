import { OptionError } from "../../core/errors/option_error.ts";
import { isJsonObject } from "../../core/json.ts";
import {
  type Check,
  checkFields,
  gotKind,
  isCount,
  isFlag,
  isHeaders,
  isJson,
  isMilliseconds,
  isName,
  isPositiveCount,
  isText,
  must,
  oneOf,
} from "../checks.ts";
import type { ModelBlock, Turn } from "./turn.ts";

const USAGE: Readonly<Record<string, Check>> = {
  inputTokens: isCount,
  outputTokens: isCount,
  cacheReadInputTokens: isCount,
  cacheCreationInputTokens: isCount,
  cacheCreation1hInputTokens: isCount,
  thinkingTokens: isCount,
  webSearchRequests: isCount,
  webFetchRequests: isCount,
};

const ERROR_AFTER: Readonly<Record<string, Check>> = { after: isCount, type: isName, message: isText };

const TURN: Readonly<Record<string, Check>> = {
  stopReason: oneOf(
    "end_turn",
    "tool_use",
    "max_tokens",
    "stop_sequence",
    "pause_turn",
    "refusal",
    "model_context_window_exceeded",
  ),
  usage: (value, path) => checkUsage(value, path),
  chunkChars: isPositiveCount,
  chunkDelayMs: isMilliseconds,
  delayMs: isMilliseconds,
  dropAfter: isCount,
  stallAfter: isCount,
  stallMs: isMilliseconds,
  errorAfter: (value, path) => {
    checkFields(value, path, ERROR_AFTER);
    if (!isJsonObject(value) || value.after === undefined) throw new OptionError(`${path}.after`, "must be given");
  },
  headers: isHeaders,
  message: isJson,
};

const ERROR: Readonly<Record<string, Check>> = {
  type: isName,
  message: isText,
  retryAfter: must("seconds: a number of at least 0", (value) => Number.isFinite(value) && (value as number) >= 0),
  retry: isFlag,
  headers: isHeaders,
  delayMs: isMilliseconds,
};

/** Checks the settings of an answer. @throws {OptionError} for what cannot be played. */
export function checkTurnOptions(options: unknown, path: string): void {
  checkFields(options, path, TURN);
  const given = options as Readonly<Record<string, unknown>>;
  const cuts = ["dropAfter", "stallAfter", "errorAfter"].filter((name) => given[name] !== undefined);
  if (cuts.length > 1) throw new OptionError(path, `can be cut once only: ${cuts.join(" or ")}`);
  if (given.stallMs !== undefined && given.stallAfter === undefined) {
    throw new OptionError(`${path}.stallMs`, "says how long stallAfter lasts, which is not given");
  }
}

/** Checks an HTTP error. @throws {OptionError} for a status that is none, and for wrong settings. */
export function checkErrorOptions(status: unknown, options: unknown, path: string): void {
  if (!Number.isInteger(status) || (status as number) < 400 || (status as number) > 599) {
    throw new OptionError(path, "must have an HTTP status from 400 to 599");
  }
  checkFields(options, path, ERROR);
}

/** Checks a stall. @throws {OptionError} for wrong settings. */
export function checkStallOptions(options: unknown, path: string): void {
  checkFields(options, path, { ms: isMilliseconds, then: checkTurn });
}

/** Checks the settings of a tool call. @throws {OptionError} for wrong ones. */
export function checkToolUseOptions(options: unknown, path: string): void {
  checkFields(options, path, { id: isName });
}

/** Checks the blocks of one answer. @throws {OptionError} for what is no list of blocks. */
export function checkBlocks(blocks: unknown, path: string): void {
  if (!Array.isArray(blocks)) throw new OptionError(path, `must have a list of blocks; it is ${gotKind(blocks)}`);
  // Not `forEach`: a hole in a list is no block either.
  for (let index = 0; index < blocks.length; index++) checkBlock(blocks[index] as ModelBlock, `${path}[${index}]`);
}

/** Checks one block and gives it back. @throws {OptionError} for what is none. */
export function checkBlock(given: ModelBlock, path: string): ModelBlock {
  const item: unknown = given;
  if (!isJsonObject(item)) throw notMade(item, path, "a block", "block");
  switch (item.type as unknown) {
    case "text":
      isText(item.text, `${path}.text`);
      break;
    case "thinking":
      isText(item.thinking, `${path}.thinking`);
      isText(item.signature, `${path}.signature`);
      break;
    case "tool_use":
      isName(item.name, `${path}.name`);
      if (item.id !== undefined) isName(item.id, `${path}.id`);
      isJson(item.input, `${path}.input`);
      if (item.rawInput !== undefined) isText(item.rawInput, `${path}.rawInput`);
      break;
    case "raw":
      isJson(item.block, path);
      isName((item.block as { type?: unknown }).type, `${path}.type`);
      if ((item.block as { type?: unknown }).type === "redacted_thinking") {
        isText((item.block as { data?: unknown }).data, `${path}.data`);
      }
      break;
    default:
      throw notMade(item, path, "a block", "block");
  }
  return given;
}

/** Checks one answer. @throws {OptionError} for what is none. */
export function checkTurn(given: unknown, path: string): void {
  const item = given as Turn;
  if (!isJsonObject(given)) throw notMade(given, path, "a turn", "turn");
  switch (item.kind) {
    case "message":
      checkBlocks(item.blocks, path);
      return checkTurnOptions(item.options, path);
    case "error":
      return checkErrorOptions(item.status, item.options, path);
    case "stall":
      if (item.ms !== undefined) isMilliseconds(item.ms, `${path}.ms`);
      return item.then === undefined ? undefined : checkTurn(item.then, `${path}.then`);
    case "drop":
      return;
    default:
      throw notMade(given, path, "a turn", "turn");
  }
}

function checkUsage(value: unknown, path: string): void {
  checkFields(value, path, USAGE);
  const { cacheCreationInputTokens = 0, cacheCreation1hInputTokens = 0, outputTokens = 20, thinkingTokens = 0 } =
    value as Readonly<Record<string, number | undefined>>;
  if (cacheCreation1hInputTokens > cacheCreationInputTokens) {
    throw new OptionError(`${path}.cacheCreation1hInputTokens`, "cannot be more than cacheCreationInputTokens");
  }
  if (thinkingTokens > outputTokens) {
    throw new OptionError(`${path}.thinkingTokens`, "cannot be more than outputTokens");
  }
}

function notMade(given: unknown, path: string, what: string, maker: string): OptionError {
  const kind = isJsonObject(given) ? (given as { kind?: unknown }).kind : undefined;
  const got = kind === "repeat" || kind === "expect" ? `a line made by turn.${kind}` : gotKind(given);
  return new OptionError(path, `must be ${what}, as \`${maker}\` makes them; it is ${got}`);
}
