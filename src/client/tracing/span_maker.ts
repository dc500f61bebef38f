import type { Attributes, Context, Span, SpanKind, TimeInput, Tracer } from "@opentelemetry/api";
import { errorFacts } from "./error_facts.ts";
import type { OpenTelemetryApi } from "./registered_api.ts";

/** A span, and the context it is active in. */
export interface MadeSpan {
  readonly span: Span;
  readonly context: Context;
}

/** What a span begins with. */
export interface SpanStart {
  readonly attributes?: Attributes;
  /** Default `INTERNAL`. */
  readonly kind?: SpanKind;
  /** Milliseconds since 1970. Default: now. */
  readonly startTime?: TimeInput | undefined;
}

/** Makes spans of one query. */
export class SpanMaker {
  readonly api: OpenTelemetryApi;
  readonly #tracer: Tracer;

  constructor(api: OpenTelemetryApi) {
    this.api = api;
    this.#tracer = api.trace.getTracer("@tether/agent");
  }

  /** Begins one below a context. */
  begin(name: string, parent: Context, { attributes = {}, kind, startTime }: SpanStart = {}): MadeSpan {
    const { SpanKind, trace } = this.api;
    const options = { attributes, kind: kind ?? SpanKind.INTERNAL, ...(startTime === undefined ? {} : { startTime }) };
    const span = this.#tracer.startSpan(name, options, parent);
    return { span, context: trace.setSpan(parent, span) };
  }

  /** It failed, with an error. */
  fail(span: Span, error: unknown): void {
    const { type, exception } = errorFacts(error);
    span.recordException(exception);
    this.markFailed(span, type);
  }

  /** It failed, without one. */
  markFailed(span: Span, type: string): void {
    span.setAttribute("error.type", type);
    span.setStatus({ code: this.api.SpanStatusCode.ERROR, message: type });
  }
}
