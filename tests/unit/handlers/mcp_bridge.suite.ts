import { assert } from "chai";
import { createSdkMcpServer } from "../../../src/client/create_sdk_mcp_server.ts";
import { tool } from "../../../src/client/tool.ts";
import type { ToolReturn } from "../../../src/client/tools/tool_types.ts";
import { type Deferred, deferred } from "../../../src/core/deferred.ts";
import { ClaudeSDKError, OptionError } from "../../../src/core/errors/mod.ts";
import type { JsonObject, JsonValue } from "../../../src/core/json.ts";
import type { McpSdkServerConfigWithInstance } from "../../../src/core/options/mod.ts";
import { ControlAnswerError, NEVER_ANSWERED } from "../../../src/core/protocol/mod.ts";
import { z } from "zod";
import { rejectsWith } from "../../harness/rejects.ts";
import { type Declare, suite, type TestContext } from "../../harness/suite.ts";
import { until } from "../../harness/until.ts";
import { settle } from "../../harness/virtual_clock.ts";
import { type HandlersFixture, INITIALIZE, openHandlers, toolCall } from "./handlers_fixture.ts";
import { type MakeServer, onEachSource } from "./mcp_sources.ts";

const RECEIPT = { jsonrpc: "2.0", result: {}, id: 0 };
const INITIALIZED = { jsonrpc: "2.0", method: "notifications/initialized" };
const LIST = { jsonrpc: "2.0", id: 1, method: "tools/list" };

/** Tools whose runs the test holds in its hands. */
class Workbench {
  readonly started: { readonly args: unknown; readonly signal: AbortSignal; readonly toolUseId: string | undefined }[] =
    [];
  readonly runs: Deferred<ToolReturn>[] = [];
  /** Whether a run ends when it is taken back. */
  listens = true;

  readonly server: McpSdkServerConfigWithInstance;

  constructor(make: MakeServer) {
    this.server = make({
      name: "calc",
      version: "9.9.9",
      instructions: "use it",
      tools: [
        tool("add", "adds", { a: z.number(), b: z.number() }, ({ a, b }) => text(String(a + b))),
        tool("hold", "waits", {}, (args, { signal, toolUseId }) => {
          const run = deferred<ToolReturn>();
          this.started.push({ args, signal, toolUseId });
          this.runs.push(run);
          if (this.listens) signal.addEventListener("abort", () => run.reject(signal.reason), { once: true });
          return run.promise;
        }),
        tool("boom", "throws", {}, () => {
          throw new Error("kaboom");
        }),
        tool("step", "reports", {}, async (_args, { sendProgress }) => {
          await sendProgress(1, 2, "half");
          return text("done");
        }),
      ],
    });
  }

  open(t: TestContext): HandlersFixture {
    t.cleanup(() => {
      for (const run of this.runs) run.resolve(text("the test is over"));
    });
    return openHandlers(t, { mcpServers: { calc: this.server } });
  }
}

function text(value: string): ToolReturn {
  return { content: [{ type: "text", text: value }] };
}

/** An open fixture with a server that has been initialized. */
async function connected(t: TestContext, make: MakeServer): Promise<{ bench: Workbench; fixture: HandlersFixture }> {
  const bench = new Workbench(make);
  const fixture = bench.open(t);
  await fixture.mcp("calc", INITIALIZE);
  await fixture.mcp("calc", INITIALIZED);
  return { bench, fixture };
}

function cancelled(requestId: number): JsonObject {
  return {
    jsonrpc: "2.0",
    method: "notifications/cancelled",
    params: { requestId, reason: "AbortError: remote-cancel" },
  };
}

