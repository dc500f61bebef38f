/** The real CLI against the scripted model, driven by plain lines: what the testing kit promises its users. */
import { assert } from "chai";
import { createServer, type Socket } from "node:net";
import { query } from "../../mod.ts";
import {
  block,
  type JsonObject,
  type ModelScript,
  type ScriptedModel,
  scriptedModel,
  type ScriptLines,
  turn,
} from "../../src/testing/mod.ts";
import { suite, type TestContext } from "../harness/suite.ts";
import { cliEnvFor, type CliRun, makeCliHome, pinnedCli, startCli, type StartOptions } from "./real_cli.ts";

async function scene(
  t: TestContext,
  script: ScriptLines | ModelScript,
  options?: StartOptions,
): Promise<{ readonly model: ScriptedModel; readonly cli: CliRun }> {
  const model = await scriptedModel(script);
  t.cleanup(() => model.close());
  return { model, cli: await startCli(t, model, options) };
}

function texts(cli: CliRun): string[] {
  return cli.frames.filter((frame) => frame.type === "assistant" && frame.parent_tool_use_id === null)
    .flatMap((frame) => (frame.message as { content: JsonObject[] }).content)
    .flatMap((part) => typeof part.text === "string" ? [part.text] : []);
}

function retries(cli: CliRun): JsonObject[] {
  return cli.frames.filter((frame) => frame.subtype === "api_retry");
}

const echo = (word: string) => ({ command: `echo ${word}`, description: "says a word" });

/** A CLI takes half a second to start, and many times that on a machine that is busy with other suites. */
const PATIENT = { timeoutMs: 60_000 };

