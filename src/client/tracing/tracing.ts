import type { JsonObject } from "../../core/json.ts";
import type { TraceVariables } from "../../transport/process/environment.ts";

/** One piece of work, traced. Nothing here throws but the work itself. */
export interface TraceScope {
  /** Runs work within the span, so that spans of the user's stand below it. */
  run<T>(work: () => T): T;
  /** Says more of it. */
  note(attributes: Readonly<Record<string, string | number | boolean>>): void;
  /** It failed, for this reason. */
  fail(cause: unknown): void;
  /** It is over. Later calls do nothing. */
  end(): void;
}

/** How a query came to its end. */
export interface TraceEnding {
  /** `closed`: by the consumer, who needed no more. `untraced`: it goes on, and tracing does not. */
  readonly how: "completed" | "closed" | "aborted" | "failed" | "untraced";
  /** What it failed with. */
  readonly error?: unknown;
}

/** Traces one query. Nothing here throws. */
export interface Tracing {
  /** Settles when spans can be made, and never rejects; undefined where there is nothing to wait for. */
  readonly loading: Promise<void> | undefined;
  /** What the child is to be given; undefined for nothing. */
  childVariables(): TraceVariables | undefined;
  /** A frame that steers the session was read. */
  frame(frame: JsonObject): void;
  /** A message goes to the consumer. */
  taken(message: JsonObject): void;
  /** A hook's callback is about to be called, for a control request with these fields. */
  hook(event: string, fields: JsonObject): TraceScope;
  /** Somebody is about to be asked, for a control request with these fields. */
  permission(fields: JsonObject): TraceScope;
  /** A message goes to an in-process server: the call of a tool runs within the tool's span. */
  mcp(fields: JsonObject): TraceScope;
  /** The query is over, and so is everything in it that is still running. */
  end(ending: TraceEnding): void;
}

/** Where nothing is traced. */
export const NO_SCOPE: TraceScope = {
  run: (work) => work(),
  note() {},
  fail() {},
  end() {},
};

/** Where nothing is traced. */
export const NO_TRACING: Tracing = {
  loading: undefined,
  childVariables: () => undefined,
  frame() {},
  taken() {},
  hook: () => NO_SCOPE,
  permission: () => NO_SCOPE,
  mcp: () => NO_SCOPE,
  end() {},
};