/** What holds whatever serves the tools. */
function declareSessions(test: Declare, make: MakeServer): void {
  test("L01 initialize: the server's name and version, the protocol version echoed, its tools announced", async (t) => {
    const fixture = new Workbench(make).open(t);
    const { result, ...envelope } = await fixture.mcp("calc", INITIALIZE);
    assert.deepEqual(envelope, { jsonrpc: "2.0", id: 0 });
    assert.deepEqual(result, {
      protocolVersion: "2025-11-25",
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: "calc", version: "9.9.9" },
      instructions: "use it",
    });
    const old = { ...INITIALIZE, params: { ...(INITIALIZE.params as JsonObject), protocolVersion: "2024-11-05" } };
    assert.include((await fixture.mcp("calc", old)).result, { protocolVersion: "2024-11-05" });
    assert.isTrue(fixture.handlers.asks);
  });

  test("L02 notifications and answers get the receipt the CLI takes for one", async (t) => {
    const { fixture } = await connected(t, make);
    assert.deepEqual(await fixture.mcp("calc", INITIALIZED), RECEIPT);
    assert.deepEqual(await fixture.mcp("calc", { jsonrpc: "2.0", id: 99, result: {} }), RECEIPT);
    assert.deepEqual(await fixture.mcp("calc", cancelled(1234)), RECEIPT);
  });

  test("L03 a server that is not there: -32601 naming it, or an error where nobody waits", async (t) => {
    const { fixture } = await connected(t, make);
    assert.deepEqual(await fixture.mcp("other", LIST), {
      jsonrpc: "2.0",
      id: 1,
      error: { code: -32601, message: "SDK MCP server not found: other" },
    });
    await rejectsWith(fixture.mcp("other", INITIALIZED), ControlAnswerError);
  });

  test("L04 a method the server has not: -32601", async (t) => {
    const { fixture } = await connected(t, make);
    const { error } = await fixture.mcp("calc", { jsonrpc: "2.0", id: 5, method: "resources/list" });
    assert.include(error, { code: -32601 });
  });

  test("L05 a malformed message: -32603, and the session goes on", async (t) => {
    const { fixture } = await connected(t, make);
    for (const message of ["text", 5, null, [], {}, { id: 4 }, { id: {}, method: "tools/list" }]) {
      assert.include((await fixture.mcp("calc", message)).error, { code: -32603 });
    }
    assert.deepNestedInclude(await fixture.mcp("calc", toolCall(6, "add", { a: 1, b: 2 })), {
      "result.content[0].text": "3",
    });
  });

  test("a request that the package would pass over without a word is malformed, or taken for what it says", async (t) => {
    const { fixture } = await connected(t, make);
    const call = { ...toolCall(7, "add", { a: 1, b: 2 }) };
    const meta = (value: JsonValue): JsonObject => ({ ...call, params: { name: "add", _meta: value } });
    const odd = [{ jsonrpc: undefined }, { jsonrpc: "1.0" }, { params: [] }, { params: null }].map((one) => ({
      ...call,
      ...one,
    }));
    for (const message of [...odd, meta(5), meta({ "io.modelcontextprotocol/related-task": {} })]) {
      assert.deepInclude(await fixture.mcp("calc", message), { id: 7 });
      assert.include((await fixture.mcp("calc", message)).error, { code: -32603 });
    }
    assert.deepNestedInclude(await fixture.mcp("calc", { ...call, more: 1, error: {} }), {
      "result.content[0].text": "3",
    });
  });

  test("L06 a request without server or message is an error answer", async (t) => {
    const { fixture } = await connected(t, make);
    await rejectsWith(fixture.ask("mcp_message", { message: LIST }), ControlAnswerError);
    await rejectsWith(fixture.ask("mcp_message", { server_name: "calc" }), ControlAnswerError);
  });

  test("L07 a repeated initialize is served by the same session, and running calls go on", async (t) => {
    const { bench, fixture } = await connected(t, make);
    const running = fixture.mcp("calc", toolCall(2, "hold"));
    await until(() => bench.started.length === 1);
    assert.include(await fixture.mcp("calc", INITIALIZE), { id: 0 });
    // The CLI counts anew after it: an id that is still running from before is free.
    const again = fixture.mcp("calc", toolCall(2, "hold"));
    await until(() => bench.started.length === 2);
    assert.isFalse(bench.started[0]?.signal.aborted);
    bench.runs[1]!.resolve(text("second"));
    bench.runs[0]!.resolve(text("first"));
    assert.deepNestedInclude(await running, { "id": 2, "result.content[0].text": "first" });
    assert.deepNestedInclude(await again, { "id": 2, "result.content[0].text": "second" });
  });

  test("L08 a message before initialize starts the session", async (t) => {
    const fixture = new Workbench(make).open(t);
    assert.deepNestedInclude(await fixture.mcp("calc", toolCall(9, "add", { a: 1, b: 1 })), {
      "id": 9,
      "result.content[0].text": "2",
    });
  });

  test("L09 after close everything is refused and nothing is started", async (t) => {
    const { bench, fixture } = await connected(t, make);
    await fixture.handlers.close();
    const answer = await fixture.mcp("calc", toolCall(2, "hold"));
    assert.nestedPropertyVal(answer, "error.code", -32601);
    await rejectsWith(fixture.mcp("calc", INITIALIZED), ControlAnswerError);
    assert.lengthOf(bench.started, 0);
    assert.isFalse(fixture.handlers.asks);
  });

  test("L10 close waits for a tool that cannot be stopped, but not longer than its bound", async (t) => {
    const { bench, fixture } = await connected(t, make);
    bench.listens = false;
    const call = fixture.mcp("calc", toolCall(2, "hold"));
    await until(() => bench.started.length === 1);
    let closed = false;
    const closing = fixture.handlers.close().then(() => closed = true);
    assert.include((await call).error, { code: -32000 });
    assert.isTrue(bench.started[0]?.signal.aborted);
    await fixture.clock.pass(4_999);
    assert.isFalse(closed);
    await fixture.clock.pass(1);
    await closing;
    assert.strictEqual(fixture.clock.pending, 0);
  });

  test("L10 a tool that does not take its signal is not waited for: it may close its own query", async (t) => {
    let closed = false;
    const own = make({
      name: "own",
      tools: [
        tool("end", "ends", {}, async () => {
          await Promise.resolve();
          await fixture.handlers.close();
          closed = true;
          return { content: [] };
        }),
      ],
    });
    const fixture = openHandlers(t, { mcpServers: { own } });
    assert.include((await fixture.mcp("own", toolCall(2, "end"))).error, { code: -32000 });
    await fixture.handlers.close();
    await until(() => closed);
    assert.strictEqual(fixture.clock.now(), 0);
    assert.deepEqual(fixture.diagnostics, []);
  });

  test("L11 close with a tool that listens is prompt and makes no noise", async (t) => {
    const { bench, fixture } = await connected(t, make);
    const call = fixture.mcp("calc", toolCall(2, "hold"));
    await until(() => bench.started.length === 1);
    await fixture.handlers.close();
    assert.include((await call).error, { code: -32000 });
    assert.deepEqual(fixture.diagnostics, []);
    assert.strictEqual(fixture.clock.now(), 0);
  });

  test("L12 close while a server is still starting is bounded, and what starts late is ended", async (t) => {
    const connecting = deferred<void>();
    const ended: string[] = [];
    const instance = {
      connect: () => connecting.promise,
      close: () => {
        ended.push("closed");
        return Promise.resolve();
      },
    };
    const fixture = openHandlers(t, { mcpServers: { slow: { type: "sdk", name: "slow", instance } } });
    const call = fixture.mcp("slow", INITIALIZE);
    await settle();
    const closing = fixture.handlers.close();
    assert.include((await call).error, { code: -32000 });
    await fixture.clock.pass(5_000);
    await closing;
    assert.deepEqual(ended, []);
    connecting.resolve();
    await until(() => ended.length === 1);
  });

  test("L13 an id in flight is refused without reaching the server, also once its call was abandoned", async (t) => {
    const { bench, fixture } = await connected(t, make);
    bench.listens = false;
    const call = fixture.ask("mcp_message", { server_name: "calc", message: toolCall(2, "hold") });
    await until(() => bench.started.length === 1);
    assert.include((await fixture.mcp("calc", toolCall(2, "hold"))).error, { code: -32600 });
    await fixture.mcp("calc", cancelled(2));
    assert.strictEqual(await call, NEVER_ANSWERED);
    assert.include((await fixture.mcp("calc", toolCall(2, "hold"))).error, { code: -32600 });
    assert.lengthOf(bench.started, 1);
    bench.runs[0]!.resolve(text("late"));
    await settle();
    const again = fixture.mcp("calc", toolCall(2, "add", { a: 2, b: 2 }));
    assert.deepNestedInclude(await again, { "result.content[0].text": "4" });
  });

  test("ids of different types are different ids", async (t) => {
    const { bench, fixture } = await connected(t, make);
    const number = fixture.mcp("calc", toolCall(2, "hold"));
    const string = fixture.mcp("calc", { ...toolCall(2, "hold"), id: "2" });
    await until(() => bench.started.length === 2);
    bench.runs.forEach((run, index) => run.resolve(text(String(index))));
    assert.strictEqual((await number).id, 2);
    assert.strictEqual((await string).id, "2");
  });

  test("L14 calls run side by side and answer out of order", async (t) => {
    const { bench, fixture } = await connected(t, make);
    const calls = Array.from({ length: 50 }, (_, index) => fixture.mcp("calc", toolCall(10 + index, "hold")));
    await until(() => bench.started.length === 50);
    assert.strictEqual(bench.started[7]?.toolUseId, "toolu_17");
    bench.runs.map((run, index) => ({ run, index })).reverse().forEach(({ run, index }) =>
      run.resolve(text(`${index}`))
    );
    for (const [index, call] of calls.entries()) {
      assert.deepNestedInclude(await call, { "id": 10 + index, "result.content[0].text": `${index}` });
    }
  });

  test("L15 L16 a cancelled call: the tool is told, its answer dropped, the server goes on", async (t) => {
    const { bench, fixture } = await connected(t, make);
    const call = fixture.ask("mcp_message", { server_name: "calc", message: toolCall(2, "hold") });
    await until(() => bench.started.length === 1);
    assert.deepEqual(await fixture.mcp("calc", cancelled(2)), RECEIPT);
    assert.strictEqual(await call, NEVER_ANSWERED);
    assert.isTrue(bench.started[0]?.signal.aborted);
    assert.deepNestedInclude(await fixture.mcp("calc", toolCall(3, "add", { a: 1, b: 2 })), {
      "result.content[0].text": "3",
    });
    assert.deepEqual(fixture.diagnostics, []);
  });

  test("taking the control request back cancels the call too", async (t) => {
    const { bench, fixture } = await connected(t, make);
    const controller = new AbortController();
    const settings = { signal: controller.signal };
    const call = fixture.ask("mcp_message", { server_name: "calc", message: toolCall(2, "hold") }, settings);
    await until(() => bench.started.length === 1);
    controller.abort();
    assert.strictEqual(await call, NEVER_ANSWERED);
    await until(() => bench.started[0]!.signal.aborted);
    const gone = fixture.ask("mcp_message", { server_name: "calc", message: toolCall(3, "hold") }, settings);
    assert.strictEqual(await gone, NEVER_ANSWERED);
    assert.lengthOf(bench.started, 1);
  });

  test("a call that is taken back while the server starts never reaches its tool", async (t) => {
    const bench = new Workbench(make);
    const fixture = bench.open(t);
    const controller = new AbortController();
    const message = { server_name: "calc", message: toolCall(2, "hold") };
    const call = fixture.ask("mcp_message", message, { signal: controller.signal });
    controller.abort();
    assert.strictEqual(await call, NEVER_ANSWERED);
    await fixture.mcp("calc", toolCall(3, "add", { a: 1, b: 2 }));
    assert.lengthOf(bench.started, 0);
  });

  test("a handler that throws is a failed result, reported with its cause", async (t) => {
    const { fixture } = await connected(t, make);
    const { result } = await fixture.mcp("calc", toolCall(2, "boom"));
    assert.deepEqual(result, { content: [{ type: "text", text: "kaboom" }], isError: true });
    const [event] = fixture.diagnostics;
    assert.include(event, { kind: "callback_failed", callback: "tool boom", gate: false });
    assert.instanceOf(event?.kind === "callback_failed" ? event.cause : undefined, Error);
  });

  test("progress goes out under the caller's own token, ahead of the result", async (t) => {
    const { fixture } = await connected(t, make);
    await fixture.mcp("calc", toolCall(7, "step"));
    assert.deepEqual(fixture.sent, [{
      subtype: "mcp_message",
      fields: {
        server_name: "calc",
        message: {
          jsonrpc: "2.0",
          method: "notifications/progress",
          params: { progressToken: 7, progress: 1, total: 2, message: "half" },
        },
      },
    }]);
    const { params, ...rest } = toolCall(8, "step");
    await fixture.mcp("calc", { ...rest, params: { name: (params as JsonObject).name! } });
    assert.lengthOf(fixture.sent, 1);
  });

  test("the tools travel in initialize: the raw results of a handshake done here", async (t) => {
    const bench = new Workbench(make);
    const fixture = bench.open(t);
    const parts = await fixture.handlers.initializeFields();
    assert.deepEqual(parts.sdkMcpServers, ["calc"]);
    assert.notProperty(parts, "sdkMcpServerConfigs");
    const manifest = parts.sdkMcpServerManifests?.calc as { initializeResult: JsonObject; toolsListResult: JsonObject };
    assert.deepEqual(manifest.initializeResult, (await fixture.mcp("calc", INITIALIZE)).result as JsonObject);
    assert.deepEqual(manifest.toolsListResult, (await fixture.mcp("calc", LIST)).result as JsonObject);
    assert.deepEqual((manifest.toolsListResult.tools as JsonObject[]).map(({ name }) => name), [
      "add",
      "hold",
      "boom",
      "step",
    ]);
    assert.deepEqual(fixture.sent, []);
    assert.strictEqual(fixture.clock.pending, 0);
  });

  test("after a manifest the CLI begins with a call, of whatever id", async (t) => {
    const fixture = new Workbench(make).open(t);
    await fixture.handlers.initializeFields();
    assert.deepNestedInclude(await fixture.mcp("calc", toolCall(2, "add", { a: 1, b: 1 })), {
      "result.content[0].text": "2",
    });
  });

  test("a second initialize carries no manifests: the CLI does the handshake itself then", async (t) => {
    const fixture = new Workbench(make).open(t);
    await fixture.handlers.initializeFields();
    assert.deepEqual(await fixture.handlers.initializeFields(), { sdkMcpServers: ["calc"] });
  });

  test("servers' settings travel; the key in the options is the name that counts", async (t) => {
    const { server } = new Workbench(make);
    const tools = [{ name: "add", permission_policy: "always_ask" }];
    const fixture = openHandlers(t, {
      mcpServers: { other: { ...server, timeout: 1_200, tools }, web: { type: "http", url: "https://example.com" } },
    });
    const parts = await fixture.handlers.initializeFields();
    assert.deepEqual(parts.sdkMcpServers, ["other"]);
    assert.deepEqual(parts.sdkMcpServerConfigs as unknown, { other: { timeout: 1_200, tools } });
    assert.property(parts.sdkMcpServerManifests, "other");
    assert.deepNestedInclude(await fixture.mcp("other", toolCall(2, "add", { a: 1, b: 1 })), {
      "result.content[0].text": "2",
    });
  });

  test("servers that are not ready within the budget travel without a manifest, the others with one", async (t) => {
    const { server } = new Workbench(make);
    const connecting = deferred<void>();
    const instance = { connect: () => connecting.promise, close: () => Promise.resolve() };
    const fixture = openHandlers(t, { mcpServers: { calc: server, slow: { type: "sdk", name: "slow", instance } } });
    const fields = fixture.handlers.initializeFields();
    await until(() => fixture.clock.pending === 1);
    await fixture.mcp("calc", INITIALIZE);
    await fixture.mcp("calc", LIST);
    await fixture.clock.pass(250);
    const parts = await fields;
    assert.deepEqual(parts.sdkMcpServers, ["calc", "slow"]);
    assert.hasAllKeys(parts.sdkMcpServerManifests, ["calc"]);
    connecting.resolve();
  });
}

