import type { ModelUsage } from "./usage.ts";

/** One share of the context window. */
export interface SDKContextUsageCategory {
  name: string;
  tokens: number;
  kind: "used" | "free" | "buffer" | "deferred";
}

/** What fills the context window: the structured twin of `/context`. */
export interface SDKContextUsage {
  model: string;
  total_tokens: number;
  raw_max_tokens: number;
  percentage: number;
  over_limit?: { tokens_over: number; kind: "hard_limit" | "compaction_window" };
  categories: SDKContextUsageCategory[];
  mcp_tools: { name: string; server_name: string; tokens: number }[];
  memory_files: { path: string; type: string; tokens: number }[];
  agents: { agent_type: string; source: string; tokens: number }[];
  skills?: { name: string; source: string; plugin_name?: string; tokens: number }[];
}

/** Cost and limits: the structured twin of `/usage`. */
export interface SDKUsageReport {
  session: {
    total_cost_usd: number;
    total_api_duration_ms: number;
    total_duration_ms: number;
    total_lines_added: number;
    total_lines_removed: number;
    model_usage: Record<string, ModelUsage>;
  };
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
