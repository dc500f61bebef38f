import type { OpenString } from "../../messages/unknown.ts";

/** Which MCP servers are meant: by one of the three. */
export interface McpServerMatch {
  /** The name. */
  serverName?: string;
  /** The command with its arguments. */
  serverCommand?: string[];
  /** The URL; `*` stands for anything. */
  serverUrl?: string;
}

/** Settings of MCP servers. */
export interface McpSettings {
  /** Servers of the project are used unasked. */
  enableAllProjectMcpServers?: boolean;
  /** Servers of the project that are used. */
  enabledMcpjsonServers?: string[];
  /** Servers of the project that are not used. */
  disabledMcpjsonServers?: string[];
  /** The account's connectors are not used. */
  disableClaudeAiConnectors?: boolean;
  /** The only servers that may be used; an empty list means none. */
  allowedMcpServers?: McpServerMatch[];
  /** Servers that may not be used, also if they are allowed. */
  deniedMcpServers?: McpServerMatch[];
  /** Managed: only managed lists of allowed servers count. */
  allowManagedMcpServersOnly?: boolean;
  /** Managed: servers everybody has, by name. `type` is `http` or `sse`, the URL begins with https. */
  managedMcpServers?: Record<string, { [key: string]: unknown }>;
  /** Managed: the account's connectors are loaded beside managed servers. */
  allowAllClaudeAiMcps?: boolean;
  /** Managed: the browser's server may be used beside managed servers. */
  allowClaudeInChromeWithManagedMcp?: boolean;
  /** Which servers the desktop app's list holds. */
  desktopMcpServersListScope?: OpenString<"all">;
}
