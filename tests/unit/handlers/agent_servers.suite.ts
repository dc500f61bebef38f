/** Servers of this program that subagents bring with them. */
import { assert } from "chai";
import { createSdkMcpServer } from "../../../src/client/create_sdk_mcp_server.ts";
import { tool } from "../../../src/client/tool.ts";
import { OptionError } from "../../../src/core/errors/mod.ts";
import type { JsonObject, JsonValue } from "../../../src/core/json.ts";
import type { AgentDefinition, Options } from "../../../src/core/options/mod.ts";
import { suite } from "../../harness/suite.ts";
import { throwsWith } from "../../harness/throws.ts";
import { openHandlers, toolCall } from "./handlers_fixture.ts";

function server(text: string): ReturnType<typeof createSdkMcpServer> {
  return createSdkMcpServer({
    name: "any",
    tools: [tool("say", "says", {}, () => ({ content: [{ type: "text", text }] }))],
  });
}

function agent(...mcpServers: NonNullable<AgentDefinition["mcpServers"]>): AgentDefinition {
  return { description: "d", prompt: "p", mcpServers };
}

const FROM = (name: string, more: JsonObject = {}): JsonObject => ({
  hook_event_name: "PreToolUse",
  tool_name: `mcp__${name}__say`,
  mcp_server: { name, source: "sdk" },
  ...more,
});

export default suite("servers of subagents", (test) => {
  test("they are the session's to the CLI, with what they are set to, and calls are served", async (t) => {
    const own = server("own ran");
    const fixture = openHandlers(t, {
      mcpServers: { all: server("all ran") },
      agents: {
        one: agent("all", { own: { ...own, timeout: 5_000 }, far: { type: "http", url: "https://example.com" } }),
        two: agent({ own }),
        three: { description: "d", prompt: "p" },
      },
    });
    const parts = await fixture.handlers.initializeFields();
    assert.deepEqual(parts.sdkMcpServers, ["all", "own"]);
    assert.deepEqual(parts.hooks, {
      PreToolUse: [{ matcher: "^mcp__|^ReadMcpResource", hookCallbackIds: ["hook_0"] }],
    });
    assert.deepNestedInclude(await fixture.mcp("own", toolCall(2, "say")), { "result.content[0].text": "own ran" });
    assert.isTrue(fixture.handlers.asks);
  });

  test("calls of anybody but their agents are denied; other servers are nobody's", async (t) => {
    const own = server("own");
    const fixture = openHandlers(t, {
      agents: { one: agent({ own }), two: agent({ own }) },
      hooks: { PreToolUse: [{ hooks: [() => Promise.resolve()] }] },
    });
    const ask = async (input: JsonObject) =>
      JSON.stringify(await fixture.ask("hook_callback", { callback_id: "hook_1", input }));
    assert.include(await ask(FROM("own")), '"permissionDecision":"deny"');
    assert.include(await ask(FROM("own", { agent_id: "a", agent_type: "three" })), "for the subagent one, two alone");
    for (const agent_type of ["one", "two"]) {
      assert.strictEqual(await ask(FROM("own", { agent_id: "a", agent_type })), "{}");
    }
    assert.strictEqual(await ask(FROM("other")), "{}");
    assert.strictEqual(await ask({ ...FROM("own"), mcp_server: { name: "own", source: "user" } }), "{}");
    const { mcp_server: _, ...untold } = FROM("own");
    assert.include(await ask(untold), '"deny"', "a CLI that does not say whose tool it is opens no gate");
  });

  test("its resources are the agent's alone as well, whichever form of the server's name they are asked by", async (t) => {
    const fixture = openHandlers(t, { agents: { one: agent({ "my notes.v1": server("own") }) } });
    const parts = await fixture.handlers.initializeFields();
    const [{ matcher }] = (parts.hooks as { PreToolUse: [{ matcher: string }] }).PreToolUse;
    const ask = async (tool_name: string, name: JsonValue, more: JsonObject = {}) => {
      assert.match(tool_name, new RegExp(matcher));
      const input = {
        hook_event_name: "PreToolUse",
        tool_name,
        tool_input: { server: name, uri: "note://1" },
        ...more,
      };
      return JSON.stringify(await fixture.ask("hook_callback", { callback_id: "hook_0", input }));
    };
    for (const tool of ["ReadMcpResourceTool", "ReadMcpResourceDirTool"]) {
      for (const name of ["my notes.v1", "my_notes_v1"]) {
        assert.include(await ask(tool, name), "for the subagent one alone");
        assert.include(await ask(tool, name, { agent_id: "a", agent_type: "two" }), '"permissionDecision":"deny"');
        assert.strictEqual(await ask(tool, name, { agent_id: "a", agent_type: "one" }), "{}");
      }
      assert.strictEqual(await ask(tool, "other"), "{}");
      assert.strictEqual(await ask(tool, null), "{}");
    }
  });

  test("the agent that leads the session may, too", async (t) => {
    const fixture = openHandlers(t, { agent: "lead", agents: { lead: agent({ own: server("own") }) } });
    assert.deepEqual(await fixture.ask("hook_callback", { callback_id: "hook_0", input: FROM("own") }), {});
  });

  test("a server that the session has anyway is not kept to anybody", async (t) => {
    const own = server("own");
    const { handlers } = openHandlers(t, { mcpServers: { own }, agents: { one: agent({ own }) } });
    const parts = await handlers.initializeFields();
    assert.deepEqual(parts.sdkMcpServers, ["own"]);
    assert.notProperty(parts, "hooks");
  });

  test("two different servers of one name are refused", (t) => {
    const refused: Options[] = [
      { mcpServers: { own: server("a") }, agents: { one: agent({ own: server("b") }) } },
      { mcpServers: { own: { command: "x" } }, agents: { one: agent({ own: server("b") }) } },
      { agents: { two: agent({ own: server("a") }), one: agent({ own: server("b") }) } },
    ];
    for (const options of refused) {
      const error = throwsWith(() => void openHandlers(t, options), OptionError);
      assert.strictEqual(error.option, "agents.one.mcpServers");
    }
  });
});
