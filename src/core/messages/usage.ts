import type { OpenString } from "./unknown.ts";

/** Tokens of one response, as the service counts them. */
export interface Usage {
  input_tokens: number;
  output_tokens: number;
  cache_creation_input_tokens?: number | null;
  cache_read_input_tokens?: number | null;
  cache_creation?: { ephemeral_5m_input_tokens: number; ephemeral_1h_input_tokens: number } | null;
  server_tool_use?: { web_search_requests?: number; web_fetch_requests?: number } | null;
  service_tier?: string | null;
  /** Other counters the service may add. */
  [key: string]: unknown;
}

/** {@linkcode Usage} of a whole turn's main loop, with nothing left out. */
export interface NonNullableUsage extends Usage {
  cache_creation_input_tokens: number;
  cache_read_input_tokens: number;
}

/** What one model has used up since the process started. */
export interface ModelUsage {
  inputTokens: number;
  outputTokens: number;
  thinkingTokens?: number;
  cacheReadInputTokens: number;
  cacheCreationInputTokens: number;
  cacheCreationEphemeral5mInputTokens?: number;
  cacheCreationEphemeral1hInputTokens?: number;
  webSearchRequests: number;
  /** US dollars. */
  costUSD: number;
  contextWindow: number;
  maxOutputTokens: number;
  canonicalModel?: string;
  provider?: string;
  /** Where the price comes from; `unknown` means that `costUSD` is no price. */
  costBasis?: OpenString<"list" | "managed" | "unknown">;
}
