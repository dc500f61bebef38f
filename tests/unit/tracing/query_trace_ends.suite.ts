/** Every span comes to its end, whichever way a query ends, and says how. */

import { SpanStatusCode } from "@opentelemetry/api";
import { assert } from "chai";
import { type Options, query } from "../../../mod.ts";
import { type CliScript, frame, type JsonObject, scriptedCli, step } from "../../../src/testing/mod.ts";
import { registerOpenTelemetry, type Traces } from "../../harness/open_telemetry.ts";
import { rejection } from "../../harness/rejects.ts";
import { suite } from "../../harness/suite.ts";
import { until } from "../../harness/until.ts";

const CHAT = "chat claude-opus-5-5";

const use = (id: string, name: string): JsonObject => ({ type: "tool_use", id, name, input: {} });
const preToolUse: JsonObject = {
  subtype: "hook_callback",
  callback_id: "hook_0",
  tool_use_id: "t1",
  input: { hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: {}, tool_use_id: "t1" },
};
const canUseTool: JsonObject = { subtype: "can_use_tool", tool_name: "Bash", input: {}, tool_use_id: "t1" };

function start(script: CliScript, options: Options = {}) {
  const transport = scriptedCli(script).transport();
  return query({ prompt: "secret-prompt", options: { ...options, tether: { transport, ...options.tether } } });
}

const drain = async (running: AsyncIterable<unknown>): Promise<void> => {
  for await (const message of running) void message;
};

/** How the span of a query ended, and with what error. */
function ending(traces: Traces): readonly [how: unknown, error: unknown, events: string[]] {
  assert.strictEqual(traces.open.size, 0, [...traces.open].join());
  const { attributes, status, events } = traces.span("invoke_agent");
  assert.strictEqual(status.code === SpanStatusCode.ERROR, attributes["error.type"] !== undefined);
  return [attributes["tether.query.end"], attributes["error.type"], events.map(({ name }) => name)];
}