export default suite("real CLI on a scripted model", (declare) => {
  const test = (name: string, run: (t: TestContext) => Promise<void>): void => declare(name, run, PATIENT);

  test("the pinned CLI is the one the kit was measured on", async (t) => {
    assert.strictEqual(pinnedCli().version, "2.1.332");
    const { cli } = await scene(t, []);
    assert.strictEqual((await cli.request("initialize")).claude_code_version, "2.1.332");
  });

  test("a text turn: init first, result last, one request, nothing else asked (M21)", async (t) => {
    const { model, cli } = await scene(t, [turn.text("Hello, world.")]);
    await cli.request("initialize");
    const uuid = cli.prompt("say hello");
    const result = await cli.result();
    assert.deepInclude(result, { subtype: "success", is_error: false, result: "Hello, world." });
    assert.deepEqual(texts(cli), ["Hello, world."]);
    assert.deepEqual(result.user_message_uuids, [uuid]);
    assert.deepInclude(await cli.end(), { code: 0 });
    assert.lengthOf(model.requests, 1);
    assert.lengthOf(model.sideRequests, 0);
    assert.strictEqual(model.requests[0]!.prompt, "say hello");
    assert.isTrue(model.requests[0]!.stream);
    model.verify();
  });

  test("a tool call, and an answer made from its result", async (t) => {
    const { model, cli } = await scene(t, [
      turn.blocks([block.text("Let me run it."), block.toolUse("Bash", echo("forty-two"))]),
      (request) => turn.text(`It says ${request.lastToolResult()?.text}.`),
    ]);
    cli.prompt("run it");
    assert.strictEqual((await cli.result()).result, "It says forty-two.");
    assert.deepEqual(model.requests[1]!.toolResults().map(({ toolUseId, isError }) => [toolUseId, isError]), [
      ["toolu_scripted_1", false],
    ]);
    assert.strictEqual(model.requests[1]!.prompt, "run it");
    model.verify();
  });

  test("the same through a query", async (t) => {
    const folders = await makeCliHome(t);
    const model = await scriptedModel([
      turn.toolUse("Bash", echo("forty-two")),
      (request) => turn.text(`It says ${request.lastToolResult()?.text}.`),
    ]);
    t.cleanup(() => model.close());
    const results: unknown[] = [];
    const options = { pathToClaudeCodeExecutable: pinnedCli().path, cwd: folders.cwd, env: cliEnvFor(model, folders) };
    for await (const message of query({ prompt: "run it", options })) {
      if (message.type === "result") results.push((message as { result?: unknown }).result);
    }
    assert.deepEqual(results, ["It says forty-two."]);
    model.verify();
  });

  test("tools called in parallel all answer, each to its own call", async (t) => {
    const { model, cli } = await scene(t, [
      turn.blocks([
        block.toolUse("Bash", echo("one"), { id: "toolu_one" }),
        block.toolUse("Bash", echo("two"), { id: "toolu_two" }),
        block.toolUse("Bash", { command: "cat missing", description: "fails" }, { id: "toolu_three" }),
      ]),
      (request) => turn.text(`${request.toolResult("toolu_one")?.text} ${request.toolResult("toolu_two")?.text}`),
    ]);
    cli.prompt("go");
    assert.strictEqual((await cli.result()).result, "one two");
    // In the order in which they ended.
    const results = model.requests[1]!.toolResults();
    assert.sameMembers(results.map(({ toolUseId }) => toolUseId), ["toolu_one", "toolu_two", "toolu_three"]);
    assert.isTrue(model.requests[1]!.toolResult("toolu_three")?.isError);
    model.verify();
  });

  test("thinking is shown, and broken tool arguments come back as an error to the model", async (t) => {
    const { model, cli } = await scene(t, [
      turn.blocks([block.thinking("hm"), block.brokenToolUse("Bash", '{"command": "ls')]),
      (request) => turn.text(request.lastToolResult()?.isError === true ? "it failed" : "it ran"),
    ]);
    cli.prompt("go");
    assert.strictEqual((await cli.result()).result, "it failed");
    const kinds = cli.frames.filter((frame) => frame.type === "assistant")
      .flatMap((frame) => (frame.message as { content: JsonObject[] }).content.map((part) => part.type));
    assert.deepEqual(kinds, ["thinking", "tool_use", "text"]);
    model.verify();
  });

  test("a rate limit is retried after the time it names, and uses up a line (O13)", async (t) => {
    const { model, cli } = await scene(t, [turn.error(429, { retryAfter: 1 }), turn.text("now it works")]);
    cli.prompt("go");
    assert.strictEqual((await cli.result()).result, "now it works");
    const [retry] = retries(cli);
    assert.deepInclude(retry!, { attempt: 1, error_status: 429, error: "rate_limit" });
    assert.isAtLeast(Number(retry!.retry_delay_ms), 1000);
    model.verify();
  });

  test("overload and server errors are retried; a dropped connection too", async (t) => {
    const { model, cli } = await scene(t, [
      turn.error(529),
      turn.error(500),
      turn.drop(),
      turn.text("it was a long way"),
    ]);
    cli.prompt("go");
    assert.strictEqual((await cli.result()).result, "it was a long way");
    assert.deepEqual(retries(cli).map((retry) => retry.error_status), [529, 500, null]);
    model.verify();
  });

  test("retries that are used up end as an error result, and the CLI leaves with 1 (O12)", async (t) => {
    const { model, cli } = await scene(t, () => turn.error(529), { env: { CLAUDE_CODE_MAX_RETRIES: "1" } });
    cli.prompt("go");
    const result = await cli.result();
    assert.deepInclude(result, { subtype: "success", is_error: true, api_error_status: 529 });
    assert.strictEqual((await cli.end()).code, 1);
    assert.lengthOf(model.requests, 2);
  });

  test("client errors are final", async (t) => {
    const { model, cli } = await scene(t, [turn.error(403, { message: "not you" })]);
    cli.prompt("go");
    const result = await cli.result();
    assert.deepInclude(result, { is_error: true, api_error_status: 403, terminal_reason: "api_error" });
    assert.include(String(result.result), "not you");
    model.verify();
  });

  test("past the end of the script the CLI shows what happened, after one request", async (t) => {
    const { model, cli } = await scene(t, [turn.toolUse("Bash", echo("x"))]);
    cli.prompt("go");
    const result = await cli.result();
    assert.isTrue(result.is_error);
    assert.include(String(result.result), 'scriptedModel: line 2 of "main" was asked for');
    assert.lengthOf(model.requests, 2);
    assert.lengthOf(model.problems, 1);
  });

  test("a stalled answer goes on when it is released", async (t) => {
    const { model, cli } = await scene(t, [turn.stall({ then: turn.text("at last") })]);
    cli.prompt("go");
    await model.waitForStall();
    assert.isUndefined(cli.frames.find((frame) => frame.type === "assistant"));
    model.release();
    assert.strictEqual((await cli.result()).result, "at last");
    model.verify();
  });

  test("an answer that stalls in mid-stream can be interrupted, and the next turn works (M19)", async (t) => {
    const { model, cli } = await scene(t, [
      turn.text("one two three", { chunkChars: 4, stallAfter: 2 }),
      turn.text("second turn"),
    ]);
    await cli.request("initialize");
    cli.prompt("go");
    await model.waitForStall();
    assert.deepEqual(await cli.request("interrupt"), { still_queued: [] });
    assert.deepInclude(await cli.result(), {
      subtype: "error_during_execution",
      terminal_reason: "aborted_streaming",
    });
    cli.prompt("again");
    assert.strictEqual((await cli.result(2)).result, "second turn");
    assert.strictEqual(model.stalled, 0);
    model.verify();
  });

  test("a slow answer is put together from its pieces", async (t) => {
    const words = "slowly but surely it comes ".repeat(10);
    const { cli } = await scene(t, [turn.text(words, { chunkChars: 9, chunkDelayMs: 5 })], {
      args: ["--include-partial-messages"],
    });
    cli.prompt("go");
    assert.strictEqual((await cli.result()).result, words);
    const deltas = cli.frames.flatMap((frame) => {
      const event = frame.event as JsonObject | undefined;
      return event?.type === "content_block_delta" ? [String((event.delta as JsonObject).text)] : [];
    });
    assert.strictEqual(deltas.join(""), words);
    assert.isAbove(deltas.length, 1);
  });

  test("a huge answer arrives whole", async (t) => {
    const text = "The quick brown fox 🦊 jumps. ".repeat(40_000);
    const { cli } = await scene(t, [turn.text(text)]);
    cli.prompt("go");
    assert.isTrue((await cli.result()).result === text);
  });

  test("an answer that breaks off in mid-stream is begun again", async (t) => {
    const { model, cli } = await scene(t, [
      turn.text("one two", { chunkChars: 4, dropAfter: 1 }),
      turn.text("whole answer"),
    ]);
    cli.prompt("go");
    assert.include(String((await cli.result()).result), "whole answer");
    model.verify();
  });

  test("a refusal is asked about once more, running out of tokens is continued three times", async (t) => {
    const refused = await scene(t, [turn.refusal(), turn.refusal()]);
    refused.cli.prompt("go");
    assert.isTrue((await refused.cli.result()).is_error);
    refused.model.verify();
    const cut = await scene(t, [1, 2, 3, 4].map((count) => turn.maxTokens(`part ${count}`)));
    cut.cli.prompt("go");
    assert.isTrue((await cut.cli.result()).is_error);
    cut.model.verify();
  });

  test("a background agent has lines of its own, and its end starts a turn", async (t) => {
    const { model, cli } = await scene(t, {
      main: [
        turn.toolUse("Agent", { description: "looks", prompt: "look around", subagent_type: "general-purpose" }),
        turn.text("I sent somebody."),
        (request) => turn.text(request.reminders.some((note) => note.includes("seen it all")) ? "He is back." : "Who?"),
      ],
      match: [{
        name: "agent",
        when: (request) => request.agentId !== undefined,
        turns: [
          turn.toolUse("Bash", echo("all")),
          (request) => turn.text(`I have seen it ${request.lastToolResult()?.text}`),
        ],
      }],
    });
    cli.prompt("go");
    assert.strictEqual((await cli.result(1)).result, "I sent somebody.");
    const second = await cli.result(2);
    assert.strictEqual(second.result, "He is back.");
    assert.strictEqual((second.origin as JsonObject).kind, "task-notification");
    const agent = model.requests.filter((request) => request.agentId !== undefined);
    assert.deepEqual(agent.map(({ firstPrompt }) => firstPrompt), ["look around", "look around"]);
    model.verify();
  });

  test("questions the CLI asks for itself use up no lines: title, side question, tokens, compaction", async (t) => {
    const { model, cli } = await scene(t, [turn.text("hello")]);
    await cli.request("initialize");
    cli.prompt("go");
    await cli.result();
    const title = await cli.request("generate_session_title", { description: "a long talk", persist: false });
    assert.deepEqual(title, { title: "Scripted title" });
    const answer = await cli.request("side_question", { question: "what is this?" });
    assert.deepInclude(answer, { response: "Scripted answer" });
    await cli.request("get_context_usage", { detail: "full" });
    cli.prompt("/compact");
    assert.deepInclude(await cli.result(2), { local_command: "compact", is_error: false });
    assert.isDefined(cli.frames.find((frame) => frame.subtype === "compact_boundary"));
    const topics = model.sideRequests.flatMap(({ topic }) => topic === undefined ? [] : [topic]);
    assert.deepEqual(topics, ["structured", "question", "summary"]);
    assert.isDefined(model.sideRequests.find(({ kind }) => kind === "count_tokens"));
    model.verify();
  });

  test("a conversation without tools is still a conversation", async (t) => {
    const { model, cli } = await scene(t, [turn.text("bare")], { args: ["--tools="] });
    cli.prompt("go");
    assert.strictEqual((await cli.result()).result, "bare");
    assert.deepEqual(model.requests[0]!.toolNames, []);
    model.verify();
  });

  test("nothing but the model is called: a proxy for all the rest sees nobody", async (t) => {
    const callers: Socket[] = [];
    const proxy = createServer((socket) => {
      callers.push(socket);
      socket.destroy();
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    t.cleanup(() => new Promise<void>((resolve) => proxy.close(() => resolve())));
    const address = `http://127.0.0.1:${(proxy.address() as { port: number }).port}`;
    const script = [turn.toolUse("Bash", echo("x")), turn.text("done")];
    const { model, cli } = await scene(t, script, {
      env: { HTTP_PROXY: address, HTTPS_PROXY: address, NO_PROXY: "127.0.0.1" },
    });
    await cli.request("initialize");
    cli.prompt("go");
    assert.strictEqual((await cli.result()).result, "done");
    await cli.end();
    assert.lengthOf(callers, 0);
    assert.lengthOf(model.sideRequests, 0);
  });

  test("everything the CLI writes stays in the folders it was given", async (t) => {
    const { cli } = await scene(t, [
      turn.toolUse("Bash", { ...echo("x"), run_in_background: true }),
      turn.text("started"),
      turn.text("ended"),
    ]);
    cli.prompt("go");
    const init = await cli.waitFor("init", (frame) => frame.subtype === "init");
    const note = await cli.waitFor("the end of the task", (frame) => frame.subtype === "task_notification");
    await cli.result(2);
    const root = cli.folders.home;
    for (const path of [init.messaging_socket_path, (init.memory_paths as JsonObject).auto, note.output_file]) {
      assert.isTrue(String(path).startsWith(root), String(path));
    }
  });
});
