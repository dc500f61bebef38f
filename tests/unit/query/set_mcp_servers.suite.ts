/** What becomes of the servers of this program when the CLI takes others, or does not. */
import { assert } from "chai";
import { ControlRequestError, type McpServerConfig, type Query } from "../../../mod.ts";
import { type CliScript, type JsonObject, step } from "../../../src/testing/mod.ts";
import { mcpDouble } from "../../harness/faults/mcp_double.ts";
import { rejectsWith } from "../../harness/rejects.ts";
import { suite } from "../../harness/suite.ts";
import { play } from "./query_scene.ts";

/** A server of this program whose one tool says a word. */
function server(word: string): McpServerConfig {
  return { type: "sdk", name: word, instance: mcpDouble(() => Promise.resolve(word)) };
}

/** The CLI calls the tool of a server; the answer must hold the text. */
function calls(name: string, text: string): CliScript {
  const message = { jsonrpc: "2.0", id: `call-${crypto.randomUUID()}`, method: "tools/call", params: { name: "work" } };
  return [
    step.ask({ subtype: "mcp_message", server_name: name, message }, {
      check: (response: JsonObject) => JSON.stringify(response).includes(text),
    }),
  ];
}

const NOT_FOUND = "SDK MCP server not found";
const REFUSAL = { error: "no such servers", errorCode: "refused" };

/** The last message comes when all that was called has been answered as it should. */
async function over(query: Query): Promise<void> {
  assert.strictEqual((await query.next()).value?.type, "assistant");
}

export default suite("setMcpServers", (test) => {
  test("refused as a whole: the old servers serve on, the new ones are gone", async (t) => {
    const { query } = play(t, [
      step.request("mcp_set_servers", REFUSAL),
      calls("kept", "old"),
      calls("replaced", "old"),
      calls("fresh", NOT_FOUND),
      step.assistant("done"),
    ], { mcpServers: { kept: server("old"), replaced: server("old") } });
    const given = { replaced: server("new"), fresh: server("new") };
    const error = await rejectsWith(query.setMcpServers(given), ControlRequestError);
    assert.strictEqual(error.errorCode, "refused");
    await over(query);
  });

  test("while the CLI decides both are served; taken, the old ones go", async (t) => {
    const { query } = play(t, [
      step.run(async (stage) => {
        const request = await stage.expect({ type: "control_request", request: { subtype: "mcp_set_servers" } });
        await stage.play([calls("kept", "old"), calls("replaced", "new")]);
        await stage.reply(request, { response: { added: [], removed: [], errors: {} } });
      }, ["mcp_set_servers"]),
      calls("replaced", "new"),
      calls("kept", NOT_FOUND),
      step.assistant("done"),
    ], { mcpServers: { kept: server("old"), replaced: server("old") } });
    await query.setMcpServers({ replaced: server("new") });
    await over(query);
  });

  test("refused, with another set taken meanwhile: that one counts", async (t) => {
    const { query } = play(t, [
      step.run(async (stage) => {
        const asked = { type: "control_request", request: { subtype: "mcp_set_servers" } };
        const [first, second] = [await stage.expect(asked), await stage.expect(asked)];
        await stage.reply(second, { response: { added: [], removed: [], errors: {} } });
        await stage.reply(first, REFUSAL);
      }, ["mcp_set_servers"]),
      calls("second", "new"),
      calls("first", NOT_FOUND),
      calls("old", NOT_FOUND),
      step.assistant("done"),
    ], { mcpServers: { old: server("old") } });
    const first = rejectsWith(query.setMcpServers({ first: server("new") }), ControlRequestError);
    await Promise.all([first, query.setMcpServers({ second: server("new") })]);
    await over(query);
  });
});
