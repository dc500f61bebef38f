import type { SDKAssistantMessageError } from "../../messages/assistant.ts";
import type { BaseHookInput } from "./base.ts";

/** A background task that is still there. */
export interface BackgroundTaskSummary {
  /** Names it. */
  id: string;
  /** What kind of task. */
  type: string;
  /** How it stands. */
  status: string;
  /** What it is, for people. */
  description: string;
  /** The shell command, if it is one. */
  command?: string;
  /** Which kind of agent. */
  agent_type?: string;
  /** The MCP server, if it is a call of one. */
  server?: string;
  /** The MCP tool, if it is a call of one. */
  tool?: string;
  /** Its name. */
  name?: string;
}

/** Something the session will do by the clock. */
export interface SessionCronSummary {
  /** Names it. */
  id: string;
  /** When, in cron's form. */
  schedule: string;
  /** More than once. */
  recurring: boolean;
  /** What will be said. */
  prompt: string;
}

/** The model is done. */
export interface StopHookInput extends BaseHookInput {
  /** The event. */
  hook_event_name: "Stop";
  /** A Stop hook has already kept it going. */
  stop_hook_active: boolean;
  /** The model's last text. */
  last_assistant_message?: string;
  /** Tasks that are still there. */
  background_tasks?: BackgroundTaskSummary[];
  /** What the session will do by the clock. */
  session_crons?: SessionCronSummary[];
}

/** A turn ended by a failure. */
export interface StopFailureHookInput extends BaseHookInput {
  /** The event. */
  hook_event_name: "StopFailure";
  /** What went wrong. */
  error: SDKAssistantMessageError;
  /** More about it. */
  error_details?: string;
  /** The model's last text. */
  last_assistant_message?: string;
}

/** A subagent begins. */
export interface SubagentStartHookInput extends BaseHookInput {
  /** The event. */
  hook_event_name: "SubagentStart";
  /** The subagent at work. */
  agent_id: string;
  /** Which kind of agent. */
  agent_type: string;
}

/** A subagent is done. */
export interface SubagentStopHookInput extends BaseHookInput {
  /** The event. */
  hook_event_name: "SubagentStop";
  /** A hook has already kept it going. */
  stop_hook_active: boolean;
  /** The subagent at work. */
  agent_id: string;
  /** The file the subagent's transcript is in. */
  agent_transcript_path: string;
  /** Which kind of agent. */
  agent_type: string;
  /** The model's last text. */
  last_assistant_message?: string;
  /** Tasks that are still there. */
  background_tasks?: BackgroundTaskSummary[];
  /** What the session will do by the clock. */
  session_crons?: SessionCronSummary[];
}
