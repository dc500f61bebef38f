/** A query whose prompt ends: what is asked of the program meanwhile, and what it is told of the CLI. */
import { assert } from "chai";
import { type Diagnostic, type Options, query, type SDKMessage, type SDKUserMessage } from "../../../mod.ts";
import { type CliScript, type JsonObject, scriptedCli, step } from "../../../src/testing/mod.ts";
import { suite } from "../../harness/suite.ts";
import { userMessage } from "./query_scene.ts";

type Prompt = string | (() => AsyncIterable<SDKUserMessage>);

/** Runs a query to its end on a double of the CLI. */
async function run(script: CliScript, options: Options, prompt: Prompt = "hi") {
  const cli = scriptedCli(script).transport();
  const diagnostics: Diagnostic[] = [];
  const messages: SDKMessage[] = [];
  const running = query({
    prompt: typeof prompt === "string" ? prompt : prompt(),
    options: { ...options, tether: { transport: cli, onDiagnostic: (event) => diagnostics.push(event) } },
  });
  for await (const message of running) messages.push(message);
  cli.verify();
  const answers = cli.received.filter(({ type }) => type === "control_response").map(({ response }) => response);
  return { messages, diagnostics, answers: answers as JsonObject[] };
}

const ASK: JsonObject = { subtype: "can_use_tool", tool_name: "Bash", input: { command: "ls" }, tool_use_id: "t1" };

export default suite("one-shot queries", (test) => {
  test("a permission callback is enough, on a text prompt and on a stream that ends (J12)", async () => {
    const stream = async function* (): AsyncGenerator<SDKUserMessage> {
      yield userMessage("hi");
    };
    for (const prompt of ["hi", stream]) {
      const asked: string[] = [];
      const { messages, answers } = await run([step.turn("done", { during: [step.ask(ASK)] })], {
        canUseTool: (name, input) => {
          asked.push(name);
          return Promise.resolve({ behavior: "allow", updatedInput: input });
        },
      }, prompt);
      assert.deepEqual(asked, ["Bash"]);
      assert.deepEqual(answers.map(({ response }) => (response as JsonObject).behavior), ["allow"]);
      assert.strictEqual(messages.at(-1)?.type, "result");
    }
  });

  test("a text prompt with 60 hooked tool calls does not lock up (G14)", async () => {
    const asks = Array.from({ length: 60 }, (_, number) =>
      step.ask({
        subtype: "hook_callback",
        callback_id: "hook_0",
        input: { hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: {}, number },
        tool_use_id: `t${number}`,
      }));
    const seen: unknown[] = [];
    const { answers } = await run([step.turn("done", { during: asks })], {
      hooks: {
        PreToolUse: [{
          hooks: [async (input) => {
            await new Promise((resolve) => setTimeout(resolve, 1));
            seen.push((input as unknown as JsonObject).number);
            return {};
          }],
        }],
      },
    });
    assert.deepEqual(seen, asks.map((_, number) => number));
    assert.lengthOf(answers, 60);
  });

  test("a version that is new, or that nobody can read, is not worth a word (A10)", async () => {
    for (const claude_code_version of ["2.0.0", "10.0.0", "next", ""]) {
      const { diagnostics } = await run([step.initialize({ claude_code_version }), step.turn("ok")], {});
      assert.notInclude(diagnostics.map(({ kind }) => kind), "version_untested");
    }
  });
});
