import type { SDKFrame, SDKSystemFrame } from "./frame.ts";
import type { OpenString } from "./unknown.ts";

/** What a task has used up. */
export interface TaskUsage {
  /** Tokens in all. */
  total_tokens: number;
  /** Calls of tools. */
  tool_uses: number;
  /** Milliseconds so far. */
  duration_ms: number;
}

/** A resource an MCP tool points at. */
export interface SDKMcpResourceLink {
  /** Where it is. */
  uri: string;
  /** Its name. */
  name: string;
  /** Its name for people. */
  title?: string;
  /** What it is, for people. */
  description?: string;
  /** Its media type. */
  mimeType?: string;
  /** Bytes. */
  size?: number;
  /** What the server says about it. */
  annotations?: Record<string, unknown>;
}

/** The set of background tasks, whole: it replaces what was known before. */
export interface SDKBackgroundTasksChangedMessage extends SDKSystemFrame {
  /** The kind. */
  subtype: "background_tasks_changed";
  /** All there are. */
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
}

/** A shell command or a subagent began. */
export interface SDKTaskStartedMessage extends SDKSystemFrame {
  /** The kind. */
  subtype: "task_started";
  /** Names the task. */
  task_id: string;
  /** Names one run of the task: a task that is resumed has another. */
  run_id?: string;
  /** The call that started it. */
  tool_use_id?: string;
  /** What it is, for people. */
  description: string;
  /** Which kind of subagent. */
  subagent_type?: string;
  /** The call does not wait for it. */
  is_backgrounded?: boolean;
  /** 1 for a subagent of the main thread, 2 for one of a subagent, … */
  spawn_depth?: number;
  /** The task it belongs to. */
  parent_task_id?: string;
  /** What kind of task. */
  task_type?: OpenString<"local_bash" | "local_agent" | "local_workflow">;
  /** The workflow it belongs to. */
  workflow_name?: string;
  /** What the subagent was told. */
  prompt?: string;
  /** It is not part of the conversation's record. */
  skip_transcript?: boolean;
  /** It runs beside the conversation and is no activity of its own. */
  ambient?: boolean;
}

/** A task did something. */
export interface SDKTaskProgressMessage extends SDKSystemFrame {
  /** The kind. */
  subtype: "task_progress";
  /** Names the task. */
  task_id: string;
  /** Names one run of the task: a task that is resumed has another. */
  run_id?: string;
  /** Pairs it with the `tool_use` block. */
  tool_use_id?: string;
  /** What it is, for people. */
  description: string;
  /** Which kind of subagent. */
  subagent_type?: string;
  /** What it has used up. */
  usage: TaskUsage;
  /** The tool it used last. */
  last_tool_name?: string;
  /** What it is at, in words; only with `agentProgressSummaries`. */
  summary?: string;
}

/** Facts about a task changed: only what is in `patch`. */
export interface SDKTaskUpdatedMessage extends SDKSystemFrame {
  /** The kind. */
  subtype: "task_updated";
  /** Names the task. */
  task_id: string;
  /** Names one run of the task: a task that is resumed has another. */
  run_id?: string;
  /** What changed. */
  patch: {
    status?: OpenString<"pending" | "running" | "completed" | "failed" | "killed" | "paused">;
    description?: string;
    end_time?: number;
    total_paused_ms?: number;
    error?: string;
    is_backgrounded?: boolean;
  };
}

/** A task is over. A background task that ends idle starts a turn of its own. */
export interface SDKTaskNotificationMessage extends SDKSystemFrame {
  /** The kind. */
  subtype: "task_notification";
  /** Names the task. */
  task_id: string;
  /** Names one run of the task: a task that is resumed has another. */
  run_id?: string;
  /** Pairs it with the `tool_use` block. */
  tool_use_id?: string;
  /** How it ended. */
  status: OpenString<"completed" | "failed" | "stopped">;
  /** Why. */
  reason?: OpenString<"worker_restart">;
  /** Where its output is kept; empty when nothing was kept. */
  output_file: string;
  /** What came of it, in words. */
  summary: string;
  /** What it has used up. */
  usage?: TaskUsage;
  /** What an MCP task left behind. */
  resource_links?: SDKMcpResourceLink[];
  /** It is not part of the conversation's record. */
  skip_transcript?: boolean;
  /** It runs beside the conversation and is no activity of its own. */
  ambient?: boolean;
  /** `summary` is the subagent's own report. Outside the peer's types (CLI 2.1.332). */
  summary_is_report?: boolean;
}

/** A tool or a hook is still at work. */
export interface SDKToolProgressMessage extends SDKFrame {
  /** The kind. */
  type: "tool_progress";
  /** Pairs it with the `tool_use` block. */
  tool_use_id: string;
  /** The tool. */
  tool_name: string;
  /** With `heartbeat` this is the id of the running call itself, not of a subagent. */
  parent_tool_use_id: string | null;
  /** How long it has been at it. */
  elapsed_time_seconds: number;
  /** Names the task. */
  task_id?: string;
  /** A sign of life (every 30 s) that says nothing else. */
  heartbeat?: boolean;
  /** Which kind of subagent. */
  subagent_type?: string;
  /** The subagent's request failed and will be made again. */
  subagent_retry?: {
    agent_id: string;
    attempt: number;
    max_retries: number;
    retry_delay_ms: number;
    error_status: number | null;
    error_category: string;
  };
}
