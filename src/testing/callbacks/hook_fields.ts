import { isJsonObject, type JsonObject } from "../../core/json.ts";
import type { HookEvent, HookInputMap } from "../../core/options/mod.ts";

/** What of an event's input a test gives; all else is filled in, and what is undefined is left out. */
export type HookFields<Event extends HookEvent> = {
  [Field in Exclude<keyof HookInputMap[Event], "hook_event_name">]?: HookInputMap[Event][Field] | undefined;
};

/** What the inputs of one session have in common. */
export interface HookSession {
  /** The session. */
  readonly sessionId: string;
  /** Where it works. */
  readonly cwd: string;
  /** Its permission mode. */
  readonly permissionMode: string;
  /** Its model. */
  readonly model: string;
}

type Fields<Event extends HookEvent> = Omit<HookInputMap[Event], "hook_event_name" | keyof HookInputMap["SessionEnd"]>;

/** What an event is about, where a test does not say: complete, in the CLI's words (2.1.332). */
const FIELDS: {
  readonly [Event in HookEvent]: (session: HookSession, toolUseId: string) => Fields<Event> & JsonObject;
} = {
  PreToolUse: (_, id) => ({ ...bash(id) }),
  PostToolUse: (_, id) => ({ ...bash(id), tool_response: bashResponse(), duration_ms: 10 }),
  PostToolUseFailure: (_, id) => ({ ...bash(id), error: "Exit code 1", is_interrupt: false, duration_ms: 10 }),
  PostToolBatch: (_, id) => ({ tool_calls: [{ ...bash(id), tool_response: "hello" }] }),
  PermissionRequest: () => ({ tool_name: "Bash", tool_input: bashInput(), permission_suggestions: [] }),
  PermissionDenied: (_, id) => ({ ...bash(id), reason: "The classifier refused it." }),
  Notification: () => ({ message: "An MCP server was answered.", notification_type: "elicitation_response" }),
  UserPromptSubmit: () => ({ prompt: "Hello." }),
  UserPromptExpansion: () => ({
    expansion_type: "slash_command",
    command_name: "greet",
    command_args: "",
    command_source: "projectSettings",
    prompt: "/greet",
  }),
  PreSkillShellCommand: (_, id) => ({
    tool_name: "Bash",
    tool_input: { command: "echo hello" },
    tool_use_id: id,
    command_name: "greet",
    command_source: "projectSettings",
    invoked_by: "user",
  }),
  SessionStart: ({ model }) => ({ source: "clear", model }),
  SessionEnd: () => ({ reason: "clear" }),
  Setup: () => ({ trigger: "init" }),
  Stop: () => ({
    stop_hook_active: false,
    last_assistant_message: "That is done.",
    background_tasks: [],
    session_crons: [],
  }),
  StopFailure: () => ({ error: "server_error", last_assistant_message: "API Error: 529 Overloaded" }),
  SubagentStart: () => ({ ...subagent() }),
  SubagentStop: ({ cwd }) => ({
    ...subagent(),
    stop_hook_active: false,
    agent_transcript_path: `${cwd}/.transcripts/${subagent().agent_id}.jsonl`,
    last_assistant_message: "That is done.",
    background_tasks: [],
    session_crons: [],
  }),
  PreCompact: () => ({ trigger: "manual", custom_instructions: null }),
  PostCompact: () => ({ trigger: "manual", compact_summary: "They said hello." }),
  PreModelSwitch: ({ model }) => ({ ...modelSwitch(model), source: "sdk" }),
  PostModelSwitch: ({ model }) => ({ ...modelSwitch(model), source: "sdk" }),
  TaskCreated: () => ({ ...task() }),
  TaskCompleted: () => ({ ...task() }),
  TeammateIdle: () => ({ teammate_name: "helper", team_name: "team" }),
  Elicitation: () => ({
    mcp_server_name: "server",
    message: "What is your name?",
    mode: "form",
    requested_schema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
  }),
  ElicitationResult: () => ({
    mcp_server_name: "server",
    mode: "form",
    action: "accept",
    content: { name: "Ada" },
  }),
  ConfigChange: ({ cwd }) => ({ source: "project_settings", file_path: `${cwd}/.claude/settings.json` }),
  InstructionsLoaded: ({ cwd }) => ({
    file_path: `${cwd}/CLAUDE.md`,
    memory_type: "Project",
    load_reason: "session_start",
  }),
  WorktreeCreate: () => ({ name: "side-work" }),
  WorktreeRemove: ({ cwd }) => ({ worktree_path: `${cwd}/.worktrees/side-work` }),
  CwdChanged: ({ cwd }) => ({ old_cwd: cwd, new_cwd: `${cwd}/src` }),
  FileChanged: ({ cwd }) => ({ file_path: `${cwd}/README.md`, event: "change" }),
  DirectoryAdded: ({ cwd }) => ({ directory: `${cwd}/more`, source: "register_repo_root" }),
  MessageDisplay: () => ({
    turn_id: "00000000-0000-4000-8000-000000000003",
    message_id: "00000000-0000-4000-8000-000000000004",
    index: 0,
    final: true,
    delta: "That is done.",
  }),
};

