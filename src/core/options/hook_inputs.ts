import type { SDKAssistantMessageError } from "../messages/assistant.ts";
import type { OpenString } from "../messages/unknown.ts";
import type { McpServerProvenance, PermissionUpdate } from "./permissions.ts";

/** What every hook is told. */
export interface BaseHookInput {
  session_id: string;
  transcript_path: string;
  cwd: string;
  /** Names the user line being worked on; absent before the first one. */
  prompt_id?: string;
  permission_mode?: string;
  /** Set inside a subagent: its absence tells the main thread. */
  agent_id?: string;
  /** May be empty; use `agent_id`. */
  agent_type?: string;
  effort?: { level: string };
}

/** A tool is about to run. */
export interface PreToolUseHookInput extends BaseHookInput {
  hook_event_name: "PreToolUse";
  tool_name: string;
  tool_input: unknown;
  tool_use_id: string;
  mcp_server?: McpServerProvenance;
}

/** A tool ran. */
export interface PostToolUseHookInput extends BaseHookInput {
  hook_event_name: "PostToolUse";
  tool_name: string;
  tool_input: unknown;
  tool_response: unknown;
  tool_use_id: string;
  duration_ms?: number;
  mcp_server?: McpServerProvenance;
}

/** A tool failed. */
export interface PostToolUseFailureHookInput extends BaseHookInput {
  hook_event_name: "PostToolUseFailure";
  tool_name: string;
  tool_input: unknown;
  tool_use_id: string;
  error: string;
  is_interrupt?: boolean;
  duration_ms?: number;
  mcp_server?: McpServerProvenance;
}

/** One call of a {@linkcode PostToolBatchHookInput}. */
export interface PostToolBatchToolCall {
  tool_name: string;
  tool_input: unknown;
  tool_use_id: string;
  /** The text the model reads. */
  tool_response?: unknown;
}

/** All tools of one step of the model ran. */
export interface PostToolBatchHookInput extends BaseHookInput {
  hook_event_name: "PostToolBatch";
  tool_calls: PostToolBatchToolCall[];
}

/** A permission is asked for. */
export interface PermissionRequestHookInput extends BaseHookInput {
  hook_event_name: "PermissionRequest";
  tool_name: string;
  tool_input: unknown;
  permission_suggestions?: PermissionUpdate[];
  mcp_server?: McpServerProvenance;
}

/** A classifier refused a call. */
export interface PermissionDeniedHookInput extends BaseHookInput {
  hook_event_name: "PermissionDenied";
  tool_name: string;
  tool_input: unknown;
  tool_use_id: string;
  reason: string;
  mcp_server?: McpServerProvenance;
}

/** The CLI has something to say. Seen only for answered elicitations (CLI 2.1.332). */
export interface NotificationHookInput extends BaseHookInput {
  hook_event_name: "Notification";
  message: string;
  title?: string;
  notification_type: string;
}

/** A prompt came in. */
export interface UserPromptSubmitHookInput extends BaseHookInput {
  hook_event_name: "UserPromptSubmit";
  prompt: string;
  source?: OpenString<"user" | "sdk" | "system" | "loop_wakeup" | "schedule_wakeup" | "poll_event">;
  session_title?: string;
}

/** A slash command or MCP prompt became a prompt. */
export interface UserPromptExpansionHookInput extends BaseHookInput {
  hook_event_name: "UserPromptExpansion";
  expansion_type: OpenString<"slash_command" | "mcp_prompt">;
  command_name: string;
  command_args: string;
  command_source?: string;
  prompt: string;
}

/** A command file wants to run a shell command. */
export interface PreSkillShellCommandHookInput extends BaseHookInput {
  hook_event_name: "PreSkillShellCommand";
  tool_name: string;
  tool_input: { command: string };
  tool_use_id: string;
  command_name: string;
  command_source?: string;
  invoked_by: OpenString<"user" | "claude" | "other">;
}

/** A session begins. Never sent to a callback for `startup`, which is over before callbacks exist (CLI 2.1.332). */
export interface SessionStartHookInput extends BaseHookInput {
  hook_event_name: "SessionStart";
  source: OpenString<"startup" | "resume" | "clear" | "compact" | "fork">;
  agent_type?: string;
  model?: string;
  session_title?: string;
  seconds_since_last_response?: number;
  context_tokens?: number;
  prompt_cache_likely_expired?: boolean;
  estimated_cache_write_usd?: number;
}

