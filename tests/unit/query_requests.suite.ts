/** What can be asked of a query, on a double of the CLI in memory: the words on the wire, the answers, and the edges. */
import { assert } from "chai";
import {
  AbortError,
  ControlRequestError,
  createSdkMcpServer,
  OptionError,
  type Options,
  type PermissionResult,
  type Query,
  query,
  type SDKUserMessage,
  tool,
} from "../../mod.ts";
import { Launch } from "../../src/client/launch.ts";
import { RunningQuery } from "../../src/client/query.ts";
import {
  type CliScript,
  type CliStage,
  frame,
  type JsonObject,
  scriptedCli,
  type ScriptedCliTransport,
  step,
} from "../../src/testing/mod.ts";
import { Mailbox } from "../harness/mailbox.ts";
import { rejection, rejectsWith } from "../harness/rejects.ts";
import { suite, type TestContext } from "../harness/suite.ts";
import { until } from "../harness/until.ts";

interface Scene {
  readonly query: Query;
  readonly cli: ScriptedCliTransport;
  readonly prompt: Mailbox<SDKUserMessage>;
}

function play(
  t: TestContext,
  script: CliScript,
  options: Options = {},
  answers: Record<string, JsonObject> = {},
): Scene {
  const cli = scriptedCli(script, { answers }).transport();
  const prompt = new Mailbox<SDKUserMessage>();
  const running = query({ prompt, options: { ...options, tether: { transport: cli, ...options.tether } } });
  t.cleanup(() => running.close());
  return { query: running, cli, prompt };
}

/** The control requests that the CLI got after `initialize`. */
function asked(cli: ScriptedCliTransport): JsonObject[] {
  return cli.received.filter(({ type }) => type === "control_request").map(({ request }) => request as JsonObject)
    .filter(({ subtype }) => subtype !== "initialize");
}

/** One call: what goes out, what comes back, and what the caller gets of it. */
interface Call {
  readonly name: string;
  readonly call: (query: Query) => Promise<unknown>;
  readonly sent: JsonObject;
  /** The payload; undefined for an answer without. */
  readonly payload?: JsonObject;
  /** What the call resolves to. Default: the payload. */
  readonly gives?: unknown;
  /** What it resolves to if the answer has no payload. */
  readonly givesWithout: unknown;
}

const PLUGIN = { type: "local", path: "/p" } as const;

