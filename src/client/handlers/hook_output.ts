import { isJsonObject, type JsonObject } from "../../core/json.ts";
import { kindOf, sendable } from "./answer_shape.ts";

type Check = (value: unknown) => boolean;
type Checks = readonly (readonly [name: string, check: Check])[];

const isString: Check = (value) => typeof value === "string";
const isBoolean: Check = (value) => typeof value === "boolean";
const oneOf = (...words: string[]): Check => (value) => words.includes(value as string);

/** Fields whose wrong type makes the CLI (2.1.332) throw the whole output away, a deny in it included. */
const TOP_LEVEL: Checks = Object.entries<Check>({
  continue: isBoolean,
  suppressOutput: isBoolean,
  stopReason: isString,
  decision: oneOf("approve", "block"),
  systemMessage: isString,
  reason: isString,
  terminalSequence: isString,
  // Looked at more closely further on.
  hookSpecificOutput: () => true,
  async: () => true,
});

/** Verdicts in the wrong place: in the shape of `canUseTool`, or outside `hookSpecificOutput`. The CLI reads none of them there. */
const MISPLACED = ["behavior", "permissionDecision", "updatedInput"] as const;

const COMMON: Checks = [["additionalContext", isString]];

const SPECIFIC: ReadonlyMap<string, Checks> = new Map(
  Object.entries<Readonly<Record<string, Check>>>({
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
  }).map(([event, checks]) => [event, [...COMMON, ...Object.entries(checks)]]),
);

/**
 * What a hook callback returned, as the CLI takes it: nothing becomes `{}`, a missing `hookEventName` is filled in,
 * everything else, unknown keys included, stays as it is.
 *
 * @throws {TypeError} for an output that the CLI would throw away, that cannot be sent, or of which something would stay
 * behind: half a verdict is an open gate.
 */
export function hookOutput(event: string, output: unknown): JsonObject {
  if (output === undefined || output === null) return {};
  // An error that is returned instead of thrown would travel as `{}`: an open gate.
  if (output instanceof Error) throw output;
  if (!isJsonObject(output)) throw new TypeError(`it returned ${kindOf(output)} instead of an object`);
  const wire = sendable(output);
  checkFields(TOP_LEVEL, output, wire, "");
  const misplaced = MISPLACED.find((name) => name in wire);
  if (misplaced !== undefined) {
    throw new TypeError(`${misplaced} is not read where it stands: a hook's verdict belongs into hookSpecificOutput`);
  }
  const specific = wire.hookSpecificOutput as unknown;
  if (wire.async === true && (specific !== undefined || wire.decision !== undefined || wire.continue === false)) {
    // Seen: with `async: true` the CLI goes on at once and reads no verdict.
    throw new TypeError("it returned a verdict together with async: true, which the CLI ignores");
  }
  if (specific === undefined) return wire;
  if (!isJsonObject(specific)) throw new TypeError(`hookSpecificOutput is ${kindOf(specific)} instead of an object`);
  const named = specific.hookEventName as unknown;
  if (named !== undefined && named !== event) {
    throw new TypeError("hookSpecificOutput.hookEventName is not the name of this event");
  }
  const given = isJsonObject(output.hookSpecificOutput) ? output.hookSpecificOutput : specific;
  sendable(given);
  checkFields(SPECIFIC.get(event) ?? COMMON, given, specific, "hookSpecificOutput.");
  return named === undefined ? { ...wire, hookSpecificOutput: { ...specific, hookEventName: event } } : wire;
}

/** Checks what travels. What can be read of the given object and does not travel is not its own: its class has it. */
function checkFields(
  checks: Checks,
  given: JsonObject,
  wire: JsonObject,
  path: string,
): void {
  for (const [name, check] of checks) {
    const value = wire[name] as unknown;
    if (value === undefined && given[name] !== undefined) {
      throw new TypeError(`${path}${name} is no field of the object itself, and would not be sent`);
    }
    if (value !== undefined && !check(value)) throw new TypeError(`${path}${name} has a value that the CLI refuses`);
  }
}

function isPermissionRequestDecision(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  return value.behavior === "allow" || value.behavior === "deny";
}
