import type { HookEvent, HookInputMap } from "./hook_inputs.ts";
import type { HookJSONOutput } from "./hook_outputs.ts";

/** What a hook gets beside its input. */
export interface HookContext {
  /** Aborts when the CLI gives up on the hook; an answer after that is not sent. */
  signal: AbortSignal;
}

/**
 * Called when its event happens. Returning nothing is having no opinion.
 *
 * Callbacks of one event run at the same time; of several opinions on a tool call the strictest wins.
 */
export type HookCallback<Event extends HookEvent = HookEvent> = (
  input: HookInputMap[Event],
  toolUseID: string | undefined,
  options: HookContext,
) => Promise<HookJSONOutput | void>;

/** Callbacks, and which subjects of an event they are for. */
export interface HookCallbackMatcher<Event extends HookEvent = HookEvent> {
  /**
   * A name, names joined by `|` or `,` (each exact), or else an unanchored regular expression over the tool's name or the
   * event's subject. Left out, empty or `*`: everything.
   */
  matcher?: string | undefined;
  /** What is called. */
  hooks: readonly HookCallback<Event>[];
  /** Seconds. Past it a gate refuses the call. Default: none. */
  timeout?: number | undefined;
  /**
   * What a failure of these callbacks means. Left out, the gates refuse (PreToolUse, PreSkillShellCommand, PreModelSwitch,
   * UserPromptSubmit, UserPromptExpansion) and every other event goes on; `continue` lets pass what a gate would refuse,
   * `block` refuses for the other events that can.
   */
  onFailure?: "continue" | "block" | undefined;
}

/** Hooks by event. */
export type Hooks = { [Event in HookEvent]?: readonly HookCallbackMatcher<Event>[] | undefined };

/** Every event, in the CLI's order. */
export const HOOK_EVENTS: readonly HookEvent[] = [
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "PostToolBatch",
  "Notification",
  "UserPromptSubmit",
  "UserPromptExpansion",
  "SessionStart",
  "SessionEnd",
  "Stop",
  "StopFailure",
  "SubagentStart",
  "SubagentStop",
  "PreCompact",
  "PostCompact",
  "PreModelSwitch",
  "PostModelSwitch",
  "PermissionRequest",
  "PermissionDenied",
  "Setup",
  "TeammateIdle",
  "TaskCreated",
  "TaskCompleted",
  "Elicitation",
  "ElicitationResult",
  "ConfigChange",
  "WorktreeCreate",
  "WorktreeRemove",
  "InstructionsLoaded",
  "CwdChanged",
  "FileChanged",
  "DirectoryAdded",
  "MessageDisplay",
  "PreSkillShellCommand",
];
