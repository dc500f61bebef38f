import type { ModelUsage } from "../messages/usage.ts";

/** Cost and limits, as the method with the long name tells them (CLI 2.1.332). The CLI's vendor calls it an experiment. */
export interface SDKControlGetUsageResponse {
  /** What the process has used up. */
  session: {
    /** US dollars. */
    total_cost_usd: number;
    /** Milliseconds the service took. */
    total_api_duration_ms: number;
    /** Milliseconds since the start. */
    total_duration_ms: number;
    total_lines_added: number;
    total_lines_removed: number;
    /** By model. */
    model_usage: Record<string, ModelUsage>;
  };
  /** The plan; `null` for an API key. */
  subscription_type: string | null;
  /** There are limits to tell of. */
  rate_limits_available: boolean;
  /** The plan's limits, by window; `null` without a plan. */
  rate_limits: Record<string, unknown> | null;
  /** What the use consists of; `null` without a plan, and if it was not asked for. */
  behaviors: Record<string, unknown> | null;
  /** Whatever else it says; nothing has been checked. */
  [key: string]: unknown;
}
