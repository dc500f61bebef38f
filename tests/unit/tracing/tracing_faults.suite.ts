/** OpenTelemetry must not cost a query anything: not its start, not its end, not its callbacks. */

import {
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  type TextMapPropagator,
  trace,
  type TracerProvider,
} from "@opentelemetry/api";
import { assert } from "chai";
import { type Diagnostic, query } from "../../../mod.ts";
import { startTracing } from "../../../src/client/tracing/open_telemetry_tracing.ts";
import { NO_TRACING } from "../../../src/client/tracing/tracing.ts";
import { type JsonObject, scriptedCli, step } from "../../../src/testing/mod.ts";
import { registerOpenTelemetry } from "../../harness/open_telemetry.ts";
import { suite, type TestContext } from "../../harness/suite.ts";

const ask: JsonObject = { subtype: "can_use_tool", tool_name: "Bash", input: {}, tool_use_id: "t1" };

/** Runs a query with everything in it; gives back what was reported, and how often the callback was called. */
async function run(): Promise<{ causes: unknown[]; calls: number; results: number }> {
  const transport = scriptedCli([
    step.begin(),
    step.assistant({ type: "tool_use", id: "t1", name: "Bash", input: {} }),
    step.ask(ask, { as: "ask", check: { subtype: "success", response: { behavior: "deny" } } }),
    step.answered("ask"),
    step.emit({
      type: "user",
      message: { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: "x", is_error: true }] },
    }),
    step.finish(),
  ]).transport();
  const causes: unknown[] = [];
  const onDiagnostic = (event: Diagnostic): void => {
    if (event.kind === "tracing_failed") causes.push(event.cause);
  };
  let calls = 0;
  let results = 0;
  const options = {
    tether: { transport, onDiagnostic },
    canUseTool: () => {
      calls++;
      return Promise.resolve({ behavior: "deny" as const, message: "no" });
    },
  };
  for await (const message of query({ prompt: "x", options })) if (message.type === "result") results++;
  transport.verify();
  return { causes, calls, results };
}

/** A provider whose spans do what is said at each of their methods. */
function provider(t: TestContext, at: (method: string) => void): void {
  const span: unknown = new Proxy({}, {
    get: (_, method: string) => (...args: unknown[]) => {
      at(method);
      if (method === "spanContext") return { traceId: "1".repeat(32), spanId: "1".repeat(16), traceFlags: 1 };
      return args.length === 0 ? undefined : span;
    },
  });
  const tracer = {
    startSpan: () => {
      at("startSpan");
      return span as Span;
    },
  };
  trace.setGlobalTracerProvider({ getTracer: () => tracer } as unknown as TracerProvider);
  t.cleanup(() => trace.disable());
}

