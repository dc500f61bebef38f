import type { Attributes, Context } from "@opentelemetry/api";
import type { DiagnosticListener } from "../../core/diagnostics.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Options } from "../../core/options/options.ts";
import type { TraceVariables } from "../../transport/process/environment.ts";
import type { QuerySpans } from "./query_spans.ts";
import { type LoadedTracing, loadTracing, type RegisteredApi, registeredApi } from "./registered_api.ts";
import { NO_SCOPE, NO_TRACING, type TraceEnding, type TraceScope, type Tracing } from "./tracing.ts";

/** Hooks that come before their tool, so that its span begins with them. */
const BEFORE_CALL: ReadonlySet<string> = new Set(["PreToolUse", "PermissionRequest"]);

/** What tracing of a query may use. */
export interface TracingContext {
  readonly onDiagnostic: DiagnosticListener;
  /** Default: {@linkcode loadTracing}. */
  load?(): Promise<LoadedTracing>;
}

/** Begins to trace a query, if somebody has registered what traces go to. To be called when the query is asked for. */
export function startTracing(options: Options, context: TracingContext): Tracing {
  const registered = registeredApi();
  return registered === undefined ? NO_TRACING : new OpenTelemetryTracing(options, registered, context);
}

/** Traces with OpenTelemetry. A fault of it is reported once, and what follows is not traced: it must not cost a query. */
class OpenTelemetryTracing implements Tracing {
  readonly loading: Promise<void>;
  readonly #onDiagnostic: DiagnosticListener;
  #spans: QuerySpans | undefined;
  #ended: TraceEnding | undefined;

  constructor(options: Options, registered: RegisteredApi, { onDiagnostic, load = loadTracing }: TracingContext) {
    this.#onDiagnostic = onDiagnostic;
    const { agent, model } = options;
    const trace = { active: registered.active, startTime: Date.now(), agent, model };
    this.loading = load().then(({ api, QuerySpans }) => {
      this.#spans = new QuerySpans(api, trace);
      if (this.#ended !== undefined) this.#spans.end(this.#ended);
    }).catch((cause) => this.#broke(cause));
  }

  childVariables(): TraceVariables | undefined {
    try {
      return this.#spans?.childVariables();
    } catch (cause) {
      // A propagator that throws takes nothing from the spans.
      this.#onDiagnostic({ kind: "tracing_failed", cause });
      return undefined;
    }
  }

  frame(frame: JsonObject): void {
    this.#safely((spans) => spans.frame(frame));
  }

  taken(message: JsonObject): void {
    this.#safely((spans) => spans.taken(message));
  }

  hook(event: string, fields: JsonObject): TraceScope {
    return this.#asked(`hook ${event}`, fields, { "tether.hook.event": event }, BEFORE_CALL.has(event));
  }

  permission(fields: JsonObject): TraceScope {
    return this.#asked(`permission ${String(fields.tool_name)}`, fields, {}, true);
  }

  mcp(fields: JsonObject): TraceScope {
    const context = this.#safely((spans) => spans.ofCall(fields));
    return context === undefined ? NO_SCOPE : { ...NO_SCOPE, run: (work) => this.#run(context, work) };
  }

  end(ending: TraceEnding): void {
    if (this.#ended !== undefined) return;
    this.#ended = ending;
    this.#safely((spans) => spans.end(ending));
    this.#spans = undefined;
  }

  #asked(name: string, fields: JsonObject, attributes: Attributes, beginsCall: boolean): TraceScope {
    const made = this.#safely((spans) => spans.beginAsked(name, fields, attributes, beginsCall));
    if (made === undefined) return NO_SCOPE;
    const { span, context } = made;
    let over = false;
    const withSpan = (work: (spans: QuerySpans) => void): void => {
      if (!over) this.#safely(work);
    };
    return {
      run: (work) => this.#run(context, work),
      note: (more) => withSpan(() => span.setAttributes(more)),
      fail: (cause) => withSpan((spans) => spans.fail(span, cause)),
      end: () => {
        withSpan((spans) => spans.endAsked(span));
        over = true;
      },
    };
  }

  /** The work is done exactly once, and comes to what it comes to, whatever becomes of the context around it. */
  #run<T>(context: Context, work: () => T): T {
    const spans = this.#spans;
    if (spans === undefined) return work();
    let began = false;
    let done: { readonly value: T } | undefined;
    try {
      return spans.run(context, () => {
        began = true;
        done = { value: work() };
        return done.value;
      });
    } catch (error) {
      if (began && done === undefined) throw error;
      this.#broke(error);
      return done === undefined ? work() : done.value;
    }
  }

  #safely<T>(work: (spans: QuerySpans) => T): T | undefined {
    if (this.#spans === undefined) return undefined;
    try {
      return work(this.#spans);
    } catch (cause) {
      this.#broke(cause);
      return undefined;
    }
  }

  #broke(cause: unknown): void {
    const spans = this.#spans;
    this.#spans = undefined;
    try {
      spans?.end({ how: "untraced" });
    } catch {
      // What is broken may not come to an end either; it has been reported.
    }
    this.#onDiagnostic({ kind: "tracing_failed", cause });
  }
}