/** Why a session ended. */
export type ExitReason = OpenString<"clear" | "resume" | "logout" | "prompt_input_exit" | "other">;

/** A session ends. Sent to a callback on `/clear`, not at the end of input (CLI 2.1.332). */
export interface SessionEndHookInput extends BaseHookInput {
  hook_event_name: "SessionEnd";
  reason: ExitReason;
}

/** The CLI sets itself up. Not sent to callbacks (CLI 2.1.332). */
export interface SetupHookInput extends BaseHookInput {
  hook_event_name: "Setup";
  trigger: OpenString<"init" | "maintenance">;
}

/** A background task that is still there. */
export interface BackgroundTaskSummary {
  id: string;
  type: string;
  status: string;
  description: string;
  command?: string;
  agent_type?: string;
  server?: string;
  tool?: string;
  name?: string;
}

/** Something the session will do by the clock. */
export interface SessionCronSummary {
  id: string;
  schedule: string;
  recurring: boolean;
  prompt: string;
}

/** The model is done. */
export interface StopHookInput extends BaseHookInput {
  hook_event_name: "Stop";
  /** A Stop hook has already kept it going. */
  stop_hook_active: boolean;
  last_assistant_message?: string;
  background_tasks?: BackgroundTaskSummary[];
  session_crons?: SessionCronSummary[];
}

/** A turn ended by a failure. */
export interface StopFailureHookInput extends BaseHookInput {
  hook_event_name: "StopFailure";
  error: SDKAssistantMessageError;
  error_details?: string;
  last_assistant_message?: string;
}

/** A subagent begins. */
export interface SubagentStartHookInput extends BaseHookInput {
  hook_event_name: "SubagentStart";
  agent_id: string;
  agent_type: string;
}

/** A subagent is done. */
export interface SubagentStopHookInput extends BaseHookInput {
  hook_event_name: "SubagentStop";
  stop_hook_active: boolean;
  agent_id: string;
  agent_transcript_path: string;
  agent_type: string;
  last_assistant_message?: string;
  background_tasks?: BackgroundTaskSummary[];
  session_crons?: SessionCronSummary[];
}

/** The conversation is about to be summed up. */
export interface PreCompactHookInput extends BaseHookInput {
  hook_event_name: "PreCompact";
  trigger: OpenString<"manual" | "auto">;
  custom_instructions: string | null;
}

/** The conversation was summed up. */
export interface PostCompactHookInput extends BaseHookInput {
  hook_event_name: "PostCompact";
  trigger: OpenString<"manual" | "auto">;
  compact_summary: string;
}

/** What both model switch hooks are told. */
export interface ModelSwitchHookInput extends BaseHookInput {
  from_model: string;
  to_model: string;
  requested_model: string | null;
  context_tokens: number;
  prompt_cache_warm: boolean;
  cache_ttl: OpenString<"5m" | "1h">;
  estimated_cache_write_usd: number;
  pricing: OpenString<"configured" | "catalog" | "default">;
}

/** Another model is about to take over. */
export interface PreModelSwitchHookInput extends ModelSwitchHookInput {
  hook_event_name: "PreModelSwitch";
  source: OpenString<"command" | "picker" | "sdk">;
}

/** Another model took over. */
export interface PostModelSwitchHookInput extends ModelSwitchHookInput {
  hook_event_name: "PostModelSwitch";
  source: OpenString<"command" | "picker" | "sdk" | "auto" | "resume">;
}

/** What both task hooks are told. */
export interface TaskHookInput extends BaseHookInput {
  task_id: string;
  task_subject: string;
  task_description?: string;
  teammate_name?: string;
  team_name?: string;
}

/** A task was put on the list. */
export interface TaskCreatedHookInput extends TaskHookInput {
  hook_event_name: "TaskCreated";
}

/** A task was ticked off. */
export interface TaskCompletedHookInput extends TaskHookInput {
  hook_event_name: "TaskCompleted";
}

/** A teammate has nothing to do. */
export interface TeammateIdleHookInput extends BaseHookInput {
  hook_event_name: "TeammateIdle";
  teammate_name: string;
  team_name: string;
}

/** An MCP server asks the user. A callback's answer has no effect (CLI 2.1.332): use `onElicitation`. */
export interface ElicitationHookInput extends BaseHookInput {
  hook_event_name: "Elicitation";
  mcp_server_name: string;
  message: string;
  mode?: OpenString<"form" | "url">;
  url?: string;
  elicitation_id?: string;
  requested_schema?: Record<string, unknown>;
}

