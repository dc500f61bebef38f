import { isJsonObject, type JsonObject } from "../../core/json.ts";
import type { HookEvent } from "../../core/options/mod.ts";

/**
 * What of an event its matchers are held against; events that are not here are for every matcher (CLI 2.1.332: the
 * catalogue of `get_hooks_listing` says which take one; the fields are those that were seen to decide, or that the CLI's
 * documentation names).
 */
const SUBJECTS: Readonly<Partial<Record<HookEvent, string>>> = {
  PreToolUse: "tool_name",
  PostToolUse: "tool_name",
  PostToolUseFailure: "tool_name",
  PermissionRequest: "tool_name",
  PermissionDenied: "tool_name",
  PreSkillShellCommand: "tool_name",
  Notification: "notification_type",
  UserPromptExpansion: "command_name",
  SessionStart: "source",
  SessionEnd: "reason",
  Setup: "trigger",
  StopFailure: "error",
  SubagentStart: "agent_type",
  SubagentStop: "agent_type",
  PreCompact: "trigger",
  PostCompact: "trigger",
  PreModelSwitch: "to_model",
  PostModelSwitch: "to_model",
  Elicitation: "mcp_server_name",
  ElicitationResult: "mcp_server_name",
  ConfigChange: "source",
  InstructionsLoaded: "load_reason",
  FileChanged: "file_path",
  DirectoryAdded: "source",
};

/** The tool that starts a subagent goes by two names. */
const SUBAGENT_TOOL: readonly string[] = ["Agent", "Task"];

/** Whether the CLI (2.1.332) calls back for an event. */
export function matcherFits(matcher: unknown, event: HookEvent, input: JsonObject): boolean {
  const field = SUBJECTS[event];
  if (field === undefined || typeof matcher !== "string" || matcher === "" || matcher === "*") return true;
  const value = input[field];
  const subject = event === "FileChanged" ? String(value).split(/[\\/]/).at(-1)! : String(value ?? "");
  const names = field === "tool_name" && SUBAGENT_TOOL.includes(subject) ? SUBAGENT_TOOL : [subject];
  return names.some((name) => fits(matcher, name));
}

/** Plain names, alone or in a list, are exact; all else is a regular expression that may be found anywhere. */
function fits(matcher: string, name: string): boolean {
  if (/^\w+(\s*[|,]\s*\w+)*$/.test(matcher)) return matcher.split(/[|,]/).some((word) => word.trim() === name);
  try {
    return new RegExp(matcher).test(name);
  } catch {
    return false; // The CLI says nothing of one that is none.
  }
}

/** One matcher as `initialize` carries it. */
export interface RegisteredMatcher {
  /** As registered. */
  readonly matcher: string | undefined;
  /** Ids of its callbacks. */
  readonly ids: readonly string[];
  /** Seconds. */
  readonly timeout: number | undefined;
  /** What a failure means. */
  readonly onFailure: string | undefined;
}

/** The matchers of an event, in the order in which they were registered. */
export function matchersOf(hooks: unknown, event: string): RegisteredMatcher[] {
  const list = isJsonObject(hooks) ? hooks[event] : undefined;
  if (!Array.isArray(list)) return [];
  return list.filter(isJsonObject).map(({ matcher, hookCallbackIds: ids, timeout, onFailure }) => ({
    matcher: typeof matcher === "string" ? matcher : undefined,
    ids: Array.isArray(ids) ? ids.map(String) : [],
    timeout: typeof timeout === "number" ? timeout : undefined,
    onFailure: typeof onFailure === "string" ? onFailure : undefined,
  }));
}
