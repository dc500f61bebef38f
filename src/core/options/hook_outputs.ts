import type { HookEvent } from "./hook_inputs.ts";
import type { PermissionUpdate } from "./permissions.ts";

/** What a hook may say about a tool call. `defer` ends the turn; resuming the session asks again. */
export type HookPermissionDecision = "allow" | "deny" | "ask" | "defer";

/** Decides on a tool call before it runs. */
export interface PreToolUseHookSpecificOutput {
  /** The event this answers. */
  hookEventName: "PreToolUse";
  /** What is to be done with the call; left out, the usual rules decide. */
  permissionDecision?: HookPermissionDecision;
  /** The model reads it when the call is denied. */
  permissionDecisionReason?: string;
  /** Runs the tool with this instead. */
  updatedInput?: Record<string, unknown>;
  /** A text for the model to read. */
  additionalContext?: string;
}

/** Adds to, or replaces, what a tool answered. */
export interface PostToolUseHookSpecificOutput {
  /** The event this answers. */
  hookEventName: "PostToolUse";
  /** A text for the model to read. */
  additionalContext?: string;
  /** A text for the classifier of auto mode. */
  classifierContext?: string;
  /** Must have the shape of the tool's own output. */
  updatedToolOutput?: unknown;
  /** For MCP tools only. */
  updatedMCPToolOutput?: unknown;
}

/** Decides on a `!` command of a command file. */
export interface PreSkillShellCommandHookSpecificOutput {
  /** The event this answers. */
  hookEventName: "PreSkillShellCommand";
  /** What is to be done with it. */
  permissionDecision?: HookPermissionDecision;
  /** Why; the model reads it when the call is refused. */
  permissionDecisionReason?: string;
  /** Accepted, never applied (CLI 2.1.332). */
  updatedInput?: Record<string, unknown>;
}

/** Answers a permission request before the host does. */
export interface PermissionRequestHookSpecificOutput {
  /** The event this answers. */
  hookEventName: "PermissionRequest";
  /** The answer. */
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
  /** The event this answers. */
  hookEventName: "PermissionDenied";
  /** The call may be tried again. */
  retry?: boolean;
}

/** Adds to a prompt. */
export interface UserPromptSubmitHookSpecificOutput {
  /** The event this answers. */
  hookEventName: "UserPromptSubmit";
  /** A text for the model to read. */
  additionalContext?: string;
  /** A new title for the session. */
  sessionTitle?: string;
  /** What was typed is not shown. */
  suppressOriginalPrompt?: boolean;
}

/** Adds to an expanded command. */
export interface UserPromptExpansionHookSpecificOutput {
  /** The event this answers. */
  hookEventName: "UserPromptExpansion";
  /** A text for the model to read. */
  additionalContext?: string;
  /** What was typed is not shown. */
  suppressOriginalPrompt?: boolean;
}

/** Sets a session up. For callbacks that is one that begins with `/clear` or a compaction. */
export interface SessionStartHookSpecificOutput {
  /** The event this answers. */
  hookEventName: "SessionStart";
  /** A text for the model to read. */
  additionalContext?: string;
  /** Said before anything else. */
  initialUserMessage?: string;
  /** A new title for the session. Of a callback it has no visible effect (CLI 2.1.332). */
  sessionTitle?: string;
  /** Files whose changes are told from now on. */
  watchPaths?: string[];
  /** Skills are read again. */
  reloadSkills?: boolean;
}

/** Decides on a change of model. */
export interface PreModelSwitchHookSpecificOutput {
  /** The event this answers. */
  hookEventName: "PreModelSwitch";
  /** What is to be done with it. */
  permissionDecision?: "allow" | "deny" | "ask";
  /** Why; the model reads it when the call is refused. */
  permissionDecisionReason?: string;
}

