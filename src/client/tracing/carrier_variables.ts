import type { Context } from "@opentelemetry/api";
import type { TraceVariables } from "../../transport/process/environment.ts";
import type { OpenTelemetryApi } from "./registered_api.ts";

/** In characters; baggage has no more (W3C). What a system does not take would cost the query its start. */
const LONGEST = 8 * 1024;

/**
 * What the registered propagator writes, as variables: a name in upper case, with `_` for what no variable may have in its
 * name. Undefined if it writes nothing. What no environment can hold is left out.
 */
export function carrierVariables(
  api: OpenTelemetryApi,
  { active, context }: { readonly active: Context; readonly context: Context },
): TraceVariables | undefined {
  const carrier: Record<string, unknown> = {};
  api.propagation.inject(context, carrier);
  const values: Record<string, string> = {};
  for (const [key, value] of Object.entries(carrier)) {
    if (key === "" || typeof value !== "string" || value.includes("\0") || value.length > LONGEST) continue;
    values[key.toUpperCase().replace(/[^A-Z0-9_]/g, "_")] = value;
  }
  if (Object.keys(values).length === 0) return undefined;
  const spanContext = api.trace.getSpanContext(active);
  return { values, continues: spanContext !== undefined && api.isSpanContextValid(spanContext) };
}