export default suite("tracing, faults", (test) => {
  test("with nothing registered nothing is loaded, and every query shares what does nothing", async () => {
    let loads = 0;
    const load = (): never => {
      loads++;
      throw new Error("loaded");
    };
    assert.strictEqual(startTracing({}, { onDiagnostic: () => {}, load }), NO_TRACING);
    assert.strictEqual(loads, 0);
    assert.isUndefined(NO_TRACING.loading);
    assert.isUndefined(NO_TRACING.childVariables());
    assert.deepEqual(await run(), { causes: [], calls: 1, results: 1 });
  });

  test("C14: where the package cannot be loaded, that is reported and nothing is given to the child", async (t) => {
    registerOpenTelemetry(t);
    const causes: unknown[] = [];
    const missing = new Error("not found");
    const tracing = startTracing({}, {
      onDiagnostic: (event) => causes.push(event),
      load: () => Promise.reject(missing),
    });
    await tracing.loading;
    assert.deepEqual(causes, [{ kind: "tracing_failed", cause: missing }]);
    assert.isUndefined(tracing.childVariables());
    let ran = 0;
    tracing.hook("Stop", {}).run(() => ran++);
    tracing.permission({}).run(() => ran++);
    tracing.mcp({}).run(() => ran++);
    tracing.frame({ type: "result" });
    tracing.taken({ type: "result" });
    tracing.end({ how: "completed" });
    assert.strictEqual(ran, 3);
  });

  test("C14: a propagator that throws costs what it would have written, and no span", async (t) => {
    const traces = registerOpenTelemetry(t);
    propagation.disable();
    const thrown = new Error("inject");
    const propagator = {
      inject: () => {
        throw thrown;
      },
      extract: () => ROOT_CONTEXT,
      fields: () => [],
    } satisfies TextMapPropagator;
    propagation.setGlobalPropagator(propagator);
    const causes: unknown[] = [];
    const tracing = startTracing({}, { onDiagnostic: (event) => causes.push(event) });
    await tracing.loading;
    assert.isUndefined(tracing.childVariables());
    assert.deepEqual(causes, [{ kind: "tracing_failed", cause: thrown }]);
    tracing.end({ how: "completed" });
    assert.strictEqual(traces.span("invoke_agent").attributes["tether.query.end"], "completed");
  });

  test("what no environment can hold is not given to the child", async (t) => {
    registerOpenTelemetry(t);
    propagation.disable();
    const written = { "": "x", nul: "a\0b", long: "x".repeat(200_000), "x-good": "y" };
    const propagator = {
      inject: (_, carrier) => void Object.assign(carrier as object, written),
      extract: () => ROOT_CONTEXT,
      fields: () => [],
    } satisfies TextMapPropagator;
    propagation.setGlobalPropagator(propagator);
    const tracing = startTracing({}, { onDiagnostic: () => {} });
    await tracing.loading;
    assert.deepEqual(tracing.childVariables()?.values, { X_GOOD: "y" });
    tracing.end({ how: "completed" });
  });

  test("whatever of a provider throws, the query runs as without it, and it is reported once", async (t) => {
    const methods = ["startSpan", "setAttribute", "setAttributes", "setStatus", "end"];
    for (const broken of methods) {
      trace.disable();
      const thrown = new Error(broken);
      provider(t, (method) => {
        if (method === broken) throw thrown;
      });
      const { causes, ...rest } = await run();
      assert.deepEqual(rest, { calls: 1, results: 1 }, broken);
      assert.deepEqual(causes, [thrown], broken);
    }
  });

  test("a span that cannot be written to, or that does not end, keeps no other from its end", async (t) => {
    for (const broken of ["setAttribute", "setAttributes", "end"]) {
      const open = new Set<Span>();
      const tracer = {
        startSpan: () => {
          const span: Span = new Proxy({} as Span, {
            get: (_, method: string) => () => {
              if (method === "end") open.delete(span);
              if (method === broken) throw new Error(broken);
              return method === "spanContext"
                ? { traceId: "1".repeat(32), spanId: "1".repeat(16), traceFlags: 1 }
                : span;
            },
          });
          open.add(span);
          return span;
        },
      };
      trace.setGlobalTracerProvider({ getTracer: () => tracer } as unknown as TracerProvider);
      t.cleanup(() => trace.disable());
      const { causes } = await run();
      assert.lengthOf(causes, 1, broken);
      assert.strictEqual(open.size, 0, broken);
      trace.disable();
    }
  });

  test("whatever a callback throws, tracing goes on", async (t) => {
    const traces = registerOpenTelemetry(t);
    const trap = (): never => {
      throw new Error("trap");
    };
    const odd = [
      Object.create(null),
      new Proxy({}, { get: trap, getPrototypeOf: trap }),
      Object.defineProperty(new Error(), "message", { get: trap }),
      Object.assign(new Error("x"), { name: {}, stack: 5 }),
      Symbol("x"),
      undefined,
    ];
    for (const thrown of odd) {
      const before = traces.ended.length;
      const transport = scriptedCli([step.turn("done", { during: [step.ask(ask)] })]).transport();
      const kinds: string[] = [];
      const options = {
        tether: { transport, onDiagnostic: (event: Diagnostic) => void kinds.push(event.kind) },
        canUseTool: () => Promise.reject(thrown),
      };
      for await (const _ of query({ prompt: "x", options })) { /* to the end */ }
      assert.notInclude(kinds, "tracing_failed");
      const ended = traces.ended.slice(before);
      assert.isString(ended.find(({ name }) => name === "permission Bash")?.attributes["error.type"]);
      assert.include(ended.map(({ name }) => name), "invoke_agent");
    }
  });

  test("a callback runs once, and comes to what it comes to, though the context around it breaks", async (t) => {
    registerOpenTelemetry(t);
    for (const when of ["before", "after"] as const) {
      context.disable();
      const thrown = new Error(when);
      context.setGlobalContextManager({
        active: () => ROOT_CONTEXT,
        with(_context, work, self, ...args) {
          if (when === "before") throw thrown;
          Reflect.apply(work, self, args);
          throw thrown;
        },
        bind: (_context, target) => target,
        enable: () => context as never,
        disable: () => context as never,
      });
      assert.deepEqual(await run(), { causes: [thrown], calls: 1, results: 1 });
    }
  });

  test("a registry that is not what it should be counts as none", (t) => {
    const registry = globalThis as { [name: symbol]: unknown };
    const name = Symbol.for("opentelemetry.js.api.1");
    const before = registry[name];
    t.cleanup(() => {
      if (before === undefined) delete registry[name];
      else registry[name] = before;
    });
    const throwing = {
      get trace() {
        throw new Error("no");
      },
    };
    for (const value of [undefined, {}, { version: "1.9.0" }, throwing, { trace: {}, context: {} }]) {
      registry[name] = value;
      assert.strictEqual(startTracing({}, { onDiagnostic: () => {} }), NO_TRACING);
    }
  });
});
