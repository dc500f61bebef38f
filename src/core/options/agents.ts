import type { McpServerConfigForProcessTransport } from "./mcp_servers.ts";
import type { PermissionMode } from "./permissions.ts";
import type { EffortLevel } from "./thinking.ts";

/**
 * A server for a subagent: the name of one of the session's, or a configuration under its name. One of this program is
 * given to the session under that name, because the CLI (2.1.332) serves no other; its tools are listed to everybody then,
 * and calls of anybody but this agent are denied.
 */
export type AgentMcpServerSpec = string | Record<string, McpServerConfigForProcessTransport>;

/** A subagent the model may call. */
export interface AgentDefinition {
  /** When to call it; the model reads this. */
  description: string;
  /** Its system prompt. */
  prompt: string;
  /** Left out: all tools of the session. */
  tools?: string[] | undefined;
  /** Tools taken away from it. */
  disallowedTools?: string[] | undefined;
  /** An alias, a full model id or `inherit`. */
  model?: string | undefined;
  /** Servers it has beside the session's own. */
  mcpServers?: AgentMcpServerSpec[] | undefined;
  /** Added to its system prompt. Experimental in the peer. */
  criticalSystemReminder_EXPERIMENTAL?: string | undefined;
  /** Skills it starts with. */
  skills?: string[] | undefined;
  /** Said first when the agent is the main one. */
  initialPrompt?: string | undefined;
  /** How many turns it may take. */
  maxTurns?: number | undefined;
  /** Tokens. */
  autoCompactWindow?: number | undefined;
  /** Runs beside the conversation. */
  background?: boolean | undefined;
  /** It does not read the memory files of user and project. */
  omitClaudeMd?: boolean | undefined;
  /** Where its own memory is kept; it is loaded when it starts. */
  memory?: "user" | "project" | "local" | undefined;
  /** How much work its answers are worth: a word, or a number. */
  effort?: EffortLevel | number | undefined;
  /** Who is asked before one of its tools runs. */
  permissionMode?: PermissionMode | undefined;
  /** Kinds of agent that watch it from the side, separated by commas. */
  observer?: string | undefined;
  /** Added to what the observer is told. */
  observerMessage?: string | undefined;
}
