/** `startup()` and `prewarm()`, on a double of the CLI in memory: what goes out when, and what is left behind. */
import { assert } from "chai";
import {
  type ClaimOptions,
  CLIConnectionError,
  ControlRequestError,
  ControlTimeoutError,
  createSdkMcpServer,
  OptionError,
  type Options,
  prewarm,
  ProcessError,
  type Query,
  type SDKMessage,
  type SpareProcess,
  startup,
} from "../../../mod.ts";
import {
  type CliScript,
  type JsonObject,
  scriptedCli,
  type ScriptedCliTransport,
  step,
} from "../../../src/testing/mod.ts";
import { rejection, rejectsWith } from "../../harness/rejects.ts";
import { suite, type TestContext } from "../../harness/suite.ts";
import { throwsWith } from "../../harness/throws.ts";
import { TransportMethods } from "../../harness/transport_methods.ts";
import { until } from "../../harness/until.ts";
import { asked, userMessage } from "../query/query_scene.ts";

interface Stage {
  readonly cli: ScriptedCliTransport;
  readonly options: Options;
}

function stage(t: TestContext, script: CliScript, options: Options = {}): Stage {
  const cli = scriptedCli(script).transport();
  t.cleanup(() => cli.close({ graceMs: 0 }));
  return { cli, options: { ...options, tether: { transport: cli, ...options.tether } } };
}

async function park(
  t: TestContext,
  script: CliScript,
  options: Options = {},
): Promise<Stage & { spare: SpareProcess }> {
  const set = stage(t, script, options);
  const spare = await prewarm({ options: set.options });
  t.cleanup(() => spare.close());
  return { ...set, spare };
}

async function collect(query: Query): Promise<SDKMessage[]> {
  const all: SDKMessage[] = [];
  for await (const message of query) all.push(message);
  return all;
}

function kinds(messages: readonly SDKMessage[]): string[] {
  return messages.map((message) => message.type);
}

function userLines(cli: ScriptedCliTransport): JsonObject[] {
  return cli.received.filter(({ type }) => type === "user");
}

/** A CLI that says how its start goes, and never comes to an end with it. */
const STARTING: CliScript = [
  step.expect((line) => line.type === "control_request", "initialize"),
  step.emit({ type: "keep_alive", startup_mark: "before_connectMcp" }),
  step.emit({ type: "system", subtype: "hook_started", hook_id: "h1", hook_name: "SessionStart:startup" }),
];

const CLAIMED = {
  status: "ok",
  cwd: "/real/work",
  session_id: "s-1",
  parked_ms: 7,
  sdk_mcp_settled: true,
  initialize: { commands: [{ name: "of-the-folder", description: "", argumentHint: "" }], models: [] },
};

const TURN = ["system", "assistant", "result"];

