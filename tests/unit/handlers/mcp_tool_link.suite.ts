// The package's own types, which its `exports` hide behind names without `.js`.
// @ts-types="@modelcontextprotocol/sdk/server/mcp"
import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
// @ts-types="@modelcontextprotocol/sdk/types"
import { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/sdk/types.js";
import { assert } from "chai";
import { createSdkMcpServer } from "../../../src/client/create_sdk_mcp_server.ts";
import { PROTOCOL_VERSIONS } from "../../../src/client/handlers/tool_link.ts";
import { tool } from "../../../src/client/tool.ts";
import type { ToolExtra, ToolReturn } from "../../../src/client/tools/tool_types.ts";
import { type Deferred, deferred } from "../../../src/core/deferred.ts";
import { ClaudeSDKError } from "../../../src/core/errors/mod.ts";
import type { JsonObject } from "../../../src/core/json.ts";
import type { McpSdkServerConfigWithInstance } from "../../../src/core/options/mod.ts";
import { NEVER_ANSWERED } from "../../../src/core/protocol/mod.ts";
import { rejectsWith } from "../../harness/rejects.ts";
import { type Declare, suite, type TestContext } from "../../harness/suite.ts";
import { throwsWith } from "../../harness/throws.ts";
import { until } from "../../harness/until.ts";
import { settle } from "../../harness/virtual_clock.ts";
import { type HandlersFixture, INITIALIZE, openHandlers, toolCall } from "./handlers_fixture.ts";
import { type MakeServer, onEachSource } from "./mcp_sources.ts";

const INITIALIZED = { jsonrpc: "2.0", method: "notifications/initialized" };

function text(value: string): ToolReturn {
  return { content: [{ type: "text", text: value }] };
}

/** A tool whose runs the test holds in its hands. */
class Hand {
  readonly held: Deferred<ToolReturn>[] = [];
  readonly extras: ToolExtra[] = [];
  readonly signals: AbortSignal[] = [];
  readonly server: McpSdkServerConfigWithInstance;

  constructor(make: MakeServer = createSdkMcpServer) {
    const hold = tool("hold", "waits", {}, (_args, extra) => {
      const run = deferred<ToolReturn>();
      this.held.push(run);
      this.extras.push(extra);
      this.signals.push(extra.signal);
      return run.promise;
    });
    this.server = make({ name: "s", tools: [hold] });
  }

  async open(t: TestContext): Promise<HandlersFixture> {
    t.cleanup(() => {
      for (const run of this.held) run.resolve(text("the test is over"));
    });
    const fixture = openHandlers(t, { mcpServers: { s: this.server } });
    await fixture.mcp("s", INITIALIZE);
    await fixture.mcp("s", INITIALIZED);
    return fixture;
  }

  /** Begins a call; its handler is running when this returns. */
  async call(fixture: HandlersFixture, id: number): Promise<{ readonly answer: Promise<unknown> }> {
    const count = this.held.length;
    const answer = fixture.ask("mcp_message", { server_name: "s", message: toolCall(id, "hold") });
    await until(() => this.held.length > count);
    return { answer };
  }
}

function messages(fixture: HandlersFixture): JsonObject[] {
  return fixture.sent.map(({ fields }) => fields.message as JsonObject);
}

function declareProtocol(test: Declare, make: MakeServer): void {
  test("a ping is answered, an unknown method is not found", async (t) => {
    const fixture = await new Hand(make).open(t);
    assert.deepEqual(await fixture.mcp("s", { jsonrpc: "2.0", id: 1, method: "ping" }), {
      jsonrpc: "2.0",
      id: 1,
      result: {},
    });
    for (const method of ["resources/list", "prompts/get", "logging/setLevel", "completion/complete", "made/up"]) {
      const { error } = await fixture.mcp("s", { jsonrpc: "2.0", id: 2, method, params: {} });
      assert.deepEqual(error as unknown, { code: -32601, message: "Method not found" }, method);
    }
  });

  test("the version asked for, if it is one of the package's, else the latest", async (t) => {
    const fixture = await new Hand(make).open(t);
    for (const asked of [...SUPPORTED_PROTOCOL_VERSIONS, "1999-01-01"]) {
      const params = { ...INITIALIZE.params as JsonObject, protocolVersion: asked };
      const { result } = await fixture.mcp("s", { ...INITIALIZE, params });
      const expected = asked === "1999-01-01" ? SUPPORTED_PROTOCOL_VERSIONS[0] : asked;
      assert.include(result, { protocolVersion: expected });
    }
  });

  test("an initialize that makes no sense is an error, and the next one is served", async (t) => {
    const fixture = openHandlers(t, { mcpServers: { s: new Hand(make).server } });
    const { error } = await fixture.mcp("s", { jsonrpc: "2.0", id: 0, method: "initialize", params: { odd: true } });
    assert.isNumber((error as JsonObject).code);
    assert.property(await fixture.mcp("s", INITIALIZE), "result");
  });

  test("notifications that take a capability are refused, others go out as they are", async (t) => {
    const hand = new Hand(make);
    const fixture = await hand.open(t);
    await hand.call(fixture, 1);
    const send = (method: string, params?: Record<string, unknown>): Promise<void> =>
      hand.extras[0]!.sendNotification({ method, ...(params === undefined ? {} : { params }) });
    for (
      const [method, words] of [
        ["notifications/message", "Server does not support logging"],
        ["notifications/resources/updated", "Server does not support notifying about resources"],
        ["notifications/resources/list_changed", "Server does not support notifying about resources"],
        ["notifications/prompts/list_changed", "Server does not support notifying of prompt list changes"],
        ["notifications/elicitation/complete", "Client does not support URL elicitation"],
      ] as const
    ) {
      const { message } = await rejectsWith(send(method, {}), Error);
      assert.strictEqual(message, `${words} (required for ${method})`);
    }
    assert.deepEqual(messages(fixture), []);
    await send("notifications/tools/list_changed");
    await send("notifications/own", { a: 1 });
    assert.deepEqual(messages(fixture), [
      { jsonrpc: "2.0", method: "notifications/tools/list_changed" },
      { jsonrpc: "2.0", method: "notifications/own", params: { a: 1 } },
    ]);
  });

  test("progress is that of an open call alone", async (t) => {
    const hand = new Hand(make);
    const fixture = await hand.open(t);
    const { answer } = await hand.call(fixture, 7);
    const [extra] = hand.extras;
    await extra!.sendProgress(1, 2, "half");
    const params = { progressToken: 7, progress: 1, total: 2, message: "half" };
    assert.deepEqual(messages(fixture), [{ jsonrpc: "2.0", method: "notifications/progress", params }]);
    await extra!.sendNotification({
      method: "notifications/progress",
      params: { progressToken: "made up", progress: 1 },
    });
    hand.held[0]!.resolve(text("done"));
    await answer;
    await extra!.sendProgress(2, 2);
    assert.lengthOf(fixture.sent, 1);
  });

  test("a call that was taken back says nothing more", async (t) => {
    const hand = new Hand(make);
    const fixture = await hand.open(t);
    const { answer } = await hand.call(fixture, 1);
    const params = { requestId: 1, reason: "enough" };
    await fixture.mcp("s", { jsonrpc: "2.0", method: "notifications/cancelled", params });
    assert.strictEqual(await answer, NEVER_ANSWERED);
    assert.isTrue(hand.signals[0]?.aborted);
    assert.strictEqual(hand.signals[0]?.reason, "enough");
    await hand.extras[0]!.sendProgress(1);
    await hand.extras[0]!.sendNotification({ method: "notifications/own" });
    assert.deepEqual(messages(fixture), []);
  });

  test("an id that was taken back is free when its handler has ended, not before", async (t) => {
    const hand = new Hand(make);
    const fixture = await hand.open(t);
    await hand.call(fixture, 1);
    await fixture.mcp("s", { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
    assert.include((await fixture.mcp("s", toolCall(1, "hold"))).error, { code: -32600 });
    hand.held[0]!.resolve(text("late"));
    await settle();
    const { answer } = await hand.call(fixture, 1);
    hand.held[1]!.resolve(text("second"));
    assert.deepNestedInclude(await answer as JsonObject, { "mcp_response.result.content[0].text": "second" });
  });
}

export default suite("MCP, tools without the package", (test) => {
  onEachSource(test, declareProtocol);

  test("the versions of the protocol are the package's", () => {
    assert.deepEqual([...PROTOCOL_VERSIONS], [...SUPPORTED_PROTOCOL_VERSIONS]);
  });

  test("a server that takes over in mid-call: the call goes on, can be taken back, and the list has changed", async (t) => {
    const hand = new Hand();
    const fixture = await hand.open(t);
    const first = await hand.call(fixture, 1);
    const second = await hand.call(fixture, 2);
    const instance = hand.server.instance as unknown as McpServer;
    assert.strictEqual(hand.server.instance as unknown, instance);
    assert.isTrue(instance.isConnected());
    instance.registerTool("late", {}, () => ({ content: [{ type: "text", text: "late" }] }));
    await until(() => fixture.sent.length === 1);
    assert.deepEqual(messages(fixture), [{ jsonrpc: "2.0", method: "notifications/tools/list_changed" }]);
    const { result } = await fixture.mcp("s", { jsonrpc: "2.0", id: 3, method: "tools/list" });
    assert.deepEqual((result as { tools: JsonObject[] }).tools.map(({ name }) => name), ["hold", "late"]);
    assert.deepNestedInclude(await fixture.mcp("s", toolCall(4, "late")), { "result.content[0].text": "late" });
    const params = { requestId: 2, reason: "enough" };
    await fixture.mcp("s", { jsonrpc: "2.0", method: "notifications/cancelled", params });
    assert.strictEqual(await second.answer, NEVER_ANSWERED);
    assert.isTrue(hand.signals[1]?.aborted);
    hand.held[0]!.resolve(text("first"));
    assert.deepNestedInclude(await first.answer as JsonObject, { "mcp_response.result.content[0].text": "first" });
    const third = await hand.call(fixture, 5);
    hand.held[2]!.resolve(text("third"));
    assert.deepNestedInclude(await third.answer as JsonObject, { "mcp_response.result.content[0].text": "third" });
  });

  test("a server that takes over knows whom it talks to", async (t) => {
    const hand = new Hand();
    await hand.open(t);
    const { server } = hand.server.instance as unknown as McpServer;
    await until(() => server.getClientVersion() !== undefined);
    assert.deepEqual(server.getClientVersion(), { name: "claude-code", version: "2.1.332" });
    assert.deepEqual(server.getClientCapabilities(), {});
  });

  test("close waits for a call from before the take-over as for one from after it", async (t) => {
    const hand = new Hand();
    const fixture = await hand.open(t);
    await hand.call(fixture, 1);
    assert.isFunction(hand.server.instance.connect);
    await hand.call(fixture, 2);
    let closed = false;
    void fixture.handlers.close().then(() => closed = true);
    await until(() => hand.signals.every(({ aborted }) => aborted));
    hand.held[1]!.resolve(text("b"));
    await settle();
    assert.isFalse(closed);
    hand.held[0]!.resolve(text("a"));
    await until(() => closed);
    assert.strictEqual(fixture.clock.now(), 0);
  });

  test("a server that leaves by itself fails its calls, and is made anew when the CLI connects again", async (t) => {
    const hand = new Hand();
    const fixture = await hand.open(t);
    const instance = hand.server.instance as unknown as McpServer;
    await instance.close();
    assert.include((await fixture.mcp("s", toolCall(1, "hold"))).error, { code: -32000 });
    assert.property(await fixture.mcp("s", INITIALIZE), "result");
    const { answer } = await hand.call(fixture, 2);
    hand.held[0]!.resolve(text("again"));
    assert.deepNestedInclude(await answer as JsonObject, { "mcp_response.result.content[0].text": "again" });
    assert.notStrictEqual(hand.server.instance as unknown, instance);
  });

  test("each query has a server of its own; the instance is that of the latest", async (t) => {
    const hand = new Hand();
    const one = await hand.open(t);
    const first = hand.server.instance as unknown;
    const two = await hand.open(t);
    const second = hand.server.instance as unknown as McpServer;
    assert.notStrictEqual(second as unknown, first);
    second.registerTool("only two", {}, () => ({ content: [] }));
    for (const [fixture, names] of [[one, ["hold"]], [two, ["hold", "only two"]]] as const) {
      const { result } = await fixture.mcp("s", { jsonrpc: "2.0", id: 3, method: "tools/list" });
      assert.deepEqual((result as { tools: JsonObject[] }).tools.map(({ name }) => name), [...names]);
    }
  });

  test("asked for when its query is over, the instance is a server that is not connected", async (t) => {
    const hand = new Hand();
    assert.strictEqual(throwsWith(() => hand.server.instance, ClaudeSDKError).code, "not_connected");
    const fixture = await hand.open(t);
    await fixture.handlers.close();
    assert.isFalse((hand.server.instance as unknown as McpServer).isConnected());
  });
});
