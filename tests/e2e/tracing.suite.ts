/** What the real CLI's work leaves in a trace. */
import { assert } from "chai";
import { block, turn } from "../../src/testing/mod.ts";
import { registerOpenTelemetry, within } from "../harness/open_telemetry.ts";
import { suite } from "../harness/suite.ts";
import { Scene } from "./real_query.ts";

export default suite("tracing on the real CLI", (test) => {
  test("a turn with a tool and a subagent: one tree, times that fit into each other, and nothing of what was said", async (t) => {
    const traces = registerOpenTelemetry(t);
    await within(traces, "app", async () => {
      const scene = await Scene.start(t, {
        script: {
          main: [
            turn.blocks([block.toolUse("Bash", { command: "touch secret-file", description: "secret" })]),
            turn.toolUse("Agent", {
              description: "secret",
              prompt: "secret",
              subagent_type: "general-purpose",
              run_in_background: false,
            }),
            turn.text("secret-answer"),
          ],
          match: [{
            name: "agent",
            when: (request) => request.agentId !== undefined,
            turns: [turn.toolUse("Write", { file_path: "secret.txt", content: "secret" }), turn.text("secret")],
          }],
        },
        prompt: "secret-prompt",
        options: {
          allowedTools: ["Agent"],
          hooks: { PreToolUse: [{ hooks: [() => Promise.resolve({})] }], Stop: [{ hooks: [() => Promise.resolve()] }] },
          canUseTool: (_name, updatedInput) => Promise.resolve({ behavior: "allow", updatedInput }),
        },
      });
      for await (const message of scene.query) scene.messages.push(message);
    });
    const chat = traces.ended.find(({ name }) => name.startsWith("chat "))!;
    assert.deepEqual(traces.tree("app"), [
      "app",
      "  invoke_agent",
      `    ${chat.name}`,
      "      execute_tool Bash",
      "        hook PreToolUse",
      "        permission Bash",
      "      execute_tool Agent",
      "        hook PreToolUse",
      "        execute_tool Write",
      "          hook PreToolUse",
      "          permission Write",
      "      hook Stop",
    ]);
    assert.strictEqual(chat.name, `chat ${String(chat.attributes["gen_ai.request.model"])}`);
    assert.isAbove(chat.attributes["gen_ai.usage.output_tokens"] as number, 0);
    assert.deepEqual(chat.attributes["gen_ai.response.finish_reasons"], ["end_turn"]);
    const at = ([seconds, nanos]: readonly [number, number]): number => seconds * 1e3 + nanos / 1e6;
    const [query, tool] = [traces.span("invoke_agent"), traces.span("execute_tool Bash")];
    for (const [outer, inner] of [[query, chat], [chat, tool]] as const) {
      assert.isAtMost(at(outer.startTime), at(inner.startTime) + 1);
      assert.isAtLeast(at(outer.endTime) + 1, at(inner.endTime));
    }
    assert.strictEqual(traces.open.size, 0);
    const words = traces.ended.map(({ name, attributes, events, status }) => [name, attributes, events, status]);
    assert.notInclude(JSON.stringify(words), "secret");
  });
});
