import type { ElicitationHookInput, ElicitationResultHookInput } from "./hook_inputs/elicitation.ts";
import type {
  MessageDisplayHookInput,
  NotificationHookInput,
  UserPromptExpansionHookInput,
  UserPromptSubmitHookInput,
} from "./hook_inputs/prompts.ts";
import type {
  PostCompactHookInput,
  PostModelSwitchHookInput,
  PreCompactHookInput,
  PreModelSwitchHookInput,
  SessionEndHookInput,
  SessionStartHookInput,
  SetupHookInput,
} from "./hook_inputs/session.ts";
import type {
  StopFailureHookInput,
  StopHookInput,
  SubagentStartHookInput,
  SubagentStopHookInput,
} from "./hook_inputs/stops.ts";
import type { TaskCompletedHookInput, TaskCreatedHookInput, TeammateIdleHookInput } from "./hook_inputs/tasks.ts";
import type {
  PermissionDeniedHookInput,
  PermissionRequestHookInput,
  PostToolBatchHookInput,
  PostToolUseFailureHookInput,
  PostToolUseHookInput,
  PreSkillShellCommandHookInput,
  PreToolUseHookInput,
} from "./hook_inputs/tools.ts";
import type {
  ConfigChangeHookInput,
  CwdChangedHookInput,
  DirectoryAddedHookInput,
  FileChangedHookInput,
  InstructionsLoadedHookInput,
  WorktreeCreateHookInput,
  WorktreeRemoveHookInput,
} from "./hook_inputs/workspace.ts";

export type * from "./hook_inputs/base.ts";
export type * from "./hook_inputs/elicitation.ts";
export type * from "./hook_inputs/prompts.ts";
export type * from "./hook_inputs/session.ts";
export type * from "./hook_inputs/stops.ts";
export type * from "./hook_inputs/tasks.ts";
export type * from "./hook_inputs/tools.ts";
export type * from "./hook_inputs/workspace.ts";

/** What a hook is told: narrow it by `hook_event_name`. */
export type HookInput =
  | PreToolUseHookInput
  | PostToolUseHookInput
  | PostToolUseFailureHookInput
  | PostToolBatchHookInput
  | NotificationHookInput
  | UserPromptSubmitHookInput
  | UserPromptExpansionHookInput
  | SessionStartHookInput
  | SessionEndHookInput
  | StopHookInput
  | StopFailureHookInput
  | SubagentStartHookInput
  | SubagentStopHookInput
  | PreCompactHookInput
  | PostCompactHookInput
  | PreModelSwitchHookInput
  | PostModelSwitchHookInput
  | PermissionRequestHookInput
  | PermissionDeniedHookInput
  | SetupHookInput
  | TeammateIdleHookInput
  | TaskCreatedHookInput
  | TaskCompletedHookInput
  | ElicitationHookInput
  | ElicitationResultHookInput
  | ConfigChangeHookInput
  | WorktreeCreateHookInput
  | WorktreeRemoveHookInput
  | InstructionsLoadedHookInput
  | CwdChangedHookInput
  | FileChangedHookInput
  | DirectoryAddedHookInput
  | MessageDisplayHookInput
  | PreSkillShellCommandHookInput;

/** An event a hook can be registered for (34 in CLI 2.1.332). */
export type HookEvent = HookInput["hook_event_name"];

/** The input of each event. */
export type HookInputMap = { [Event in HookEvent]: Extract<HookInput, { hook_event_name: Event }> };
