import type { ModelUsage } from "./usage.ts";

/** One share of the context window. */
export interface SDKContextUsageCategory {
  /** Its name. */
  name: string;
  /** How much of it. */
  tokens: number;
  /** What it counts as. */
  kind: "used" | "free" | "buffer" | "deferred";
}

/** What fills the context window: the structured twin of `/context`. */
export interface SDKContextUsage {
  /** The model whose window it is. */
  model: string;
  /** Tokens in use. */
  total_tokens: number;
  /** Tokens there are room for. */
  raw_max_tokens: number;
  /** Share in use, 0 to 100. */
  percentage: number;
  /** By how much it is past a limit. */
  over_limit?: { tokens_over: number; kind: "hard_limit" | "compaction_window" };
  /** What they are used for. */
  categories: SDKContextUsageCategory[];
  /** By MCP tool. */
  mcp_tools: { name: string; server_name: string; tokens: number }[];
  /** By memory file. */
  memory_files: { path: string; type: string; tokens: number }[];
  /** By subagent. */
  agents: { agent_type: string; source: string; tokens: number }[];
  /** By skill. */
  skills?: { name: string; source: string; plugin_name?: string; tokens: number }[];
}

/** Cost and limits: the structured twin of `/usage`. */
export interface SDKUsageReport {
  /** What this session has cost. */
  session: {
    total_cost_usd: number;
    total_api_duration_ms: number;
    total_duration_ms: number;
    total_lines_added: number;
    total_lines_removed: number;
    model_usage: Record<string, ModelUsage>;
  };
  /** The plan's limits; `null` without a plan. */
  rate_limits: {
    limits:
      | {
        kind: string;
        group: string;
        percent: number;
        resets_at: string | null;
        scope?: {
          model?: { display_name: string } | null;
          surface?: { display_name: string } | null;
        } | null;
        severity: string;
        is_active: boolean;
      }[]
      | null;
    extra_usage?: {
      is_enabled: boolean;
      monthly_limit: number | null;
      used_credits: number | null;
      utilization: number | null;
      currency?: string | null;
    } | null;
  } | null;
}
