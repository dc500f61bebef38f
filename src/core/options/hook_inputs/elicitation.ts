import type { OpenString } from "../../messages/unknown.ts";
import type { BaseHookInput } from "./base.ts";

/** An MCP server asks the user. A callback's answer has no effect (CLI 2.1.332): use `onElicitation`. */
export interface ElicitationHookInput extends BaseHookInput {
  /** The event. */
  hook_event_name: "Elicitation";
  /** The server that asks. */
  mcp_server_name: string;
  /** What it says. */
  message: string;
  /** A form to fill in, or a page to visit. */
  mode?: OpenString<"form" | "url">;
  /** The page to visit. */
  url?: string;
  /** Names the question. */
  elicitation_id?: string;
  /** JSON Schema of the form. */
  requested_schema?: Record<string, unknown>;
}

/** The user answered an MCP server. */
export interface ElicitationResultHookInput extends BaseHookInput {
  /** The event. */
  hook_event_name: "ElicitationResult";
  /** The server that asks. */
  mcp_server_name: string;
  /** Names the question. */
  elicitation_id?: string;
  /** A form to fill in, or a page to visit. */
  mode?: OpenString<"form" | "url">;
  /** What the user did. */
  action: OpenString<"accept" | "decline" | "cancel">;
  /** The filled-in form. */
  content?: Record<string, unknown>;
}
