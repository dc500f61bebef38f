import type { OpenString } from "./unknown.ts";

/** A slash command as the CLI lists it. */
export interface SlashCommand {
  /** Without the slash. */
  name: string;
  description: string;
  argumentHint: string;
  aliases?: string[];
  builtin?: boolean;
}

/** A line for the people who watch. */
export interface SDKInformationalMessage {
  type: "system";
  subtype: "informational";
  content: string;
  level: OpenString<"info" | "notice" | "suggestion" | "warning">;
  tool_use_id?: string;
  prevent_continuation?: boolean;
  /** What it is about, as a word: `hook_callback_failed`, … */
  tag?: string;
  uuid: string;
  session_id: string;
}

/** A short message with a priority. */
export interface SDKNotificationMessage {
  type: "system";
  subtype: "notification";
  key: string;
  text: string;
  priority: OpenString<"low" | "medium" | "high" | "immediate">;
  color?: string;
  timeout_ms?: number;
  uuid: string;
  session_id: string;
}

/** A tool call was refused without anyone being asked. A deny of the permission callback makes none. */
export interface SDKPermissionDeniedMessage {
  type: "system";
  subtype: "permission_denied";
  tool_name: string;
  tool_use_id: string;
  agent_id?: string;
  decision_reason_type?: string;
  decision_reason?: string;
  message: string;
  uuid: string;
  session_id: string;
}

/** The list of slash commands, whole: it replaces what was known before. */
export interface SDKCommandsChangedMessage {
  type: "system";
  subtype: "commands_changed";
  commands: SlashCommand[];
  uuid: string;
  session_id: string;
}

/** Something an MCP server asked for at a URL is done. */
export interface SDKElicitationCompleteMessage {
  type: "system";
  subtype: "elicitation_complete";
  mcp_server_name: string;
  elicitation_id: string;
  uuid: string;
  session_id: string;
}

/** What both refusal messages say. */
export interface ModelRefusal {
  type: "system";
  original_model: string;
  request_id: string | null;
  api_refusal_category?: string | null;
  api_refusal_explanation?: string | null;
  refused_user_message_uuid?: string | null;
  content: string;
  uuid: string;
  session_id: string;
}

/** The model refused, and another one took over or gave back. */
export interface SDKModelRefusalFallbackMessage extends ModelRefusal {
  subtype: "model_refusal_fallback";
  trigger: OpenString<"refusal">;
  direction: OpenString<"retry" | "revert" | "sticky">;
  scope?: OpenString<"session" | "local">;
  fallback_model: string;
  retracted_message_uuids?: string[];
}

/** The model refused, and no other one took over. */
export interface SDKModelRefusalNoFallbackMessage extends ModelRefusal {
  subtype: "model_refusal_no_fallback";
}

/** What a local command printed. */
export interface SDKLocalCommandOutputMessage {
  type: "system";
  subtype: "local_command_output";
  content: string;
  uuid: string;
  session_id: string;
}

/** How the installation of a plugin goes. */
export interface SDKPluginInstallMessage {
  type: "system";
  subtype: "plugin_install";
  status: OpenString<"started" | "installed" | "failed" | "completed">;
  name?: string;
  error?: string;
  uuid: string;
  session_id: string;
}

/** Files were stored with the service. */
export interface SDKFilesPersistedEvent {
  type: "system";
  subtype: "files_persisted";
  files: { filename: string; file_id: string }[];
  failed: { filename: string; error: string }[];
  processed_at: string;
  uuid: string;
  session_id: string;
}

/** Memories were taken into the conversation. */
export interface SDKMemoryRecallMessage {
  type: "system";
  subtype: "memory_recall";
  mode: OpenString<"select" | "synthesize">;
  memories: { path: string; scope: OpenString<"personal" | "team" | "organization">; content?: string }[];
  uuid: string;
  session_id: string;
}

/** What the user may want to say next; only with `promptSuggestions`, and after the result. */
export interface SDKPromptSuggestionMessage {
  type: "prompt_suggestion";
  suggestion: string;
  uuid: string;
  session_id: string;
}

/** Several tool calls, summed up. */
export interface SDKToolUseSummaryMessage {
  type: "tool_use_summary";
  summary: string;
  preceding_tool_use_ids: string[];
  uuid: string;
  session_id: string;
}

/** How logging in goes. */
export interface SDKAuthStatusMessage {
  type: "auth_status";
  isAuthenticating: boolean;
  output: string[];
  error?: string;
  uuid: string;
  session_id: string;
}

/** The goal the session works toward, or `null` when there is none. */
export interface SDKActiveGoalMessage {
  type: "active_goal";
  value: {
    condition: string;
    iterations: number;
    set_at: number;
    tokens_at_start: number;
    last_reason?: string;
  } | null;
  uuid: string;
  session_id: string;
}

/** How much of a plan's limit is used. */
export interface SDKRateLimitInfo {
  status: OpenString<"allowed" | "allowed_warning" | "rejected">;
  /** Seconds since 1970. */
  resetsAt?: number;
  rateLimitType?: OpenString<
    "five_hour" | "seven_day" | "seven_day_opus" | "seven_day_sonnet" | "seven_day_overage_included" | "overage"
  >;
  /** 0 to 1. */
  utilization?: number;
  overageStatus?: OpenString<"allowed" | "allowed_warning" | "rejected">;
  overageResetsAt?: number;
  overageDisabledReason?: string;
  isUsingOverage?: boolean;
  overageInUse?: boolean;
  overageEnabled?: boolean;
  surpassedThreshold?: number;
  limitScope?: OpenString<"service" | "channel" | "group_pool">;
  errorCode?: OpenString<"credits_required">;
  canUserPurchaseCredits?: boolean;
  hasChargeableSavedPaymentMethod?: boolean;
}

/** A limit came nearer or was reached. Not sent for API keys. */
export interface SDKRateLimitEvent {
  type: "rate_limit_event";
  rate_limit_info: SDKRateLimitInfo;
  uuid: string;
  session_id: string;
}
