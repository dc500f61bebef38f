import type { OpenString } from "../messages/unknown.ts";
import type { McpServerStatusConfig } from "../options/mcp_servers.ts";

/** Whose configuration something stands in. */
export type ConfigScope = OpenString<"local" | "user" | "project">;

/** How a server stands, as `mcpServerStatus()` tells it. */
export interface McpServerStatus {
  /** Its name. */
  name: string;
  /** `needs-auth` waits for a log-in; `pending` is about to connect; `disabled` was switched off. */
  status: OpenString<"connected" | "failed" | "needs-auth" | "pending" | "disabled">;
  /** What it calls itself, once connected. */
  serverInfo?: { name: string; version: string; title?: string };
  /** Why it failed. */
  error?: string;
  /**
   * How it is reached; missing for a server of this program. Variables of a process are left out, headers are not: they
   * may hold secrets.
   */
  config?: McpServerStatusConfig;
  /** Where it was declared; `dynamic` for options and `setMcpServers()`. */
  scope?: OpenString<"local" | "user" | "project" | "dynamic" | "enterprise" | "claudeai" | "managed">;
  /** The same, in more detail: `sdk` for a server of this program. */
  source?: string;
  /** How it is talked to. */
  transport?: OpenString<"stdio" | "sse" | "http" | "sdk">;
  /** Its tools, once connected. An annotation that is off may be missing; `_meta` is what the server says of one. */
  tools?: {
    name: string;
    description?: string;
    annotations?: { readOnly?: boolean; destructive?: boolean; openWorld?: boolean };
    _meta?: Record<string, unknown>;
  }[];
}

/** What `setMcpServers()` brought about. */
export interface McpSetServersResult {
  /** Servers that are new, or were set up anew. One that then fails to start is named in `errors` as well. */
  added: string[];
  /** Servers that are gone. */
  removed: string[];
  /** Why a server does not work, by its name. */
  errors: Record<string, string>;
}

/** What `setMcpPermissionModeOverride()` has to say. */
export interface McpPermissionModeOverrideResult {
  /** The server is not known yet: it will hold once there is one of that name. */
  warning?: string;
}

/** A resource of a server, read by `readMcpResource()`. */
export interface SDKControlMcpReadResourceResponse {
  /** Its parts; each holds text, or bytes as base64. */
  contents: {
    uri: string;
    mimeType?: string;
    text?: string;
    blob?: string;
    _meta?: Record<string, unknown>;
  }[];
}
