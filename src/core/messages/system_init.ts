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
}