const CALLS: readonly Call[] = [
  {
    name: "interrupt",
    call: (q) => q.interrupt(),
    sent: { subtype: "interrupt" },
    payload: { still_queued: ["u"] },
    givesWithout: undefined,
  },
  {
    name: "interrupt and drop",
    call: (q) => q.interrupt({ cancelQueued: true }),
    sent: { subtype: "interrupt", cancel_queued: true },
    payload: { still_queued: [], cancelled: ["u"] },
    givesWithout: undefined,
  },
  {
    name: "setPermissionMode",
    call: (q) => q.setPermissionMode("plan"),
    sent: { subtype: "set_permission_mode", mode: "plan" },
    payload: { mode: "auto" },
    givesWithout: { mode: "plan" },
  },
  {
    name: "setModel",
    call: (q) => q.setModel("m"),
    sent: { subtype: "set_model", model: "m" },
    payload: { model: "m" },
    gives: undefined,
    givesWithout: undefined,
  },
  { name: "setModel, back", call: (q) => q.setModel(), sent: { subtype: "set_model" }, givesWithout: undefined },
  {
    name: "setMaxThinkingTokens",
    call: (q) => q.setMaxThinkingTokens(5),
    sent: { subtype: "set_max_thinking_tokens", max_thinking_tokens: 5 },
    givesWithout: undefined,
  },
  {
    name: "setMaxThinkingTokens, shown",
    call: (q) => q.setMaxThinkingTokens(null, "summarized"),
    sent: { subtype: "set_max_thinking_tokens", max_thinking_tokens: null, thinking_display: "summarized" },
    givesWithout: undefined,
  },
  {
    name: "applyFlagSettings",
    call: (q) => q.applyFlagSettings({ effortLevel: "low" }),
    sent: { subtype: "apply_flag_settings", settings: { effortLevel: "low" } },
    givesWithout: undefined,
  },
  {
    name: "updateSettings",
    call: (q) => q.updateSettings("localSettings", { outputStyle: "x" }),
    sent: { subtype: "update_settings", source: "localSettings", settings: { outputStyle: "x" } },
    payload: {},
    gives: undefined,
    givesWithout: undefined,
  },
  {
    name: "getContextUsage",
    call: (q) => q.getContextUsage(),
    sent: { subtype: "get_context_usage" },
    payload: { totalTokens: 5 },
    givesWithout: {},
  },
  {
    name: "getContextUsage, full",
    call: (q) => q.getContextUsage({ detail: "full" }),
    sent: { subtype: "get_context_usage", detail: "full" },
    payload: { totalTokens: 5 },
    givesWithout: {},
  },
  {
    name: "usage",
    call: (q) => q.usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET(),
    sent: { subtype: "get_usage" },
    payload: { rate_limits: null },
    givesWithout: {},
  },
  {
    name: "usage, short",
    call: (q) => q.usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET({ skipBehaviors: true }),
    sent: { subtype: "get_usage", skip_behaviors: true },
    payload: { rate_limits: null },
    givesWithout: {},
  },
  {
    name: "readFile",
    call: (q) => q.readFile("f"),
    sent: { subtype: "read_file", path: "f" },
    payload: { contents: "c", absPath: "/f" },
    givesWithout: null,
  },
  {
    name: "readFile, some bytes",
    call: (q) => q.readFile("f", { maxBytes: 3, encoding: "base64" }),
    sent: { subtype: "read_file", path: "f", max_bytes: 3, encoding: "base64" },
    payload: { contents: "c", absPath: "/f", truncated: true },
    givesWithout: null,
  },
  {
    name: "rewindFiles",
    call: (q) => q.rewindFiles("u"),
    sent: { subtype: "rewind_files", user_message_id: "u" },
    payload: { canRewind: true, skippedLinks: 0 },
    givesWithout: {},
  },
  {
    name: "rewindFiles, dry",
    call: (q) => q.rewindFiles("u", { dryRun: true }),
    sent: { subtype: "rewind_files", user_message_id: "u", dry_run: true },
    payload: { canRewind: true, filesChanged: ["/f"] },
    givesWithout: {},
  },
  {
    name: "seedReadState",
    call: (q) => q.seedReadState("/f", 1),
    sent: { subtype: "seed_read_state", path: "/f", mtime: 1 },
    givesWithout: undefined,
  },
  {
    name: "reloadPlugins",
    call: (q) => q.reloadPlugins(),
    sent: { subtype: "reload_plugins" },
    payload: { error_count: 0 },
    givesWithout: {},
  },
  {
    name: "reloadPlugins, with all",
    call: (q) => q.reloadPlugins({ holdOnCacheImpact: true, addPlugins: [PLUGIN], refuseIfBusy: true }),
    sent: { subtype: "reload_plugins", hold_on_cache_impact: true, add_plugins: [PLUGIN], refuse_if_busy: true },
    payload: { error_count: 0, held: true },
    givesWithout: {},
  },
  {
    name: "reloadSkills",
    call: (q) => q.reloadSkills(),
    sent: { subtype: "reload_skills" },
    payload: { skills: [] },
    givesWithout: {},
  },
  {
    name: "reloadOutputStyles",
    call: (q) => q.reloadOutputStyles(),
    sent: { subtype: "reload_output_styles" },
    payload: { available_output_styles: ["s"] },
    givesWithout: {},
  },
  {
    name: "mcpServerStatus",
    call: (q) => q.mcpServerStatus(),
    sent: { subtype: "mcp_status" },
    payload: { mcpServers: [{ name: "s", status: "pending" }] },
    gives: [{ name: "s", status: "pending" }],
    givesWithout: [],
  },
  {
    name: "setMcpServers",
    call: (q) => q.setMcpServers({ s: { command: "x" } }),
    sent: { subtype: "mcp_set_servers", servers: { s: { command: "x" } } },
    payload: { added: ["s"], removed: [], errors: { s: "e" } },
    givesWithout: { added: [], removed: [], errors: {} },
  },
  {
    name: "reconnectMcpServer",
    call: (q) => q.reconnectMcpServer("s"),
    sent: { subtype: "mcp_reconnect", serverName: "s" },
    givesWithout: undefined,
  },
  {
    name: "toggleMcpServer",
    call: (q) => q.toggleMcpServer("s", false),
    sent: { subtype: "mcp_toggle", serverName: "s", enabled: false },
    givesWithout: undefined,
  },
  {
    name: "readMcpResource",
    call: (q) => q.readMcpResource("s", "ui://x"),
    sent: { subtype: "mcp_read_resource", serverName: "s", uri: "ui://x" },
    payload: { contents: [] },
    givesWithout: {},
  },
  {
    name: "setMcpPermissionModeOverride",
    call: (q) => q.setMcpPermissionModeOverride("s", null),
    sent: { subtype: "set_mcp_permission_mode_override", serverName: "s", mode: null },
    payload: { warning: "w" },
    givesWithout: {},
  },
  {
    name: "stopTask",
    call: (q) => q.stopTask("t"),
    sent: { subtype: "stop_task", task_id: "t" },
    payload: {},
    gives: undefined,
    givesWithout: undefined,
  },
  {
    name: "backgroundTasks",
    call: (q) => q.backgroundTasks(),
    sent: { subtype: "background_tasks" },
    payload: {},
    gives: true,
    givesWithout: true,
  },
  {
    name: "backgroundTasks, one",
    call: (q) => q.backgroundTasks("tu"),
    sent: { subtype: "background_tasks", tool_use_id: "tu" },
    payload: { backgrounded: false },
    gives: false,
    givesWithout: true,
  },
];

