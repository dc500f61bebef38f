import type { OpenString } from "../messages/unknown.ts";

/** What may be done with one tool of a server. */
export interface McpServerToolPolicy {
  /** The tool. */
  name: string;
  /** What is done with calls of it; `always_deny` takes the tool away. */
  permission_policy?: OpenString<"always_allow" | "always_ask" | "always_deny">;
  /** The most that an organisation allows. */
  org_max_permission?: OpenString<"allow" | "ask" | "blocked">;
}

/** A server that the CLI starts as a child of its own. */
export interface McpStdioServerConfig {
  /** May be left out for this kind. */
  type?: "stdio";
  /** The program to start. */
  command: string;
  /** Its arguments. */
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
  /** Where it is. */
  url: string;
  /** Often holds secrets: it never reaches a command line. */
  headers?: Record<string, string>;
  /** What may be done with its tools. */
  tools?: McpServerToolPolicy[];
  /** Milliseconds a call may take. */
  timeout?: number;
  /** Its tools are in the prompt from the start, not found by search. */
  alwaysLoad?: boolean;
}

/** A server reached by server-sent events. */
export interface McpSSEServerConfig extends McpRemoteServerConfig {
  /** The kind. */
  type: "sse";
}

/** A server reached by streamable HTTP. */
export interface McpHttpServerConfig extends McpRemoteServerConfig {
  /** The kind. */
  type: "http";
}

/** A server in this program, as the CLI is told of it. */
export interface McpSdkServerConfig {
  /** The kind. */
  type: "sdk";
  /** Its name; the key in `mcpServers` wins. */
  name: string;
  /** Milliseconds a call may take. One below a second counts for nothing (CLI 2.1.332); `tool()` has a limit of its own. */
  timeout?: number;
  /** What may be done with its tools. */
  tools?: McpServerToolPolicy[];
}

/** A server in this program. `instance` is an `McpServer` of `@modelcontextprotocol/sdk`, or what a tool set stands for. */
export interface McpSdkServerConfigWithInstance extends McpSdkServerConfig {
  /** Structural on purpose: nothing here depends on a version of that package. */
  instance: McpServerInstance;
}

/** As much of an `McpServer` as can be said without its package: it is connected to a transport and closed. */
export interface McpServerInstance {
  /** Takes a transport and begins to serve it. */
  connect(transport: never): Promise<void>;
  /** Stops serving. */
  close(): Promise<void>;
}

/** A server of claude.ai, as a status reports it. */
export interface McpClaudeAIProxyServerConfig {
  /** The kind. */
  type: "claudeai-proxy";
  /** Where it is. */
  url: string;
  /** Names the connector. */
  id: string;
  /** Milliseconds a call may take. */
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
