/** In-process MCP servers on the real CLI: what tools may answer, how servers come, change and go. */
// Loaded ahead of the first query, whose budget for manifests its loading would use up.
// @ts-types="@modelcontextprotocol/sdk/server/mcp"
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { assert } from "chai";
import { readFileSync } from "node:fs";
import { z } from "zod";
import { createSdkMcpServer, type SDKMessage, tool, type ToolReturn } from "../../mod.ts";
import { createSdkMcpServer as createEagerly } from "../../src/mcp/mod.ts";
import { deferred } from "../../src/core/deferred.ts";
import type { JsonObject } from "../../src/core/json.ts";
import { block, turn } from "../../src/testing/mod.ts";
import { suite } from "../harness/suite.ts";
import { Scene } from "./real_query.ts";
import { Talk } from "./talk.ts";

/** One pixel. */
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

function text(content: string): ToolReturn {
  return { content: [{ type: "text", text: content }] };
}

/** The names of a server's tools in the newest `init`, without what all have in common. */
function toolsAtInit(messages: readonly SDKMessage[], server: string): string[] {
  const init = messages.findLast((message) => message.type === "system" && message.subtype === "init");
  const { tools } = init as { readonly tools?: readonly string[] };
  const prefix = `mcp__${server}__`;
  return (tools ?? []).filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length)).sort();
}

/** As much of a transport as a server made by hand needs. */
interface PlainTransport {
  onmessage?: (message: JsonObject) => void;
  send(message: JsonObject): Promise<void>;
}

