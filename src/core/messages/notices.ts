import type { SDKFrame, SDKSystemFrame } from "./frame.ts";
import type { OpenString } from "./unknown.ts";

/** A slash command as the CLI lists it. */
export interface SlashCommand {
  /** Without the slash. */
  name: string;
  /** What it does. */
  description: string;
  /** What may stand after it. */
  argumentHint: string;
  /** Other names. */
  aliases?: string[];
  /** It is the CLI's own. */
  builtin?: boolean;
}

/** A line for the people who watch. */
export interface SDKInformationalMessage extends SDKSystemFrame {
  /** The kind. */
  subtype: "informational";
  /** What it says. */
  content: string;
  /** How much it matters. */
  level: OpenString<"info" | "notice" | "suggestion" | "warning">;
  /** Pairs it with the `tool_use` block. */
  tool_use_id?: string;
  /** It stopped the turn. */
  prevent_continuation?: boolean;
  /** What it is about, as a word: `hook_callback_failed`, … */
  tag?: string;
  /** What became of a prompt that a hook blocked. Outside the peer's types (CLI 2.1.332). */
  prompt_submit_outcome?: { kind: string; prompt_kept?: boolean; reason?: string; [key: string]: unknown };
}

/** A short message with a priority. */
export interface SDKNotificationMessage extends SDKSystemFrame {
  /** The kind. */
  subtype: "notification";
  /** Names it. */
  key: string;
  /** What it says. */
  text: string;
  /** How much it matters. */
  priority: OpenString<"low" | "medium" | "high" | "immediate">;
  /** A colour for it. */
  color?: string;
  /** Milliseconds it is worth showing. */
  timeout_ms?: number;
}

/** A tool call was refused without anyone being asked. A deny of the permission callback makes none. */
export interface SDKPermissionDeniedMessage extends SDKSystemFrame {
  /** The kind. */
  subtype: "permission_denied";
  /** The tool. */
  tool_name: string;
  /** Pairs it with the `tool_use` block. */
  tool_use_id: string;
  /** The subagent at work. */
  agent_id?: string;
  /** Who or what refused. */
  decision_reason_type?: string;
  /** Why. */
  decision_reason?: string;
  /** Why, as a word. Outside the peer's types (CLI 2.1.332). */
  decision_reason_code?: string;
  /** What the model was told. */
  message: string;
}

/** The list of slash commands, whole: it replaces what was known before. */
export interface SDKCommandsChangedMessage extends SDKSystemFrame {
  /** The kind. */
  subtype: "commands_changed";
  /** All of them. */
  commands: SlashCommand[];
}

/** Something an MCP server asked for at a URL is done. */
export interface SDKElicitationCompleteMessage extends SDKSystemFrame {
  /** The kind. */
  subtype: "elicitation_complete";
  /** The server that asks. */
  mcp_server_name: string;
  /** Names the question. */
  elicitation_id: string;
}

/** What both refusal messages say. */
export interface ModelRefusal extends SDKSystemFrame {
  /** The model that refused. */
  original_model: string;
  /** The service's request. */
  request_id: string | null;
  /** What kind of refusal. */
  api_refusal_category?: string | null;
  /** The service's own words. */
  api_refusal_explanation?: string | null;
  /** The client line it refused. */
  refused_user_message_uuid?: string | null;
  /** What it says to people. */
  content: string;
}

/** The model refused, and another one took over or gave back. */
export interface SDKModelRefusalFallbackMessage extends ModelRefusal {
  /** The kind. */
  subtype: "model_refusal_fallback";
  /** What made the change. */
  trigger: OpenString<"refusal">;
  /** Whether another model tries, the first one is back, or the other one stays. */
  direction: OpenString<"retry" | "revert" | "sticky">;
  /** Whether it is for the session or for this turn. */
  scope?: OpenString<"session" | "local">;
  /** The model that took over. */
  fallback_model: string;
  /** Messages to take off the screen. */
  retracted_message_uuids?: string[];
}

/** The model refused, and no other one took over. */
export interface SDKModelRefusalNoFallbackMessage extends ModelRefusal {
  /** The kind. */
  subtype: "model_refusal_no_fallback";
}

/** What a local command printed. */
export interface SDKLocalCommandOutputMessage extends SDKSystemFrame {
  /** The kind. */
  subtype: "local_command_output";
  /** What it says. */
  content: string;
}

