import type { OpenString } from "../messages/unknown.ts";

/** What may be done with one tool of a server. */
export interface McpServerToolPolicy {
  name: string;
  permission_policy?: OpenString<"always_allow" | "always_ask" | "always_deny">;
  org_max_permission?: OpenString<"allow" | "ask" | "blocked">;
}

/** A server that the CLI starts as a child of its own. */
export interface McpStdioServerConfig {
  type?: "stdio";
  command: string;
  args?: string[];
  /** Often holds secrets: it never reaches a command line. */
  env?: Record<string, string>;
  /** Milliseconds a call may take. */
  timeout?: number;
  /** Its tools are in the prompt from the start, not found by search. */
  alwaysLoad?: boolean;
}

/** What servers reached over the network share. */
export interface McpRemoteServerConfig {
  url: string;
  /** Often holds secrets: it never reaches a command line. */
  headers?: Record<string, string>;
  tools?: McpServerToolPolicy[];
  /** Milliseconds a call may take. */
  timeout?: number;
  /** Its tools are in the prompt from the start, not found by search. */
  alwaysLoad?: boolean;
}

/** A server reached by server-sent events. */
export interface McpSSEServerConfig extends McpRemoteServerConfig {
  type: "sse";
}

/** A server reached by streamable HTTP. */
export interface McpHttpServerConfig extends McpRemoteServerConfig {
  type: "http";
}

/** A server in this program, as the CLI is told of it. */
export interface McpSdkServerConfig {
  type: "sdk";
  name: string;
  /** Milliseconds a call may take. */
  timeout?: number;
  tools?: McpServerToolPolicy[];
}

/** A server in this program. `instance` is an `McpServer` of `@modelcontextprotocol/sdk`, or what a tool set stands for. */
export interface McpSdkServerConfigWithInstance extends McpSdkServerConfig {
  /** Structural on purpose: nothing here depends on a version of that package. */
  instance: McpServerInstance;
}

/** As much of an `McpServer` as can be said without its package: it is connected to a transport and closed. */
export interface McpServerInstance {
  connect(transport: never): Promise<void>;
  close(): Promise<void>;
}

/** A server of claude.ai, as a status reports it. */
export interface McpClaudeAIProxyServerConfig {
  type: "claudeai-proxy";
  url: string;
  id: string;
  timeout?: number;
}

/** A server for a session: one the CLI runs or reaches, or one in this program. */
export type McpServerConfig =
  | McpStdioServerConfig
  | McpSSEServerConfig
  | McpHttpServerConfig
  | McpSdkServerConfigWithInstance;

/** A server as it can be sent: everything but the instance. */
export type McpServerConfigForProcessTransport =
  | McpStdioServerConfig
  | McpSSEServerConfig
  | McpHttpServerConfig
  | McpSdkServerConfig;

/** A server as a status reports it. */
export type McpServerStatusConfig = McpServerConfigForProcessTransport | McpClaudeAIProxyServerConfig;
