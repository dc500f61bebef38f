import type { PermissionMode } from "../options/permissions.ts";
import type { SDKAssistantMessageError } from "./assistant.ts";
import type { OpenString } from "./unknown.ts";

/** What the session is busy with; `null` when it is not. */
export type SDKStatus = OpenString<"compacting" | "requesting"> | null;

/** A change of what the session is busy with, or of its permission mode. */
export interface SDKStatusMessage {
  type: "system";
  subtype: "status";
  status: SDKStatus;
  permissionMode?: PermissionMode;
  compact_result?: OpenString<"success" | "failed">;
  compact_error?: string;
  uuid: string;
  session_id: string;
}

/** The session runs, waits for someone, or is idle. Those the CLI marks as meant for the host alone are not delivered. */
export interface SDKSessionStateChangedMessage {
  type: "system";
  subtype: "session_state_changed";
  state: OpenString<"idle" | "running" | "requires_action">;
  uuid: string;
  session_id: string;
}

/** The conversation up to here was summed up. */
export interface SDKCompactBoundaryMessage {
  type: "system";
  subtype: "compact_boundary";
  compact_metadata: {
    trigger: OpenString<"manual" | "auto">;
    pre_tokens: number;
    post_tokens?: number;
    duration_ms?: number;
    preserved_segment?: { head_uuid: string; anchor_uuid: string; tail_uuid: string };
    preserved_messages?: { anchor_uuid: string; uuids: string[] };
    /** Seen on the wire, outside the peer's types (CLI 2.1.332). */
    cumulative_dropped_tokens?: number;
  };
  uuid: string;
  session_id: string;
}

/** A request to the service failed and will be made again. */
export interface SDKAPIRetryMessage {
  type: "system";
  subtype: "api_retry";
  attempt: number;
  max_retries: number;
  retry_delay_ms: number;
  /** HTTP status; `null` when there was no answer. */
  error_status: number | null;
  error: SDKAssistantMessageError;
  no_response?: { waited_ms: number; retry_wait_ms: number };
  uuid: string;
  session_id: string;
}

/** Thinking so far, as an estimate. */
export interface SDKThinkingTokensMessage {
  type: "system";
  subtype: "thinking_tokens";
  estimated_tokens: number;
  estimated_tokens_delta: number;
  user_message_uuid?: string;
  uuid: string;
  session_id: string;
}

/** A control request that takes its time is at work. */
export interface SDKControlRequestProgressMessage {
  type: "system";
  subtype: "control_request_progress";
  request_id: string;
  status: OpenString<"started" | "api_retry">;
  attempt?: number;
  max_retries?: number;
  retry_delay_ms?: number;
  error_status?: number | null;
  uuid: string;
  session_id: string;
}

/** The worker that holds the session is about to leave. */
export interface SDKWorkerShuttingDownMessage {
  type: "system";
  subtype: "worker_shutting_down";
  reason: string;
  uuid: string;
  session_id: string;
}

/** Parts of the session could not be written to disk. */
export interface SDKSessionWritesLostMessage {
  type: "system";
  subtype: "session_writes_lost";
  error_code: OpenString<"ENOSPC" | "EDQUOT">;
  lost: OpenString<"transcript" | "global_config">[];
  transcript_session_ids?: string[];
  uuid: string;
  session_id: string;
}

/** A transcript store refused entries. Made by this library, not by the CLI. */
export interface SDKMirrorErrorMessage {
  type: "system";
  subtype: "mirror_error";
  error: string;
  key: { projectKey: string; sessionId: string; subpath?: string };
  uuid: string;
  session_id: string;
}

/** The conversation starts anew under another id. */
export interface SDKConversationResetMessage {
  type: "conversation_reset";
  new_conversation_id: string;
  uuid: string;
  /** The id before the reset. */
  session_id: string;
  trigger?: OpenString<"clear" | "plan_mode_exit" | "fresh_session" | "onboarding">;
  user_message_uuid?: string;
  timestamp?: string;
}
