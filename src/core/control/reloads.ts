import type { OpenString } from "../messages/unknown.ts";
import type { SlashCommand } from "../messages/notices.ts";
import type { AgentInfo } from "./initialize_response.ts";
import type { McpServerStatus } from "./mcp.ts";

/** What there is after plugins were loaded anew. */
export interface SDKControlReloadPluginsResponse {
  /** Slash commands. */
  commands: SlashCommand[];
  /** Subagents. */
  agents: AgentInfo[];
  /** Plugins. */
  plugins: { name: string; path: string; source?: string; version?: string }[];
  /** MCP servers. */
  mcpServers: McpServerStatus[];
  /** How many plugins could not be loaded. */
  error_count: number;
  /** With `holdOnCacheImpact`: true if nothing was changed because the model's cache would have been lost. */
  held?: boolean;
  /** What costs the model's cache: tools that come or go with servers, and with language servers. */
  cache_impact?: {
    mcp_servers_added: string[];
    mcp_servers_removed: string[];
    lsp_tool_change: OpenString<"adds" | "may-add" | "may-remove" | "removes"> | null;
  };
}

/** What skills there are after they were loaded anew. */
export interface SDKControlReloadSkillsResponse {
  /** As commands, which they are as well. */
  skills: SlashCommand[];
}

/** What styles there are after they were loaded anew. */
export interface SDKControlReloadOutputStylesResponse {
  /** What can be chosen. */
  available_output_styles: string[];
}
