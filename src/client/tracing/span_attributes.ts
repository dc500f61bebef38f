import type { Attributes } from "@opentelemetry/api";
import { isJsonObject, type JsonObject, type JsonValue } from "../../core/json.ts";

// Names of the semantic conventions for generative AI (OpenTelemetry 1.38), and ours under `tether.`. Content is none of it.

/** Of the span of a query. */
export function queryAttributes(options: { readonly agent?: string | undefined; readonly model?: string | undefined }) {
  return without({
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.provider.name": "anthropic",
    "gen_ai.agent.name": options.agent,
    "gen_ai.request.model": options.model,
  });
}

/** Of the span of a turn, when it begins with this frame. */
export function turnAttributes(init: JsonObject): Attributes {
  return without({
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": "anthropic",
    "gen_ai.request.model": text(init.model),
    "gen_ai.conversation.id": text(init.session_id),
  });
}

/** Of the span of a turn, when it has ended with this result. */
export function resultAttributes(result: JsonObject): Attributes {
  const reason = text(result.stop_reason);
  return without({
    ...usageAttributes(usageOf(result)),
    "gen_ai.response.finish_reasons": reason === undefined ? undefined : [reason],
    "tether.result": text(result.subtype),
    "tether.turn.requests": number(result.num_turns),
    "tether.cost_usd": number(result.total_cost_usd),
  });
}

/** Tokens, as results count them. */
export interface TokenUsage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheCreation: number;
}

/** What a result says of tokens. `input` counts those of the cache as well, as the conventions want it. */
export function usageOf(result: JsonObject): TokenUsage {
  const usage = isJsonObject(result.usage) ? result.usage : {};
  const cacheRead = number(usage.cache_read_input_tokens) ?? 0;
  const cacheCreation = number(usage.cache_creation_input_tokens) ?? 0;
  return {
    input: (number(usage.input_tokens) ?? 0) + cacheRead + cacheCreation,
    output: number(usage.output_tokens) ?? 0,
    cacheRead,
    cacheCreation,
  };
}

/** Both together. */
export function sumOfUsage(a: TokenUsage, b: TokenUsage): TokenUsage {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheCreation: a.cacheCreation + b.cacheCreation,
  };
}

/** The same as attributes. */
export function usageAttributes(usage: TokenUsage): Attributes {
  return {
    "gen_ai.usage.input_tokens": usage.input,
    "gen_ai.usage.output_tokens": usage.output,
    "gen_ai.usage.cache_read.input_tokens": usage.cacheRead,
    "gen_ai.usage.cache_creation.input_tokens": usage.cacheCreation,
  };
}

/** Of the span of a tool. */
export function toolAttributes(name: string, id: string): Attributes {
  return {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": name,
    "gen_ai.tool.call.id": id,
    // Whoever runs it (the CLI, an MCP server, this program): it runs on this side of the model.
    "gen_ai.tool.type": "function",
  };
}

/** Of a span that has to do with a tool. */
export function aboutTool(name: string | undefined, id: string | undefined): Attributes {
  return without({ "gen_ai.tool.name": name, "gen_ai.tool.call.id": id });
}

/** A text, if it is one and says something. */
export function text(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function number(value: JsonValue | undefined): number | undefined {
  return typeof value === "number" ? value : undefined;
}

function without(attributes: Attributes): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));
}
