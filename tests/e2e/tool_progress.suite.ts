/** What a call is told of that takes longer than half a minute. It waits for the CLI's own clock, beside the other bodies. */
// Loaded ahead of the first query, whose budget for manifests its loading would use up.
import "@modelcontextprotocol/sdk/server/mcp.js";
import { assert } from "chai";
import { createSdkMcpServer, isResultMessage, textOf, tool } from "../../mod.ts";
import { deferred } from "../../src/core/deferred.ts";
import { turn } from "../../src/testing/mod.ts";
import { suite } from "../harness/suite.ts";
import { Scene } from "./real_query.ts";

export default suite("progress of a tool on the real CLI", (test) => {
  test("L31 a call of more than 30 s gives signs of life, is not cut off, and its result arrives", async (t) => {
    const noticed = deferred<void>();
    const slow = tool("slow", "takes its time", {}, async () => {
      await noticed.promise;
      return { content: [{ type: "text", text: "at last" }] };
    });
    const scene = await Scene.start(t, {
      script: [
        turn.toolUse("mcp__own__slow", {}),
        (request) => turn.text(`It said: ${request.lastToolResult()?.text}.`),
      ],
      prompt: "Be patient.",
      options: {
        mcpServers: { own: createSdkMcpServer({ name: "own", tools: [slow] }) },
        allowedTools: ["mcp__own__slow"],
      },
    });
    const signs: unknown[] = [];
    let said: string | undefined;
    for await (const message of scene.query) {
      if (message.type === "tool_progress") {
        const { tool_name: name, heartbeat, elapsed_time_seconds: seconds, parent_tool_use_id: call } = message;
        signs.push({ name, heartbeat, call: typeof call, late: seconds >= 30 });
        noticed.resolve();
      }
      if (isResultMessage(message)) said = textOf(message);
    }
    assert.deepEqual(signs, [{ name: "mcp__own__slow", heartbeat: true, call: "string", late: true }]);
    assert.strictEqual(said, "It said: at last.");
  }, { timeoutMs: 90_000 });
});
