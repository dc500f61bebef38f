import type { OpenString } from "../../messages/unknown.ts";
import type { BaseHookInput } from "./base.ts";

/** A prompt came in. */
export interface UserPromptSubmitHookInput extends BaseHookInput {
  /** The event. */
  hook_event_name: "UserPromptSubmit";
  /** What was asked. */
  prompt: string;
  /** Who or what wrote it. */
  source?: OpenString<"user" | "sdk" | "system" | "loop_wakeup" | "schedule_wakeup" | "poll_event">;
  /** The session's title. */
  session_title?: string;
}

/** A slash command or MCP prompt became a prompt. */
export interface UserPromptExpansionHookInput extends BaseHookInput {
  /** The event. */
  hook_event_name: "UserPromptExpansion";
  /** What was expanded. */
  expansion_type: OpenString<"slash_command" | "mcp_prompt">;
  /** The command, without its slash. */
  command_name: string;
  /** What stood after the command. */
  command_args: string;
  /** Where the command comes from. */
  command_source?: string;
  /** What came of it. */
  prompt: string;
}

/** The CLI has something to say. Seen only for answered elicitations (CLI 2.1.332). */
export interface NotificationHookInput extends BaseHookInput {
  /** The event. */
  hook_event_name: "Notification";
  /** What it says. */
  message: string;
  /** A heading. */
  title?: string;
  /** What it is about, as a word. */
  notification_type: string;
}

/** Text of the model is about to be shown. */
export interface MessageDisplayHookInput extends BaseHookInput {
  /** The event. */
  hook_event_name: "MessageDisplay";
  /** The turn it belongs to. */
  turn_id: string;
  /** The message it belongs to. */
  message_id: string;
  /** Counts the pieces from 0. */
  index: number;
  /** No further piece follows. */
  final: boolean;
  /** The piece. */
  delta: string;
}