/** Answers an MCP server. A callback's answer has no effect (CLI 2.1.332): use `onElicitation`. */
export interface ElicitationHookSpecificOutput {
  /** The event this answers. */
  hookEventName: "Elicitation";
  /** What the user did. */
  action?: "accept" | "decline" | "cancel";
  /** The filled-in form. */
  content?: Record<string, unknown>;
}

/** Changes an answer to an MCP server. A callback's change has no effect (CLI 2.1.332). */
export interface ElicitationResultHookSpecificOutput {
  /** The event this answers. */
  hookEventName: "ElicitationResult";
  /** What the user did. */
  action?: "accept" | "decline" | "cancel";
  /** The filled-in form. */
  content?: Record<string, unknown>;
}

/** Says what to watch in the new directory. */
export interface CwdChangedHookSpecificOutput {
  /** The event this answers. */
  hookEventName: "CwdChanged";
  /** Files whose changes are told from now on. */
  watchPaths?: string[];
}

/** Says what to watch from now on. */
export interface FileChangedHookSpecificOutput {
  /** The event this answers. */
  hookEventName: "FileChanged";
  /** Files whose changes are told from now on. */
  watchPaths?: string[];
}

/** Says where the worktree was made. */
export interface WorktreeCreateHookSpecificOutput {
  /** The event this answers. */
  hookEventName: "WorktreeCreate";
  /** Where it was made. */
  worktreePath: string;
}

/** Changes what is shown. It changes the text of the result too (CLI 2.1.332). */
export interface MessageDisplayHookSpecificOutput {
  /** The event this answers. */
  hookEventName: "MessageDisplay";
  /** Shown instead. */
  displayContent?: string;
}

/** The output of the events that can only add a text for the model. */
export interface ContextHookSpecificOutput<Event extends string> {
  /** The event this answers. */
  hookEventName: Event;
  /** A text for the model to read. */
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
  /** Taken, without a visible effect (CLI 2.1.332). */
  suppressOutput?: boolean;
  /** Shown with `continue: false`. */
  stopReason?: string;
  /** The older way to refuse: `block` with a `reason`. */
  decision?: "approve" | "block";
  /** Shown to the people who watch. */
  systemMessage?: string;
  /** An escape sequence for the terminal. */
  terminalSequence?: string;
  /** Why it blocks. */
  reason?: string;
  /** What this event has a say in. */
  hookSpecificOutput?: HookSpecificOutput;
}

/**
 * The hook goes on by itself: the run does not wait and takes nothing from it. For a callback that is the same as `{}`,
 * there is no way to deliver something later (CLI 2.1.332). A verdict beside it is a failure of the hook.
 */
export interface AsyncHookJSONOutput {
  /** Says that it goes on by itself. */
  async: true;
  /** Seconds it may take. Counts for command hooks in settings; a callback is not watched any more. */
  asyncTimeout?: number;
}

/** What a hook callback returns. */
export type HookJSONOutput = AsyncHookJSONOutput | SyncHookJSONOutput;

/** A field that some event's output has. */
export type HookSpecificField = HookSpecificOutput extends infer Output ? Output extends unknown ? keyof Output : never
  : never;

/**
 * What a hook may say about one event, and nothing that only other events have a say in. `never` for the events that have
 * no say of their own: SessionEnd, StopFailure, PreCompact, PostCompact, TaskCreated, TaskCompleted, TeammateIdle,
 * ConfigChange, WorktreeRemove, InstructionsLoaded and DirectoryAdded.
 */
export type HookSpecificOutputOf<Event extends HookEvent, Output extends HookSpecificOutput = HookSpecificOutput> =
  Output extends { hookEventName: Event } ? Output & { [Field in Exclude<HookSpecificField, keyof Output>]?: never }
    : never;

/** What the callback of one event returns. */
export type HookOutput<Event extends HookEvent = HookEvent> =
  | AsyncHookJSONOutput
  | (Omit<SyncHookJSONOutput, "hookSpecificOutput"> & {
    /** What this event has a say in. */
    hookSpecificOutput?: HookSpecificOutputOf<Event>;
  });