/** How the installation of a plugin goes. */
export interface SDKPluginInstallMessage extends SDKSystemFrame {
  /** The kind. */
  subtype: "plugin_install";
  /** How it stands. */
  status: OpenString<"started" | "installed" | "failed" | "completed">;
  /** The plugin. */
  name?: string;
  /** What went wrong. */
  error?: string;
}

/** Files were stored with the service. */
export interface SDKFilesPersistedEvent extends SDKSystemFrame {
  /** The kind. */
  subtype: "files_persisted";
  /** What was stored, and its id there. */
  files: { filename: string; file_id: string }[];
  /** What was not. */
  failed: { filename: string; error: string }[];
  /** When, as ISO text. */
  processed_at: string;
}

/** Memories were taken into the conversation. */
export interface SDKMemoryRecallMessage extends SDKSystemFrame {
  /** The kind. */
  subtype: "memory_recall";
  /** Whether memories were picked, or summed up. */
  mode: OpenString<"select" | "synthesize">;
  /** The memories. */
  memories: { path: string; scope: OpenString<"personal" | "team" | "organization">; content?: string }[];
}

/** What the user may want to say next; only with `promptSuggestions`, and after the result. */
export interface SDKPromptSuggestionMessage extends SDKFrame {
  /** The kind. */
  type: "prompt_suggestion";
  /** The suggestion. */
  suggestion: string;
}

/** Several tool calls, summed up. */
export interface SDKToolUseSummaryMessage extends SDKFrame {
  /** The kind. */
  type: "tool_use_summary";
  /** The summary. */
  summary: string;
  /** The calls it sums up. */
  preceding_tool_use_ids: string[];
}

/** How logging in goes. */
export interface SDKAuthStatusMessage extends SDKFrame {
  /** The kind. */
  type: "auth_status";
  /** It is still going on. */
  isAuthenticating: boolean;
  /** What it says to people. */
  output: string[];
  /** What went wrong. */
  error?: string;
}

/** The goal the session works toward, or `null` when there is none. */
export interface SDKActiveGoalMessage extends SDKFrame {
  /** The kind. */
  type: "active_goal";
  /** The goal. */
  value: {
    condition: string;
    iterations: number;
    set_at: number;
    tokens_at_start: number;
    last_reason?: string;
  } | null;
}

/** How much of a plan's limit is used. */
export interface SDKRateLimitInfo {
  /** Whether requests are let through. */
  status: OpenString<"allowed" | "allowed_warning" | "rejected">;
  /** Seconds since 1970. */
  resetsAt?: number;
  /** Which limit. */
  rateLimitType?: OpenString<
    "five_hour" | "seven_day" | "seven_day_opus" | "seven_day_sonnet" | "seven_day_overage_included" | "overage"
  >;
  /** 0 to 1. */
  utilization?: number;
  /** Whether use past the limit is let through. */
  overageStatus?: OpenString<"allowed" | "allowed_warning" | "rejected">;
  /** Seconds since 1970. */
  overageResetsAt?: number;
  /** Why there is no use past the limit. */
  overageDisabledReason?: string;
  /** This is use past the limit. */
  isUsingOverage?: boolean;
  /** Use past the limit is going on. */
  overageInUse?: boolean;
  /** Use past the limit is switched on. */
  overageEnabled?: boolean;
  /** The warning mark that was passed. 0 to 1. */
  surpassedThreshold?: number;
  /** Whose limit it is. */
  limitScope?: OpenString<"service" | "channel" | "group_pool">;
  /** The service's own code. */
  errorCode?: OpenString<"credits_required">;
  /** More can be bought. */
  canUserPurchaseCredits?: boolean;
  /** There is a way to pay for it. */
  hasChargeableSavedPaymentMethod?: boolean;
  /** The same by limit. Outside the peer's types (CLI 2.1.332). */
  unifiedWindows?: Record<string, { utilization?: number; resetsAt?: number; surpassedThreshold?: number }>;
}

/** A limit came nearer or was reached. Not sent for API keys. */
export interface SDKRateLimitEvent extends SDKFrame {
  /** The kind. */
  type: "rate_limit_event";
  /** The limit. */
  rate_limit_info: SDKRateLimitInfo;
}
