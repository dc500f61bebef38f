import { assert } from "chai";
import { pinnedCli } from "../e2e/real_cli.ts";
import { RUNTIMES, withConsumer } from "./consumer.ts";

/** A user's program: the real CLI, a hook, a permission question and a tool of the program's own, on a scripted model. */
const PROGRAM = `
  import { createSdkMcpServer, query, tool } from "@tether/agent";
  import { scriptedModel, turn } from "@tether/agent/testing";
  import { z } from "zod";

  const model = await scriptedModel([
    turn.toolUse("mcp__calculator__multiply", { a: 6, b: 7 }),
    (request) => turn.text("It is " + request.lastToolResult()?.text),
  ]);
  const called = [];
  const multiply = tool("multiply", "Multiplies", { a: z.number(), b: z.number() }, ({ a, b }) => {
    called.push("tool");
    return { content: [{ type: "text", text: String(a * b) }] };
  });
  try {
    for await (const message of query({
      prompt: "What is 6 times 7?",
      options: {
        pathToClaudeCodeExecutable: process.env.CLI,
        env: model.env(process.env.HOME, { sandbox: true }),
        cwd: process.env.HOME,
        mcpServers: { calculator: createSdkMcpServer({ name: "calculator", version: "1.0.0", tools: [multiply] }) },
        hooks: { PreToolUse: [{ hooks: [() => { called.push("hook"); return {}; }] }] },
        canUseTool: (_name, input) => { called.push("permission"); return { behavior: "allow", updatedInput: input }; },
      },
    })) {
      if (message.type === "result") console.log(JSON.stringify({ called, result: message.result }));
    }
  } finally {
    await model.close();
  }
`;

Deno.test("the built package drives the real CLI", (t) =>
  withConsumer(["zod", "@modelcontextprotocol/sdk"], async (consumer) => {
    const program = await consumer.write("program.mjs", PROGRAM.replace(/^/, `import process from "node:process";\n`));
    for (const runtime of RUNTIMES) {
      await t.step(runtime, async () => {
        const { code, output, stderr } = await consumer.run(runtime, program, {
          permissions: ["-A"],
          env: { CLI: pinnedCli().path },
        });
        assert.equal(code, 0, stderr);
        assert.deepEqual(JSON.parse(output), { called: ["hook", "permission", "tool"], result: "It is 42" });
      });
    }
  }));
