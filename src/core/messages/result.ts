import type { SDKFrame } from "./frame.ts";
import type { SDKMessageOrigin } from "./origin.ts";
import type { OpenString, UnknownKind } from "./unknown.ts";
import type { ModelUsage, NonNullableUsage } from "./usage.ts";

/** Why a turn ended. Missing for local commands and for prompts a hook blocked. */
export type TerminalReason = OpenString<
  | "completed"
  | "api_error"
  | "max_turns"
  | "budget_exhausted"
  | "aborted_streaming"
  | "aborted_tools"
  | "hook_stopped"
  | "stop_hook_prevented"
  | "tool_deferred"
  | "tool_deferred_unavailable"
  | "image_error"
  | "prompt_too_long"
  | "blocking_limit"
  | "rapid_refill_breaker"
  | "model_error"
  | "malformed_tool_use_exhausted"
  | "background_requested"
  | "structured_output_retry_exhausted"
  | "turn_setup_failed"
>;

/** Why the CLI would not start. */
export type SDKStartupFailureReason = OpenString<
  | "org_pin_api_key_conflict"
  | "provider_not_allowed"
  | "org_verify_failed"
  | "org_pin_mismatch"
  | "managed_settings_invalid"
  | "remote_settings_required_unavailable"
  | "gateway_signin_required"
  | "gateway_access_denied"
  | "proxy_invalid"
  | "temp_dir_unusable"
  | "cwd_unavailable"
  | "shell_tool_missing"
  | "session_held_by_background"
  | "worktree_resume_refused"
  | "worktree_unverified"
  | "cli_version_too_old"
  | "bypass_root"
  | "org_config_required_unavailable"
  | "org_config_refused"
  | "sandbox_required_unavailable"
  | "initialize_not_first"
  | "config_file_invalid"
  | "managed_settings_not_delivered"
  | "initialize_fields_not_delivered"
  | "sideload_flags_disabled"
>;

/** Fast mode as the session has it. */
export type FastModeState = OpenString<"off" | "cooldown" | "on">;

/** Why fast mode is off. */
export type FastModeDisabledReason = OpenString<
  | "free"
  | "preference"
  | "extra_usage_disabled"
  | "network_error"
  | "unknown"
  | "not_first_party"
  | "disabled_by_env"
  | "model_not_allowed"
  | "sdk_opt_in_required"
  | "pending"
>;

/** A tool call that was refused. */
export interface SDKPermissionDenial {
  /** The tool. */
  tool_name: string;
  /** Pairs it with the `tool_use` block. */
  tool_use_id: string;
  /** What it was called with. */
  tool_input: Record<string, unknown>;
}

/** A tool call put off by a `defer` of a hook: resume the session to run it. */
export interface SDKDeferredToolUse {
  /** Pairs it with the `tool_use` block. */
  id: string;
  /** The tool. */
  name: string;
  /** What it was called with. */
  input: Record<string, unknown>;
}

/** What became of the subagents of a process. Outside the peer's types (CLI 2.1.332). */
export interface SubagentStats {
  /** Subagents that were started. */
  spawned: number;
  /** How the model asked for them. */
  requested: { background: number; foreground: number; unset: number };
  /** Of these, how many went to the background at once. */
  started_in_background: number;
  /** 1 for subagents of the main thread, 2 for theirs, … */
  max_depth: number;
  /** Subagents that other subagents started. */
  spawned_by_subagents: number;
  /** They came to their end. */
  completed: number;
  /** They failed. */
  failed: number;
  /** They were ended, by whom. */
  killed: { parent: number; user: number; system: number };
  /** They were not started, by which limit. */
  refused: { depth_limit: number; concurrency_limit: number; budget: number };
  /** How many there were of each kind. */
  by_type: Record<string, number>;
}

