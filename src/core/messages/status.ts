import type { PermissionMode } from "../options/permissions.ts";
import type { SDKAssistantMessageError } from "./assistant.ts";
import type { SDKFrame, SDKSystemFrame } from "./frame.ts";
import type { OpenString } from "./unknown.ts";

/** What the session is busy with; `null` when it is not. */
export type SDKStatus = OpenString<"compacting" | "requesting"> | null;

/** A change of what the session is busy with, or of its permission mode. */
export interface SDKStatusMessage extends SDKSystemFrame {
  /** The kind. */
  subtype: "status";
  /** How it stands. */
  status: SDKStatus;
  /** The mode that now holds. */
  permissionMode?: PermissionMode;
  /** How summing up went. */
  compact_result?: OpenString<"success" | "failed">;
  /** Why summing up failed. */
  compact_error?: string;
  /** How long the summary is, in characters. Outside the peer's types (CLI 2.1.332). */
  compact_output_chars?: number;
  /** With `requesting`: the client lines that are being answered. Outside the peer's types (CLI 2.1.332). */
  user_message_uuids?: string[];
}

/** The session runs, waits for someone, or is idle. Those the CLI marks as meant for the host alone are not delivered. */
export interface SDKSessionStateChangedMessage extends SDKSystemFrame {
  /** The kind. */
  subtype: "session_state_changed";
  /** The state from now on. */
  state: OpenString<"idle" | "running" | "requires_action">;
}

/** The conversation up to here was summed up. */
export interface SDKCompactBoundaryMessage extends SDKSystemFrame {
  /** The kind. */
  subtype: "compact_boundary";
  /** What was summed up, and what was kept. */
  compact_metadata: {
    trigger: OpenString<"manual" | "auto">;
    pre_tokens: number;
    post_tokens?: number;
    duration_ms?: number;
    preserved_segment?: { head_uuid: string; anchor_uuid: string; tail_uuid: string };
    preserved_messages?: {
      anchor_uuid: string;
      uuids: string[];
      /** Outside the peer's types (CLI 2.1.332). */
      all_uuids?: string[];
    };
    /** Outside the peer's types (CLI 2.1.332). */
    cumulative_dropped_tokens?: number;
  };
  /** The last message before the boundary. Outside the peer's types (CLI 2.1.332). */
  logical_parent_uuid?: string | null;
}

/** A request to the service failed and will be made again. */
export interface SDKAPIRetryMessage extends SDKSystemFrame {
  /** The kind. */
  subtype: "api_retry";
  /** Counts the tries from 1. */
  attempt: number;
  /** How many tries there will be at most. */
  max_retries: number;
  /** Milliseconds until the next try. */
  retry_delay_ms: number;
  /** HTTP status; `null` when there was no answer. */
  error_status: number | null;
  /** What kind of failure. */
  error: SDKAssistantMessageError;
  /** How long the service had been silent. */
  no_response?: { waited_ms: number; retry_wait_ms: number };
}

/** Thinking so far, as an estimate. */
export interface SDKThinkingTokensMessage extends SDKSystemFrame {
  /** The kind. */
  subtype: "thinking_tokens";
  /** So far. */
  estimated_tokens: number;
  /** Since the last such message. */
  estimated_tokens_delta: number;
  /** The client line it answers. */
  user_message_uuid?: string;
}

/** A control request that takes its time is at work. */
export interface SDKControlRequestProgressMessage extends SDKSystemFrame {
  /** The kind. */
  subtype: "control_request_progress";
  /** The control request. */
  request_id: string;
  /** How it stands. */
  status: OpenString<"started" | "api_retry">;
  /** Counts the tries from 1. */
  attempt?: number;
  /** How many tries there will be at most. */
  max_retries?: number;
  /** Milliseconds until the next try. */
  retry_delay_ms?: number;
  /** HTTP status of the failed try; `null` when there was no answer. */
  error_status?: number | null;
}

/** The worker that holds the session is about to leave. */
export interface SDKWorkerShuttingDownMessage extends SDKSystemFrame {
  /** The kind. */
  subtype: "worker_shutting_down";
  /** Why. */
  reason: string;
}

/** Parts of the session could not be written to disk. */
export interface SDKSessionWritesLostMessage extends SDKSystemFrame {
  /** The kind. */
  subtype: "session_writes_lost";
  /** Why: no room, or no quota. */
  error_code: OpenString<"ENOSPC" | "EDQUOT">;
  /** What could not be written. */
  lost: OpenString<"transcript" | "global_config">[];
  /** Whose transcripts are cut short. */
  transcript_session_ids?: string[];
}

/** A transcript store refused entries. Made by this library, not by the CLI. */
export interface SDKMirrorErrorMessage extends SDKSystemFrame {
  /** The kind. */
  subtype: "mirror_error";
  /** What went wrong. */
  error: string;
  /** The transcript that is cut short. */
  key: { projectKey: string; sessionId: string; subpath?: string };
}

/** The conversation starts anew under another id; `session_id` is still the one before. */
export interface SDKConversationResetMessage extends SDKFrame {
  /** The kind. */
  type: "conversation_reset";
  /** Names what begins here. It is no session id: that comes with the `init` that follows (CLI 2.1.332). */
  new_conversation_id: string;
  /** What set it off. */
  trigger?: OpenString<"clear" | "plan_mode_exit" | "fresh_session" | "onboarding">;
  /** The client line it answers. */
  user_message_uuid?: string;
  /** When, as ISO text. */
  timestamp?: string;
}
