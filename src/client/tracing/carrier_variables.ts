import type { Context } from "@opentelemetry/api";
import type { TraceVariables } from "../../transport/process/environment.ts";
import type { OpenTelemetryApi } from "./registered_api.ts";

/**
 * What the registered propagator writes, as variables: a name in upper case, with `_` for what no variable may have in its
 * name. Undefined if it writes nothing.
 */
export function carrierVariables(
  api: OpenTelemetryApi,
  { active, context }: { readonly active: Context; readonly context: Context },
): TraceVariables | undefined {
  const carrier: Record<string, unknown> = {};
  api.propagation.inject(context, carrier);
  const values: Record<string, string> = {};
  for (const [key, value] of Object.entries(carrier)) {
    if (typeof value === "string" && !value.includes("\0")) {
      values[key.toUpperCase().replace(/[^A-Z0-9_]/g, "_")] = value;
    }
  }
  if (Object.keys(values).length === 0) return undefined;
  const spanContext = api.trace.getSpanContext(active);
  return { values, continues: spanContext !== undefined && api.isSpanContextValid(spanContext) };
}
