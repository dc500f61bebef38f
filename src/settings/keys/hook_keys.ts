import { HOOK_EVENTS } from "../../core/options/hooks.ts";
import {
  ABSENT,
  anything,
  entriesOf,
  flag,
  INVALID,
  list,
  number,
  oneOf,
  readBy,
  record,
  type Rule,
  someText,
  text,
  texts,
} from "../rules/rule.ts";
import { object, tagged } from "../rules/object_rule.ts";
import { guard, type KeyRules, lenient, same } from "./key_rule.ts";
import { isJsonObject, type JsonObject } from "../../core/json.ts";

const common = { if: text, timeout: number({ above: 0 }), statusMessage: text, once: flag };
const onFailure = oneOf(["block", "continue"]);

/** One thing to do, by its type. */
const action = tagged("type", {
  command: object({
    type: text,
    command: text,
    args: texts(),
    shell: oneOf(["bash", "powershell"]),
    async: flag,
    asyncRewake: flag,
    onFailure,
    ...common,
  }, { required: ["command"] }),
  prompt: object({ type: text, prompt: text, model: text, continueOnBlock: flag, ...common }, { required: ["prompt"] }),
  agent: object({ type: text, prompt: text, model: text, ...common }, { required: ["prompt"] }),
  http: object({
    type: text,
    url: { read: (value, at) => typeof value === "string" && URL.canParse(value) ? value : at.fail("must be a URL") },
    headers: record(text),
    allowedEnvVars: texts(),
    onFailure,
    ...common,
  }, { required: ["url"] }),
  mcp_tool: object({
    type: text,
    server: someText,
    tool: someText,
    input: record(anything),
    onFailure,
    ...common,
  }, { required: ["server", "tool"] }),
});

const matchers = list(
  object({
    matcher: text,
    hooks: list(action, { keepsRest: "everyone", mayEmpty: true }),
  }, { required: ["hooks"] }),
  { keepsRest: "everyone", mayEmpty: true },
);
const gates = list(object({ matcher: text, hooks: list(action) }, { required: ["hooks"] }));

/** Events whose hooks keep something from happening: without one of them, more would happen than was meant. */
const GATE_EVENTS: readonly string[] = ["PreToolUse", "PermissionRequest", "PreSkillShellCommand"];

/** Hooks by event. What is no hook is taken out, and an event nobody knows; but no hook of a gate goes unsaid. */
const hooks: Rule = {
  read(value, at) {
    if (Array.isArray(value) && value.some(isJsonObject)) return at.fail("must be an object");
    if (!isJsonObject(value)) return ABSENT;
    const kept: JsonObject = {};
    for (const [event, written] of entriesOf(value)) {
      if (written === null || !(HOOK_EVENTS as readonly string[]).includes(event)) continue;
      const isGate = GATE_EVENTS.includes(event);
      const reading = readBy(isGate ? gates : matchers, written, at.member(event));
      if (reading === INVALID && isGate) return INVALID;
      if (reading !== INVALID && reading !== ABSENT) kept[event] = reading;
    }
    return Object.keys(kept).length === 0 && Object.keys(value).length > 0 ? ABSENT : kept;
  },
};

/** Hooks, and commands whose output is shown. */
export const HOOK_KEYS: KeyRules = {
  hooks,
  ...same(guard(true), "allowManagedHooksOnly"),
  disableAllHooks: flag,
  statusLine: object({
    type: oneOf(["command"]),
    command: text,
    padding: number(),
    refreshInterval: lenient(number({ from: 1 })),
    hideVimModeIndicator: flag,
  }, { required: ["type", "command"] }),
  subagentStatusLine: lenient(object({ type: oneOf(["command"]), command: text }, { required: ["type", "command"] })),
  fileSuggestion: object({ type: oneOf(["command"]), command: text }, { required: ["type", "command"] }),
};
