/** What the guide says of the scripted model and of callbacks under test, against the real CLI. */
import { assert } from "chai";
import { createSdkMcpServer, type HookCallback, type HookEvent, type Options, query, tool } from "../../mod.ts";
import {
  block,
  type ErrorTurnOptions,
  expectRequest,
  type JsonObject,
  type ScriptedModel,
  scriptedModel,
  ScriptError,
  type ScriptLines,
  testCallbacks,
  turn,
} from "../../src/testing/mod.ts";
import { suite, type TestContext } from "../harness/suite.ts";
import { cliEnvFor, type CliRun, makeCliHome, pinnedCli, startCli, type StartOptions } from "./real_cli.ts";

async function scene(
  t: TestContext,
  script: ScriptLines,
  options?: StartOptions,
): Promise<{ readonly model: ScriptedModel; readonly cli: CliRun }> {
  const model = await scriptedModel(script);
  t.cleanup(() => model.close());
  return { model, cli: await startCli(t, model, options) };
}

/** What an HTTP error comes to: requests in all with one retry allowed, and what the CLI says. */
interface ErrorRow {
  readonly status: number;
  readonly options?: ErrorTurnOptions;
  readonly requests: number;
  readonly error: string;
  readonly reason: string;
}

const ERRORS: readonly ErrorRow[] = [
  { status: 400, requests: 6, error: "unknown", reason: "api_error" },
  {
    status: 400,
    options: { message: "prompt is too long: 210000 tokens > 200000 maximum" },
    requests: 1,
    error: "invalid_request",
    reason: "prompt_too_long",
  },
  { status: 401, requests: 2, error: "authentication_failed", reason: "api_error" },
  { status: 403, requests: 1, error: "authentication_failed", reason: "api_error" },
  { status: 403, options: { retry: true }, requests: 2, error: "authentication_failed", reason: "api_error" },
  { status: 404, requests: 2, error: "model_not_found", reason: "api_error" },
  { status: 413, requests: 1, error: "invalid_request", reason: "image_error" },
  { status: 422, requests: 6, error: "unknown", reason: "api_error" },
  { status: 429, requests: 2, error: "rate_limit", reason: "api_error" },
  { status: 500, requests: 2, error: "server_error", reason: "api_error" },
  { status: 529, requests: 2, error: "server_error", reason: "api_error" },
  { status: 529, options: { retry: false }, requests: 1, error: "server_error", reason: "api_error" },
];

/** In a CLI of its own: what one run has learned of its model it would not ask the next time. */
async function checkError(t: TestContext, { status, options = {}, ...row }: ErrorRow): Promise<void> {
  const { model, cli } = await scene(t, [turn.repeat(Infinity, turn.error(status, options))], {
    env: { CLAUDE_CODE_MAX_RETRIES: "1" },
  });
  cli.prompt("go");
  const result = await cli.result();
  const { error } = cli.frames.find((frame) => frame.type === "assistant") ?? {};
  const got = { requests: model.requests.length, error, reason: result.terminal_reason };
  assert.deepEqual(got as unknown, row, `${status} ${JSON.stringify(options)}`);
  assert.deepInclude(result, { is_error: true, subtype: "success", api_error_status: status });
  await cli.end();
}

/** A CLI takes half a second to start, and many times that on a machine that is busy with other suites. */
const PATIENT = { timeoutMs: 60_000 };

