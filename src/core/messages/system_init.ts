import type { PermissionMode } from "../options/permissions.ts";
import type { EffortLevel } from "../options/thinking.ts";
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
export interface SDKSystemMessage {
  type: "system";
  subtype: "init";
  cwd: string;
  model: string;
  permissionMode: PermissionMode;
  output_style: string;
  claude_code_version: string;
  apiKeySource: ApiKeySource;
  tools: string[];
  slash_commands: string[];
  skills: string[];
  mcp_servers: { name: string; status: string; source?: string }[];
  plugins: { name: string; path: string; version?: string; source?: string }[];
  agents?: string[];
  terminal_slash_commands?: string[];
  betas?: string[];
  /** What this CLI can do, by name. */
  capabilities?: string[];
  plugin_errors?: {
    plugin: string;
    type: string;
    message: string;
    path?: string;
    managed_lock?: { plugin_enabled: boolean; name: string; marketplace?: string };
  }[];
  fast_mode_state?: FastModeState;
  fast_mode_disabled_reason?: FastModeDisabledReason;
  effort?: EffortLevel | null;
  view_mode?: OpenString<"focus" | "default">;
  uuid: string;
  session_id: string;
}
