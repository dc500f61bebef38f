import type { PermissionMode } from "../options/permissions.ts";
import type { EffortLevel } from "../options/thinking.ts";
import type { SDKSystemFrame } from "./frame.ts";
import type { FastModeDisabledReason, FastModeState } from "./result.ts";
import type { OpenString } from "./unknown.ts";

/** Where the API key in use comes from. */
export type ApiKeySource = OpenString<
  | "ANTHROPIC_API_KEY"
  | "apiKeyHelper"
  | "/login managed key"
  | "none"
  | "user"
  | "project"
  | "org"
  | "temporary"
  | "oauth"
>;

/** What a turn starts with. Repeated at the start of every turn. */
export interface SDKSystemMessage extends SDKSystemFrame {
  /** The kind. */
  subtype: "init";
  /** The working directory. */
  cwd: string;
  /** The model. */
  model: string;
  /** Who is asked before a tool runs. */
  permissionMode: PermissionMode;
  /** How the model writes. */
  output_style: string;
  /** The CLI's version. */
  claude_code_version: string;
  /** Where the API key comes from. */
  apiKeySource: ApiKeySource;
  /** Tools the model has. */
  tools: string[];
  /** Commands there are. */
  slash_commands: string[];
  /** Skills the model has. */
  skills: string[];
  /** Servers, and whether they are connected. */
  mcp_servers: { name: string; status: string; source?: string }[];
  /** Plugins that are loaded. */
  plugins: { name: string; path: string; version?: string; source?: string }[];
  /** Subagents the model has. */
  agents?: string[];
  /** Commands that only a terminal can serve. */
  terminal_slash_commands?: string[];
  /** Betas in use. */
  betas?: string[];
  /** What this CLI can do, by name. */
  capabilities?: string[];
  /** Plugins that could not be loaded. */
  plugin_errors?: {
    plugin: string;
    type: string;
    message: string;
    path?: string;
    managed_lock?: { plugin_enabled: boolean; name: string; marketplace?: string };
  }[];
  /** Whether fast mode is on. */
  fast_mode_state?: FastModeState;
  /** Why fast mode is off. */
  fast_mode_disabled_reason?: FastModeDisabledReason;
  /** How much work an answer is worth. */
  effort?: EffortLevel | null;
  /** How much a terminal would show. */
  view_mode?: OpenString<"focus" | "default">;
  /** The client lines this turn answers. Outside the peer's types (CLI 2.1.332). */
  user_message_uuids?: string[];
  /** The working directory the session began in. Outside the peer's types (CLI 2.1.332). */
  original_cwd?: string;
  /** Further folders the tools may work in. Outside the peer's types (CLI 2.1.332). */
  additional_directories?: string[];
  /** Where memories are kept. Outside the peer's types (CLI 2.1.332). */
  memory_paths?: { auto?: string; [key: string]: string | undefined };
  /** A socket on which other sessions of this machine can reach it. Outside the peer's types (CLI 2.1.332). */
  messaging_socket_path?: string;
  /** Commands run in a sandbox. Outside the peer's types (CLI 2.1.332). */
  sandbox_enabled?: boolean;
  /** The CLI sends no analytics. Outside the peer's types (CLI 2.1.332). */
  analytics_disabled?: boolean;
  /** The CLI takes no feedback. Outside the peer's types (CLI 2.1.332). */
  product_feedback_disabled?: boolean;
  /** The model is served by its maker. Outside the peer's types (CLI 2.1.332). */
  served_by_anthropic?: boolean;
  /** The effort may change by turn. Outside the peer's types (CLI 2.1.332). */
  per_turn_effort_active?: boolean;
  /** A word in the prompt can ask for more thinking. Outside the peer's types (CLI 2.1.332). */
  ultrathink_available?: boolean;
  /** That word raises the effort. Outside the peer's types (CLI 2.1.332). */
  ultrathink_typed_raises?: boolean;
}
