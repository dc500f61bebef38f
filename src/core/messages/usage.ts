import type { OpenString } from "./unknown.ts";

/** Tokens of one response, as the service counts them. */
export interface Usage {
  /** Tokens read, without those from the cache. */
  input_tokens: number;
  /** Tokens written. */
  output_tokens: number;
  /** Tokens written to the cache. */
  cache_creation_input_tokens?: number | null;
  /** Tokens read from the cache. */
  cache_read_input_tokens?: number | null;
  /** Tokens written to the cache, by how long they stay. */
  cache_creation?: { ephemeral_5m_input_tokens: number; ephemeral_1h_input_tokens: number } | null;
  /** What the service's own tools did. */
  server_tool_use?: { web_search_requests?: number; web_fetch_requests?: number } | null;
  /** The tier it was served on. */
  service_tier?: string | null;
  /** Of the tokens written, those of thoughts. */
  output_tokens_details?: { thinking_tokens?: number } | null;
  /** Other counters the service may add. */
  [key: string]: unknown;
}

/** {@linkcode Usage} of a whole turn's main loop, with nothing left out. */
export interface NonNullableUsage extends Usage {
  /** Tokens written to the cache. */
  cache_creation_input_tokens: number;
  /** Tokens read from the cache. */
  cache_read_input_tokens: number;
  /** Tokens written to the cache, by how long they stay. */
  cache_creation: { ephemeral_5m_input_tokens: number; ephemeral_1h_input_tokens: number };
  /** What the service's own tools did. */
  server_tool_use: { web_search_requests: number; web_fetch_requests: number };
  /** The tier it was served on. */
  service_tier: string;
  /** Of the tokens written, those of thoughts. */
  output_tokens_details: { thinking_tokens: number };
  /** Where it was served; empty if it does not matter, null after a request that failed (CLI 2.1.332). */
  inference_geo: string | null;
  /** Of a response in several steps, what each used. */
  iterations: object[] | null;
  /** How fast it was served. */
  speed: OpenString<"standard" | "fast"> | null;
  /** What was credited for a fallback model. */
  fallback_credit: object | null;
}

/** What one model has used up since the process started. */
export interface ModelUsage {
  /** Tokens read, without those from the cache. */
  inputTokens: number;
  /** Tokens written. */
  outputTokens: number;
  /** Tokens of thoughts, which are among those written. */
  thinkingTokens?: number;
  /** Tokens read from the cache. */
  cacheReadInputTokens: number;
  /** Tokens written to the cache. */
  cacheCreationInputTokens: number;
  /** Of these, tokens that stay for five minutes. */
  cacheCreationEphemeral5mInputTokens?: number;
  /** Of these, tokens that stay for an hour. */
  cacheCreationEphemeral1hInputTokens?: number;
  /** Searches of the service. */
  webSearchRequests: number;
  /** US dollars. */
  costUSD: number;
  /** Tokens the model has room for. */
  contextWindow: number;
  /** Tokens an answer may have. */
  maxOutputTokens: number;
  /** The model's full name. */
  canonicalModel?: string;
  /** Who serves it. */
  provider?: string;
  /** Where the price comes from; `unknown` means that `costUSD` is no price. */
  costBasis?: OpenString<"list" | "managed" | "unknown">;
}
