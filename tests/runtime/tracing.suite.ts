/** The trace that a child process becomes part of. Needs a runtime with `AsyncLocalStorage` and processes. */

import { context, propagation, trace } from "@opentelemetry/api";
import { assert } from "chai";
import { env as hostEnv } from "node:process";
import { type Options, query } from "../../mod.ts";
import { scriptedCli, step } from "../../src/testing/mod.ts";
import { registerOpenTelemetry, within } from "../harness/open_telemetry.ts";
import { suite } from "../harness/suite.ts";

const STALE = { TRACEPARENT: `00-${"a".repeat(32)}-${"b".repeat(16)}-01`, TRACESTATE: "stale=1" };

/** The part of an environment that is about traces. */
function traceOf(env: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => /^(TRACE(PARENT|STATE)|BAGGAGE)$/.test(name)));
}

export default suite("tracing, the child's environment", (test) => {
  test("C10 C11 C12 C13: the child joins the trace of the query, and keeps what it should", async (t) => {
    const cli = await scriptedCli([step.initialize(), step.turn("x")]).program();
    t.cleanup(() => cli.close());
    t.cleanup(() => {
      for (const name of Object.keys(STALE)) delete hostEnv[name];
    });
    Object.assign(hostEnv, STALE);
    const start = async (options: Options = {}): Promise<Record<string, string>> => {
      const running = query({ prompt: "x", options: { pathToClaudeCodeExecutable: cli.executable, ...options } });
      for await (const message of running) void message;
      return traceOf((await cli.runs()).at(-1)!.env);
    };
    assert.deepEqual(await start(), STALE); // nothing registered

    const traces = registerOpenTelemetry(t);
    const joined = await within(traces, "app", async () => {
      const baggage = propagation.createBaggage({ user: { value: "one" } });
      return await context.with(propagation.setBaggage(context.active(), baggage), () => start());
    });
    const own = traces.span("invoke_agent").spanContext();
    assert.strictEqual(own.traceId, traces.span("app").spanContext().traceId);
    assert.deepEqual(joined, { TRACEPARENT: `00-${own.traceId}-${own.spanId}-01`, BAGGAGE: "user=one" });

    assert.deepEqual(await start(), STALE); // no span was active
    const begun = await start({ env: { PATH: hostEnv.PATH } });
    assert.match(begun.TRACEPARENT!, /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    assert.notStrictEqual(begun.TRACEPARENT, STALE.TRACEPARENT);

    const given = { TRACEPARENT: `00-${"c".repeat(32)}-${"d".repeat(16)}-01` };
    const kept = await within(traces, "another", () => start({ env: { PATH: hostEnv.PATH, ...given } }));
    assert.deepEqual(kept, given);

    // A propagator alone: the span that is active is handed on as it is.
    trace.disable();
    const parent = { traceId: "e".repeat(32), spanId: "f".repeat(16), traceFlags: 1 };
    const handed = await context.with(trace.setSpanContext(context.active(), parent), () => start());
    assert.deepEqual(handed, { TRACEPARENT: `00-${parent.traceId}-${parent.spanId}-01` });
    await cli.verify();
  });
});
