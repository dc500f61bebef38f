import type { McpServerConfigForProcessTransport } from "./mcp_servers.ts";
import type { PermissionMode } from "./permissions.ts";
import type { EffortLevel } from "./thinking.ts";

/** A server for a subagent: the name of one of the session's, or a configuration under its name. */
export type AgentMcpServerSpec = string | Record<string, McpServerConfigForProcessTransport>;

/** A subagent the model may call. */
export interface AgentDefinition {
  /** When to call it; the model reads this. */
  description: string;
  /** Its system prompt. */
  prompt: string;
  /** Left out: all tools of the session. */
  tools?: string[] | undefined;
  disallowedTools?: string[] | undefined;
  /** An alias, a full model id or `inherit`. */
  model?: string | undefined;
  mcpServers?: AgentMcpServerSpec[] | undefined;
  criticalSystemReminder_EXPERIMENTAL?: string | undefined;
  skills?: string[] | undefined;
  /** Said first when the agent is the main one. */
  initialPrompt?: string | undefined;
  maxTurns?: number | undefined;
  /** Tokens. */
  autoCompactWindow?: number | undefined;
  /** Runs beside the conversation. */
  background?: boolean | undefined;
  omitClaudeMd?: boolean | undefined;
  memory?: "user" | "project" | "local" | undefined;
  effort?: EffortLevel | number | undefined;
  permissionMode?: PermissionMode | undefined;
  observer?: string | undefined;
  observerMessage?: string | undefined;
}
