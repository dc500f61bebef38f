import { isJsonObject, type JsonObject } from "../../core/json.ts";
import { kindOf, sendable } from "./answer_shape.ts";

type Check = (value: unknown) => boolean;

const isString: Check = (value) => typeof value === "string";
const isBoolean: Check = (value) => typeof value === "boolean";
const oneOf = (...words: string[]): Check => (value) => words.includes(value as string);

/** Fields whose wrong type makes the CLI (2.1.332) throw the whole output away, a deny in it included. */
const TOP_LEVEL: Readonly<Record<string, Check>> = {
  continue: isBoolean,
  suppressOutput: isBoolean,
  stopReason: isString,
  decision: oneOf("approve", "block"),
  systemMessage: isString,
  reason: isString,
  terminalSequence: isString,
};

const COMMON: Readonly<Record<string, Check>> = { additionalContext: isString };

const SPECIFIC: ReadonlyMap<string, Readonly<Record<string, Check>>> = new Map(Object.entries({
  PreToolUse: {
    permissionDecision: oneOf("allow", "deny", "ask", "defer"),
    permissionDecisionReason: isString,
    updatedInput: isJsonObject,
  },
  PreSkillShellCommand: {
    permissionDecision: oneOf("allow", "deny", "ask", "defer"),
    permissionDecisionReason: isString,
    updatedInput: isJsonObject,
  },
  PreModelSwitch: { permissionDecision: oneOf("allow", "deny", "ask"), permissionDecisionReason: isString },
  PermissionRequest: { decision: isPermissionRequestDecision },
  UserPromptSubmit: { sessionTitle: isString, suppressOriginalPrompt: isBoolean },
  UserPromptExpansion: { suppressOriginalPrompt: isBoolean },
}));

/**
 * What a hook callback returned, as the CLI takes it: nothing becomes `{}`, a missing `hookEventName` is filled in,
 * everything else, unknown keys included, stays as it is.
 *
 * @throws {TypeError} for an output that the CLI would throw away, or that cannot be sent.
 */
export function hookOutput(event: string, output: unknown): JsonObject {
  if (output === undefined || output === null) return {};
  // An error that is returned instead of thrown would travel as `{}`: an open gate.
  if (output instanceof Error) throw output;
  if (!isJsonObject(output)) throw new TypeError(`it returned ${kindOf(output)} instead of an object`);
  checkFields(TOP_LEVEL, output, "");
  const specific = output.hookSpecificOutput as unknown;
  if (output.async === true && (specific !== undefined || output.decision !== undefined)) {
    // Seen: with `async: true` the CLI goes on at once and reads no verdict.
    throw new TypeError("it returned a verdict together with async: true, which the CLI ignores");
  }
  if (specific === undefined) return sendable(output);
  if (!isJsonObject(specific)) throw new TypeError(`hookSpecificOutput is ${kindOf(specific)} instead of an object`);
  const named = specific.hookEventName as unknown;
  if (named !== undefined && named !== event) {
    throw new TypeError("hookSpecificOutput.hookEventName is not the name of this event");
  }
  checkFields(COMMON, specific, "hookSpecificOutput.");
  checkFields(SPECIFIC.get(event) ?? {}, specific, "hookSpecificOutput.");
  return sendable(
    named === undefined ? { ...output, hookSpecificOutput: { ...specific, hookEventName: event } } : output,
  );
}

function checkFields(checks: Readonly<Record<string, Check>>, fields: JsonObject, path: string): void {
  for (const [name, check] of Object.entries(checks)) {
    const value = fields[name] as unknown;
    if (value !== undefined && !check(value)) throw new TypeError(`${path}${name} has a value that the CLI refuses`);
  }
}

function isPermissionRequestDecision(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  return value.behavior === "allow" || value.behavior === "deny";
}