export default suite("MCP bridge", (test) => {
  onEachSource(test, declareSessions);

  test("a server without tools has no manifest", async (t) => {
    const fixture = openHandlers(t, { mcpServers: { bare: createSdkMcpServer({ name: "bare" }) } });
    assert.deepEqual(await fixture.handlers.initializeFields(), { sdkMcpServers: ["bare"] });
    assert.include((await fixture.mcp("bare", LIST)).error, { code: -32601 });
  });

  test("a schema that cannot be listed fails the query, or a server that is added later, in words to act on", async (t) => {
    const server = createSdkMcpServer({
      name: "bad",
      tools: [
        tool("pick", "picks", z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]), () => text("x")),
      ],
    });
    const fixture = openHandlers(t, { mcpServers: { bad: server } });
    const refused = await rejectsWith(fixture.handlers.initializeFields(), OptionError);
    assert.strictEqual(refused.option, 'inputSchema of tool "pick"');
    const { error } = await fixture.mcp("bad", INITIALIZE) as { error: JsonObject };
    assert.match(String(error.message), /could not start: inputSchema of tool "pick" must not have anyOf at its root/);
    assert.include(fixture.diagnostics[0], { kind: "callback_failed", callback: "mcpServers.bad" });
  });

  test("the instance of a tool set is there once a query has connected, and not before", async (t) => {
    const { server } = new Workbench(createSdkMcpServer);
    assert.throws(() => server.instance, ClaudeSDKError, "no instance before a query has connected");
    assert.deepEqual(Object.keys({ ...server }), ["type", "name"]);
    const fixture = openHandlers(t, { mcpServers: { calc: server } });
    await fixture.handlers.initializeFields();
    assert.isFunction(server.instance.connect);
  });

  test("setMcpServers replaces what an earlier call added and what the options brought, and says what to send", async (t) => {
    const bench = new Workbench(createSdkMcpServer);
    const fixture = bench.open(t);
    const { server } = new Workbench(createSdkMcpServer);
    const http = { type: "http", url: "https://example.com", headers: { a: "b" } } as const;
    assert.deepEqual(fixture.handlers.setMcpServers({ more: { ...server, timeout: 5 }, web: http }) as unknown, {
      more: { type: "sdk", name: "more", timeout: 5 },
      web: http,
    });
    assert.deepNestedInclude(await fixture.mcp("more", toolCall(2, "add", { a: 1, b: 1 })), {
      "result.content[0].text": "2",
    });
    assert.deepEqual(fixture.handlers.setMcpServers({}), {});
    assert.nestedPropertyVal(await fixture.mcp("more", toolCall(3, "add", { a: 1, b: 1 })), "error.code", -32601);
    assert.nestedPropertyVal(await fixture.mcp("calc", toolCall(4, "add", { a: 1, b: 1 })), "error.code", -32601);
    assert.isFalse(fixture.handlers.asks, "nothing more can be asked of us");
  });

  test("setMcpServers with the same server again leaves its session and its calls alone", async (t) => {
    const bench = new Workbench(createSdkMcpServer);
    const fixture = bench.open(t);
    const { server } = bench;
    fixture.handlers.setMcpServers({ more: server });
    const call = fixture.mcp("more", toolCall(2, "hold"));
    await until(() => bench.started.length === 1);
    const copy = fixture.handlers.setMcpServers({ more: { ...server, timeout: 7 } });
    assert.deepEqual(copy as unknown, { more: { type: "sdk", name: "more", timeout: 7 } });
    assert.isFalse(bench.started[0]?.signal.aborted);
    bench.runs[0]!.resolve(text("kept"));
    assert.deepNestedInclude(await call, { "result.content[0].text": "kept" });
  });
});
