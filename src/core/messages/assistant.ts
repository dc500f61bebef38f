import type { ContentBlock } from "./content_blocks.ts";
import type { SDKFrame } from "./frame.ts";
import type { SDKContextUsage, SDKUsageReport } from "./reports.ts";
import type { OpenString, UnknownKind } from "./unknown.ts";
import type { Usage } from "./usage.ts";

/** Why a synthetic assistant message stands for a failure. */
export type SDKAssistantMessageError = OpenString<
  | "authentication_failed"
  | "oauth_org_not_allowed"
  | "account_on_hold"
  | "verification_required"
  | "billing_error"
  | "rate_limit"
  | "overloaded"
  | "invalid_request"
  | "model_not_found"
  | "server_error"
  | "unknown"
  | "max_output_tokens"
  | "cloud_credential_error"
>;

/** Something the service took out of the context, to make room. */
export type AppliedContextEdit =
  | { type: "clear_tool_uses_20250919"; cleared_input_tokens: number; cleared_tool_uses: number }
  | { type: "clear_thinking_20251015"; cleared_input_tokens: number; cleared_thinking_turns: number }
  | { type: UnknownKind; cleared_input_tokens?: number; [key: string]: unknown };

/** Why the service's cache did not serve a request. */
export interface CacheMissReason {
  /** What is not as it was in the request before. */
  type: OpenString<
    | "model_changed"
    | "system_changed"
    | "tools_changed"
    | "messages_changed"
    | "previous_message_not_found"
    | "unavailable"
  >;
  /** How many tokens were read anew; missing where it is not known. */
  cache_missed_input_tokens?: number;
  /** Whatever else is said of it; nothing has been checked. */
  [key: string]: unknown;
}

/** A change the service made to a request; only its kind is certain. */
export interface InputTransformation {
  /** What was done. */
  type: OpenString<"thinking_dropped" | "thinking_mismatch_allowed">;
  /** To which part of the request. */
  path?: unknown;
  /** Why. */
  reason?: unknown;
  /** Whatever else is said of it; nothing has been checked. */
  [key: string]: unknown;
}

/** The model's message as the service gives it. */
export interface AssistantMessageBody {
  /** Shared by all frames of one response. */
  id: string;
  /** Always the same. */
  type: "message";
  /** Always the same. */
  role: "assistant";
  /** `<synthetic>` where the CLI itself speaks. */
  model: string;
  /** One block per frame. */
  content: ContentBlock[];
  /** `null` until the response is over: take totals and reasons from the result. */
  stop_reason: string | null;
  /** The words that stopped it. */
  stop_sequence: string | null;
  /** More about why it stopped: of a refusal, which kind and why. */
  stop_details?: { type: string; category?: string | null; explanation?: string | null; [key: string]: unknown } | null;
  /** The start value only; see the result for totals. */
  usage: Usage;
  /** What the service did to the context: which edits, and how much they cleared. */
  context_management?: { applied_edits: AppliedContextEdit[]; [key: string]: unknown } | null;
  /** The service's container, if one was used: until when it is there (ISO 8601), and the skills loaded into it. */
  container?: {
    id: string;
    expires_at: string;
    skills?: { skill_id: string; type: OpenString<"anthropic" | "custom">; version: string }[] | null;
    [key: string]: unknown;
  } | null;
  /** What the service has to say about the request: why its cache was of no use, `null` where that is not known. */
  diagnostics?: { cache_miss_reason: CacheMissReason | null; [key: string]: unknown } | null;
  /** What the service changed in the request before the model read it. */
  input_transformations?: InputTransformation[] | null;
}

/** One finished block of the model's answer. */
export interface SDKAssistantMessage extends SDKFrame {
  /** The kind. */
  type: "assistant";
  /** The message, with the block in it. */
  message: AssistantMessageBody;
  /** The `tool_use` id of the Agent call when a subagent wrote it, else `null`. */
  parent_tool_use_id: string | null;
  /** Set on synthetic messages that report a failure. */
  error?: SDKAssistantMessageError;
  /** The service's request id. */
  request_id?: string;
  /** The client line this turn answers; on the first frame of a turn only. */
  user_message_uuid?: string;
  /** The client lines this turn answers, when several were folded into it. */
  user_message_uuids?: string[];
  /** Why it goes on with a turn that a restart had cut off. */
  resume_reason?: string;
  /** The turn goes on inside a thought that had been cut off. */
  resumed_from_incomplete_thinking?: true;
  /** Earlier frames that this one replaces: take them off the screen. */
  supersedes?: string[];
  /** Cut off by an interrupt: the text may end inside a word. */
  aborted?: true;
  /** The subagent at work. */
  agent_id?: string;
  /** Which kind of subagent. */
  subagent_type?: string;
  /** What the subagent is to do. */
  task_description?: string;
  /** When the block was finished; for display only. */
  timestamp?: string;
  /** What `/context` reports. */
  context_usage?: SDKContextUsage;
  /** What `/usage` reports. */
  usage_report?: SDKUsageReport;
  /** How long the thought of a `thinking` block took, in milliseconds. Outside the peer's types (CLI 2.1.332). */
  thinking_duration_ms?: number;
  /** How the thought is meant to be shown: `updates`. Outside the peer's types (CLI 2.1.332). */
  thinking_display?: string;
  /** The text stands for a failure of the service. Outside the peer's types (CLI 2.1.332). */
  is_api_error_message?: true;
  /** HTTP status of that failure. Outside the peer's types (CLI 2.1.332). */
  api_error_status?: number;
  /** The service's word for it, such as `rate_limit_error`. Outside the peer's types (CLI 2.1.332). */
  api_error_type?: string;
  /** The CLI's word for it, where there is one: `max_output_tokens`. Outside the peer's types (CLI 2.1.332). */
  api_error?: string;
  /** More about it: `{ cut: "output_limit" }`. Outside the peer's types (CLI 2.1.332). */
  api_error_params?: Record<string, unknown>;
  /** The service's message that was a refusal. Outside the peer's types (CLI 2.1.332). */
  refused_message_id?: string;
  /** What a local slash command printed, in the tags the model sees it in. Outside the peer's types (CLI 2.1.332). */
  local_command_source?: string;
  /** The local slash command that was run. Outside the peer's types (CLI 2.1.332). */
  local_command_run?: { command: string; args: string };
  /** What came of it, if it did not succeed: `failed`. Outside the peer's types (CLI 2.1.332). */
  local_command_outcome?: { kind: string };
  /** Display names of MCP tools that are called here. Outside the peer's types (CLI 2.1.332). */
  tool_use_meta?: { id: string; display_name?: string; server_display_name?: string; tool_name?: string }[];
}