export default suite("tracing, ends", (test) => {
  test("a consumer that has enough is no error; what still runs ends with the query", async (t) => {
    const traces = registerOpenTelemetry(t);
    const running = start([
      step.begin(),
      step.assistant(use("t1", "Bash")),
      step.ask(canUseTool, { as: "open" }),
      step.answered("open"),
    ], { canUseTool: () => new Promise(() => {}) });
    await running.next();
    await running.next();
    await until(() => traces.open.has("permission Bash"));
    await running.close();
    assert.deepEqual(ending(traces), ["closed", undefined, []]);
    assert.deepEqual(traces.tree("invoke_agent"), [
      "invoke_agent",
      `  ${CHAT}`,
      "    execute_tool Bash",
      "      permission Bash",
    ]);
    assert.strictEqual(traces.span("permission Bash").attributes["tether.cancelled"], true);
  });

  test("an abort is told as one, without its reason", async (t) => {
    const traces = registerOpenTelemetry(t);
    const abortController = new AbortController();
    const running = start([step.begin(), step.hang()], { abortController, tether: { timeouts: { graceMs: 20 } } });
    await running.next();
    abortController.abort(new Error("secret-reason"));
    assert.strictEqual((await rejection(drain(running)) as Error).message, "secret-reason");
    assert.deepEqual(ending(traces), ["aborted", undefined, []]);
  });

  test("a query that never came to run has a span as well", async (t) => {
    const traces = registerOpenTelemetry(t);
    const abortController = new AbortController();
    abortController.abort();
    await rejection(drain(start([step.turn("x")], { abortController })));
    assert.deepEqual(ending(traces), ["aborted", undefined, []]);
  });

  test("the error a query ends with is recorded by its code, not by what the CLI said", async (t) => {
    const traces = registerOpenTelemetry(t);
    await rejection(drain(start([step.begin(), step.stderr("secret-stderr\n"), step.exit(3)])));
    assert.deepEqual(ending(traces), ["failed", "process_failed", ["exception"]]);
    const [exception] = traces.span("invoke_agent").events;
    assert.deepEqual(exception?.attributes, {
      "exception.type": "ProcessError",
      "exception.message": "process_failed",
    });
    assert.strictEqual(traces.span(CHAT).status.code, SpanStatusCode.UNSET);
  });

  test("an error result is the turn's, and the query's if the CLI leaves with it", async (t) => {
    const traces = registerOpenTelemetry(t);
    await rejection(drain(start([
      step.begin(),
      step.finish({ result: frame.errorResult(["secret-text"], { subtype: "error_max_turns" }) }),
      step.exit(1),
    ])));
    assert.deepEqual(ending(traces), ["failed", "error_result", ["exception"]]);
    const turn = traces.span(CHAT);
    assert.strictEqual(turn.attributes["error.type"], "error_max_turns");
    assert.deepEqual(turn.status, { code: SpanStatusCode.ERROR, message: "error_max_turns" });
    assert.notInclude(JSON.stringify(traces.ended.map(({ attributes, events }) => [attributes, events])), "secret");
  });

  test("a failure of the service is known by its status", async (t) => {
    const traces = registerOpenTelemetry(t);
    const failed = frame.result("API Error", { is_error: true, api_error_status: 529 });
    await rejection(drain(start([step.begin(), step.finish({ result: failed })])));
    assert.strictEqual(traces.span(CHAT).attributes["error.type"], "529");
    assert.deepEqual(ending(traces), ["failed", "error_result", ["exception"]]);
  });

  test("a callback that fails is an error of its own span alone", async (t) => {
    const traces = registerOpenTelemetry(t);
    await drain(start([
      step.begin(),
      step.assistant(use("t1", "Bash")),
      step.ask(preToolUse, { as: "hook" }),
      step.answered("hook"),
      step.ask(canUseTool, { as: "permission" }),
      step.answered("permission"),
      step.toolResult("t1", "no", {
        message: {
          role: "user",
          content: [{ type: "tool_result", tool_use_id: "t1", content: "secret", is_error: true }],
        },
      }),
      step.finish(),
    ], {
      hooks: { PreToolUse: [{ hooks: [() => Promise.reject(new RangeError("thrown by the hook"))] }] },
      canUseTool: () => {
        throw new TypeError("thrown by the callback");
      },
    }));
    for (const [name, type] of [["hook PreToolUse", "RangeError"], ["permission Bash", "TypeError"]] as const) {
      const { attributes, events, status } = traces.span(name);
      assert.strictEqual(attributes["error.type"], type);
      assert.strictEqual(status.code, SpanStatusCode.ERROR);
      assert.strictEqual(events[0]?.attributes?.["exception.type"], type);
    }
    assert.strictEqual(traces.span("execute_tool Bash").attributes["error.type"], "tool_error");
    assert.deepEqual(ending(traces), ["completed", undefined, []]);
  });

  test("a call that has no result by the end of its turn ends with the turn", async (t) => {
    const traces = registerOpenTelemetry(t);
    const running = start([
      step.begin(),
      step.assistant(use("t1", "Bash")),
      step.finish({ idle: false }),
      step.begin({}, {}),
      step.hang(),
    ]);
    for await (const message of running) if (message.type === "result") break;
    assert.strictEqual(traces.span("execute_tool Bash").attributes["gen_ai.tool.call.id"], "t1");
    await running.close();
    assert.strictEqual(ending(traces)[0], "closed");
  });

  test("a question that cannot be read is a failure, and over at once", async (t) => {
    const traces = registerOpenTelemetry(t);
    let isOpen: boolean | undefined;
    const running = start([
      step.begin(),
      step.ask({ subtype: "can_use_tool", tool_name: "Bash", tool_use_id: "t1" }),
      step.run(() => {
        isOpen = traces.open.has("permission Bash");
      }),
      step.finish(),
    ], { canUseTool: () => Promise.resolve({ behavior: "allow" }) });
    await drain(running);
    assert.isFalse(isOpen);
    assert.strictEqual(traces.span("permission Bash").attributes["error.type"], "TypeError");
  });

  test("a question that is left open ends with its answer, or when it is taken back", async (t) => {
    const traces = registerOpenTelemetry(t);
    const asked: string[] = [];
    const running = start([
      step.begin(),
      step.ask(canUseTool, { as: "first" }),
      step.answered("first"),
      step.ask({ ...canUseTool, tool_name: "Write", tool_use_id: "t2" }, { as: "second" }),
      step.cancel("second"),
      step.finish(),
    ], {
      canUseTool: (_name, _input, { requestId }) => {
        asked.push(requestId);
        return Promise.resolve(null);
      },
    });
    const drained = drain(running);
    await until(() => asked.length === 1);
    assert.isTrue(traces.open.has("permission Bash"));
    await running.answerPermission(asked[0]!, { behavior: "deny", message: "no" });
    await drained;
    assert.strictEqual(traces.span("permission Bash").attributes["tether.permission.behavior"], "deny");
    assert.deepInclude(traces.span("permission Write").attributes, { "tether.cancelled": true });
    assert.deepEqual(ending(traces), ["completed", undefined, []]);
  });
});
