/** OpenTelemetry as a program sets it up, with spans kept in memory. For runtimes with `AsyncLocalStorage`. */

import { context, propagation, type Span, trace, type Tracer } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { CompositePropagator, W3CBaggagePropagator, W3CTraceContextPropagator } from "@opentelemetry/core";
import { BasicTracerProvider, type ReadableSpan, type SpanProcessor } from "@opentelemetry/sdk-trace-base";
import type { TestContext } from "./suite.ts";

/** What was traced. */
export interface Traces {
  /** Of the program itself. */
  readonly tracer: Tracer;
  /** Spans that have ended, in that order. */
  readonly ended: readonly ReadableSpan[];
  /** Spans that have not. */
  readonly open: ReadonlySet<string>;
  /** The ended spans as indented lines, from one of them down, in the order they began. */
  tree(root: string): string[];
  /** The one ended span of a name. @throws if there is none, or more than one. */
  span(name: string): ReadableSpan;
}

/** Registers everything there is to register; it is gone when the body is over. */
export function registerOpenTelemetry(t: TestContext): Traces {
  const ended: ReadableSpan[] = [];
  const open = new Set<string>();
  const started: string[] = [];
  const processor: SpanProcessor = {
    onStart(span) {
      open.add(span.name);
      started.push(span.spanContext().spanId);
    },
    onEnd(span) {
      open.delete(span.name);
      ended.push(span);
    },
    forceFlush: () => Promise.resolve(),
    shutdown: () => Promise.resolve(),
  };
  const provider = new BasicTracerProvider({ spanProcessors: [processor] });
  const manager = new AsyncLocalStorageContextManager().enable();
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(manager);
  propagation.setGlobalPropagator(
    new CompositePropagator({ propagators: [new W3CTraceContextPropagator(), new W3CBaggagePropagator()] }),
  );
  t.cleanup(() => {
    trace.disable();
    context.disable();
    propagation.disable();
  });
  const place = (span: ReadableSpan): number => started.indexOf(span.spanContext().spanId);
  const below = (parent: ReadableSpan, depth: number): string[] => [
    "  ".repeat(depth) + parent.name,
    ...ended.filter((span) => span.parentSpanContext?.spanId === parent.spanContext().spanId)
      .sort((a, b) => place(a) - place(b)).flatMap((span) => below(span, depth + 1)),
  ];
  const span = (name: string): ReadableSpan => {
    const named = ended.filter((one) => one.name === name);
    if (named.length !== 1) throw new Error(`${named.length} spans are named ${name}: ${ended.map((one) => one.name)}`);
    return named[0]!;
  };
  return { tracer: trace.getTracer("test"), ended, open, span, tree: (root) => below(span(root), 0) };
}

/** Does work within a span of the program's own, which ends with it. */
export async function within<T>({ tracer }: Traces, name: string, work: (span: Span) => Promise<T>): Promise<T> {
  return await tracer.startActiveSpan(name, async (span) => {
    try {
      return await work(span);
    } finally {
      span.end();
    }
  });
}