export default suite("testing kit on the real CLI", (declare) => {
  const test = (name: string, run: (t: TestContext) => Promise<void>): void => declare(name, run, PATIENT);

  test("what the CLI makes of HTTP errors is what the guide says", async (t) => {
    const waiting = [...ERRORS];
    const lane = async (): Promise<void> => {
      for (let row = waiting.shift(); row !== undefined; row = waiting.shift()) await checkError(t, row);
    };
    await Promise.all([lane(), lane(), lane()]);
  });

  test("an overloaded stream is asked for again without streaming", async (t) => {
    const { model, cli } = await scene(t, [
      turn.text("one two", { chunkChars: 4, errorAfter: { after: 1 } }),
      turn.text("whole"),
    ]);
    cli.prompt("go");
    assert.strictEqual((await cli.result()).result, "whole");
    assert.deepEqual(model.requests.map(({ stream }) => stream), [true, false]);
    model.verify();
  });

  test("reasons to stop: a full window is continued, a pause is an end, thinking alone is not enough", async (t) => {
    const { model, cli } = await scene(t, [
      turn.contextWindowExceeded("first half"),
      turn.text("second half"),
      turn.pauseTurn([block.text("one moment")]),
      turn.blocks([block.thinking("hm", "c2ln"), block.redactedThinking("c2VjcmV0")]),
      turn.text("seen"),
    ]);
    cli.prompt("one");
    assert.strictEqual((await cli.result(1)).result, "second half");
    cli.prompt("two");
    assert.deepInclude(await cli.result(2), { result: "one moment", stop_reason: "pause_turn", is_error: false });
    cli.prompt("three");
    assert.strictEqual((await cli.result(3)).result, "seen");
    const thought = cli.frames.filter((frame) => frame.type === "assistant")
      .flatMap((frame) => (frame.message as { content: JsonObject[] }).content);
    assert.deepInclude(thought, { type: "thinking", thinking: "hm", signature: "c2ln" });
    assert.deepInclude(thought, { type: "redacted_thinking", data: "c2VjcmV0" });
    model.verify();
  });

  test("usage is added up, and costs follow", async (t) => {
    const usage = {
      inputTokens: 1000,
      outputTokens: 2000,
      cacheReadInputTokens: 3000,
      cacheCreationInputTokens: 4000,
      cacheCreation1hInputTokens: 1000,
      webSearchRequests: 2,
    };
    const { cli } = await scene(t, [
      turn.text("x", { usage }),
      turn.text("y", { usage: { inputTokens: 0, outputTokens: 1 } }),
    ]);
    cli.prompt("go");
    const first = await cli.result(1);
    assert.deepInclude(first.usage as JsonObject, {
      input_tokens: 1000,
      output_tokens: 2000,
      cache_read_input_tokens: 3000,
      cache_creation_input_tokens: 4000,
    });
    const [model] = Object.values(first.modelUsage as Record<string, JsonObject>);
    assert.deepInclude(model!, {
      inputTokens: 1000,
      outputTokens: 2000,
      cacheReadInputTokens: 3000,
      cacheCreationInputTokens: 4000,
      cacheCreationEphemeral1hInputTokens: 1000,
      cacheCreationEphemeral5mInputTokens: 3000,
      webSearchRequests: 2,
    });
    cli.prompt("again");
    const second = await cli.result(2);
    assert.isAbove(Number(first.total_cost_usd), 0.04);
    assert.isAbove(Number(second.total_cost_usd), Number(first.total_cost_usd));
  });

  test("a request that is not as its line expects fails the turn with both sides, and the verdict", async (t) => {
    const { model, cli } = await scene(t, [
      turn.expect(
        { prompt: "go", tools: { includes: ["Bash"] }, stream: true },
        turn.toolUse("Bash", { command: "echo hi" }),
      ),
      turn.expect({ toolResults: { Bash: "ho" } }, turn.text("never said")),
    ]);
    cli.prompt("go");
    const result = await cli.result();
    assert.isTrue(result.is_error);
    assert.include(String(result.result), 'result of Bash: expected "ho", got "hi"');
    assert.lengthOf(model.requests, 2, "it is not tried again");
    assert.throws(() => model.verify(), ScriptError, 'expected "ho", got "hi"');
    expectRequest(model.requests[1], { toolResults: { Bash: "hi", toolu_scripted_1: { isError: false } } });
    expectRequest(model.requests[0], { model: /^claude-/, subagent: false, betas: { excludes: ["none-such"] } });
  });

  test("callbacks under test are asked what the CLI asks: the same fields, the same matchers, the same order", async (t) => {
    const folders = await makeCliHome(t);
    const model = await scriptedModel([
      turn.blocks([
        block.toolUse("Bash", { command: "echo hello", description: "says hello" }),
        block.toolUse("mcp__calc__zero", {}),
      ]),
      turn.text("That is done."),
    ]);
    t.cleanup(() => model.close());
    const real = recorder();
    const messages: unknown[] = [];
    for await (
      const message of query({
        prompt: "Hello.",
        options: {
          ...real.options,
          pathToClaudeCodeExecutable: pinnedCli().path,
          cwd: folders.cwd,
          env: cliEnvFor(model, folders),
        },
      })
    ) messages.push(message.type);
    assert.include(messages, "result");
    const double = recorder();
    const tested = await testCallbacks({ ...double.options, cwd: folders.cwd });
    t.cleanup(() => tested.close());
    await tested.hook("UserPromptSubmit");
    await tested.hook("PreToolUse");
    await tested.hook("PreToolUse", { tool_name: "mcp__calc__zero" });
    await tested.permission("mcp__calc__zero");
    await tested.hook("PermissionRequest", { tool_name: "mcp__calc__zero" });
    await tested.hook("PostToolUse");
    await tested.hook("PostToolBatch");
    await tested.hook("MessageDisplay");
    await tested.hook("Stop");
    for (const what of Object.keys(double.seen)) {
      assert.deepEqual(double.seen[what]?.fields, real.seen[what]?.fields, what);
      assert.deepEqual(double.seen[what]?.matchers, real.seen[what]?.matchers, what);
    }
    assert.deepEqual(Object.keys(double.seen).sort(), Object.keys(real.seen).sort());
  });
});