/** What every result holds. */
export interface SDKResultBase extends SDKFrame {
  /** The kind. */
  type: "result";
  /** Milliseconds the turn took. */
  duration_ms: number;
  /** Milliseconds the service took. */
  duration_api_ms: number;
  /** Steps of the model, and the prompts between them. */
  num_turns: number;
  /** Why the model stopped, in the service's words. */
  stop_reason: string | null;
  /** US dollars since the process started. */
  total_cost_usd: number;
  /** The main loop of this turn only. */
  usage: NonNullableUsage;
  /** By model, since the process started. */
  modelUsage: Record<string, ModelUsage>;
  /** The list to trust on what was refused. */
  permission_denials: SDKPermissionDenial[];
  /** User lines still waiting. */
  queued_turn_count?: number;
  /** The client line it answers. */
  user_message_uuid?: string;
  /** The client lines it answers, when several were folded into one turn. */
  user_message_uuids?: string[];
  /** Why it goes on with a turn that a restart had cut off. */
  resume_reason?: string;
  /** Why the turn ended. */
  terminal_reason?: TerminalReason;
  /** Counts the results of the process from 0. */
  result_index?: number;
  /** When the login ends, as ISO text. */
  credential_expires_at?: string;
  /** Whether fast mode is on. */
  fast_mode_state?: FastModeState;
  /** Why fast mode is off. */
  fast_mode_disabled_reason?: FastModeDisabledReason;
  /** Set on turns nobody asked for, such as the one after a background task. */
  origin?: SDKMessageOrigin;
  /** What became of subagents. Outside the peer's types (CLI 2.1.332). */
  subagent_stats?: SubagentStats;
  /** How often the service stopped an answer for safety. Outside the peer's types (CLI 2.1.332). */
  safety_stops?: number;
  /** By model, since the result before. Outside the peer's types (CLI 2.1.332). */
  model_usage_since_last_result?: Record<string, ModelUsage>;
  /** The service's messages that were begun in this turn. Outside the peer's types (CLI 2.1.332). */
  begun_message_ids?: string[];
  /** Tokens the turn's first request read. Outside the peer's types (CLI 2.1.332). */
  first_request_input_tokens?: number;
  /** Of these, tokens from the cache. Outside the peer's types (CLI 2.1.332). */
  first_request_cache_read_input_tokens?: number;
  /** The CLI's word for a failure of the service, where there is one: `max_output_tokens`. Outside the peer's types (CLI 2.1.332). */
  api_error?: string;
  /** The service's word for its failure, such as `rate_limit_error`. Outside the peer's types (CLI 2.1.332). */
  api_error_type?: string;
}

/** Where the time before and during the first request went. Milliseconds. */
export interface ResultTimings {
  /** To the first token. */
  ttft_ms?: number;
  /** To the first event of the stream. */
  ttft_stream_ms?: number;
  /** To the first request. */
  time_to_request_ms?: number;
  /** To the first request, counted from the start of the process. */
  time_to_request_from_spawn_ms?: number;
  /** When the first request went out, since 1970. */
  request_sent_wall_ms?: number;
  /** To the first frame with content. */
  first_content_frame_ms?: number;
  /** To the first delivery to a remote client. */
  first_stream_post_ms?: number;
  /** To its confirmation. */
  first_stream_post_ack_ms?: number;
  /** How long it had waited. */
  first_stream_post_queue_wait_ms?: number;
  /** What it had waited for. */
  first_stream_post_queued_behind?: string;
  /** When it went out, since 1970. */
  first_stream_post_wall_ms?: number;
  /** To the first delivery of text to a remote client. */
  first_text_post_ms?: number;
  /** How long it had waited. */
  first_text_post_queue_wait_ms?: number;
  /** What it had waited for. */
  first_text_post_queued_behind?: string;
  /** When it went out, since 1970. */
  first_text_post_wall_ms?: number;
  /** Where the process's own clock begins, since 1970. */
  time_origin_ms?: number;
  /** The process had been started beforehand. */
  warm_spare_claimed?: boolean;
}

/** A turn that came to its end. An API failure ends so too: look at `is_error`. */
export interface SDKResultSuccess extends SDKResultBase, ResultTimings {
  /** The kind. */
  subtype: "success";
  /** True when the service failed; `result` then holds the error text. */
  is_error: boolean;
  /** The final text, or the error text. */
  result: string;
  /** HTTP status when the service failed. */
  api_error_status?: number | null;
  /** Which slash command was served without the model. */
  local_command?: string;
  /** The validated object for `outputFormat`; `result` is its JSON. */
  structured_output?: unknown;
  /** The call that was put off. */
  deferred_tool_use?: SDKDeferredToolUse;
}

/** A turn that was cut short. */
export interface SDKResultError extends SDKResultBase {
  /** The kind. */
  subtype:
    | "error_during_execution"
    | "error_max_turns"
    | "error_max_budget_usd"
    | "error_max_structured_output_retries"
    | UnknownKind;
  /** True, as far as is known. */
  is_error: boolean;
  /** What went wrong, in words. */
  errors: string[];
  /** Why the CLI would not start. */
  startup_failure_reason?: SDKStartupFailureReason;
  /** The configuration file that cannot be read. */
  invalid_config_file?: { path: string; is_global: boolean; backup_searched: boolean; backup_path?: string };
}

/** The end of a turn. */
export type SDKResultMessage = SDKResultSuccess | SDKResultError;