/** What needs no request of its own. */
const CACHED: readonly [string, (query: Query) => Promise<unknown>][] = [
  ["initializationResult", (q) => q.initializationResult()],
  ["supportedCommands", (q) => q.supportedCommands()],
  ["supportedModels", (q) => q.supportedModels()],
  ["supportedAgents", (q) => q.supportedAgents()],
  ["accountInfo", (q) => q.accountInfo()],
  ["sessionId", (q) => q.sessionId],
];

/** What came out of a call under an answer. */
async function outcome(
  t: TestContext,
  call: Call,
  answer: "with" | "without" | "error",
): Promise<[unknown, JsonObject[]]> {
  const reply = answer === "with"
    ? { response: call.payload! }
    : answer === "without"
    ? {}
    : { error: "no", errorCode: "because" };
  const { query, cli } = play(t, [step.request(String(call.sent.subtype), reply)]);
  const given = answer === "error" ? await rejection(call.call(query)) : await call.call(query);
  await query.close();
  return [given, asked(cli)];
}

/** Answers an `initialize` with open questions beside the payload. */
async function answerInitialize(stage: CliStage, pending: JsonObject[]): Promise<void> {
  const request = await stage.expect({ type: "control_request", request: { subtype: "initialize" } });
  await stage.emit({
    type: "control_response",
    response: {
      subtype: "success",
      request_id: request.request_id,
      response: frame.initializeReply({ marker: "again" }),
      pending_permission_requests: pending,
      pending_user_dialog_requests: [],
    },
  });
}

