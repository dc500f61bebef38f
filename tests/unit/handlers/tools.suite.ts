// @ts-types="@modelcontextprotocol/sdk/server/mcp"
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { assert } from "chai";
import { createSdkMcpServer } from "../../../src/client/create_sdk_mcp_server.ts";
import { tool } from "../../../src/client/tool.ts";
import type { SdkMcpToolDefinition, ToolContent, ToolExtra, ToolReturn } from "../../../src/client/tools/tool_types.ts";
import { type Deferred, deferred } from "../../../src/core/deferred.ts";
import { OptionError } from "../../../src/core/errors/mod.ts";
import type { JsonObject, JsonValue } from "../../../src/core/json.ts";
import { createSdkMcpServer as createEagerly } from "../../../src/mcp/mod.ts";
import { z } from "zod";
import { rejectsWith } from "../../harness/rejects.ts";
import { type Declare, suite, type TestContext } from "../../harness/suite.ts";
import { until } from "../../harness/until.ts";
import { settle } from "../../harness/virtual_clock.ts";
import { type HandlersFixture, INITIALIZE, openHandlers, toolCall } from "./handlers_fixture.ts";
import { type MakeServer, onEachSource } from "./mcp_sources.ts";

const NOTHING: ToolReturn = { content: [] };

async function listing(fixture: HandlersFixture): Promise<JsonObject[]> {
  const { result } = await fixture.mcp("s", { jsonrpc: "2.0", id: 1, method: "tools/list" });
  return (result as { tools: JsonObject[] }).tools;
}

function textOf(result: JsonValue | undefined): string {
  return String((result as { content: { text: string }[] }).content[0]?.text);
}