export default suite("warm_starts", (test) => {
  test("startup: initialize alone goes out; the query is the prompt and what follows", async (t) => {
    const { cli, options } = stage(t, [step.turn("Hello!"), step.eof()]);
    const warm = await startup({ options });
    assert.deepEqual(cli.received.map(({ type }) => type), ["control_request"]);
    const running = warm.query("hi");
    assert.deepEqual(kinds(await collect(running)), TURN);
    cli.verify();
  });

  test("a WarmQuery serves one query; its close is for one that was not used", async (t) => {
    const { cli, options } = stage(t, [step.begin(), step.finish(), step.eof()]);
    const warm = await startup({ options });
    throwsWith(() => warm.query(5 as never), OptionError);
    const running = warm.query([userMessage("a")]);
    for (const prompt of ["b", "c"]) {
      assert.propertyVal(throwsWith(() => warm.query(prompt), Error), "code", "warm_query_used");
    }
    await warm.close();
    await warm[Symbol.asyncDispose]();
    assert.deepEqual(kinds(await collect(running)), ["system", "result"], "the query was left alone");
    cli.verify();
    const unused = stage(t, [step.eof()]);
    const spare = await startup({ options: unused.options });
    await Promise.all([spare.close(), spare.close()]);
    assert.deepEqual(await unused.cli.exited, { code: 0, signal: null, stderrTail: "" }, "it is gone");
    assert.propertyVal(throwsWith(() => spare.query("late"), Error), "code", "warm_query_used");
  });

  test("startup rejects with why the CLI is not ready, when it is gone", async (t) => {
    const refused = stage(t, [step.request("initialize", { error: "not like this" }), step.eof()]);
    await rejectsWith(startup({ options: refused.options }), ControlRequestError);
    await refused.cli.exited;
    const left = stage(t, [step.expect(() => true), step.exit(6)]);
    assert.strictEqual((await rejectsWith(startup({ options: left.options }), ProcessError)).exitCode, 6);
    for (
      const params of [
        null,
        { initializeTimeoutMs: -1 },
        { initializeTimeoutMs: NaN },
        { initializeTimeoutMs: "1" },
        { options: { maxTurns: "x" } },
      ]
    ) {
      await rejectsWith(startup(params as never), OptionError);
      await rejectsWith(prewarm(params as never), OptionError);
    }
  });

  test("a start that takes too long says how far it has come, hooks included, and nothing is left", async (t) => {
    for (const start of [startup, prewarm]) {
      const { cli, options } = stage(t, [...STARTING, step.eof()] as CliScript);
      const error = await rejectsWith(start({ options, initializeTimeoutMs: 30 }), ControlTimeoutError);
      assert.deepInclude({ ...error }, { subtype: "initialize", timeoutMs: 30 });
      assert.include(String(error.cause), "before_connectMcp");
      assert.include(String(error.cause), "SessionStart:startup");
      await cli.exited;
    }
  });

  test("time in which a hook runs does not count, unless a limit is given", async (t) => {
    const script: CliScript = [
      ...STARTING as never[],
      step.sleep(60),
      step.emit({ type: "system", subtype: "hook_response", hook_id: "h1", hook_name: "SessionStart:startup" }),
      step.run(async (cli) => {
        const { request_id } = cli.received[0] as JsonObject;
        await cli.emit({ type: "control_response", response: { subtype: "success", request_id, response: {} } });
      }),
      step.eof(),
    ];
    const tether = { timeouts: { initializeMs: 30 } };
    const warm = await startup({ options: stage(t, script, { tether }).options });
    await warm.close();
    const strict = stage(t, script, { tether });
    await rejectsWith(startup({ options: strict.options, initializeTimeoutMs: 30 }), ControlTimeoutError);
  });

  test("an abort before, during and after the start is the reason; the CLI goes (F22)", async (t) => {
    const aborted = new AbortController();
    aborted.abort("before");
    const first = stage(t, [step.eof()], { abortController: aborted });
    assert.strictEqual(await rejection(startup({ options: first.options })), "before");
    const during = new AbortController();
    const second = stage(t, [step.expect(() => true), step.eof()], { abortController: during });
    const starting = rejection(startup({ options: second.options }));
    await until(() => second.cli.received.length > 0);
    during.abort("during");
    assert.strictEqual(await starting, "during");
    await second.cli.exited;
    const parked = new AbortController();
    const third = stage(t, [step.eof()], { abortController: parked });
    const warm = await startup({ options: third.options });
    parked.abort("parked");
    await third.cli.exited;
    const running = warm.query("hi");
    assert.strictEqual(await rejection(running.next()), "parked");
  });

  test("a CLI that dies while it waits: the loop tells how", async (t) => {
    const { cli, options } = stage(t, [step.initialize(), step.exit(9)]);
    const warm = await startup({ options });
    await cli.exited;
    assert.strictEqual((await rejectsWith(warm.query("hi").next(), ProcessError)).exitCode, 9);
  });

  test("it takes a transport with methods", async (t) => {
    const { cli } = stage(t, [step.turn("one"), step.eof()]);
    const warm = await startup({ options: { tether: { transport: new TransportMethods(cli) } } });
    assert.deepEqual(kinds(await collect(warm.query("hi"))), TURN);
    cli.verify();
  });

  test("claim: settings, claim, model and thinking in one go; the prompt when all have agreed", async (t) => {
    const { cli, spare } = await park(t, [
      step.request("apply_flag_settings"),
      step.request("claim_session", { response: CLAIMED }),
      step.request("set_model", { response: { model: "claude-x" } }),
      step.expect((line) => (line.request as JsonObject | undefined)?.subtype === "set_max_thinking_tokens"),
      step.run((stage) => {
        assert.lengthOf(stage.received.filter(({ type }) => type === "user"), 0, "not before the last answer");
        const { request_id } = stage.received.at(-1) as JsonObject;
        return stage.emit({ type: "control_response", response: { subtype: "success", request_id } });
      }),
      step.turn("done"),
      step.eof(),
    ]);
    const before = cli.received.length;
    const agents = { helper: { description: "d", prompt: "p", mcpServers: ["named"] } };
    const running = spare.claim({
      prompt: "hi",
      options: {
        cwd: "/work",
        settings: { effortLevel: "low" },
        model: "x",
        maxThinkingTokens: 5,
        permissionMode: "plan",
        additionalDirectories: ["/logs"],
        appendSystemPrompt: "APP",
        title: "T",
        agents,
        env: { A: "1" },
      },
    });
    assert.deepEqual(await spare.claimed, { cwd: "/real/work", sessionId: "s-1", parkedMs: 7, sdkMcpSettled: true });
    assert.deepEqual((await running.supportedCommands()).map(({ name }) => name), ["of-the-folder"]);
    assert.strictEqual(await running.sessionId, "s-1");
    assert.deepEqual(kinds(await collect(running)), TURN);
    await spare.exited;
    cli.verify();
    assert.deepEqual(cli.received.slice(before).map(({ type, request }) => (request as JsonObject)?.subtype ?? type), [
      "apply_flag_settings",
      "claim_session",
      "set_model",
      "set_max_thinking_tokens",
      "user",
    ]);
    assert.deepEqual(asked(cli)[1], {
      subtype: "claim_session",
      cwd: "/work",
      permission_mode: "plan",
      env: { A: "1" },
      additional_directories: ["/logs"],
      append_system_prompt: "APP",
      title: "T",
      agents,
      sdk_mcp_servers: [],
      include_initialize: true,
    });
  });

  test("a claim with null for thinking asks for the default", async (t) => {
    const { cli, spare } = await park(t, [
      step.request("claim_session", { response: CLAIMED }),
      step.request("set_max_thinking_tokens"),
      step.turn("done"),
      step.eof(),
    ]);
    await collect(spare.claim({ prompt: "hi", options: { cwd: "/work", maxThinkingTokens: null } }));
    assert.deepEqual(asked(cli).at(-1), { subtype: "set_max_thinking_tokens", max_thinking_tokens: null });
  });

  test("a plain claim says the folder and the servers of this program; what is asked next comes behind it", async (t) => {
    const { cli, spare } = await park(t, [
      step.request("claim_session", { response: { ...CLAIMED, initialize: undefined as never } }),
      step.request("set_permission_mode"),
      step.turn("done"),
      step.eof(),
    ], { mcpServers: { mine: createSdkMcpServer({ name: "mine", tools: [] }) } });
    const running = spare.claim({ prompt: [userMessage("hi")], options: { cwd: "/work" } });
    await running.setPermissionMode("plan");
    assert.isDefined((await running.initializationResult()).commands, "without another answer the first one counts");
    await collect(running);
    assert.deepEqual(asked(cli).filter(({ subtype }) => subtype !== "mcp_message"), [
      { subtype: "claim_session", cwd: "/work", sdk_mcp_servers: ["mine"], include_initialize: true },
      { subtype: "set_permission_mode", mode: "plan" },
    ]);
  });

  test("a refused claim: loop and claimed tell the CLI's word, no prompt was sent, the CLI is gone", async (t) => {
    const refusals: [CliScript, Partial<ClaimOptions>, string, string | undefined][] = [
      [
        [step.request("claim_session", { error: "cwd_not_found: it is not there" })],
        {},
        "claim_session",
        "cwd_not_found",
      ],
      [[step.request("claim_session", { error: "No word at all" })], {}, "claim_session", undefined],
      [
        [
          step.request("apply_flag_settings", { error: "wrong: permissions" }),
          step.request("claim_session", { error: "x" }),
        ],
        { settings: {} },
        "apply_flag_settings",
        undefined,
      ],
      [
        [
          step.request("claim_session", { response: CLAIMED }),
          step.request("set_model", { error: "no", errorCode: "blocked_by_hook" }),
        ],
        { model: "m" },
        "set_model",
        "blocked_by_hook",
      ],
    ];
    for (const [script, overlay, subtype, errorCode] of refusals) {
      const { cli, spare } = await park(t, [script, step.eof()]);
      const running = spare.claim({ prompt: "hi", options: { cwd: "/work", ...overlay } });
      const error = await rejectsWith(running.next(), ControlRequestError);
      assert.deepInclude({ ...error }, { subtype, errorCode });
      assert.strictEqual(await rejection(spare.claimed), error);
      assert.strictEqual(await rejection(running.initializationResult()), error);
      await spare.exited;
      assert.lengthOf(userLines(cli), 0);
      assert.isTrue((await running.next()).done);
    }
  });

  test("what a claim cannot hold is refused, and the spare can be claimed all the same", async (t) => {
    const { spare } = await park(t, [
      step.request("claim_session", { response: CLAIMED }),
      step.turn("done"),
      step.eof(),
    ]);
    const server = createSdkMcpServer({ name: "s", tools: [] });
    const wrong: [unknown, string][] = [
      [undefined, "options"],
      [{}, "cwd"],
      [{ cwd: "relative" }, "cwd"],
      [{ cwd: 5 }, "cwd"],
      [{ cwd: "/w", hooks: {} }, "hooks"],
      [{ cwd: "/w", canUseTool: () => {} }, "canUseTool"],
      [{ cwd: "/w", settings: "/a/file" }, "settings"],
      [{ cwd: "/w", maxThinkingTokens: "many" }, "maxThinkingTokens"],
      [
        { cwd: "/w", agents: { a: { description: "", prompt: "", mcpServers: [{ s: server }] } } },
        "agents.a.mcpServers",
      ],
    ];
    for (const [options, option] of wrong) {
      const error = throwsWith(() => spare.claim({ prompt: "hi", options: options as never }), OptionError);
      assert.strictEqual(error.option, option);
    }
    throwsWith(() => spare.claim(undefined as never), OptionError);
    throwsWith(() => spare.claim({ prompt: 5 as never, options: { cwd: "/w" } }), OptionError);
    assert.deepEqual(
      kinds(await collect(spare.claim({ prompt: "hi", options: { cwd: "/w", title: undefined } }))),
      TURN,
    );
  });

  test("options that describe a session are refused before anything is started", async (t) => {
    for (const given of [{ resume: "x" }, { continue: true }, { resume: "x", forkSession: true }] as Options[]) {
      const { cli, options } = stage(t, [step.eof()], given);
      assert.strictEqual((await rejectsWith(prewarm({ options }), OptionError)).option, Object.keys(given)[0]);
      assert.lengthOf(cli.received, 0);
    }
  });

  test("a spare serves one query: claimed, closed or ended it says so", async (t) => {
    const again = { prompt: "again", options: { cwd: "/w" } };
    const claimed = await park(t, [
      step.request("claim_session", { response: CLAIMED }),
      step.turn("done"),
      step.eof(),
    ]);
    const running = claimed.spare.claim(again);
    assert.propertyVal(throwsWith(() => claimed.spare.claim(again), CLIConnectionError), "code", "spare_claimed");
    await collect(running);
    const closed = await park(t, [step.eof()]);
    await closed.spare[Symbol.asyncDispose]();
    await closed.spare.exited;
    assert.propertyVal(await rejection(closed.spare.claimed), "code", "spare_closed");
    assert.propertyVal(throwsWith(() => closed.spare.claim(again), CLIConnectionError), "code", "spare_closed");
    const ended = await park(t, [step.initialize(), step.exit(5)]);
    await ended.spare.exited;
    const error = throwsWith(() => ended.spare.claim(again), CLIConnectionError);
    assert.strictEqual(error.code, "spare_exited");
    assert.propertyVal(error.cause, "exitCode", 5);
    assert.propertyVal(await rejection(ended.spare.claimed), "code", "spare_exited");
    const abortController = new AbortController();
    const aborted = await park(t, [step.eof()], { abortController });
    abortController.abort("why");
    await aborted.spare.exited;
    assert.propertyVal(await rejection(aborted.spare.claimed), "cause", "why");
  });

  test("closing a spare whose claim is on its way ends it; a loop that is left does the same", async (t) => {
    for (const way of ["spare", "query"] as const) {
      const { cli, spare } = await park(t, [
        step.expect((line) => (line.request as JsonObject | undefined)?.subtype === "claim_session", "the claim"),
        step.eof(),
      ]);
      const running = spare.claim({ prompt: "hi", options: { cwd: "/w" } });
      await until(() => asked(cli).length > 0);
      await (way === "spare" ? spare.close() : running.return());
      await spare.exited;
      assert.propertyVal(await rejection(spare.claimed), "name", "AbortError");
      assert.isTrue((await running.next()).done);
      assert.lengthOf(userLines(cli), 0);
    }
  });
});
