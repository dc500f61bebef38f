/**
 * A whole conversation with the real CLI: a hook that watches, a permission question, and a tool of ours.
 *
 *     deno task demo            the CLI against a scripted model: no account, no network
 *     deno task demo --live     the `claude` on your PATH and its account
 *
 * Exits with 1 if hook, permission question or tool was not called.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { z } from "zod";
import { createSdkMcpServer, type Options, query, type SDKMessage, tool } from "../../mod.ts";
import { type ScriptedModel, scriptedModel, turn } from "../../src/testing/mod.ts";

const live = process.argv.includes("--live");
const calls = { hook: 0, permission: 0, tool: 0 };

const calculator = createSdkMcpServer({
  name: "calculator",
  version: "1.0.0",
  tools: [
    tool("multiply", "Multiplies two numbers", { a: z.number(), b: z.number() }, ({ a, b }) => {
      calls.tool++;
      say("tool", `multiply(${a}, ${b}) runs in this process`);
      return Promise.resolve({ content: [{ type: "text", text: String(a * b) }] });
    }),
  ],
});

const options: Options = {
  mcpServers: { calculator },
  allowedTools: ["mcp__calculator__multiply"],
  hooks: {
    PreToolUse: [{
      hooks: [(input) => {
        calls.hook++;
        say("hook", `PreToolUse sees ${"tool_name" in input ? input.tool_name : "a tool"}`);
        return Promise.resolve({});
      }],
    }],
  },
  canUseTool: (name, input) => {
    calls.permission++;
    say("permission", `${name} may run ${JSON.stringify(input.command ?? input)}`);
    return Promise.resolve({ behavior: "allow", updatedInput: input });
  },
};

const prompt = "Multiply 6 by 7 with the calculator, then write the product to answer.txt with a shell command.";

/** What the model says when nobody is asked for money: each line is made from what it was sent. */
function startModel(): Promise<ScriptedModel> {
  return scriptedModel([
    turn.toolUse("mcp__calculator__multiply", { a: 6, b: 7 }),
    (request) =>
      turn.toolUse("Bash", {
        command: `echo ${request.lastToolResult()?.text} > answer.txt`,
        description: "Write the product",
      }),
    (request) =>
      turn.text(
        request.lastToolResult()?.isError === true ? "I could not write the file." : "The product is in answer.txt.",
      ),
  ]);
}

function say(who: string, what: string): void {
  console.log(`${who.padEnd(11)} ${what}`);
}

function show(message: SDKMessage): void {
  if (message.type === "system" && message.subtype === "init") {
    say("cli", `version ${message.claude_code_version}, model ${message.model}`);
  } else if (message.type === "assistant") {
    for (const block of message.message.content) {
      if (block.type === "text") say("model", block.text);
      else if (block.type === "tool_use") say("model", `calls ${block.name} ${JSON.stringify(block.input)}`);
    }
  } else if (message.type === "result") {
    say("result", `${message.is_error ? "failed" : message.subtype} after ${message.num_turns} turns`);
  }
}

const home = await mkdtemp(join(tmpdir(), "tether-demo-"));
const model = live ? undefined : await startModel();
try {
  say("you", prompt);
  // Not the CLI that this repository pins, which lies nearer than any other.
  const cli: Options = model === undefined ? { pathToClaudeCodeExecutable: "claude" } : { env: model.env(home) };
  for await (const message of query({ prompt, options: { ...options, cwd: home, ...cli } })) show(message);
} finally {
  await model?.close();
  await rm(home, { recursive: true, force: true });
}

const silent = Object.entries(calls).filter(([, count]) => count === 0).map(([name]) => name);
if (silent.length > 0) {
  console.error(`Not called: ${silent.join(", ")}`);
  process.exitCode = 1;
} else {
  say("done", `hook ${calls.hook}×, permission ${calls.permission}×, tool ${calls.tool}×`);
}
