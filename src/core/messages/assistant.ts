import type { ContentBlock } from "./content_blocks.ts";
import type { SDKFrame } from "./frame.ts";
import type { SDKContextUsage, SDKUsageReport } from "./reports.ts";
import type { OpenString } from "./unknown.ts";
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
  /** What the service did to the context. */
  context_management?: unknown;
  /** The service's container, if one was used. */
  container?: unknown;
  /** What the service has to say about the request. Outside the peer's types (CLI 2.1.332). */
  diagnostics?: unknown;
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
