/** A query on the double of the CLI, in memory and as a process: what users of the testing kit will do. */
import { assert } from "chai";
import { type Options, ProcessError, query, type SDKMessage } from "../../mod.ts";
import { type CliScript, frame, type JsonObject, scriptedCli, step } from "../../src/testing/mod.ts";
import { rejectsWith } from "../harness/rejects.ts";
import { suite, type TestContext } from "../harness/suite.ts";

async function collect(prompt: string, options: Options): Promise<SDKMessage[]> {
  const messages: SDKMessage[] = [];
  for await (const message of query({ prompt, options })) messages.push(message);
  return messages;
}

function results(messages: readonly SDKMessage[]): unknown[] {
  return messages.flatMap((message) => message.type === "result" ? [(message as { result?: unknown }).result] : []);
}

async function program(t: TestContext, script: CliScript) {
  const made = await scriptedCli(script).program();
  t.cleanup(() => made.close());
  return made;
}

const BASH: JsonObject = {
  subtype: "can_use_tool",
  tool_name: "Bash",
  input: { command: "ls" },
  tool_use_id: "toolu_1",
};

export default suite("query on a scripted CLI", (test) => {
  test("a turn in memory: messages in order, the loop ends, the script was played to its end", async () => {
    const transport = scriptedCli([step.initialize(), step.turn("Hello!", { user: { message: { content: "hi" } } })])
      .transport();
    const messages = await collect("hi", { tether: { transport } });
    assert.deepEqual(messages.map((message) => message.type), ["system", "assistant", "result"]);
    assert.deepEqual(results(messages), ["Hello!"]);
    assert.deepInclude(await transport.exited, { code: 0 });
    transport.verify();
  });

  test("an old CLI, which tells of neither lines nor states, comes to its end as well", async () => {
    const transport = scriptedCli([step.turn("Hello!")], { cli: "old" }).transport();
    const messages = await collect("hi", { tether: { transport, timeouts: { quietMs: 50 } } });
    assert.deepEqual(results(messages), ["Hello!"]);
    transport.verify();
  });

  test("a permission question reaches the callback, and its answer the double", async () => {
    const check = { subtype: "success", response: { behavior: "deny", message: "not today" } };
    const transport = scriptedCli([step.turn("done", { during: [step.ask(BASH, { check })] })]).transport();
    const asked: string[] = [];
    const messages = await collect("go", {
      tether: { transport },
      canUseTool: (name) => {
        asked.push(name);
        return Promise.resolve({ behavior: "deny", message: "not today" });
      },
    });
    assert.deepEqual(asked, ["Bash"]);
    assert.deepEqual(results(messages), ["done"]);
    transport.verify();
  });

  test("a permission question that is taken back is not answered", async () => {
    const transport = scriptedCli([
      step.begin(),
      step.ask(BASH, { as: "first" }),
      step.cancel("first"),
      step.assistant("never mind"),
      step.finish(),
    ]).transport();
    const messages = await collect("go", {
      tether: { transport },
      canUseTool: (_name, _input, { signal }) =>
        new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    });
    assert.deepEqual(results(messages), ["never mind"]);
    assert.lengthOf(transport.received.filter((item) => item.type === "control_response"), 0);
    transport.verify();
  });

  test("a background task keeps the input open for the questions of the turn that follows it (G05, G17)", async () => {
    const task = { task_id: "t1", task_type: "local_agent", description: "looks" };
    const transport = scriptedCli([
      step.begin(),
      step.emit(frame.backgroundTasks([task]), frame.taskStarted("t1")),
      step.assistant("I sent somebody."),
      step.finish(),
      step.sleep(50),
      step.emit(frame.taskNotification("t1"), frame.backgroundTasks([])),
      step.emit(frame.state("running"), frame.init()),
      step.ask(BASH, { check: { subtype: "success", response: { behavior: "allow" } } }),
      step.assistant("He is back."),
      step.emit(frame.result("He is back."), frame.state("idle")),
    ]).transport();
    const messages = await collect("go", {
      tether: { transport },
      canUseTool: (_name, input) => Promise.resolve({ behavior: "allow", updatedInput: input }),
    });
    assert.deepEqual(results(messages), ["I sent somebody.", "He is back."]);
    transport.verify();
  });

  test("the same script as a process: arguments, environment and the end of input are the query's", async (t) => {
    const cli = await program(t, [step.initialize(), step.turn("from a process")]);
    const messages = await collect("hi", {
      pathToClaudeCodeExecutable: cli.executable,
      model: "some-model",
      env: { PATH: "/usr/bin:/bin", MARK: "here" },
    });
    assert.deepEqual(results(messages), ["from a process"]);
    await cli.verify();
    const [run] = await cli.runs();
    // B01
    const streams = ["--output-format=stream-json", "--verbose", "--input-format=stream-json"];
    assert.includeMembers(run!.argv, streams);
    assert.isFalse(run!.argv.some((argument) => argument === "hi" || argument.startsWith("--print")));
    assert.include(run!.argv.join(" "), "some-model");
    assert.strictEqual(run!.env.MARK, "here");
    assert.deepEqual(run!.end, { code: 0, signal: null });
  });

  test("a process that dies in mid-turn is an error with its code and its last words (O05)", async (t) => {
    const cli = await program(t, [step.begin(), step.stderr("out of luck\n"), step.exit(9)]);
    const error = await rejectsWith(
      collect("hi", { pathToClaudeCodeExecutable: cli.executable, env: { PATH: "/usr/bin:/bin" } }),
      ProcessError,
    );
    assert.strictEqual(error.exitCode, 9);
    assert.include(error.stderrTail, "out of luck");
  });
});
