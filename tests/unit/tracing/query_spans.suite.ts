/** What a query leaves in a trace: spans, how they stand to each other, and what they say. */

import { trace } from "@opentelemetry/api";
import { assert } from "chai";
import { createSdkMcpServer, type Options, query, type SDKMessage, tool } from "../../../mod.ts";
import { type CliScript, frame, type JsonObject, scriptedCli, step } from "../../../src/testing/mod.ts";
import { registerOpenTelemetry, type Traces, within } from "../../harness/open_telemetry.ts";
import { suite } from "../../harness/suite.ts";

const MODEL = "claude-opus-5-5";

const use = (id: string, name: string, input: JsonObject = {}): JsonObject => ({ type: "tool_use", id, name, input });

const hookCall = (event: string, id: string, name = "Bash", more: JsonObject = {}): JsonObject => ({
  subtype: "hook_callback",
  callback_id: "hook_0",
  tool_use_id: id,
  input: {
    hook_event_name: event,
    tool_name: name,
    tool_input: {},
    tool_use_id: id,
    session_id: "s",
    cwd: "/",
    ...more,
  },
});

const permission = (id: string, name = "Bash", more: JsonObject = {}): JsonObject => (
  { subtype: "can_use_tool", tool_name: name, input: { command: "secret-input" }, tool_use_id: id, ...more }
);

async function run(script: CliScript, options: Options = {}): Promise<SDKMessage[]> {
  const transport = scriptedCli(script).transport();
  const messages: SDKMessage[] = [];
  for await (const message of query({ prompt: "secret-prompt", options: { ...options, tether: { transport } } })) {
    messages.push(message);
  }
  transport.verify();
  return messages;
}

/** Everything that a trace says, in one text. */
const words = ({ ended }: Traces): string =>
  JSON.stringify(ended.map(({ name, attributes, events, status }) => ({ name, attributes, events, status })));

