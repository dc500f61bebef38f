import type { OpenString } from "../../messages/unknown.ts";
import type { McpServerProvenance, PermissionUpdate } from "../permissions.ts";
import type { BaseHookInput } from "./base.ts";

/** A tool is about to run. */
export interface PreToolUseHookInput extends BaseHookInput {
  /** The event. */
  hook_event_name: "PreToolUse";
  /** The tool. */
  tool_name: string;
  /** What the model called the tool with. */
  tool_input: unknown;
  /** Pairs it with the `tool_use` block. */
  tool_use_id: string;
  /** The MCP server the tool belongs to. */
  mcp_server?: McpServerProvenance;
}

/** A tool ran. */
export interface PostToolUseHookInput extends BaseHookInput {
  /** The event. */
  hook_event_name: "PostToolUse";
  /** The tool. */
  tool_name: string;
  /** What the model called the tool with. */
  tool_input: unknown;
  /** What it answered, in the tool's own form. */
  tool_response: unknown;
  /** Pairs it with the `tool_use` block. */
  tool_use_id: string;
  /** Milliseconds it ran, without the time it was asked about. */
  duration_ms?: number;
  /** The MCP server the tool belongs to. */
  mcp_server?: McpServerProvenance;
}

/** A tool failed. */
export interface PostToolUseFailureHookInput extends BaseHookInput {
  /** The event. */
  hook_event_name: "PostToolUseFailure";
  /** The tool. */
  tool_name: string;
  /** What the model called the tool with. */
  tool_input: unknown;
  /** Pairs it with the `tool_use` block. */
  tool_use_id: string;
  /** What went wrong. */
  error: string;
  /** The user stopped it. */
  is_interrupt?: boolean;
  /** Milliseconds it ran, without the time it was asked about. */
  duration_ms?: number;
  /** The MCP server the tool belongs to. */
  mcp_server?: McpServerProvenance;
}

/** One call of a {@linkcode PostToolBatchHookInput}. */
export interface PostToolBatchToolCall {
  /** The tool. */
  tool_name: string;
  /** What the model called the tool with. */
  tool_input: unknown;
  /** Pairs it with the `tool_use` block. */
  tool_use_id: string;
  /** The text the model reads. */
  tool_response?: unknown;
}

/** All tools of one step of the model ran. */
export interface PostToolBatchHookInput extends BaseHookInput {
  /** The event. */
  hook_event_name: "PostToolBatch";
  /** The calls of the step. */
  tool_calls: PostToolBatchToolCall[];
}

/** A permission is asked for. */
export interface PermissionRequestHookInput extends BaseHookInput {
  /** The event. */
  hook_event_name: "PermissionRequest";
  /** The tool. */
  tool_name: string;
  /** What the model called the tool with. */
  tool_input: unknown;
  /** Changes that would spare the next question of this kind. */
  permission_suggestions?: PermissionUpdate[];
  /** The MCP server the tool belongs to. */
  mcp_server?: McpServerProvenance;
}

/** A classifier refused a call: in mode `auto`, not in `dontAsk` (CLI 2.1.332). */
export interface PermissionDeniedHookInput extends BaseHookInput {
  /** The event. */
  hook_event_name: "PermissionDenied";
  /** The tool. */
  tool_name: string;
  /** What the model called the tool with. */
  tool_input: unknown;
  /** Pairs it with the `tool_use` block. */
  tool_use_id: string;
  /** Why. */
  reason: string;
  /** The MCP server the tool belongs to. */
  mcp_server?: McpServerProvenance;
}

/** A command file wants to run a shell command. */
export interface PreSkillShellCommandHookInput extends BaseHookInput {
  /** The event. */
  hook_event_name: "PreSkillShellCommand";
  /** The tool. */
  tool_name: string;
  /** The shell command. */
  tool_input: { command: string };
  /** Pairs it with the `tool_use` block. */
  tool_use_id: string;
  /** The command, without its slash. */
  command_name: string;
  /** Where the command comes from. */
  command_source?: string;
  /** Who called the command file. */
  invoked_by: OpenString<"user" | "claude" | "other">;
}