/** The user answered an MCP server. */
export interface ElicitationResultHookInput extends BaseHookInput {
  hook_event_name: "ElicitationResult";
  mcp_server_name: string;
  elicitation_id?: string;
  mode?: OpenString<"form" | "url">;
  action: OpenString<"accept" | "decline" | "cancel">;
  content?: Record<string, unknown>;
}

/** Settings or skills changed on disk. */
export interface ConfigChangeHookInput extends BaseHookInput {
  hook_event_name: "ConfigChange";
  source: OpenString<"user_settings" | "project_settings" | "local_settings" | "policy_settings" | "skills">;
  file_path?: string;
}

/** A memory file was read. */
export interface InstructionsLoadedHookInput extends BaseHookInput {
  hook_event_name: "InstructionsLoaded";
  file_path: string;
  memory_type: OpenString<"User" | "Project" | "Local" | "Managed">;
  load_reason: OpenString<"session_start" | "nested_traversal" | "path_glob_match" | "include" | "compact">;
  globs?: string[];
  trigger_file_path?: string;
  parent_file_path?: string;
}

/** A worktree is wanted; the hook makes it. */
export interface WorktreeCreateHookInput extends BaseHookInput {
  hook_event_name: "WorktreeCreate";
  name: string;
}

/** A worktree is no longer wanted. */
export interface WorktreeRemoveHookInput extends BaseHookInput {
  hook_event_name: "WorktreeRemove";
  worktree_path: string;
}

/** The working directory changed. */
export interface CwdChangedHookInput extends BaseHookInput {
  hook_event_name: "CwdChanged";
  old_cwd: string;
  new_cwd: string;
}

/** A watched file changed. */
export interface FileChangedHookInput extends BaseHookInput {
  hook_event_name: "FileChanged";
  file_path: string;
  event: OpenString<"change" | "add" | "unlink">;
}

/** A directory was added to the session. */
export interface DirectoryAddedHookInput extends BaseHookInput {
  hook_event_name: "DirectoryAdded";
  directory: string;
  source: OpenString<"slash_command" | "register_repo_root">;
}

/** Text of the model is about to be shown. */
export interface MessageDisplayHookInput extends BaseHookInput {
  hook_event_name: "MessageDisplay";
  turn_id: string;
  message_id: string;
  index: number;
  final: boolean;
  delta: string;
}

/** The input of each event. */
export interface HookInputMap {
  PreToolUse: PreToolUseHookInput;
  PostToolUse: PostToolUseHookInput;
  PostToolUseFailure: PostToolUseFailureHookInput;
  PostToolBatch: PostToolBatchHookInput;
  Notification: NotificationHookInput;
  UserPromptSubmit: UserPromptSubmitHookInput;
  UserPromptExpansion: UserPromptExpansionHookInput;
  SessionStart: SessionStartHookInput;
  SessionEnd: SessionEndHookInput;
  Stop: StopHookInput;
  StopFailure: StopFailureHookInput;
  SubagentStart: SubagentStartHookInput;
  SubagentStop: SubagentStopHookInput;
  PreCompact: PreCompactHookInput;
  PostCompact: PostCompactHookInput;
  PreModelSwitch: PreModelSwitchHookInput;
  PostModelSwitch: PostModelSwitchHookInput;
  PermissionRequest: PermissionRequestHookInput;
  PermissionDenied: PermissionDeniedHookInput;
  Setup: SetupHookInput;
  TeammateIdle: TeammateIdleHookInput;
  TaskCreated: TaskCreatedHookInput;
  TaskCompleted: TaskCompletedHookInput;
  Elicitation: ElicitationHookInput;
  ElicitationResult: ElicitationResultHookInput;
  ConfigChange: ConfigChangeHookInput;
  WorktreeCreate: WorktreeCreateHookInput;
  WorktreeRemove: WorktreeRemoveHookInput;
  InstructionsLoaded: InstructionsLoadedHookInput;
  CwdChanged: CwdChangedHookInput;
  FileChanged: FileChangedHookInput;
  DirectoryAdded: DirectoryAddedHookInput;
  MessageDisplay: MessageDisplayHookInput;
  PreSkillShellCommand: PreSkillShellCommandHookInput;
}

/** An event a hook can be registered for (34 in CLI 2.1.332). */
export type HookEvent = keyof HookInputMap;

/** What a hook is told: narrow it by `hook_event_name`. */
export type HookInput = HookInputMap[HookEvent];