/** What holds whatever serves the tools. */
function declareTools(test: Declare, make: MakeServer): void {
  const open = (t: TestContext, ...tools: SdkMcpToolDefinition<unknown>[]): HandlersFixture =>
    openHandlers(t, { mcpServers: { s: make({ name: "s", tools }) } });

  /** What a tool that returns this answers. */
  const resultOf = async (t: TestContext, returned: unknown, extras = {}): Promise<JsonObject> => {
    const fixture = open(t, tool("it", "does", {}, () => returned as ToolReturn, extras));
    return (await fixture.mcp("s", toolCall(1, "it"))).result as JsonObject;
  };

  test("L21 L22 a listing has what the tool was given, and stays the same", async (t) => {
    const annotations = { readOnlyHint: true, title: "Adder" };
    const fixture = open(
      t,
      tool("plain", "p", {}, () => NOTHING),
      tool("full", "f", { a: z.number() }, () => NOTHING, {
        annotations,
        searchHint: "sum",
        alwaysLoad: true,
        maxResultSizeChars: 200_000,
        title: "Full",
        outputSchema: { r: z.number() },
        _meta: { "my/own": 1 },
      }),
      tool("not_loaded", "n", {}, () => NOTHING, { alwaysLoad: false }),
    );
    const tools = await listing(fixture);
    assert.deepEqual(tools as unknown, [
      { name: "plain", description: "p", inputSchema: { type: "object", properties: {} } },
      {
        name: "full",
        title: "Full",
        description: "f",
        inputSchema: { type: "object", properties: { a: { type: "number" } }, required: ["a"] },
        outputSchema: { type: "object", properties: { r: { type: "number" } }, required: ["r"] },
        annotations,
        _meta: {
          "anthropic/alwaysLoad": true,
          "anthropic/searchHint": "sum",
          "anthropic/maxResultSizeChars": 200_000,
          "my/own": 1,
        },
      },
      { name: "not_loaded", description: "n", inputSchema: { type: "object", properties: {} } },
    ]);
    assert.deepEqual(await listing(fixture), tools);
  });

  test("alwaysLoad of a server is that of its tools", async (t) => {
    const server = make({ name: "s", alwaysLoad: true, tools: [tool("a", "a", {}, () => NOTHING)] });
    const [listed] = await listing(openHandlers(t, { mcpServers: { s: server } }));
    assert.deepEqual(listed?._meta as unknown, { "anthropic/alwaysLoad": true });
  });

  test("L23 every kind of content passes as it is, isError and _meta too", async (t) => {
    const content: ToolContent[] = [
      { type: "text", text: "t", annotations: { audience: ["user"] }, unknown: 1 },
      { type: "image", data: "aGk=", mimeType: "image/png" },
      { type: "audio", data: "aGk=", mimeType: "audio/wav" },
      { type: "resource_link", uri: "file:///a", name: "a", title: "A", size: 5, icons: [] },
      { type: "resource", resource: { uri: "mem://a", text: "inside", odd: true } },
      { type: "resource", resource: { uri: "mem://b", blob: "aGk=" } },
      { type: "brand_new_kind", whatever: [1] } as unknown as ToolContent,
    ];
    const returned = { content, isError: true, structuredContent: { a: 1 }, _meta: { m: 1 }, newer: "field" };
    assert.deepEqual(await resultOf(t, returned) as unknown, returned);
    assert.deepEqual(await resultOf(t, Promise.resolve({ content: [] })) as unknown, { content: [] });
  });

  test("large results side by side arrive whole", async (t) => {
    const fixture = open(
      t,
      tool("big", "b", { n: z.number() }, ({ n }) => ({
        content: [{ type: "text", text: String(n).repeat(100_000) }],
      })),
    );
    const calls = Array.from({ length: 50 }, (_, n) => fixture.mcp("s", toolCall(n, "big", { n: n % 10 })));
    for (const [n, answer] of (await Promise.all(calls)).entries()) {
      assert.strictEqual(answer.id, n);
      assert.isTrue(textOf(answer.result) === String(n % 10).repeat(100_000));
    }
  });

  test("L24 a handler's own isError stays", async (t) => {
    const returned = { content: [{ type: "text", text: "no" }], isError: true };
    assert.deepEqual(await resultOf(t, returned) as unknown, returned);
  });

  test("L25 what is no result is a failed call that says so, and is reported", async (t) => {
    const malformed: unknown[] = [
      undefined,
      null,
      "text",
      {},
      { content: "text" },
      { content: [{}] },
      { content: [{ type: "text" }] },
      { content: [{ type: "image", data: "aGk=" }] },
      { content: [{ type: "resource", resource: {} }] },
      { structuredContent: [] },
    ];
    for (const returned of malformed) {
      const fixture = open(t, tool("it", "does", {}, () => returned as ToolReturn));
      const { result } = await fixture.mcp("s", toolCall(1, "it"));
      assert.include(result as JsonObject, { isError: true });
      assert.include(fixture.diagnostics[0], { kind: "callback_failed", callback: "tool it" });
    }
  });

  test("L25 a result that JSON cannot hold is a failed call that names the place, in a tool set and in a server of one's own", async (t) => {
    const loop: Record<string, unknown> = {};
    loop.self = loop;
    const places: [unknown, string][] = [
      [{ structuredContent: { total: 12n } }, "structuredContent.total is a bigint"],
      [{ structuredContent: { rows: [{ f: () => 1 }] } }, "structuredContent.rows[0].f is a function"],
      [{ structuredContent: { mean: 0 / 0 } }, "structuredContent.mean is NaN"],
      [{ structuredContent: { list: [1, undefined] } }, "structuredContent.list[1] is undefined"],
      [{ structuredContent: loop }, "structuredContent.self holds itself"],
      [{ structuredContent: { map: new Map([[1, 2]]) } }, "structuredContent.map is a Map"],
      [{ structuredContent: { later: Promise.resolve() } }, "structuredContent.later is a Promise"],
      [{ content: [{ type: "text", text: "t", x: new Uint8Array(2) }] }, "content[0].x is binary data"],
      [{ content: [], _meta: { when: Symbol("s") } }, "_meta.when is a symbol"],
    ];
    for (const [returned, place] of places) {
      const fixture = open(t, tool("it", "does", {}, () => returned as ToolReturn));
      const { result } = await fixture.mcp("s", toolCall(1, "it"));
      assert.include(JSON.stringify(result), place);
      assert.include(result as JsonObject, { isError: true });
      assert.lengthOf(fixture.diagnostics, 1);
    }
    const fine = { structuredContent: { at: new Date(0), gone: undefined, deep: [{ a: null }] }, content: [] };
    assert.deepEqual(await resultOf(t, fine) as unknown, fine);

    const own = new McpServer({ name: "own", version: "1" });
    own.registerTool("odd", { outputSchema: { big: z.bigint() } }, () => ({
      content: [],
      structuredContent: { big: 1n },
    }));
    const fixture = openHandlers(t, { mcpServers: { own: { type: "sdk", name: "own", instance: own } } });
    await fixture.mcp("own", INITIALIZE);
    const { error } = await fixture.mcp("own", toolCall(2, "odd"));
    assert.deepInclude(error as JsonObject, {
      code: -32603,
      message: "What it answered cannot be sent: result.structuredContent.big is a bigint",
    });
    assert.include(fixture.diagnostics[0], { kind: "callback_failed", callback: "mcpServers.own" });
  });

  test("L25 L26 bad arguments never reach the handler; the model is told where they are wrong", async (t) => {
    let calls = 0;
    const fixture = open(
      t,
      tool("add", "adds", { a: z.number(), b: z.object({ c: z.string() }) }, () => {
        calls++;
        return NOTHING;
      }),
    );
    for (const args of [{ a: "1", b: { c: "x" } }, { a: 1, b: { c: 5 } }, {}, [], "text", null]) {
      const { result } = await fixture.mcp("s", toolCall(1, "add", args));
      assert.include(result as JsonObject, { isError: true });
      assert.match(textOf(result), /^Invalid arguments for tool add:\n/);
    }
    const { result } = await fixture.mcp("s", toolCall(1, "add", { a: 1, b: { c: 5 } }));
    assert.include(textOf(result), "b.c: ");
    assert.strictEqual(calls, 0);
    assert.deepEqual(fixture.diagnostics, []);
  });

  test("L25 a call without arguments is one with none; an unknown tool is a failed call", async (t) => {
    const seen: unknown[] = [];
    const fixture = open(
      t,
      tool("it", "does", { a: z.string().optional() }, (args) => {
        seen.push(args);
        return NOTHING;
      }),
    );
    await fixture.mcp("s", { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "it" } });
    assert.deepEqual(seen, [{}]);
    const { result } = await fixture.mcp("s", toolCall(2, "nope"));
    assert.deepEqual(result as unknown, { content: [{ type: "text", text: "Unknown tool: nope" }], isError: true });
  });

  test("a schema that throws is a failed call, reported", async (t) => {
    const throwing = z.string().refine(() => {
      throw new Error("refine blew up");
    });
    const fixture = open(t, tool("it", "does", { a: throwing }, () => NOTHING));
    const { result } = await fixture.mcp("s", toolCall(1, "it", { a: "x" }));
    assert.include(result as JsonObject, { isError: true });
    assert.strictEqual(textOf(result), "refine blew up");
    assert.lengthOf(fixture.diagnostics, 1);
  });

  test("an output schema: data is checked, and mirrored as text if the handler gave none", async (t) => {
    const extras = { outputSchema: { sum: z.number() } };
    assert.deepEqual(await resultOf(t, { structuredContent: { sum: 3 } }, extras) as unknown, {
      structuredContent: { sum: 3 },
      content: [{ type: "text", text: '{"sum":3}' }],
    });
    const own = { content: [{ type: "text", text: "three" }], structuredContent: { sum: 3 } };
    assert.deepEqual(await resultOf(t, own, extras) as unknown, own);
    const wrong = await resultOf(t, { structuredContent: { sum: "3" } }, extras);
    assert.isTrue(wrong.isError);
    assert.match(textOf(wrong), /^structuredContent does not fit its schema: sum: /);
    const missing = await resultOf(t, { content: [] }, extras);
    assert.isTrue(missing.isError);
    const failed = { content: [{ type: "text", text: "no" }], isError: true };
    assert.deepEqual(await resultOf(t, failed, extras) as unknown, failed);
  });

  test("a tool's own time limit: the text says which limit it was, and the handler is told", async (t) => {
    let extra: ToolExtra | undefined;
    const run = deferred<ToolReturn>();
    const fixture = open(
      t,
      tool("slow", "s", {}, (_args, given) => {
        extra = given;
        return run.promise;
      }, { timeoutMs: 300 }),
    );
    const call = fixture.mcp("s", toolCall(1, "slow"));
    await until(() => extra !== undefined);
    await fixture.clock.pass(299);
    assert.isFalse(extra?.signal.aborted);
    await fixture.clock.pass(1);
    const { result } = await call;
    assert.include(result as JsonObject, { isError: true });
    assert.strictEqual(textOf(result), "Tool slow gave no result within 300 ms, the time limit of this tool");
    assert.isTrue(extra?.signal.aborted);
    run.reject(new Error("late"));
    await settle();
    assert.deepEqual(fixture.diagnostics, []);
  });

  test("progress starts the limit anew", async (t) => {
    let extra: ToolExtra | undefined;
    const run = deferred<ToolReturn>();
    const fixture = open(
      t,
      tool("slow", "s", {}, (_args, given) => {
        extra = given;
        return run.promise;
      }, { timeoutMs: 300 }),
    );
    const call = fixture.mcp("s", toolCall(1, "slow"));
    await until(() => extra !== undefined);
    for (let step = 0; step < 5; step++) {
      await fixture.clock.pass(200);
      await extra!.sendProgress(step);
    }
    run.resolve({ content: [{ type: "text", text: "done" }] });
    assert.strictEqual(textOf((await call).result), "done");
    assert.lengthOf(fixture.sent, 5);
    assert.strictEqual(fixture.clock.pending, 0);
  });

  test("a tool gets its call's own signal, tool use and _meta, and may send notifications", async (t) => {
    let extra: ToolExtra | undefined;
    const fixture = open(
      t,
      tool("it", "does", {}, async (_args, given) => {
        extra = given;
        await given.sendNotification({ method: "notifications/progress", params: { progressToken: 4, progress: 1 } });
        return NOTHING;
      }),
    );
    await fixture.mcp("s", toolCall(4, "it"));
    assert.strictEqual(extra?.toolUseId, "toolu_4");
    assert.strictEqual(extra?._meta?.["claudecode/toolUseId"], "toolu_4");
    assert.isFalse(extra?.signal.aborted);
  });

  test("a handler that throws something odd fails its call like any other", async (t) => {
    for (const thrown of [undefined, "text", 5, { message: "m" }, Object.create(null)]) {
      const fixture = open(t, tool("it", "does", {}, () => Promise.reject(thrown)));
      const { result } = await fixture.mcp("s", toolCall(1, "it"));
      assert.include(result as JsonObject, { isError: true });
    }
  });
}

