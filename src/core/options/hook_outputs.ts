import type { PermissionUpdate } from "./permissions.ts";

/** What a hook may say about a tool call. `defer` ends the turn; resuming the session asks again. */
export type HookPermissionDecision = "allow" | "deny" | "ask" | "defer";

/** Decides on a tool call before it runs. */
export interface PreToolUseHookSpecificOutput {
  hookEventName: "PreToolUse";
  permissionDecision?: HookPermissionDecision;
  /** The model reads it when the call is denied. */
  permissionDecisionReason?: string;
  updatedInput?: Record<string, unknown>;
  additionalContext?: string;
}

/** Adds to, or replaces, what a tool answered. */
export interface PostToolUseHookSpecificOutput {
  hookEventName: "PostToolUse";
  additionalContext?: string;
  classifierContext?: string;
  /** Must have the shape of the tool's own output. */
  updatedToolOutput?: unknown;
  /** For MCP tools only. */
  updatedMCPToolOutput?: unknown;
}

/** Decides on a `!` command of a command file. */
export interface PreSkillShellCommandHookSpecificOutput {
  hookEventName: "PreSkillShellCommand";
  permissionDecision?: HookPermissionDecision;
  permissionDecisionReason?: string;
  /** Accepted, never applied (CLI 2.1.332). */
  updatedInput?: Record<string, unknown>;
}

/** Answers a permission request before the host does. */
export interface PermissionRequestHookSpecificOutput {
  hookEventName: "PermissionRequest";
  decision:
    | {
      behavior: "allow";
      updatedInput?: Record<string, unknown>;
      updatedPermissions?: PermissionUpdate[];
    }
    | { behavior: "deny"; message?: string; interrupt?: boolean };
}

/** Asks for another try after a classifier's refusal. */
export interface PermissionDeniedHookSpecificOutput {
  hookEventName: "PermissionDenied";
  retry?: boolean;
}

/** Adds to a prompt. */
export interface UserPromptSubmitHookSpecificOutput {
  hookEventName: "UserPromptSubmit";
  additionalContext?: string;
  sessionTitle?: string;
  suppressOriginalPrompt?: boolean;
}

/** Adds to an expanded command. */
export interface UserPromptExpansionHookSpecificOutput {
  hookEventName: "UserPromptExpansion";
  additionalContext?: string;
  suppressOriginalPrompt?: boolean;
}

/** Sets a session up. */
export interface SessionStartHookSpecificOutput {
  hookEventName: "SessionStart";
  additionalContext?: string;
  initialUserMessage?: string;
  sessionTitle?: string;
  watchPaths?: string[];
  reloadSkills?: boolean;
}

/** Decides on a change of model. */
export interface PreModelSwitchHookSpecificOutput {
  hookEventName: "PreModelSwitch";
  permissionDecision?: "allow" | "deny" | "ask";
  permissionDecisionReason?: string;
}

/** Answers an MCP server. A callback's answer has no effect (CLI 2.1.332): use `onElicitation`. */
export interface ElicitationHookSpecificOutput {
  hookEventName: "Elicitation";
  action?: "accept" | "decline" | "cancel";
  content?: Record<string, unknown>;
}

/** Changes an answer to an MCP server. A callback's change has no effect (CLI 2.1.332). */
export interface ElicitationResultHookSpecificOutput {
  hookEventName: "ElicitationResult";
  action?: "accept" | "decline" | "cancel";
  content?: Record<string, unknown>;
}

/** Says what to watch in the new directory. */
export interface CwdChangedHookSpecificOutput {
  hookEventName: "CwdChanged";
  watchPaths?: string[];
}

/** Says what to watch from now on. */
export interface FileChangedHookSpecificOutput {
  hookEventName: "FileChanged";
  watchPaths?: string[];
}

/** Says where the worktree was made. */
export interface WorktreeCreateHookSpecificOutput {
  hookEventName: "WorktreeCreate";
  worktreePath: string;
}

/** Changes what is shown. It changes the text of the result too (CLI 2.1.332). */
export interface MessageDisplayHookSpecificOutput {
  hookEventName: "MessageDisplay";
  displayContent?: string;
}

/** The output of the events that can only add a text for the model. */
export interface ContextHookSpecificOutput<Event extends string> {
  hookEventName: Event;
  additionalContext?: string;
}

/** Adds to a failure. */
export type PostToolUseFailureHookSpecificOutput = ContextHookSpecificOutput<"PostToolUseFailure">;
/** Adds to a step. */
export type PostToolBatchHookSpecificOutput = ContextHookSpecificOutput<"PostToolBatch">;
/** Adds to a notification. */
export type NotificationHookSpecificOutput = ContextHookSpecificOutput<"Notification">;
/** Adds to the setup. */
export type SetupHookSpecificOutput = ContextHookSpecificOutput<"Setup">;
/** Adds to a change of model. */
export type PostModelSwitchHookSpecificOutput = ContextHookSpecificOutput<"PostModelSwitch">;
/** Adds to a subagent's start. */
export type SubagentStartHookSpecificOutput = ContextHookSpecificOutput<"SubagentStart">;
/** Keeps a subagent going, with a reminder. */
export type SubagentStopHookSpecificOutput = ContextHookSpecificOutput<"SubagentStop">;
/** Keeps the model going, with a reminder. */
export type StopHookSpecificOutput = ContextHookSpecificOutput<"Stop">;

/** What a hook may say about its own event. A `hookEventName` that is not the event's makes a gate refuse the call. */
export type HookSpecificOutput =
  | PreToolUseHookSpecificOutput
  | PostToolUseHookSpecificOutput
  | PostToolUseFailureHookSpecificOutput
  | PostToolBatchHookSpecificOutput
  | PreSkillShellCommandHookSpecificOutput
  | PermissionRequestHookSpecificOutput
  | PermissionDeniedHookSpecificOutput
  | NotificationHookSpecificOutput
  | UserPromptSubmitHookSpecificOutput
  | UserPromptExpansionHookSpecificOutput
  | SessionStartHookSpecificOutput
  | SetupHookSpecificOutput
  | StopHookSpecificOutput
  | SubagentStartHookSpecificOutput
  | SubagentStopHookSpecificOutput
  | PreModelSwitchHookSpecificOutput
  | PostModelSwitchHookSpecificOutput
  | ElicitationHookSpecificOutput
  | ElicitationResultHookSpecificOutput
  | CwdChangedHookSpecificOutput
  | FileChangedHookSpecificOutput
  | WorktreeCreateHookSpecificOutput
  | MessageDisplayHookSpecificOutput;

/** A hook's answer. `{}` has no opinion. */
export interface SyncHookJSONOutput {
  /** `false` stops after the current step. It does not stop the tool a PreToolUse hook was asked about: deny that. */
  continue?: boolean;
  suppressOutput?: boolean;
  /** Shown with `continue: false`. */
  stopReason?: string;
  /** The older way to refuse: `block` with a `reason`. */
  decision?: "approve" | "block";
  /** Shown to the people who watch. */
  systemMessage?: string;
  terminalSequence?: string;
  /** Why it blocks. */
  reason?: string;
  hookSpecificOutput?: HookSpecificOutput;
}

/** The hook goes on by itself; the run does not wait and takes nothing from it. */
export interface AsyncHookJSONOutput {
  async: true;
  asyncTimeout?: number;
}

/** What a hook callback returns. */
export type HookJSONOutput = AsyncHookJSONOutput | SyncHookJSONOutput;
