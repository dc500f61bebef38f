// The package's own types, which its `exports` hide behind names without `.js`.
// @ts-types="@modelcontextprotocol/sdk/server/mcp"
import { McpServer, ResourceTemplate } from "@modelcontextprotocol/sdk/server/mcp.js";
// @ts-types="@modelcontextprotocol/sdk/types"
import { ListRootsResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { assert } from "chai";
import { createSdkMcpServer } from "../../../src/client/create_sdk_mcp_server.ts";
import { tool } from "../../../src/client/tool.ts";
import { type Deferred, deferred } from "../../../src/core/deferred.ts";
import { OptionError } from "../../../src/core/errors/mod.ts";
import { isJsonObject, type JsonObject } from "../../../src/core/json.ts";
import type { McpServerConfig } from "../../../src/core/options/mod.ts";
import { NEVER_ANSWERED } from "../../../src/core/protocol/mod.ts";
import { z } from "zod";
import { suite, type TestContext } from "../../harness/suite.ts";
import { throwsWith } from "../../harness/throws.ts";
import { until } from "../../harness/until.ts";
import { settle } from "../../harness/virtual_clock.ts";
import { type HandlersFixture, INITIALIZE, openHandlers, toolCall } from "./handlers_fixture.ts";

function open(t: TestContext, server: McpServerConfig): HandlersFixture {
  return openHandlers(t, { mcpServers: { s: server } });
}

function config(instance: McpServer): McpServerConfig {
  return { type: "sdk", name: "s", instance };
}

function textOf(response: JsonObject): unknown {
  const { content } = response.result as { content: { text: string }[] };
  return content[0]?.text;
}

/** A server as a user of the MCP package builds it. */
class HandBuilt {
  readonly server = new McpServer({ name: "hand", version: "3" }, { capabilities: { logging: {} } });
  readonly held: Deferred<string>[] = [];
  readonly signals: AbortSignal[] = [];
  ended = 0;

  constructor() {
    this.server.server.onclose = () => void this.ended++;
    this.server.registerTool("echo", { inputSchema: { text: z.string().describe("what") } }, ({ text }) => ({
      content: [{ type: "text", text }],
      structuredContent: { text },
      _meta: { mine: 1 },
    }));
    this.server.registerTool("hold", {}, async ({ signal, sendNotification, _meta }) => {
      this.signals.push(signal);
      const run = deferred<string>();
      this.held.push(run);
      const progressToken = _meta?.progressToken;
      if (progressToken !== undefined) {
        await sendNotification({ method: "notifications/progress", params: { progressToken, progress: 1 } });
      }
      return { content: [{ type: "text", text: await run.promise }] };
    });
    this.server.registerResource("doc", "mem://doc", { mimeType: "text/plain" }, (uri) => ({
      contents: [{ uri: uri.href, text: "the text", mimeType: "text/plain" }],
    }));
    this.server.registerResource(
      "item",
      new ResourceTemplate("mem://items/{id}", { list: undefined }),
      {},
      (uri, { id }) => ({
        contents: [{ uri: uri.href, text: String(id) }],
      }),
    );
    this.server.registerPrompt("greet", { argsSchema: { who: z.string() } }, ({ who }) => ({
      messages: [{ role: "user", content: { type: "text", text: `Hi ${who}` } }],
    }));
  }
}

export default suite("MCP servers shared by queries", (test) => {
  test("a server of this program whose instance is none is refused, not left out", (t) => {
    for (const instance of [null, {}, "server"]) {
      const server = { type: "sdk", name: "s", instance } as unknown as McpServerConfig;
      const error = throwsWith(() => open(t, server), OptionError);
      assert.include(error.message, "mcpServers.s");
    }
  });

  test("one tool set serves two queries at once; each lists and calls, and closing one leaves the other alone", async (t) => {
    const held: Deferred<string>[] = [];
    const server = createSdkMcpServer({
      name: "s",
      tools: [tool("hold", "waits", { who: z.string() }, async ({ who }) => {
        const run = deferred<string>();
        held.push(run);
        return { content: [{ type: "text", text: `${who}: ${await run.promise}` }] };
      })],
    });
    const [one, two] = [open(t, server), open(t, server)];
    for (const each of [one, two]) {
      const { sdkMcpServerManifests } = await each.handlers.initializeFields();
      assert.nestedPropertyVal(sdkMcpServerManifests, "s.toolsListResult.tools[0].name", "hold");
    }
    // The same id in both: each CLI counts from the same number.
    const first = one.mcp("s", toolCall(2, "hold", { who: "one" }));
    const second = two.mcp("s", toolCall(2, "hold", { who: "two" }));
    await until(() => held.length === 2);
    held[1]!.resolve("b");
    held[0]!.resolve("a");
    assert.strictEqual(textOf(await first), "one: a");
    assert.strictEqual(textOf(await second), "two: b");
    await one.handlers.close();
    const third = two.mcp("s", toolCall(3, "hold", { who: "two" }));
    await until(() => held.length === 3);
    held[2]!.resolve("c");
    assert.strictEqual(textOf(await third), "two: c");
  });

  test("L19 a hand-built server: resources, templates, prompts and structured results pass as they are", async (t) => {
    const { server } = new HandBuilt();
    const fixture = open(t, config(server));
    const { result } = await fixture.mcp("s", INITIALIZE) as { result: JsonObject };
    assert.includeDeepMembers([result.serverInfo], [{ name: "hand", version: "3" }]);
    const ask = (id: number, method: string, params: JsonObject = {}) =>
      fixture.mcp("s", { jsonrpc: "2.0", id, method, params });
    const resources = await ask(1, "resources/list");
    assert.deepNestedInclude(resources, { "result.resources[0].uri": "mem://doc", "result.resources[0].name": "doc" });
    const read = await ask(2, "resources/read", { uri: "mem://items/42" });
    assert.deepEqual(read.result as unknown, { contents: [{ uri: "mem://items/42", text: "42" }] });
    const prompt = await ask(3, "prompts/get", { name: "greet", arguments: { who: "Bob" } });
    assert.deepNestedInclude(prompt, { "result.messages[0].content.text": "Hi Bob" });
    const called = await fixture.mcp("s", toolCall(4, "echo", { text: "hello" }));
    assert.deepEqual(called.result as unknown, {
      content: [{ type: "text", text: "hello" }],
      structuredContent: { text: "hello" },
      _meta: { mine: 1 },
    });
  });

  test("a hand-built server serves queries at once: same ids, same tokens, everything led back to its own", async (t) => {
    const hand = new HandBuilt();
    const [one, two] = [open(t, config(hand.server)), open(t, config(hand.server))];
    for (const each of [one, two]) assert.property((await each.handlers.initializeFields()).sdkMcpServerManifests, "s");
    const first = one.mcp("s", toolCall(2, "hold"));
    await until(() => hand.held.length === 1);
    const second = two.mcp("s", toolCall(2, "hold"));
    await until(() => hand.held.length === 2);
    for (const each of [one, two]) {
      const { message } = each.sent[0]!.fields as { message: JsonObject };
      assert.deepEqual(message.params as unknown, { progressToken: 2, progress: 1 });
      assert.lengthOf(each.sent, 1);
    }
    hand.held[1]!.resolve("b");
    assert.strictEqual(textOf(await second), "b");
    hand.held[0]!.resolve("a");
    assert.strictEqual(textOf(await first), "a");
  });

  test("closing one query cancels its calls on a shared server, and no others; the last one closes it", async (t) => {
    const hand = new HandBuilt();
    const [one, two] = [open(t, config(hand.server)), open(t, config(hand.server))];
    const first = one.mcp("s", toolCall(2, "hold"));
    const second = two.mcp("s", toolCall(2, "hold"));
    await until(() => hand.held.length === 2);
    await one.handlers.close();
    assert.include((await first).error, { code: -32000 });
    await until(() => hand.signals[0]!.aborted);
    assert.isFalse(hand.signals[1]!.aborted);
    assert.strictEqual(hand.ended, 0);
    hand.held[1]!.resolve("still here");
    assert.strictEqual(textOf(await second), "still here");
    await two.handlers.close();
    assert.strictEqual(hand.ended, 1);
    assert.isFalse(hand.server.isConnected());
  });

  test("L20 one query after the other: the server's teardown runs once for each", async (t) => {
    const hand = new HandBuilt();
    for (let round = 1; round <= 3; round++) {
      const fixture = open(t, config(hand.server));
      assert.strictEqual(textOf(await fixture.mcp("s", toolCall(2, "echo", { text: `${round}` }))), `${round}`);
      await fixture.handlers.close();
      await fixture.handlers.close();
      assert.strictEqual(hand.ended, round);
    }
  });

  test("closing from within onclose ends; 100 sessions leave no chain of handlers behind", async (t) => {
    const hand = new HandBuilt();
    let calls = 0;
    hand.server.server.onclose = () => {
      calls++;
      void hand.server.close();
    };
    for (let round = 0; round < 100; round++) {
      const fixture = open(t, config(hand.server));
      await fixture.mcp("s", INITIALIZE);
      await fixture.handlers.close();
    }
    assert.strictEqual(calls, 100);
  });

  test("L17 a server that was closed answers with an error, until initialize starts it again", async (t) => {
    const hand = new HandBuilt();
    const fixture = open(t, config(hand.server));
    const running = fixture.mcp("s", toolCall(2, "hold"));
    await until(() => hand.held.length === 1);
    await hand.server.close();
    assert.include((await running).error, { code: -32000 });
    assert.isTrue(hand.signals[0]!.aborted);
    const { error } = await fixture.mcp("s", toolCall(3, "echo", { text: "x" })) as { error: JsonObject };
    assert.deepEqual(error as unknown, { code: -32000, message: 'MCP server "s" has stopped' });
    assert.property(await fixture.mcp("s", INITIALIZE), "result");
    assert.strictEqual(textOf(await fixture.mcp("s", toolCall(1, "echo", { text: "back" }))), "back");
  });

  test("a hand-built server that somebody else has connected says so", async (t) => {
    const hand = new HandBuilt();
    const elsewhere = {
      start: () => Promise.resolve(),
      send: () => Promise.resolve(),
      close: () => Promise.resolve(),
    };
    await hand.server.connect(elsewhere);
    const fixture = open(t, config(hand.server));
    const { error } = await fixture.mcp("s", INITIALIZE) as { error: JsonObject };
    assert.match(String(error.message), /^MCP server "s" could not start: Already connected/);
    assert.deepEqual(fixture.handlers.asks, true);
  });

  test("what a server says unasked reaches the CLI: list changes, log lines", async (t) => {
    const hand = new HandBuilt();
    const fixture = open(t, config(hand.server));
    await fixture.mcp("s", INITIALIZE);
    hand.server.registerTool("more", {}, () => ({ content: [] }));
    await hand.server.sendLoggingMessage({ level: "info", data: "hello" });
    await settle();
    const methods = fixture.sent.map(({ subtype, fields }) => [subtype, (fields.message as JsonObject).method]);
    assert.deepEqual(methods, [["mcp_message", "notifications/tools/list_changed"], [
      "mcp_message",
      "notifications/message",
    ]]);
    const list = await fixture.mcp("s", { jsonrpc: "2.0", id: 9, method: "tools/list" });
    assert.deepInclude((list.result as { tools: JsonObject[] }).tools.map(({ name }) => name), "more");
  });

  test("a list that changed while it was captured does not travel", async (t) => {
    const hand = new HandBuilt();
    hand.server.server.oninitialized = () => void hand.server.sendToolListChanged();
    const fixture = open(t, config(hand.server));
    const { sdkMcpServerManifests } = await fixture.handlers.initializeFields();
    assert.hasAllKeys(sdkMcpServerManifests?.s, ["initializeResult"]);
    assert.deepEqual(fixture.sent, []);
  });

  test("L18 what a server asks goes to the CLI, and comes back as its answer or its refusal", async (t) => {
    const hand = new HandBuilt();
    const fixture = open(t, config(hand.server));
    fixture.onSend = (_subtype, { message }) => {
      if (isJsonObject(message) && message.id !== undefined) {
        const answer = message.method === "ping"
          ? { result: {} }
          : { error: { code: -32601, message: "Method not found" } };
        setTimeout(() => void fixture.mcp("s", { jsonrpc: "2.0", id: message.id!, ...answer }), 0);
      }
      return Promise.resolve(undefined);
    };
    await fixture.mcp("s", INITIALIZE);
    assert.deepEqual(await hand.server.server.ping(), {});
    const refused = await hand.server.server.request({ method: "roots/list" }, ListRootsResultSchema)
      .then(() => undefined, (error) => error.code);
    assert.strictEqual(refused, -32601);
  });

  test("a request of a server whose query closes, or cannot send, is settled", async (t) => {
    const hand = new HandBuilt();
    const [one, two] = [open(t, config(hand.server)), open(t, config(hand.server))];
    await one.mcp("s", INITIALIZE);
    await two.mcp("s", INITIALIZE);
    const outcome = () => hand.server.server.ping().then(() => "answered", (error: Error) => error.message);
    const asked = outcome();
    await until(() => one.sent.length === 1);
    await one.handlers.close();
    assert.include(await asked, "No client is there to answer");
    two.onSend = () => Promise.reject(new Error("the pipe is broken"));
    assert.include(await outcome(), "the pipe is broken");
  });

  test("a notification that cannot be sent is reported and ends nothing", async (t) => {
    const hand = new HandBuilt();
    const fixture = open(t, config(hand.server));
    await fixture.mcp("s", INITIALIZE);
    const cause = new Error("the pipe is broken");
    fixture.onSend = () => Promise.reject(cause);
    await hand.server.sendToolListChanged();
    await until(() => fixture.diagnostics.length === 1);
    assert.deepEqual(fixture.diagnostics, [{ kind: "request_failed", subtype: "mcp_message", requestId: "", cause }]);
  });

  test("L15 a hand-built server that ignores a cancel goes on serving; its late answer is dropped", async (t) => {
    const hand = new HandBuilt();
    const fixture = open(t, config(hand.server));
    const call = fixture.ask("mcp_message", { server_name: "s", message: toolCall(2, "hold") });
    await until(() => hand.held.length === 1);
    await fixture.mcp("s", { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 2 } });
    assert.strictEqual(await call, NEVER_ANSWERED);
    hand.held[0]!.resolve("late");
    assert.strictEqual(textOf(await fixture.mcp("s", toolCall(3, "echo", { text: "on" }))), "on");
  });

  test("tools registered on the instance of a tool set stand beside its own, written as draft 2020-12", async (t) => {
    const server = createSdkMcpServer({
      name: "s",
      tools: [tool("own", "mine", {}, () => ({ content: [{ type: "text", text: "own" }] }))],
    });
    const fixture = open(t, server);
    await fixture.mcp("s", INITIALIZE);
    const instance = server.instance as unknown as McpServer;
    instance.registerTool("late", { inputSchema: { pair: z.tuple([z.string(), z.number()]) } }, ({ pair }) => ({
      content: [{ type: "text", text: pair.join() }],
    }));
    const { result } = await fixture.mcp("s", { jsonrpc: "2.0", id: 1, method: "tools/list" });
    const { tools } = result as { tools: { name: string; inputSchema: JsonObject }[] };
    assert.deepEqual(tools.map(({ name }) => name), ["own", "late"]);
    assert.notProperty(tools[1]!.inputSchema, "$schema");
    assert.nestedProperty(tools[1]!.inputSchema, "properties.pair.prefixItems");
    assert.strictEqual(textOf(await fixture.mcp("s", toolCall(2, "late", { pair: ["a", 1] }))), "a,1");
    assert.strictEqual(textOf(await fixture.mcp("s", toolCall(3, "own"))), "own");
    assert.strictEqual(textOf(await fixture.mcp("s", toolCall(4, "none"))), "Unknown tool: none");
  });
});