interface Seen {
  /** The names of the fields of the input. */
  readonly fields: string[];
  /** The matchers that fired, in order. */
  readonly matchers: string[];
}

/** Options that note what they are asked. */
function recorder(): { readonly seen: Record<string, Seen>; readonly options: Options } {
  const seen: Record<string, Seen> = {};
  const note = (what: string, input: object, matcher: string): void => {
    const entry = seen[what] ??= { fields: Object.keys(input).sort(), matchers: [] };
    entry.matchers.push(matcher);
  };
  const matchers = ["", "Bash", "bash", "as.", "Read|Bash", "mcp__calc__.*", "mcp__calc", "nobody"];
  const hooks = (event: HookEvent) =>
    matchers.map((matcher) => {
      const callback: HookCallback = (input) => {
        const { tool_name: tool } = input as { tool_name?: string };
        note(tool === undefined ? event : `${event} ${tool}`, input, matcher);
        return Promise.resolve({});
      };
      return { matcher, hooks: [callback] };
    });
  const events: HookEvent[] = [
    "UserPromptSubmit",
    "PreToolUse",
    "PermissionRequest",
    "PostToolBatch",
    "MessageDisplay",
    "Stop",
  ];
  const calc = createSdkMcpServer({
    name: "calc",
    tools: [tool("zero", "Says zero", {}, () => ({ content: [{ type: "text", text: "0" }] }))],
  });
  return {
    seen,
    options: {
      mcpServers: { calc },
      hooks: {
        ...Object.fromEntries(events.map((event) => [event, hooks(event)])),
        PostToolUse: hooks("PostToolUse").map(({ matcher, hooks: list }) => ({
          matcher,
          // The call of the server ends in an answer of another form.
          hooks: list.map((callback): HookCallback => (input, ...rest) =>
            (input as { tool_name: string }).tool_name === "Bash" ? callback(input, ...rest) : Promise.resolve({})
          ),
        })),
      },
      canUseTool: (name, _input, context) => {
        note(`canUseTool ${name}`, { ...context.mcpServer }, "");
        return Promise.resolve({ behavior: "allow" });
      },
    },
  };
}
