import type { JsonObject, JsonValue } from "../../core/json.ts";

/** Model a double of the CLI says it runs. */
export const SCRIPTED_MODEL = "claude-opus-5-5";
/** The process id a double says it has: past what Linux gives to any. */
const NO_PROCESS = 4_194_305;
/** Version a double of the CLI says it has. */
export const SCRIPTED_VERSION = "2.1.332";

/**
 * Makes frames as the CLI writes them (2.1.332). `fields` is laid over each. `uuid` and `session_id` are filled in when a
 * double emits them.
 */
export const frame: {
  /** The payload of the answer to `initialize`. */
  initializeReply(fields?: JsonObject): JsonObject;
  /** `system/init`, which opens every turn. */
  init(fields?: JsonObject): JsonObject;
  /** One `assistant` frame. The CLI writes one per content block, all with the same message id. */
  assistant(block: string | JsonObject, fields?: JsonObject): JsonObject;
  /** The `user` frame that carries a tool's result. */
  toolResult(toolUseId: string, content: JsonValue, fields?: JsonObject): JsonObject;
  /** A `stream_event` frame (partial messages). */
  streamEvent(event: JsonObject, fields?: JsonObject): JsonObject;
  /** A `result`: success, unless the fields say otherwise. */
  result(text: string, fields?: JsonObject): JsonObject;
  /** An error `result`: `error_during_execution` unless the fields name another subtype. */
  errorResult(errors: readonly string[], fields?: JsonObject): JsonObject;
  /** Any `system` frame. */
  system(subtype: string, fields?: JsonObject): JsonObject;
  /** `system/session_state_changed`, marked as meant for the host. */
  state(state: "idle" | "running" | "requires_action"): JsonObject;
  /** `command_lifecycle` of a user line. */
  lifecycle(commandUuid: string, state: "queued" | "started" | "completed" | "cancelled"): JsonObject;
  /** The set of background tasks. */
  backgroundTasks(tasks: readonly JsonObject[]): JsonObject;
  /** A background task has begun. */
  taskStarted(taskId: string, fields?: JsonObject): JsonObject;
  /** A background task has ended. */
  taskNotification(taskId: string, fields?: JsonObject): JsonObject;
} = {
  initializeReply: (fields = {}) => ({ ...initializeReply(), ...fields }),
  init: (fields = {}) => ({ ...init(), ...fields }),
  assistant: (block, fields = {}) => ({ ...assistant(block), ...fields }),
  toolResult: (toolUseId, content, fields = {}) => ({
    type: "user",
    message: { role: "user", content: [{ tool_use_id: toolUseId, type: "tool_result", content, is_error: false }] },
    parent_tool_use_id: null,
    tool_use_result: content,
    ...fields,
  }),
  streamEvent: (event, fields = {}) => ({ type: "stream_event", event, parent_tool_use_id: null, ...fields }),
  result: (text, fields = {}) => ({
    type: "result",
    subtype: "success",
    is_error: false,
    result: text,
    stop_reason: "end_turn",
    terminal_reason: "completed",
    api_error_status: null,
    ...totals(),
    ...fields,
  }),
  errorResult: (errors, fields = {}) => ({
    type: "result",
    subtype: "error_during_execution",
    is_error: true,
    errors: [...errors],
    stop_reason: null,
    ...totals(),
    ...fields,
  }),
  system: (subtype, fields = {}) => ({ type: "system", subtype, ...fields }),
  state: (state) => ({ type: "system", subtype: "session_state_changed", state, sdk_host_only: true }),
  lifecycle: (commandUuid, state) => ({ type: "command_lifecycle", command_uuid: commandUuid, state }),
  backgroundTasks: (tasks) => ({ type: "system", subtype: "background_tasks_changed", tasks: [...tasks] }),
  taskStarted: (taskId, fields = {}) => ({
    type: "system",
    subtype: "task_started",
    task_id: taskId,
    description: "scripted task",
    is_backgrounded: true,
    task_type: "local_agent",
    ...fields,
  }),
  taskNotification: (taskId, fields = {}) => ({
    type: "system",
    subtype: "task_notification",
    task_id: taskId,
    status: "completed",
    output_file: "",
    summary: "scripted task",
    ...fields,
  }),
};

