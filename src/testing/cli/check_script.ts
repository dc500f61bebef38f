import { isJsonObject } from "../../core/json.ts";
import { ScriptError } from "../script_error.ts";
import type { ScriptedCliOptions } from "./cli_options.ts";
import { type CliScript, type CliStep, flattenScript } from "./step.ts";

/** What is wrong with a step; undefined if nothing is. */
type Check = (step: Readonly<Record<string, unknown>>) => string | undefined;

const isPattern = (value: unknown): boolean => isJsonObject(value) || typeof value === "function";
const isFrames = (value: unknown): boolean => Array.isArray(value) && value.every(isJsonObject);
const isTime = (value: unknown): boolean => typeof value === "number" && value >= 0;
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) > 0;
const unless = (fits: boolean, problem: string): string | undefined => fits ? undefined : problem;
const fine: Check = () => undefined;

const CHECKS: { readonly [Kind in CliStep["kind"]]: Check } = {
  expect: ({ pattern }) => unless(isPattern(pattern), "its pattern must be an object or a function"),
  begin: ({ pattern }) => unless(isPattern(pattern), "its pattern must be a text, an object or a function"),
  finish: ({ result }) => unless(result === undefined || isJsonObject(result), "its result must be an object"),
  emit: ({ frames }) => unless(isFrames(frames), "each of its frames must be an object"),
  raw: ({ base64 }) => unless(typeof base64 === "string", "its data must be text or bytes"),
  pieces: ({ frames, sizes, pauseMs, upTo, corrupt }) =>
    unless(isFrames(frames), "each of its frames must be an object") ??
      unless(
        Array.isArray(sizes) && sizes.length > 0 && sizes.every(isCount),
        "its sizes must be whole numbers, 1 or more",
      ) ??
      unless(isTime(pauseMs), "its pause must be a number of milliseconds, 0 or more") ??
      unless(upTo === undefined || Number.isSafeInteger(upTo), "upTo must be a whole number of bytes") ??
      unless(
        corrupt === undefined ||
          isJsonObject(corrupt) && Number.isSafeInteger(corrupt.at) && Array.isArray(corrupt.bytes) &&
            corrupt.bytes.every((byte) => Number.isInteger(byte) && Number(byte) >= 0 && Number(byte) <= 255),
        "what is corrupted needs a whole number for its place, and bytes from 0 to 255",
      ),
  ask: ({ request }) =>
    unless(
      isJsonObject(request) && typeof request.subtype === "string",
      "its request must be an object with a subtype",
    ),
  answered: fine,
  cancel: fine,
  sleep: ({ ms }) => unless(isTime(ms), "its time must be a number of milliseconds, 0 or more"),
  stderr: ({ text }) => unless(typeof text === "string", "it must have a text"),
  eof: fine,
  closeOutput: fine,
  closeInput: fine,
  stopReading: fine,
  hang: fine,
  exit: ({ code }) =>
    unless(
      Number.isInteger(code) && Number(code) >= 0 && Number(code) <= 255,
      "an exit code is a whole number from 0 to 255",
    ),
  kill: ({ signal }) =>
    unless(["SIGKILL", "SIGTERM", "SIGINT"].includes(String(signal)), "its signal must be SIGKILL, SIGTERM or SIGINT"),
  run: ({ run }) => unless(typeof run === "function", "it must be given a function"),
};

/** What each setting must be. */
const OPTIONS: { readonly [Name in keyof Required<ScriptedCliOptions>]: (value: unknown) => string | undefined } = {
  cli: (value) => unless(value === "current" || value === "old", 'must be "current" or "old"'),
  clock: (value) =>
    unless(
      isJsonObject(value) && typeof value.after === "function" && typeof value.now === "function",
      "must be a clock",
    ),
  deadlineMs: (value) => unless(isTime(value), "must be a number of milliseconds, 0 or more"),
  lifetimeMs: (value) => unless(isTime(value), "must be a number of milliseconds, 0 or more"),
  eof: (value) => unless(value === "exit" || value === "ignore", 'must be "exit" or "ignore"'),
  sigterm: (value) => unless(value === "exit" || value === "ignore", 'must be "exit" or "ignore"'),
  sessionId: (value) => unless(typeof value === "string", "must be a text"),
  answers: (value) =>
    unless(
      isJsonObject(value) && Object.values(value).every((answer) => answer === null || isJsonObject(answer)),
      "must be an object of objects, or null for no answer",
    ),
};

/**
 * The steps of a script in one list, if it can be played.
 *
 * @throws {ScriptError} `script_invalid`, with everything that is wrong.
 */
export function checkScript(script: CliScript, options: ScriptedCliOptions): CliStep[] {
  if (!Array.isArray(script)) throw invalid(["a script is a list of steps"]);
  const steps = flattenScript(script);
  const problems = [...steps.flatMap(problemOf), ...unknownNames(steps), ...optionProblems(options)];
  if (problems.length > 0) throw invalid(problems);
  return steps;
}

function problemOf(step: unknown, index: number): string[] {
  if (typeof step === "function") return [`step ${index + 1} is a function: call it, as in step.eof()`];
  if (!isJsonObject(step)) return [`step ${index + 1} is no step`];
  const { kind } = step;
  if (typeof kind !== "string" || !Object.hasOwn(CHECKS, kind)) {
    return [`step ${index + 1} is no step: make it with step.…()${"type" in step ? ", a frame with step.emit()" : ""}`];
  }
  const problem = CHECKS[kind as CliStep["kind"]](step);
  return problem === undefined ? [] : [`step ${index + 1} (${kind}): ${problem}`];
}

/** A question is asked before it is referred to. Code may ask under any name. */
function unknownNames(steps: readonly CliStep[]): string[] {
  const problems: string[] = [];
  const known = new Set<string>();
  for (const [index, step] of steps.entries()) {
    if (step?.kind === "run") return problems;
    if (step?.kind === "ask" && step.options?.as !== undefined) known.add(step.options.as);
    if ((step?.kind === "answered" || step?.kind === "cancel") && !known.has(step.as)) {
      problems.push(`step ${index + 1} (${step.kind}): nothing is asked before it under the name "${step.as}"`);
    }
  }
  return problems;
}

function optionProblems(options: ScriptedCliOptions): string[] {
  return Object.entries(options).flatMap(([name, value]) => {
    if (!Object.hasOwn(OPTIONS, name)) return [`"${name}" is no setting`];
    const problem = value === undefined ? undefined : OPTIONS[name as keyof ScriptedCliOptions](value);
    return problem === undefined ? [] : [`${name} ${problem}`];
  });
}

function invalid(problems: readonly string[]): ScriptError {
  return new ScriptError("scriptedCli", problems, { code: "script_invalid" });
}