export default suite("tracing, spans", (test) => {
  test("a query stands below what was active, its turn below it, and what is asked about a tool below the tool", async (t) => {
    const traces = registerOpenTelemetry(t);
    const allow = { behavior: "allow" as const, updatedInput: {} };
    await within(traces, "app", () =>
      run([
        step.begin(undefined, { session_id: "the-session" }),
        step.assistant("secret-text", use("t1", "Bash", { command: "secret-input" })),
        step.ask(hookCall("PreToolUse", "t1"), { as: "hook" }),
        step.answered("hook"),
        step.ask(permission("t1"), { as: "permission" }),
        step.answered("permission"),
        step.toolResult("t1", "secret-output"),
        step.assistant("secret-text"),
        step.finish({
          fields: {
            session_id: "the-session",
            num_turns: 2,
            total_cost_usd: 0.5,
            usage: {
              input_tokens: 10,
              output_tokens: 20,
              cache_read_input_tokens: 5,
              cache_creation_input_tokens: 3,
            },
          },
        }),
      ], {
        agent: "reviewer",
        model: "opus",
        hooks: { PreToolUse: [{ hooks: [() => Promise.resolve({})] }] },
        canUseTool: () => Promise.resolve(allow),
      }));
    assert.deepEqual(traces.tree("app"), [
      "app",
      "  invoke_agent reviewer",
      `    chat ${MODEL}`,
      "      execute_tool Bash",
      "        hook PreToolUse",
      "        permission Bash",
    ]);
    assert.strictEqual(traces.open.size, 0);
    const usage = {
      "gen_ai.usage.input_tokens": 18,
      "gen_ai.usage.output_tokens": 20,
      "gen_ai.usage.cache_read.input_tokens": 5,
      "gen_ai.usage.cache_creation.input_tokens": 3,
    };
    assert.deepEqual(traces.span("invoke_agent reviewer").attributes, {
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.provider.name": "anthropic",
      "gen_ai.agent.name": "reviewer",
      "gen_ai.request.model": "opus",
      "gen_ai.conversation.id": "the-session",
      ...usage,
      "tether.query.end": "completed",
    });
    assert.deepEqual(traces.span(`chat ${MODEL}`).attributes, {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "anthropic",
      "gen_ai.request.model": MODEL,
      "gen_ai.response.model": MODEL,
      "gen_ai.response.finish_reasons": ["end_turn"],
      "gen_ai.conversation.id": "the-session",
      ...usage,
      "tether.result": "success",
      "tether.turn.requests": 2,
      "tether.cost_usd": 0.5,
    });
    const about = { "gen_ai.tool.name": "Bash", "gen_ai.tool.call.id": "t1" };
    assert.deepEqual(traces.span("execute_tool Bash").attributes, {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.type": "function",
      ...about,
    });
    assert.deepEqual(traces.span("hook PreToolUse").attributes, { "tether.hook.event": "PreToolUse", ...about });
    assert.deepEqual(traces.span("permission Bash").attributes, { "tether.permission.behavior": "allow", ...about });
    assert.notInclude(words(traces), "secret");
    assert.isTrue(traces.ended.every(({ status }) => status.code === 0));
  });

  test("what a callback or a tool of this program traces stands below its own span", async (t) => {
    const traces = registerOpenTelemetry(t);
    const inner = (name: string) => within(traces, name, () => Promise.resolve());
    const call = {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "add", arguments: {}, _meta: { "claudecode/toolUseId": "t1" } },
    };
    await run([
      step.begin(),
      step.assistant(use("t1", "mcp__mine__add")),
      step.ask(hookCall("PreToolUse", "t1", "mcp__mine__add"), { as: "hook" }),
      step.answered("hook"),
      step.ask(permission("t1", "mcp__mine__add"), { as: "permission" }),
      step.answered("permission"),
      step.ask({ subtype: "mcp_message", server_name: "mine", message: call }, { as: "call" }),
      step.answered("call"),
      step.toolResult("t1", "3"),
      step.finish(),
    ], {
      hooks: { PreToolUse: [{ hooks: [() => inner("in the hook")] }] },
      canUseTool: async () => {
        await inner("in the permission");
        return { behavior: "allow" };
      },
      mcpServers: {
        mine: createSdkMcpServer({
          name: "mine",
          tools: [tool("add", "…", {}, async () => {
            await inner("in the tool");
            return { content: [] };
          })],
        }),
      },
    });
    assert.deepEqual(traces.tree("invoke_agent"), [
      "invoke_agent",
      `  chat ${MODEL}`,
      "    execute_tool mcp__mine__add",
      "      hook PreToolUse",
      "        in the hook",
      "      permission mcp__mine__add",
      "        in the permission",
      "      in the tool",
    ]);
  });

  test("what a subagent calls stands below the call that started it, known by messages or by its id", async (t) => {
    const traces = registerOpenTelemetry(t);
    await run([
      step.begin(),
      step.assistant(use("a1", "Agent")),
      step.emit(
        frame.taskStarted("agent-1", { tool_use_id: "a1", is_backgrounded: false }),
        frame.assistant(use("t1", "Read"), { parent_tool_use_id: "a1" }),
        frame.toolResult("t1", "x", { parent_tool_use_id: "a1" }),
      ),
      step.ask(permission("t2", "Write", { agent_id: "agent-1" }), { as: "permission" }),
      step.answered("permission"),
      step.emit(
        frame.assistant(use("t2", "Write"), { parent_tool_use_id: "a1" }),
        frame.toolResult("t2", "x", { parent_tool_use_id: "a1" }),
        frame.toolResult("a1", "done"),
      ),
      step.finish(),
    ], { canUseTool: () => Promise.resolve({ behavior: "deny", message: "no" }) });
    assert.deepEqual(traces.tree("invoke_agent"), [
      "invoke_agent",
      `  chat ${MODEL}`,
      "    execute_tool Agent",
      "      execute_tool Read",
      "      execute_tool Write",
      "        permission Write",
    ]);
    assert.strictEqual(traces.span("permission Write").attributes["tether.permission.behavior"], "deny");
  });

  test("a subagent in the background: its calls stand below the call that started it, and outlast the turn", async (t) => {
    const traces = registerOpenTelemetry(t);
    let isOpen: boolean | undefined;
    await run([
      step.begin(),
      step.assistant(use("a1", "Agent")),
      step.emit(
        frame.taskStarted("agent-1", { tool_use_id: "a1", is_backgrounded: true }),
        frame.toolResult("a1", "launched"),
      ),
      step.ask(permission("t1", "Write", { agent_id: "agent-1" })),
      step.finish({ idle: false }),
      step.ask(permission("t2", "Read", { agent_id: "agent-1" })),
      step.run(() => {
        isOpen = traces.open.has("execute_tool Write");
      }),
      step.emit(
        frame.assistant(use("t3", "Grep"), { parent_tool_use_id: "a1" }),
        frame.toolResult("t1", "no", { parent_tool_use_id: "a1", is_error: true }),
        { type: "system", subtype: "task_notification", task_id: "agent-1", tool_use_id: "a1", status: "completed" },
      ),
      step.emit({ type: "system", subtype: "session_state_changed", state: "idle" }),
    ], { canUseTool: () => Promise.resolve({ behavior: "deny", message: "no" }) });
    assert.isTrue(isOpen);
    assert.deepEqual(traces.tree("invoke_agent"), [
      "invoke_agent",
      `  chat ${MODEL}`,
      "    execute_tool Agent",
      "      execute_tool Write",
      "        permission Write",
      "      execute_tool Read",
      "        permission Read",
      "      execute_tool Grep",
    ]);
    assert.deepEqual([...traces.open], []);
  });

  test("each turn has a span of its own, and the query counts the tokens of all", async (t) => {
    const traces = registerOpenTelemetry(t);
    const usage = { input_tokens: 1, output_tokens: 2, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
    const transport = scriptedCli([
      step.turn("one", { init: { model: "first" }, result: { usage } }),
      step.turn("two", { init: { model: "second" }, result: { usage } }),
    ]).transport();
    async function* prompts() {
      await Promise.resolve();
      for (const content of ["a", "b"]) yield { type: "user" as const, message: { role: "user" as const, content } };
    }
    for await (const message of query({ prompt: prompts(), options: { tether: { transport } } })) void message;
    assert.deepEqual(traces.tree("invoke_agent"), ["invoke_agent", "  chat first", "  chat second"]);
    assert.strictEqual(traces.span("invoke_agent").attributes["gen_ai.usage.output_tokens"], 4);
    assert.strictEqual(traces.span("chat first").attributes["gen_ai.usage.output_tokens"], 2);
  });

  test("a tool runs from when the model asked for it to when it had a result, however late that is taken", async (t) => {
    const traces = registerOpenTelemetry(t);
    const transport = scriptedCli([
      step.begin(),
      step.emit(
        frame.assistant(use("t1", "Bash"), { timestamp: "2026-01-01T00:00:01.000Z" }),
        frame.toolResult("t1", "x", { timestamp: "2026-01-01T00:00:03.500Z" }),
        frame.assistant(use("t2", "Read"), { timestamp: "never" }),
        frame.toolResult("t2", "x", { timestamp: "2999-01-01T00:00:00Z" }),
      ),
      step.finish(),
    ]).transport();
    const before = Date.now();
    for await (const message of query({ prompt: "x", options: { tether: { transport } } })) void message;
    const bash = traces.span("execute_tool Bash");
    assert.deepEqual(bash.startTime, [Date.UTC(2026, 0, 1, 0, 0, 1) / 1000, 0]);
    assert.deepEqual(bash.duration, [2, 500_000_000]);
    const read = traces.span("execute_tool Read");
    // Where no time is told, or one that cannot be, it is that of hearing of it.
    assert.isAtLeast(read.startTime[0] * 1000 + 1000, before);
    assert.isBelow(read.duration[0], 3600);
  });

  test("queries side by side do not mix, and one that is asked for outside of a span begins a trace", async (t) => {
    const traces = registerOpenTelemetry(t);
    const one = (name: string) => run([step.turn("x")], { agent: name });
    await Promise.all([
      within(traces, "left", () => one("a")),
      within(traces, "right", () => one("b")),
      one("c"),
    ]);
    assert.deepEqual(traces.tree("left"), ["left", "  invoke_agent a", `    chat ${MODEL}`]);
    assert.deepEqual(traces.tree("right"), ["right", "  invoke_agent b", `    chat ${MODEL}`]);
    assert.isUndefined(traces.span("invoke_agent c").parentSpanContext);
  });

  test("the trace is the one in which the query was asked for, wherever its messages are taken", async (t) => {
    const traces = registerOpenTelemetry(t);
    const transport = scriptedCli([step.turn("x")]).transport();
    const running = traces.tracer.startActiveSpan("asked here", (span) => {
      span.end();
      return query({ prompt: "x", options: { tether: { transport } } });
    });
    await within(traces, "taken here", async () => {
      for await (const message of running) void message;
    });
    assert.deepEqual(traces.tree("asked here"), ["asked here", "  invoke_agent", `    chat ${MODEL}`]);
    assert.deepEqual(traces.tree("taken here"), ["taken here"]);
    assert.isUndefined(trace.getActiveSpan());
  });
});