export default suite("tools", (test) => {
  onEachSource(test, declareTools);

  test("a tool that is listed with what JSON cannot hold is an error that names it", async (t) => {
    for (const extras of [{ annotations: { big: 1n } }, { _meta: { made: () => 1 } }]) {
      const tools = [tool("it", "does", {}, () => NOTHING, extras)];
      const fixture = openHandlers(t, { mcpServers: { s: createSdkMcpServer({ name: "s", tools }) } });
      const error = await rejectsWith(fixture.handlers.initializeFields(), OptionError);
      assert.strictEqual(error.option, `${Object.keys(extras)[0]} of tool "it"`);
    }
  });

  test("what makes no tool, or no server, is refused at once", () => {
    const ok = tool("a", "a", {}, () => NOTHING);
    assert.throws(() => tool("", "a", {}, () => NOTHING), OptionError);
    assert.throws(() => tool("a", "a", {}, "no" as never), OptionError);
    for (const timeoutMs of [0, -1, NaN]) {
      assert.throws(() => tool("a", "a", {}, () => NOTHING, { timeoutMs }), OptionError);
    }
    assert.throws(() => createSdkMcpServer({ name: "" }), OptionError);
    assert.throws(() => createSdkMcpServer({ name: "s", tools: [ok, ok] }), OptionError, 'two of the name "a"');
    assert.throws(() => createSdkMcpServer({ name: "s", tools: [{} as never] }), OptionError);
    assert.throws(() => createSdkMcpServer({ name: "s", tools: [undefined as never] }), OptionError);
  });

  test("the eager entry: instance is there at once, takes more than tools, and serves queries at once", async (t) => {
    const held: Deferred<ToolReturn>[] = [];
    const server = createEagerly({
      name: "s",
      tools: [tool("hold", "h", {}, () => {
        const run = deferred<ToolReturn>();
        held.push(run);
        return run.promise;
      }, { timeoutMs: 1_000 })],
    });
    server.instance.registerResource(
      "doc",
      "mem://doc",
      {},
      (uri) => ({ contents: [{ uri: uri.href, text: "here" }] }),
    );
    server.instance.registerTool("more", {}, () => ({ content: [{ type: "text", text: "more" }] }));
    const [one, two] = [
      openHandlers(t, { mcpServers: { s: server } }),
      openHandlers(t, { mcpServers: { s: server } }),
    ];
    const parts = await one.handlers.initializeFields();
    assert.nestedPropertyVal(parts.sdkMcpServerManifests, "s.toolsListResult.tools[0].name", "hold");
    await two.mcp("s", INITIALIZE);
    assert.deepEqual((await listing(two)).map(({ name }) => name), ["hold", "more"]);
    const read = await two.mcp("s", { jsonrpc: "2.0", id: 3, method: "resources/read", params: { uri: "mem://doc" } });
    assert.deepNestedInclude(read, { "result.contents[0].text": "here" });
    assert.strictEqual(textOf((await two.mcp("s", toolCall(4, "more"))).result), "more");
    const [first, second] = [one.mcp("s", toolCall(5, "hold")), two.mcp("s", toolCall(5, "hold"))];
    await until(() => held.length === 2);
    held[0]!.resolve({ content: [{ type: "text", text: "a" }] });
    held[1]!.reject(new Error("b"));
    assert.sameMembers([textOf((await first).result), textOf((await second).result)], ["a", "b"]);
    assert.lengthOf([...one.diagnostics, ...two.diagnostics], 1);
    assert.strictEqual(one.clock.pending, 0);
  });
});
