/** What a query knows of its session, and what it serves, on a double of the CLI in memory. */
import { assert } from "chai";
import { AbortError, createSdkMcpServer, OptionError, type PermissionResult, tool } from "../../../mod.ts";
import { type CliScript, type CliStage, frame, type JsonObject, step } from "../../../src/testing/mod.ts";
import { rejection, rejectsWith } from "../../harness/rejects.ts";
import { suite } from "../../harness/suite.ts";
import { until } from "../../harness/until.ts";
import { asked, play, userMessage } from "./query_scene.ts";

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

export default suite("query session", (test) => {
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
    const { query } = play(t, [
      step.request("initialize", {}),
      step.request("mcp_status", {}),
      step.request("mcp_status", { response: { mcpServers: null } }),
    ]);
    assert.deepEqual(await query.supportedCommands(), []);
    assert.deepEqual(await query.supportedModels(), []);
    assert.deepEqual(await query.supportedAgents(), []);
    assert.deepEqual(await query.accountInfo(), {});
    assert.deepEqual(await query.mcpServerStatus(), []);
    assert.deepEqual(await query.mcpServerStatus(), []);
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
    const message = userMessage("hi");
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
      await query.setMcpServers({
        calc: { ...calc, timeout: 5_000 },
        far: { type: "http", url: "http://x" },
        plain: { command: "serve" },
        given: { type: "stdio", command: "serve", args: ["--all"] },
      }),
      {
        added: ["calc"],
        removed: [],
        errors: {},
      },
    );
    assert.deepEqual(asked(cli)[0]?.servers, {
      calc: { type: "sdk", name: "calc", timeout: 5_000 },
      far: { type: "http", url: "http://x" },
      // CLI 2.1.332 does not start one that has none.
      plain: { command: "serve", args: [] },
      given: { type: "stdio", command: "serve", args: ["--all"] },
    });
    await until(() => cli.received.filter(({ type }) => type === "control_response").length === 2);
    await query.setMcpServers({});
    await query.mcpServerStatus();
    cli.verify();
  });

  test("an interrupt that comes right behind a later prompt waits for its turn, as for the first", async (t) => {
    const interrupts = (lines: readonly JsonObject[]): JsonObject[] =>
      lines.filter(({ request }) => (request as JsonObject | undefined)?.subtype === "interrupt");
    const { query, cli } = play(t, [
      step.turn("one"),
      step.run(async (stage) => {
        const { uuid } = await stage.expect({ type: "user" });
        await stage.emit(frame.state("running"), frame.lifecycle(String(uuid), "queued"));
        await new Promise((resolve) => setTimeout(resolve, 30));
        assert.deepEqual(interrupts(stage.received), [], "there is no turn yet");
        await stage.emit(frame.lifecycle(String(uuid), "started"), frame.init());
      }),
      step.request("interrupt", { response: { still_queued: [] } }),
    ]);
    await query.streamInput("one");
    for (let item = await query.next(); item.value?.type !== "result"; item = await query.next());
    await query.streamInput("two");
    assert.deepEqual(await query.interrupt(), { still_queued: [] });
    assert.lengthOf(interrupts(cli.received), 1);
    await query.interrupt();
    assert.lengthOf(interrupts(cli.received), 2, "a turn that runs is interrupted at once");
    cli.verify();
  });
});
