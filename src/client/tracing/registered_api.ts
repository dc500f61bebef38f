import type { Context } from "@opentelemetry/api";
import { ClaudeSDKError } from "../../core/errors/claude_sdk_error.ts";

/** What `@opentelemetry/api` is used for. */
export type OpenTelemetryApi = typeof import("@opentelemetry/api");

/** Where every copy of the API of version 1 keeps what was registered. */
const REGISTRY = Symbol.for("opentelemetry.js.api.1");

/** What somebody has registered. */
export interface RegisteredApi {
  /** The context that is active now; undefined where contexts are not kept. */
  readonly active: Context | undefined;
}

/**
 * Looks, without loading anything, whether somebody wants traces: a tracer provider or a propagator is registered.
 * Undefined if not, or if what is there is broken.
 */
export function registeredApi(): RegisteredApi | undefined {
  try {
    const registry = (globalThis as { [REGISTRY]?: Registry })[REGISTRY];
    if (registry === undefined || (registry.trace === undefined && registry.propagation === undefined)) {
      return undefined;
    }
    return { active: registry.context?.active() };
  } catch {
    return undefined;
  }
}

/** What spans are made with. */
export interface LoadedTracing {
  readonly api: OpenTelemetryApi;
  readonly QuerySpans: typeof import("./query_spans.ts").QuerySpans;
}

/**
 * Loads the package, and what is needed beside it. It is an optional peer.
 *
 * @throws {ClaudeSDKError} with the code `opentelemetry_missing` where it cannot be found from here.
 */
export async function loadTracing(): Promise<LoadedTracing> {
  const [api, { QuerySpans }] = await Promise.all([
    // Caught right here: that is how a bundler knows that it may be missing.
    import("@opentelemetry/api").catch((cause) => {
      throw new ClaudeSDKError(
        "opentelemetry_missing",
        "OpenTelemetry is registered, and the package @opentelemetry/api could not be loaded from here",
        { cause },
      );
    }),
    import("./query_spans.ts"),
  ]);
  return { api, QuerySpans };
}

interface Registry {
  readonly trace?: unknown;
  readonly propagation?: unknown;
  readonly context?: { active(): Context };
}