/** Events that say the permission mode. */
const WITH_MODE: ReadonlySet<string> = new Set([
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "PostToolBatch",
  "PermissionRequest",
  "PermissionDenied",
  "UserPromptSubmit",
  "UserPromptExpansion",
  "PreSkillShellCommand",
  "Stop",
  "SubagentStop",
]);

/** Events that say how much work an answer is worth. */
const WITH_EFFORT: ReadonlySet<string> = new Set([
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "PostToolBatch",
  "PermissionRequest",
  "PermissionDenied",
  "PreSkillShellCommand",
  "Stop",
  "SubagentStop",
]);

/** Events that may come before the first prompt. */
const WITHOUT_PROMPT: ReadonlySet<string> = new Set(["SessionStart", "Setup", "ConfigChange", "InstructionsLoaded"]);

/** Whether there is an event by that name. */
export function isHookEvent(event: string): event is HookEvent {
  return Object.hasOwn(FIELDS, event);
}

/** The whole input of an event. Arguments of a tool that a test names and does not call with anything are none. */
export function hookInput(event: HookEvent, given: JsonObject, session: HookSession, toolUseId: string): JsonObject {
  const { cwd, sessionId } = session;
  const otherTool = typeof given.tool_name === "string" && given.tool_name !== "Bash";
  return {
    session_id: sessionId,
    transcript_path: `${cwd}/.transcripts/${sessionId}.jsonl`,
    cwd,
    ...(WITHOUT_PROMPT.has(event) ? {} : { prompt_id: "00000000-0000-4000-8000-000000000002" }),
    ...(WITH_MODE.has(event) ? { permission_mode: session.permissionMode } : {}),
    ...(WITH_EFFORT.has(event) ? { effort: { level: "medium" } } : {}),
    hook_event_name: event,
    ...FIELDS[event](session, toolUseId),
    ...(otherTool ? { tool_input: {}, ...(event === "PostToolUse" ? { tool_response: {} } : {}) } : {}),
    ...given,
  };
}

/** The id that is beside the input: that of the tool's call, or one of the CLI's own. */
export function hookToolUseId(event: HookEvent, input: JsonObject): string {
  return typeof input.tool_use_id === "string" && event !== "PostToolBatch"
    ? input.tool_use_id
    : `hook-${crypto.randomUUID()}`;
}

/** The server of this program that a tool belongs to, as events and questions name it. */
export function serverOf(toolName: unknown, servers: Iterable<string>): JsonObject | undefined {
  if (typeof toolName !== "string") return undefined;
  for (const name of servers) {
    if (toolName.startsWith(`mcp__${name.replaceAll(/[^A-Za-z0-9_-]/g, "_")}__`)) return { name, source: "sdk" };
  }
  return undefined;
}

/** The input of a hook with `tool_name`, completed by the server of the tool. */
export function withServer(input: JsonObject, servers: Iterable<string>): JsonObject {
  const server = isJsonObject(input.mcp_server) ? undefined : serverOf(input.tool_name, servers);
  return server === undefined ? input : { ...input, mcp_server: server };
}

function bash(id: string): { tool_name: string; tool_input: JsonObject; tool_use_id: string } {
  return { tool_name: "Bash", tool_input: bashInput(), tool_use_id: id };
}

function bashInput(): JsonObject {
  return { command: "echo hello", description: "says hello" };
}

function bashResponse(): JsonObject {
  return { stdout: "hello", stderr: "", interrupted: false, isImage: false, noOutputExpected: false };
}

function subagent(): { agent_id: string; agent_type: string } {
  return { agent_id: "a0000000000000001", agent_type: "general-purpose" };
}

function task(): { task_id: string; task_subject: string; task_description: string } {
  return { task_id: "1", task_subject: "Write a test", task_description: "One that can fail." };
}

function modelSwitch(model: string) {
  return {
    from_model: model,
    to_model: "claude-haiku-4-5",
    requested_model: "claude-haiku-4-5",
    context_tokens: 30,
    prompt_cache_warm: true,
    cache_ttl: "5m" as const,
    estimated_cache_write_usd: 0,
    pricing: "catalog" as const,
  };
}
