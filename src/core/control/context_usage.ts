import type { OpenString } from "../messages/unknown.ts";

/** What fills the context window, as `getContextUsage()` tells it (CLI 2.1.332). Sizes are in tokens. */
export interface SDKControlGetContextUsageResponse {
  /** What is used for what, what is kept free, and what is left. */
  categories: {
    /** Stable name of the kind. */
    id?: string;
    /** For people. */
    name: string;
    tokens: number;
    /** A colour name of the CLI's theme. */
    color: string;
    kind?: OpenString<"used" | "free" | "buffer" | "deferred">;
    /** Not loaded until it is needed. */
    isDeferred?: boolean;
  }[];
  /** In use. */
  totalTokens: number;
  /** There is room for, as far as the session will use it. */
  maxTokens: number;
  /** The model has room for. */
  rawMaxTokens: number;
  /** Where the size from which the conversation is summed up comes from. */
  autocompactSource?: string;
  /** Share in use, 0 to 100, rounded. */
  percentage: number;
  /** A picture of it, row by row, for a grid. */
  gridRows: {
    color: string;
    isFilled: boolean;
    categoryName: string;
    tokens: number;
    percentage: number;
    /** 0 to 1. */
    squareFullness: number;
  }[][];
  /** The model whose window it is. */
  model: string;
  /** By memory file. */
  memoryFiles: { path: string; type: string; tokens: number }[];
  /** By MCP tool. */
  mcpTools: { name: string; serverName: string; tokens: number; isLoaded?: boolean }[];
  /** By server, for what servers say of themselves. */
  mcpInstructions?: { serverName?: string; name?: string; tokens: number }[];
  /** By subagent. */
  agents: { agentType: string; source: string; tokens: number }[];
  /** For commands. */
  slashCommands?: { totalCommands: number; includedCommands: number; tokens: number };
  /** For skills. */
  skills?: {
    totalSkills: number;
    includedSkills: number;
    tokens: number;
    skillFrontmatter: { name: string; source: string; tokens: number }[];
  };
  /** From where on the conversation is summed up. */
  autoCompactThreshold?: number;
  /** It is summed up by itself. */
  isAutoCompactEnabled: boolean;
  /** What the conversation itself consists of. */
  messageBreakdown?: {
    toolCallTokens: number;
    toolResultTokens: number;
    attachmentTokens: number;
    assistantMessageTokens: number;
    userMessageTokens: number;
    redirectedContextTokens?: number;
    unattributedTokens?: number;
    toolCallsByType: { name: string; callTokens: number; resultTokens: number }[];
    attachmentsByType: { name: string; tokens: number }[];
  };
  /** What the service counted in its last answer; `null` before there is one. */
  apiUsage: {
    input_tokens: number;
    output_tokens: number;
    cache_creation_input_tokens: number;
    cache_read_input_tokens: number;
  } | null;
  /** Whatever else it says; nothing has been checked. */
  [key: string]: unknown;
}