/** A server by hand that speaks an older version of the protocol than the CLI asks for. */
class OldServer {
  connect(transport: never): Promise<void> {
    const given = transport as PlainTransport;
    given.onmessage = ({ id, method }) => {
      if (id === undefined) return;
      const results: Record<string, JsonObject> = {
        initialize: {
          protocolVersion: "2024-11-05",
          capabilities: { tools: {} },
          serverInfo: { name: "old", version: "0" },
        },
        "tools/list": { tools: [{ name: "relic", inputSchema: { type: "object" } }] },
        "tools/call": { content: [{ type: "text", text: "the relic ran" }] },
      };
      void given.send({ jsonrpc: "2.0", id, result: results[String(method)] ?? {} });
    };
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

export default suite("in-process tools on the real CLI", (test) => {
  test("L22 L23 L25 L32 L33 every kind of answer, as the model and the stream get it", async (t) => {
    const aborted = deferred<unknown>();
    const own = createSdkMcpServer({
      name: "own",
      alwaysLoad: true,
      tools: [
        tool("picture", "p", {}, () => ({ content: [{ type: "image", data: PNG, mimeType: "image/png" }] })),
        tool("sound", "s", {}, () => ({ content: [{ type: "audio", data: "UklGRg==", mimeType: "audio/wav" }] })),
        tool("links", "l", {}, () => ({
          content: [
            { type: "resource_link", uri: "note://1", name: "one", description: "the first" },
            { type: "resource", resource: { uri: "note://2", text: "an embedded text" } },
          ],
        })),
        tool("data", "d", {}, () => ({ structuredContent: { sum: 3 }, _meta: { hint: 1 } }), {
          outputSchema: { sum: z.number() },
        }),
        tool("long", "l", {}, () => text("x".repeat(60_000))),
        tool("longer", "l", {}, () => text("y".repeat(60_000)), { maxResultSizeChars: 100_000 }),
        tool("steps", "s", {}, async (_args, { sendProgress }) => {
          await sendProgress(1, 2, "half of it");
          await sendProgress(2, 2);
          return text("all of it");
        }),
        tool("half", "h", {}, () => text("half a pair: \ud83d")),
        tool("odd", "o", {}, () => ({ structuredContent: { total: 12n } })),
        tool("slow", "s", {}, (_args, { signal }) =>
          new Promise((resolve) =>
            signal.addEventListener("abort", () => {
              aborted.resolve(signal.reason);
              resolve(text("nobody reads this"));
            }, { once: true })
          )),
        tool("quick", "q", {}, () => new Promise(() => {}), { timeoutMs: 50 }),
      ],
    });
    const names = ["picture", "sound", "links", "data", "long", "longer", "steps", "half", "odd", "slow", "quick"];
    const scene = await Scene.start(t, {
      script: [...names.map((name) => turn.toolUse(`mcp__own__${name}`, {})), turn.text("done")],
      prompt: "go",
      // The CLI's own limit for calls of this server; it takes none below a second.
      options: { mcpServers: { own: { ...own, timeout: 1_000 } }, allowedTools: ["mcp__own"] },
    });
    await scene.drain();
    const results = scene.model.requests.flatMap((request) => request.toolResults());
    const seen = (name: string) => {
      const id = `toolu_scripted_${names.indexOf(name) + 1}`;
      const result = results.find(({ toolUseId }) => toolUseId === id);
      assert.isDefined(result, `${name} was answered`);
      return result!;
    };
    const told = scene.messages.flatMap((message) => message.type === "user" ? [message.tool_use_result] : []);
    const toldOf = (name: string) => told[names.indexOf(name)];

    assert.include(JSON.stringify(seen("picture").content), `"data":"${PNG}"`);
    assert.match(seen("sound").text, /Audio from own.*saved to /);
    assert.strictEqual(seen("links").text.split("\n")[0], "[Resource link: one] note://1 (the first)");
    assert.include(seen("links").text, "an embedded text");
    assert.include(JSON.stringify(toldOf("links")), '"resourceLinks":[{');
    assert.strictEqual(seen("data").text, '{"sum":3}');
    assert.deepInclude(toldOf("data"), { structuredContent: { sum: 3 }, _meta: { hint: 1 } });
    assert.include(seen("long").text, "<persisted-output>");
    assert.strictEqual(seen("longer").text, "y".repeat(60_000));
    assert.strictEqual(seen("steps").text, "all of it");
    assert.strictEqual(seen("half").text, "half a pair: \ufffd");
    assert.deepInclude(seen("odd"), {
      isError: true,
      text: "its result cannot be sent: structuredContent.total is a bigint",
    });
    assert.deepInclude(seen("slow"), { isError: true, text: 'MCP server "own" tool "slow" timed out after 1s' });
    assert.include(String(await aborted.promise), "timed out");
    assert.include(seen("quick").text, "within 50 ms, the time limit of this tool");
    // What the CLI kept beside is whole.
    const path = /saved to: (\S+)/.exec(seen("long").text)?.[1] as string;
    assert.include(readFileSync(path, "utf8"), "x".repeat(60_000));
  });

  test("L14 calls of tools that only read run side by side, in a server object that two conversations share", async (t) => {
    const running = new Set<string>();
    const allRun = deferred<void>();
    const shared = createEagerly({ name: "shared" });
    for (const name of ["left", "right"]) {
      shared.instance.registerTool(
        name,
        { description: name, inputSchema: { who: z.string() }, annotations: { readOnlyHint: true } },
        async ({ who }) => {
          running.add(`${name} ${who}`);
          if (running.size === 4) allRun.resolve();
          // Four at once, or none ever ends.
          await allRun.promise;
          return { content: [{ type: "text", text: `${name} for ${who}` }] };
        },
      );
    }
    const scenes = await Promise.all(
      ["ann", "bob"].map((who) =>
        Scene.start(t, {
          script: [
            turn.blocks(["left", "right"].map((name) => block.toolUse(`mcp__shared__${name}`, { who }))),
            turn.text("done"),
          ],
          prompt: "go",
          options: { mcpServers: { shared }, allowedTools: ["mcp__shared"] },
        })
      ),
    );
    await Promise.all(scenes.map((scene) => scene.drain()));
    for (const [index, who] of ["ann", "bob"].entries()) {
      const results = scenes[index]?.model.requests.at(-1)?.toolResults() ?? [];
      assert.sameMembers(results.map((result) => result.text), [`left for ${who}`, `right for ${who}`]);
    }
  });

  test("L18 L19 L30 L34 L35 L36 L38 servers change, go off and on, are added and taken away; resources; an old protocol", async (t) => {
    const growing = new McpServer({ name: "growing", version: "1" });
    growing.registerTool("grow", { description: "g" }, () => {
      growing.registerTool("grown", { description: "new" }, () => ({ content: [{ type: "text", text: "grown ran" }] }));
      return { content: [{ type: "text", text: "growing" }] };
    });
    growing.registerResource(
      "note",
      "note://1",
      { description: "a note" },
      ({ href }) => ({ contents: [{ uri: href, text: "the text of the note" }] }),
    );
    growing.registerPrompt("greet", { description: "greets" }, () => ({
      messages: [{ role: "user", content: { type: "text", text: "Say hello." } }],
    }));
    const simple = (name: string) =>
      createSdkMcpServer({ name, alwaysLoad: true, tools: [tool("say", "says", {}, () => text(`${name} ran`))] });
    const many = Object.fromEntries(["m1", "m2", "m3", "m4", "m5"].map((name) => [name, simple(name)]));
    const talk = await Talk.start(t, {
      script: [
        turn.blocks([block.toolUse("mcp__growing__grow", {}), block.toolUse("mcp__old__relic", {})]),
        turn.text("done"),
        turn.blocks([
          block.toolUse("mcp__growing__grown", {}),
          block.toolUse("ReadMcpResourceTool", { server: "growing", uri: "note://1" }),
          block.toolUse("mcp__m2__say", {}),
        ]),
        turn.text("done"),
        turn.toolUse("mcp__added__say", {}),
        turn.text("done"),
        turn.toolUse("mcp__added__say", {}),
        turn.text("done"),
      ],
      options: {
        mcpServers: {
          growing: { type: "sdk", name: "growing", instance: growing },
          old: { type: "sdk", name: "old", instance: new OldServer() },
          ...many,
        },
        allowedTools: ["mcp__growing", "mcp__old", "mcp__m2", "mcp__added", "ReadMcpResourceTool"],
        disallowedTools: ["mcp__m1", "mcp__m3__*"],
      },
    });
    const { query } = talk.scene;
    const texts = () => talk.scene.model.requests.at(-1)?.toolResults().map((result) => result.text);
    const statuses = async () =>
      Object.fromEntries((await query.mcpServerStatus()).map(({ name, status }) => [name, status]));

    const parked = (await query.initializationResult()).sdk_mcp_manifests_parked as Record<string, string> | undefined;
    // On a machine under load the budget for manifests may run out, and the CLI does the handshake itself.
    if (parked !== undefined) {
      assert.notProperty(parked, "old", "its version is not the one that manifests are taken in");
    }
    const first = await talk.say("go");
    assert.deepEqual(texts(), ["growing", "the relic ran"]);
    assert.deepEqual([toolsAtInit(first, "m1"), toolsAtInit(first, "m2"), toolsAtInit(first, "m3")], [[], ["say"], []]);
    assert.deepEqual(toolsAtInit(first, "growing"), ["grow"]);

    await query.reloadPlugins();
    const second = await talk.say("again");
    assert.deepEqual(toolsAtInit(second, "growing"), ["grow", "grown"]);
    const [grown, note, say] = texts() ?? [];
    assert.strictEqual(grown, "grown ran");
    assert.include(note, "the text of the note");
    assert.strictEqual(say, "m2 ran");

    const status = (await query.mcpServerStatus()).find(({ name }) => name === "growing");
    assert.deepInclude(status, { status: "connected", serverInfo: { name: "growing", version: "1" } });
    assert.sameMembers(status?.tools?.map(({ name }) => name) ?? [], ["grow", "grown"]);

    await query.toggleMcpServer("m2", false);
    assert.strictEqual((await statuses()).m2, "disabled");
    await query.toggleMcpServer("m2", true);
    assert.strictEqual((await statuses()).m2, "connected");

    // What the options brought and is not named goes; what is named again keeps its session.
    const set = await query.setMcpServers({
      added: simple("added"),
      growing: { type: "sdk", name: "growing", instance: growing },
    });
    assert.deepEqual(set.added, ["added"]);
    assert.includeMembers(set.removed, ["old", "m2"]);
    assert.notInclude(set.removed, "growing");
    await talk.say("with what was added");
    assert.deepEqual(texts(), ["added ran"]);
    assert.hasAllKeys(await statuses(), ["added", "growing"]);
    assert.deepEqual((await query.setMcpServers({})).removed.sort(), ["added", "growing"]);
    await talk.say("without");
    assert.include(texts()?.[0], "No such tool available");
    await talk.end();
    assert.deepEqual(talk.scene.diagnostics.filter(({ kind }) => kind === "callback_failed"), []);
  });

  test("a server that a subagent brings is served to it, and to nobody else", async (t) => {
    const callers: (string | undefined)[] = [];
    const ledger = createSdkMcpServer({
      name: "ledger",
      alwaysLoad: true,
      tools: [tool("book", "books", { sum: z.number() }, ({ sum }, { toolUseId }) => {
        callers.push(toolUseId);
        return text(`booked ${sum}`);
      })],
    });
    const scene = await Scene.start(t, {
      script: {
        main: [
          turn.toolUse("mcp__ledger__book", { sum: 1 }),
          turn.toolUse("Agent", {
            description: "d",
            prompt: "p",
            subagent_type: "bookkeeper",
            run_in_background: false,
          }),
          turn.text("done"),
        ],
        match: [{
          name: "agent",
          when: (request) => request.agentId !== undefined,
          turns: [turn.toolUse("mcp__ledger__book", { sum: 2 }, { id: "toolu_agent" }), turn.text("agent done")],
        }],
      },
      prompt: "go",
      options: {
        agents: { bookkeeper: { description: "keeps books", prompt: "Keep.", mcpServers: [{ ledger }] } },
        allowedTools: ["mcp__ledger"],
      },
    });
    await scene.drain();
    assert.deepEqual(callers, ["toolu_agent"]);
    const [, denied] = scene.model.requests;
    assert.include(denied?.lastToolResult()?.text, "for the subagent bookkeeper alone");
    const ofAgent = scene.model.requests.filter(({ agentId }) => agentId !== undefined);
    assert.strictEqual(ofAgent.at(-1)?.lastToolResult()?.text, "booked 2");
  });

  test("L29 L31 a tool that nobody allowed is asked for, a refused one does not run; the environment's time limit holds", async (t) => {
    const ran: string[] = [];
    const own = createSdkMcpServer({
      name: "own",
      alwaysLoad: true,
      tools: [
        ...["asked", "refused"].map((name) =>
          tool(name, name, {}, () => {
            ran.push(name);
            return text(name);
          })
        ),
        tool("slow", "slow", {}, () => new Promise<ToolReturn>(() => {})),
      ],
    });
    const scene = await Scene.start(t, {
      script: [
        turn.toolUse("mcp__own__slow", {}),
        turn.toolUse("mcp__own__asked", {}),
        turn.toolUse("mcp__own__refused", {}),
        turn.text("done"),
      ],
      prompt: "go",
      options: {
        mcpServers: { own },
        allowedTools: ["mcp__own__slow"],
        tether: { extraEnv: { MCP_TOOL_TIMEOUT: "300" } },
        canUseTool: (name) =>
          Promise.resolve(
            name === "mcp__own__asked" ? { behavior: "allow" } : { behavior: "deny", message: "not that one" },
          ),
      },
    });
    await scene.drain();
    assert.deepEqual(ran, ["asked"]);
    assert.include(scene.model.requests[1]?.lastToolResult()?.text, 'tool "slow" timed out');
    assert.strictEqual(scene.model.requests.at(-1)?.lastToolResult()?.text, "not that one");
  });
});
