import type { OpenString } from "./unknown.ts";

/** What a task has used up. */
export interface TaskUsage {
  total_tokens: number;
  tool_uses: number;
  duration_ms: number;
}

/** A resource an MCP tool points at. */
export interface SDKMcpResourceLink {
  uri: string;
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
  size?: number;
  annotations?: Record<string, unknown>;
}

/** The set of background tasks, whole: it replaces what was known before. */
export interface SDKBackgroundTasksChangedMessage {
  type: "system";
  subtype: "background_tasks_changed";
  tasks: {
    task_id: string;
    run_id?: string;
    task_type: string;
    subagent_type?: string;
    description: string;
    parent_task_id?: string;
    /** Runs beside the conversation and holds nothing open. */
    ambient?: boolean;
  }[];
  uuid: string;
  session_id: string;
}

/** A shell command or a subagent began. */
export interface SDKTaskStartedMessage {
  type: "system";
  subtype: "task_started";
  task_id: string;
  run_id?: string;
  tool_use_id?: string;
  description: string;
  subagent_type?: string;
  is_backgrounded?: boolean;
  spawn_depth?: number;
  parent_task_id?: string;
  task_type?: OpenString<"local_bash" | "local_agent" | "local_workflow">;
  workflow_name?: string;
  prompt?: string;
  skip_transcript?: boolean;
  ambient?: boolean;
  uuid: string;
  session_id: string;
}

/** A task did something. */
export interface SDKTaskProgressMessage {
  type: "system";
  subtype: "task_progress";
  task_id: string;
  run_id?: string;
  tool_use_id?: string;
  description: string;
  subagent_type?: string;
  usage: TaskUsage;
  last_tool_name?: string;
  /** What it is at, in words; only with `agentProgressSummaries`. */
  summary?: string;
  uuid: string;
  session_id: string;
}

/** Facts about a task changed: only what is in `patch`. */
export interface SDKTaskUpdatedMessage {
  type: "system";
  subtype: "task_updated";
  task_id: string;
  run_id?: string;
  patch: {
    status?: OpenString<"pending" | "running" | "completed" | "failed" | "killed" | "paused">;
    description?: string;
    end_time?: number;
    total_paused_ms?: number;
    error?: string;
    is_backgrounded?: boolean;
  };
  uuid: string;
  session_id: string;
}

/** A task is over. A background task that ends idle starts a turn of its own. */
export interface SDKTaskNotificationMessage {
  type: "system";
  subtype: "task_notification";
  task_id: string;
  run_id?: string;
  tool_use_id?: string;
  status: OpenString<"completed" | "failed" | "stopped">;
  reason?: OpenString<"worker_restart">;
  /** Where its output is kept; empty when nothing was kept. */
  output_file: string;
  summary: string;
  usage?: TaskUsage;
  resource_links?: SDKMcpResourceLink[];
  skip_transcript?: boolean;
  ambient?: boolean;
  uuid: string;
  session_id: string;
}

/** A tool or a hook is still at work. */
export interface SDKToolProgressMessage {
  type: "tool_progress";
  tool_use_id: string;
  tool_name: string;
  /** With `heartbeat` this is the id of the running call itself, not of a subagent. */
  parent_tool_use_id: string | null;
  elapsed_time_seconds: number;
  task_id?: string;
  /** A sign of life (every 30 s) that says nothing else. */
  heartbeat?: boolean;
  subagent_type?: string;
  subagent_retry?: {
    agent_id: string;
    attempt: number;
    max_retries: number;
    retry_delay_ms: number;
    error_status: number | null;
    error_category: string;
  };
  uuid: string;
  session_id: string;
}