function initializeReply(): JsonObject {
  return {
    commands: [
      { name: "compact", description: "Shorten the conversation", argumentHint: "", builtin: true },
      { name: "context", description: "Show what fills the context", argumentHint: "", builtin: true },
    ],
    agents: [{ name: "general-purpose", description: "For any task", model: "inherit" }],
    output_style: "default",
    available_output_styles: ["default"],
    user_output_styles_dir: "/scripted/.claude/output-styles",
    models: [{
      value: "default",
      resolvedModel: SCRIPTED_MODEL,
      displayName: "Default",
      description: "Scripted",
      supportsEffort: true,
      supportedEffortLevels: ["low", "medium", "high", "xhigh", "max"],
      supportsAdaptiveThinking: true,
      supportsFastMode: true,
      supportsAutoMode: true,
      supportsThinkingOff: false,
    }],
    account: { tokenSource: "none", apiKeySource: "ANTHROPIC_API_KEY", apiProvider: "firstParty" },
    pid: NO_PROCESS,
    claude_code_version: SCRIPTED_VERSION,
    current_permission_mode: "default",
    hook_on_failure_supported: true,
    hooks_when_unanswered_kept: 0,
    other_hook_ask_outranks_host: true,
    feedback_mode: { kind: "disabled" },
    analytics_disabled: true,
    sandbox_enabled: false,
    remote_control_auto_enable: false,
    remote_control_auto_connect_default: false,
    remote_control_available: false,
    remote_control_auto_on_by_default: false,
    ide_rc_auto_enable_gate: false,
    fast_mode_state: "off",
    fast_mode_disabled_reason: "sdk_opt_in_required",
    session_state: "idle",
    capabilities: [
      "ui_surface_v1",
      "mcp_call_result_not_for_model_v1",
      "mcp_call_soft_error_result_v1",
      "mcp_call_check_permissions_v1",
      "voice_call_talk_line_v1",
      "ui_pane_widget_v1",
      "reload_plugins_refuse_if_busy_v1",
      "get_usage_detached_v1",
    ],
  };
}

function init(): JsonObject {
  return {
    type: "system",
    subtype: "init",
    cwd: "/scripted",
    tools: ["Task", "Bash", "Edit", "Read", "Write"],
    mcp_servers: [],
    model: SCRIPTED_MODEL,
    permissionMode: "default",
    slash_commands: ["compact", "context"],
    apiKeySource: "ANTHROPIC_API_KEY",
    claude_code_version: SCRIPTED_VERSION,
    output_style: "default",
    agents: ["general-purpose"],
    skills: [],
    plugins: [],
    capabilities: ["interrupt_receipt_v1", "interrupt_cancel_queued_v1", "msg_lifecycle_v1", "sdk_mcp_manifests"],
    fast_mode_state: "off",
  };
}

function assistant(block: string | JsonObject): JsonObject {
  return {
    type: "assistant",
    message: {
      id: "msg_scripted",
      type: "message",
      role: "assistant",
      model: SCRIPTED_MODEL,
      content: [typeof block === "string" ? { type: "text", text: block } : block],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 10, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 1 },
      context_management: null,
    },
    parent_tool_use_id: null,
  };
}

function totals(): JsonObject {
  return {
    duration_ms: 20,
    duration_api_ms: 10,
    num_turns: 1,
    total_cost_usd: 0.0001,
    usage: { input_tokens: 10, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 20 },
    modelUsage: {
      [SCRIPTED_MODEL]: {
        inputTokens: 10,
        outputTokens: 20,
        cacheReadInputTokens: 0,
        cacheCreationInputTokens: 0,
        webSearchRequests: 0,
        costUSD: 0.0001,
        contextWindow: 1_000_000,
        maxOutputTokens: 128_000,
      },
    },
    permission_denials: [],
    queued_turn_count: 0,
  };
}