export default suite("query requests", (test) => {
  test("each method is one request with the protocol's words, and gives what came back", async (t) => {
    for (const call of CALLS) {
      const { payload } = call;
      if (payload !== undefined) {
        const [given, sent] = await outcome(t, call, "with");
        assert.deepEqual(given, "gives" in call ? call.gives : payload, call.name);
        assert.deepEqual(sent, [call.sent], call.name);
      }
      // The CLI leaves out payloads that would be empty.
      const [given, sent] = await outcome(t, call, "without");
      assert.deepEqual(given, call.givesWithout, `${call.name}, without a payload`);
      assert.deepEqual(sent, [call.sent], call.name);
    }
  });

  test("a refusal is a ControlRequestError with the CLI's word and text; of readFile it is null", async (t) => {
    for (const call of CALLS) {
      if (call.sent.subtype === "read_file") {
        const { query } = play(t, [step.request("read_file", { error: "read denied: f" })]);
        assert.isNull(await call.call(query));
        await query.close();
        continue;
      }
      const [error] = await outcome(t, call, "error");
      assert.instanceOf(error, ControlRequestError, call.name);
      assert.deepInclude(error, { subtype: call.sent.subtype, errorCode: "because", message: "no" }, call.name);
    }
  });

  test("what is asked at once waits for the start, in order, behind initialize", async (t) => {
    const { query, cli } = play(t, []);
    const calls = [query.setModel("a"), query.setPermissionMode("plan"), query.setMaxThinkingTokens(1)];
    await Promise.all(calls);
    const subtypes = cli.received.map(({ request }) => (request as JsonObject).subtype);
    assert.deepEqual(subtypes, ["initialize", "set_model", "set_permission_mode", "set_max_thinking_tokens"]);
  });

  test("with launch options in initialize every request waits for its answer, and fails with it", async (t) => {
    class Holding extends Launch {
      override get holdsRequests(): boolean {
        return true;
      }
    }
    const start = (script: CliScript): [RunningQuery, ScriptedCliTransport] => {
      const cli = scriptedCli(script).transport();
      const launch = new Holding({ tether: { transport: cli } }, { runtime: () => Promise.reject(new Error("none")) });
      const running = new RunningQuery(launch, { held: true });
      t.cleanup(() => running.close());
      return [running, cli];
    };
    const [held, cli] = start([
      step.run(async (stage) => {
        const request = await stage.expect({ request: { subtype: "initialize" } });
        await new Promise((resolve) => setTimeout(resolve, 30));
        assert.lengthOf(stage.received, 1, "nothing overtook the answer");
        await stage.reply(request, { response: frame.initializeReply() });
      }, ["initialize"]),
    ]);
    await Promise.all([held.setModel("m"), held.interrupt(), held.mcpServerStatus()]);
    cli.verify();
    const [refused] = start([step.request("initialize", { error: "no" }), step.eof()]);
    const error = await rejection(refused.setModel("m"));
    assert.instanceOf(error, ControlRequestError);
    assert.strictEqual(error, await rejection(refused.next()));
  });

  test("a query that is over refuses everything it would have to ask for, and keeps what it knows", async (t) => {
    const { query, cli, prompt } = play(t, [step.turn("ok")]);
    prompt.put({ type: "user", message: { role: "user", content: "hi" }, parent_tool_use_id: null } as never);
    prompt.end();
    for await (const message of query) assert.isString(message.type);
    const before = cli.received.length;
    for (const { name, call } of CALLS) assert.instanceOf(await rejection(call(query)), AbortError, name);
    assert.instanceOf(await rejection(query.reinitialize()), AbortError);
    assert.isFalse(await query.answerPermission("x", { behavior: "allow" }), "no question is open");
    for (const [name, read] of CACHED) assert.isDefined(await read(query), name);
    assert.strictEqual(cli.received.length, before);
  });

  test("a query that never was anything refuses what it never knew, without unhandled rejections", async (t) => {
    const abortController = new AbortController();
    const mine = new Error("mine");
    abortController.abort(mine);
    const { query } = play(t, [step.eof()], { abortController });
    for (const [name, read] of CACHED) assert.strictEqual(await rejection(read(query)), mine, name);
    for (const { name, call } of CALLS) assert.strictEqual(await rejection(call(query)), mine, name);
    await query.close();
  });

  test("an abort while an answer is awaited rejects with the signal's reason; a close with an AbortError", async (t) => {
    for (const how of ["abort", "close"]) {
      const abortController = new AbortController();
      const { query, cli } = play(t, [
        step.run((stage) => stage.expect({ request: { subtype: "set_model" } }).then(() => {}), ["set_model"]),
      ], {
        abortController,
      });
      const waiting = rejection(query.setModel("m"));
      await until(() => asked(cli).length === 1);
      const mine = new Error("mine");
      if (how === "abort") abortController.abort(mine);
      else await query.close();
      const error = await waiting;
      if (how === "abort") assert.strictEqual(error, mine);
      else assert.instanceOf(error, AbortError);
    }
  });

  test("what cannot be written is refused where it is asked, and the query goes on", async (t) => {
    const { query } = play(t, []);
    assert.propertyVal(await rejection(query.applyFlagSettings({ model: 1n as never })), "code", "unencodable_frame");
    await query.setModel("m");
  });

  test("commands_changed replaces the commands; the first answer to initialize stays what it was", async (t) => {
    const command = { name: "new", description: "d", argumentHint: "" };
    const { query } = play(t, [
      step.initialize({ commands: [{ name: "old", description: "d", argumentHint: "" }], models: [], agents: [] }),
      step.request("reload_skills", { response: { skills: [] } }),
      step.emit(frame.system("commands_changed", { commands: [command] })),
      step.request("mcp_status", { response: { mcpServers: [] } }),
    ]);
    assert.deepEqual((await query.supportedCommands()).map(({ name }) => name), ["old"]);
    await query.reloadSkills();
    await query.mcpServerStatus();
    assert.deepEqual(await query.supportedCommands(), [command]);
    assert.deepEqual((await query.initializationResult()).commands.map(({ name }) => name), ["old"]);
  });

  test("an initialize answer that lacks everything gives empty lists", async (t) => {
    const { query } = play(t, [step.request("initialize", {})]);
    assert.deepEqual(await query.supportedCommands(), []);
    assert.deepEqual(await query.supportedModels(), []);
    assert.deepEqual(await query.supportedAgents(), []);
    assert.deepEqual(await query.accountInfo(), {});
  });

  test("sessionId: pending until init, follows a reset, rejects if the query ends without one", async (t) => {
    const turn = (id: string): CliScript => [step.begin({}, { session_id: id }), step.finish()];
    const { query, prompt } = play(t, [
      turn("one"),
      step.emit({ type: "conversation_reset", new_conversation_id: "no session id" }),
      step.request("mcp_status", {}),
      turn("two"),
      step.emit({ type: "conversation_reset", new_conversation_id: "x" }),
      step.eof(),
    ]);
    const message = { type: "user", message: { role: "user", content: "hi" }, parent_tool_use_id: null } as never;
    const early = query.sessionId;
    prompt.put(message);
    assert.strictEqual(await early, "one");
    for (let item = await query.next(); item.value?.type !== "conversation_reset"; item = await query.next());
    const reset = query.sessionId;
    await query.mcpServerStatus();
    prompt.put(message);
    assert.strictEqual(await reset, "two");
    assert.strictEqual(await early, "one");
    for (let item = await query.next(); item.value?.type !== "conversation_reset"; item = await query.next());
    const never = rejection(query.sessionId);
    await query.close();
    assert.instanceOf(await never, AbortError);
    assert.instanceOf(await rejection(query.sessionId), AbortError);
  });

  test("reinitialize sends the same again; open questions it names are served, unless they are or were", async (t) => {
    const ask = (id: string): JsonObject => ({
      type: "control_request",
      request_id: id,
      request: { subtype: "can_use_tool", tool_name: "Bash", input: { id }, tool_use_id: id },
    });
    const seen: string[] = [];
    const { query, cli } = play(t, [
      step.initialize(),
      step.ask(ask("answered").request as JsonObject, { requestId: "answered" }),
      step.ask(ask("open").request as JsonObject, { requestId: "open", as: "open" }),
      step.run((stage) => answerInitialize(stage, [ask("answered"), ask("open"), ask("lost"), 5 as never]), [
        "initialize",
      ]),
      step.expect(
        (line) => (line.response as JsonObject | undefined)?.request_id === "lost",
        "the answer to what was lost",
      ),
    ], {
      canUseTool: (_name, input, { requestId }) => {
        seen.push(requestId);
        const { id } = input;
        return Promise.resolve<PermissionResult | null>(
          id === "open" ? null : { behavior: "deny", message: String(id) },
        );
      },
      hooks: { PreToolUse: [{ hooks: [() => Promise.resolve({})] }] },
    });
    await until(() => seen.includes("open"));
    const again = await query.reinitialize();
    assert.strictEqual(again.marker, "again");
    await until(() => seen.includes("lost"));
    const { marker, ...first } = await query.initializationResult();
    assert.isUndefined(marker);
    assert.isNotEmpty(first);
    assert.deepEqual(seen, ["answered", "open", "lost"]);
    assert.isTrue(await query.answerPermission("open", { behavior: "allow" }));
    const initializes = cli.received.filter(({ request }) =>
      (request as JsonObject | undefined)?.subtype === "initialize"
    );
    assert.lengthOf(initializes, 2);
    assert.deepEqual(initializes[1]?.request, initializes[0]?.request);
    await until(() => cli.received.some(({ response }) => (response as JsonObject | undefined)?.request_id === "lost"));
  });

  test("questions whose ids look alike are told apart", async (t) => {
    const names: string[] = [];
    const ask = (id: string): JsonObject => ({
      subtype: "can_use_tool",
      tool_name: "Bash",
      input: { id },
      tool_use_id: id,
    });
    const { query, cli } = play(t, [
      step.initialize(),
      step.emit(
        { type: "control_request", request_id: "1", request: ask("text") },
        { type: "control_request", request_id: 1, request: ask("number") },
      ),
    ], {
      canUseTool: (_name, _input, { requestId }) => {
        names.push(requestId);
        return Promise.resolve(null);
      },
    });
    await until(() => names.length === 2);
    assert.strictEqual(new Set(names).size, 2);
    const results: PermissionResult[] = [{ behavior: "deny", message: "text" }, {
      behavior: "deny",
      message: "number",
    }];
    for (const [index, result] of results.entries()) {
      assert.isTrue(await query.answerPermission(names[index]!, result));
    }
    await until(() => cli.received.filter(({ type }) => type === "control_response").length === 2);
    const answers = cli.received.filter(({ type }) => type === "control_response").map(({ response }) => {
      const { request_id: id, response: { message } = {} } = response as { request_id: unknown; response?: JsonObject };
      return [id, message];
    });
    assert.deepEqual(answers, [["1", "text"], [1, "number"]]);
  });

  test("setMcpServers: servers of this program are served, replaced and refused; a refusal changes nothing", async (t) => {
    const list = (id: number): JsonObject => ({
      subtype: "mcp_message",
      server_name: "calc",
      message: { jsonrpc: "2.0", id, method: "tools/list" },
    });
    const initialize: JsonObject = {
      subtype: "mcp_message",
      server_name: "calc",
      message: {
        jsonrpc: "2.0",
        id: 0,
        method: "initialize",
        params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "c", version: "1" } },
      },
    };
    const has = (text: string) => (response: JsonObject): boolean => JSON.stringify(response).includes(text);
    const { query, cli } = play(t, [
      step.request("mcp_set_servers", { response: { added: ["calc"], removed: [], errors: {} } }),
      step.ask(initialize, { check: has("serverInfo") }),
      step.ask(list(1), { check: has('"name":"add"') }),
      step.request("mcp_set_servers", { response: { added: [], removed: ["calc"], errors: {} } }),
      step.ask(list(2), { check: has("SDK MCP server not found") }),
      step.request("mcp_status", {}),
    ]);
    const calc = createSdkMcpServer({
      name: "other name",
      tools: [tool("add", "adds", {}, () => ({ content: [] }))],
    });
    const refused: [string, never][] = [
      ["no instance", { bad: { type: "sdk", name: "bad" } } as never],
      ["rubbish", { bad: 5 } as never],
      ["no object", "text" as never],
      [
        "a tool that cannot be listed",
        {
          bad: createSdkMcpServer({
            name: "bad",
            tools: [tool("t", "t", { type: "object", oneOf: [{ type: "string" }] } as never, () => ({ content: [] }))],
          }),
        } as never,
      ],
    ];
    for (const [what, servers] of refused) {
      await rejectsWith(query.setMcpServers(servers), OptionError).catch((error) => {
        throw new Error(what, { cause: error });
      });
    }
    assert.deepEqual(asked(cli), []);
    assert.deepEqual(
      await query.setMcpServers({ calc: { ...calc, timeout: 5_000 }, far: { type: "http", url: "http://x" } }),
      {
        added: ["calc"],
        removed: [],
        errors: {},
      },
    );
    assert.deepEqual(asked(cli)[0]?.servers, {
      calc: { type: "sdk", name: "calc", timeout: 5_000 },
      far: { type: "http", url: "http://x" },
    });
    await until(() => cli.received.filter(({ type }) => type === "control_response").length === 2);
    await query.setMcpServers({});
    await query.mcpServerStatus();
    cli.verify();
  });
});
