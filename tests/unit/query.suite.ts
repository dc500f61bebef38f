/** The query as a whole, on a double of the CLI in memory: what no single part shows. */
import { assert } from "chai";
import {
  AbortError,
  CLIJSONDecodeError,
  ControlRequestError,
  ControlTimeoutError,
  type Diagnostic,
  MessageTooLargeError,
  OptionError,
  type Options,
  ProcessError,
  PromptError,
  type Query,
  query,
  ResultError,
  type SDKMessage,
  type SDKUserMessage,
  type StreamTransport,
} from "../../mod.ts";
import {
  type CliScript,
  frame,
  type JsonObject,
  scriptedCli,
  type ScriptedCliOptions,
  type ScriptedCliTransport,
  step,
} from "../../src/testing/mod.ts";
import { rejection, rejectsWith } from "../harness/rejects.ts";
import { suite, type TestContext } from "../harness/suite.ts";

interface Scene {
  readonly query: Query;
  readonly cli: ScriptedCliTransport;
  readonly diagnostics: Diagnostic[];
  readonly messages: SDKMessage[];
  /** Reads to the end; rejects with what the loop rejects with. */
  drain(): Promise<void>;
}

interface Setting {
  readonly prompt?: Parameters<typeof query>[0]["prompt"];
  readonly options?: Options;
  readonly cli?: ScriptedCliOptions;
}

function play(t: TestContext, script: CliScript, setting: Setting = {}): Scene {
  const cli = scriptedCli(script, setting.cli).transport();
  const diagnostics: Diagnostic[] = [];
  const messages: SDKMessage[] = [];
  const { tether, ...options } = setting.options ?? {};
  const running = query({
    prompt: setting.prompt ?? "hi",
    options: { ...options, tether: { transport: cli, onDiagnostic: (event) => diagnostics.push(event), ...tether } },
  });
  t.cleanup(() => running.close());
  return {
    query: running,
    cli,
    diagnostics,
    messages,
    async drain() {
      for await (const message of running) messages.push(message);
    },
  };
}

/** What a `can_use_tool` answer looked like on the wire. */
function answers(cli: ScriptedCliTransport): JsonObject[] {
  return cli.received.filter((line) => line.type === "control_response").map((line) => line.response as JsonObject);
}

const ASK: JsonObject = { subtype: "can_use_tool", tool_name: "Bash", input: { command: "ls" }, tool_use_id: "t1" };

export default suite("query", (test) => {
  test("messages in order, then the end; control, state and lifecycle frames never among them (H17 N01)", async (t) => {
    const scene = play(t, [step.turn("Hello!")]);
    await scene.drain();
    assert.deepEqual(scene.messages.map((message) => message.type), ["system", "assistant", "result"]);
    scene.cli.verify();
    assert.deepEqual(await scene.query.next(), { done: true, value: undefined });
  });

  test("H01 initialize is the first line, the prompt the second, without waiting for the answer", async (t) => {
    const scene = play(t, [
      step.expect((line) => line.type === "control_request", "initialize"),
      step.expect((line) => line.type === "user", "the prompt"),
      step.exit(0),
    ]);
    await rejection(scene.drain());
    scene.cli.verify();
    assert.deepInclude(scene.cli.received[1], { type: "user", session_id: "", parent_tool_use_id: null });
    assert.isString(scene.cli.received[1]?.uuid, "lines are stamped");
  });

  test("a prompt waits for initialize when a hook must hold the CLI to its failure", async (t) => {
    const scene = play(t, [step.initialize({ hooks_applied: true }), step.turn("ok")], {
      options: { hooks: { PreToolUse: [{ onFailure: "block", hooks: [() => Promise.resolve({})] }] } },
    });
    await scene.drain();
    scene.cli.verify();
  });

  test("a CLI that cannot do that is ended (K09)", async (t) => {
    const scene = play(t, [step.initialize({ hook_on_failure_supported: false }), step.eof()], {
      options: { hooks: { PreToolUse: [{ onFailure: "block", hooks: [() => Promise.resolve({})] }] } },
    });
    assert.propertyVal(await rejection(scene.drain()), "code", "initialize_not_applied");
    assert.lengthOf(scene.cli.received.filter((line) => line.type === "user"), 0, "no prompt went out");
  });

  test("noise is skipped and reported, a record cut in two is joined, neighbours arrive (D08)", async (t) => {
    const whole = JSON.stringify({ type: "assistant", message: { role: "assistant", content: [] }, marker: "joined" });
    const scene = play(t, [
      step.begin(),
      step.raw("WARNING: something\n123\nnull\n"),
      step.raw(whole.slice(0, 40) + "\n" + whole.slice(40) + "\n"),
      step.assistant("after"),
      step.finish(),
    ]);
    await scene.drain();
    assert.deepEqual(scene.messages.map((message) => message.type), ["system", "assistant", "assistant", "result"]);
    assert.include(JSON.stringify(scene.messages[1]), "joined");
    const skipped = scene.diagnostics.filter((event) => event.kind === "line_skipped");
    assert.deepEqual(skipped.map((event) => event.reason), ["not_json", "not_an_object", "not_an_object"]);
  });

  test("unknown kinds pass through", async (t) => {
    const scene = play(t, [step.begin(), step.emit({ type: "brand_new", payload: 1 }), step.finish()]);
    await scene.drain();
    assert.deepInclude(scene.messages[1] as unknown as JsonObject, { type: "brand_new", payload: 1 });
  });

  test("output that ends inside a record is an error, which shows none of it (O14)", async (t) => {
    const scene = play(t, [step.turn("ok"), step.raw('{"type":"assistant","mess'), step.exit(0)]);
    const error = await rejectsWith(scene.drain(), CLIJSONDecodeError);
    assert.strictEqual(error.bytes, 25);
    assert.notInclude(String(error) + JSON.stringify(error), "mess");
    assert.lengthOf(scene.messages, 3, "what was whole was delivered");
  });

  test("a frame over the limit ends the query with both numbers and the option (O07)", async (t) => {
    const scene = play(t, [step.begin(), step.assistant("x".repeat(200_000)), step.finish()], {
      options: { tether: { limits: { maxMessageBytes: 100_000 } } },
    });
    const error = await rejectsWith(scene.drain(), MessageTooLargeError);
    assert.strictEqual(error.limitBytes, 100_000);
    assert.isAbove(error.bytesSeen, 100_000);
    assert.strictEqual(error.option, "tether.limits.maxMessageBytes");
    assert.deepEqual(scene.messages.map((message) => message.type), ["system"]);
  });

  test("leaving without a result is an error, whatever the code (O05)", async (t) => {
    const silent = await rejectsWith(play(t, [step.user(), step.exit(0)]).drain(), ProcessError);
    assert.strictEqual(silent.code, "no_result");
    const failed = await rejectsWith(
      play(t, [step.user(), step.stderr("oh no\n"), step.exit(7)]).drain(),
      ProcessError,
    );
    assert.strictEqual(failed.exitCode, 7);
    assert.include(failed.stderrTail, "oh no");
  });

  test("an error result, then exit 1: the result is delivered, then a ResultError with it (O02)", async (t) => {
    const result = { subtype: "error_max_turns", is_error: true, errors: ["Reached maximum number of turns (2)"] };
    const scene = play(t, [step.begin(), step.finish({ fields: result }), step.eof(), step.exit(1)]);
    const error = await rejectsWith(scene.drain(), ResultError);
    assert.strictEqual(error.message, "Reached maximum number of turns (2)");
    assert.strictEqual(error.subtype, "error_max_turns");
    assert.strictEqual(scene.messages.at(-1)?.type, "result");
    assert.deepEqual(await scene.query.next(), { done: true, value: undefined }, "an error is told once (O08)");
  });

  test("a suggestion after an error result is bookkeeping: the result stays the reason of exit 1", async (t) => {
    const scene = play(t, [
      step.begin(),
      step.finish({ fields: { is_error: true, errors: ["the reason"] } }),
      step.emit({ type: "prompt_suggestion", suggestion: "what next" }),
      step.eof(),
      step.exit(1),
    ]);
    const error = await rejectsWith(scene.drain(), ResultError);
    assert.strictEqual(error.message, "the reason");
  });

  test("an error result followed by another turn is no longer the reason of exit 1 (O06)", async (t) => {
    const scene = play(t, [
      step.begin(),
      step.finish({ fields: { is_error: true, errors: ["old"] } }),
      step.emit(frame.init()),
      step.assistant("and on"),
      step.exit(1),
    ]);
    const error = await rejectsWith(scene.drain(), ProcessError);
    assert.notInstanceOf(error, ResultError);
  });

  test("a refused initialize ends the query: nothing runs without its hooks", async (t) => {
    const scene = play(t, [step.request("initialize", { error: "no such thing" }), step.eof()]);
    const error = await rejectsWith(scene.drain(), ControlRequestError);
    assert.strictEqual(error.message, "no such thing");
    assert.strictEqual(await rejection(scene.query.initializationResult()), error);
  });

  test("a deaf CLI meets the deadline of initialize (H07)", async (t) => {
    const scene = play(t, [step.run(() => new Promise(() => {}), ["initialize"])], {
      options: { tether: { timeouts: { initializeMs: 50, graceMs: 20, termMs: 20 } } },
    });
    const error = await rejectsWith(scene.drain(), ControlTimeoutError);
    assert.deepInclude(error, { subtype: "initialize", timeoutMs: 50 });
  });

  test("a start that is refused rejects the pending initialize with the same error (O10)", async (t) => {
    const result = { type: "result", subtype: "error_during_execution", is_error: true, errors: ["No such session"] };
    const scene = play(t, [
      step.run(async (stage) => {
        await stage.emit(result);
      }, ["initialize"]),
      step.exit(1),
    ]);
    const told = rejection(scene.query.initializationResult());
    const error = await rejectsWith(scene.drain(), ResultError);
    assert.strictEqual(await told, error);
    assert.strictEqual(error.message, "No such session");
  });

  test("an interrupt that is not answered meets its deadline", async (t) => {
    const scene = play(t, [step.begin(), step.run(() => new Promise(() => {}), ["interrupt"])], {
      options: { tether: { timeouts: { controlMs: 50, graceMs: 20, termMs: 20 } } },
    });
    await scene.query.next();
    await rejectsWith(scene.query.interrupt(), ControlTimeoutError);
  });

  test("an interrupt of a turn that never begins meets its deadline too", async (t) => {
    const scene = play(t, [step.user(), step.eof()], { options: { tether: { timeouts: { controlMs: 50 } } } });
    const error = await rejectsWith(scene.query.interrupt(), ControlTimeoutError);
    assert.deepInclude(error, { subtype: "interrupt", timeoutMs: 50 });
    assert.isFalse(
      scene.cli.received.some((line) => (line.request as JsonObject | undefined)?.subtype === "interrupt"),
    );
  });

  test("a CLI that dies rejects what is asked of it at once, with the cause (H16)", async (t) => {
    const scene = play(t, [
      step.begin(),
      step.expect((line) => (line.request as JsonObject | undefined)?.subtype === "set_model", "set_model"),
      step.stderr("gone wrong"),
      step.exit(7),
    ]);
    await scene.query.next();
    const error = await rejectsWith(scene.query.setModel("x"), ProcessError);
    assert.strictEqual(error.exitCode, 7);
    assert.strictEqual(await rejection(scene.drain()), error);
  });

  test("methods work inside the loop; an error answer is a typed rejection", async (t) => {
    const scene = play(t, [
      step.begin(),
      step.request("set_model", { response: { model: "m" } }),
      step.request("set_permission_mode", { error: "no such mode", errorCode: "invalid_mode" }),
      step.finish(),
    ]);
    for await (const message of scene.query) {
      if (message.type !== "system") continue;
      await scene.query.setModel("m");
      const error = await rejectsWith(scene.query.setPermissionMode("plan"), ControlRequestError);
      assert.strictEqual(error.errorCode, "invalid_mode");
    }
    scene.cli.verify();
  });

  test("after the end, methods reject and close resolves (G15)", async (t) => {
    const scene = play(t, [step.turn("ok")]);
    await scene.drain();
    assert.instanceOf(await rejection(scene.query.setModel("x")), AbortError);
    assert.instanceOf(await rejection(scene.query.interrupt()), AbortError);
    await scene.query.close();
  });

  const broken: [string, NonNullable<Options["canUseTool"]>][] = [
    ["throws", () => Promise.reject(new Error("mine"))],
    ["throws at once", () => {
      throw new Error("mine");
    }],
    ["returns rubbish", () => Promise.resolve("yes" as never)],
    ["returns nothing", () => Promise.resolve(undefined as never)],
    ["returns another behaviour", () => Promise.resolve({ behavior: "ask" } as never)],
  ];
  for (const [what, canUseTool] of broken) {
    test(`canUseTool that ${what} is a deny (J07, J08)`, async (t) => {
      const scene = play(t, [step.begin(), step.ask(ASK), step.finish()], { options: { canUseTool } });
      await scene.drain();
      const [answer] = answers(scene.cli);
      assert.strictEqual(answer?.subtype, "success");
      assert.strictEqual((answer?.response as JsonObject).behavior, "deny");
      assert.isNotEmpty((answer?.response as JsonObject).message);
      assert.deepInclude(scene.diagnostics.find((event) => event.kind === "callback_failed"), { gate: true });
    });
  }

  test("canUseTool that hangs is a deny at its deadline, if there is one", async (t) => {
    const scene = play(t, [step.begin(), step.ask(ASK), step.finish()], {
      options: { canUseTool: () => new Promise(() => {}), tether: { timeouts: { permissionMs: 50 } } },
    });
    await scene.drain();
    assert.strictEqual((answers(scene.cli)[0]?.response as JsonObject).behavior, "deny");
  });

  test("null leaves a question open for answerPermission (J09)", async (t) => {
    let open = "";
    const scene = play(t, [step.begin(), step.ask(ASK), step.finish()], {
      options: {
        canUseTool: (_name, _input, { requestId }) => {
          open = requestId;
          setTimeout(() => void scene.query.answerPermission(requestId, { behavior: "allow" }), 10);
          return Promise.resolve(null);
        },
      },
    });
    await scene.drain();
    assert.isNotEmpty(open);
    assert.deepInclude(answers(scene.cli)[0]?.response as JsonObject, {
      behavior: "allow",
      updatedInput: { command: "ls" },
    });
  });

  test("a question that is open when the query closes is never answered with an allow (I22)", async (t) => {
    const scene = play(t, [step.begin(), step.ask(ASK, { as: "open" }), step.eof()], {
      options: {
        canUseTool: async (_name, _input, { signal }) => {
          await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
          return { behavior: "allow" };
        },
      },
    });
    await scene.query.next();
    await scene.query.close();
    assert.deepEqual(answers(scene.cli), []);
  });

  test("an old CLI is reported and goes on (A09)", async (t) => {
    const scene = play(t, [step.initialize({ claude_code_version: "1.0.99" }), step.turn("ok")]);
    await scene.drain();
    assert.deepInclude(scene.diagnostics.find((event) => event.kind === "version_untested"), { version: "1.0.99" });
  });

  test("a prompt message that is none is an error of the prompt, and is never written", async (t) => {
    const bad = [
      null,
      "text",
      { type: "assistant", message: { role: "assistant", content: "x" } },
      { type: "user" },
      { type: "user", message: { role: "system", content: "x" } },
    ];
    for (const item of bad) {
      const scene = play(t, [step.eof()], { prompt: [item as unknown as SDKUserMessage] });
      const error = await rejectsWith(scene.drain(), PromptError);
      assert.strictEqual(error.code, "invalid_prompt");
      assert.lengthOf(scene.cli.received.filter((line) => line.type !== "control_request"), 0);
    }
  });

  test("a prompt message that has no JSON form is an error of the prompt; nothing waits for it", async (t) => {
    const good = { type: "user", message: { role: "user", content: "a" } };
    for (const content of [1n, () => 1, [undefined]]) {
      for (const before of [[], [good]]) {
        const prompt = [...before, { ...good, message: { role: "user", content } }] as unknown as SDKUserMessage[];
        const scene = play(t, [before.map(() => step.turn("ok")), step.eof()], { prompt });
        const error = await rejectsWith(scene.drain(), PromptError);
        assert.propertyVal(error.cause, "code", "unencodable_frame");
        assert.isUndefined(error.endError, "what was running was completed");
        assert.lengthOf(scene.cli.received.filter((line) => line.type === "user"), before.length);
      }
    }
  });

  test("a prompt that is nothing to read throws at once", () => {
    for (const prompt of [undefined, null, 5, {}]) {
      assert.throws(() => query({ prompt: prompt as never }), OptionError);
    }
    assert.throws(() => query(undefined as never), OptionError);
    assert.throws(() => query({ prompt: "hi", options: 5 as never }), OptionError);
    assert.throws(() => query({ prompt: "hi", options: { hooks: { PreTool: [] } as never } }), OptionError);
    const taken = new ReadableStream<SDKUserMessage>();
    taken.getReader();
    assert.throws(() => query({ prompt: taken }), OptionError);
  });

  test("the prompt source is told when the query ends, and is asked for no more than was taken", async (t) => {
    let pulled = 0;
    let told = 0;
    const endless: AsyncIterable<SDKUserMessage> = {
      [Symbol.asyncIterator]: () => ({
        next: () => {
          pulled++;
          const content = "x".repeat(1_000_000);
          return Promise.resolve({ done: false, value: { type: "user", message: { role: "user", content } } as never });
        },
        return: () => {
          told++;
          return Promise.resolve({ done: true, value: undefined });
        },
      }),
    };
    const scene = play(t, [step.user(), step.stopReading(), step.sleep(300), step.exit(0)], { prompt: endless });
    await rejection(scene.drain());
    assert.isAtMost(pulled, 8, "a child that does not read is not overrun");
    assert.strictEqual(told, 1);
  });

  test("messages that were read before close are still delivered, then the loop ends (F18)", async (t) => {
    const scene = play(t, [step.begin(), step.assistant("one"), step.assistant("two"), step.eof()]);
    await scene.query.next();
    await new Promise((resolve) => setTimeout(resolve, 50));
    await scene.query.close();
    const rest: string[] = [];
    for await (const message of scene.query) rest.push(message.type);
    assert.deepEqual(rest, ["assistant", "assistant"]);
  });

  test("a start that fails is told by the loop and leaves no unhandled rejection (O11)", async () => {
    const running = query({
      prompt: "hi",
      options: { pathToClaudeCodeExecutable: "/nonexistent/claude", env: {}, cwd: "/" },
    });
    // Nobody asks for a while: an unhandled rejection would end the process here.
    await new Promise((resolve) => setTimeout(resolve, 100));
    assert.propertyVal(await rejection(running.next()), "code", "cli_not_found");
    assert.deepEqual(await running.next(), { done: true, value: undefined });
    await running.close();
  });

  test("a transport that was handed over is closed, also if the query was aborted before it began", async (t) => {
    const abortController = new AbortController();
    abortController.abort(new Error("mine"));
    const scene = play(t, [step.eof()], { options: { abortController } });
    assert.propertyVal(await rejection(scene.drain()), "message", "mine");
    assert.deepInclude(await scene.cli.exited, { code: 0 });
    assert.deepEqual(scene.cli.received, []);
  });

  test("a transport that breaks its word and rejects ends the query, and close() resolves all the same", async () => {
    const cli = scriptedCli([step.turn("ok")]).transport();
    const fault = new Error("transport's");
    const transport: StreamTransport = {
      readable: cli.readable,
      writable: cli.writable,
      exited: cli.exited.then(() => Promise.reject(fault)),
      close: async (options) => {
        await cli.close(options);
        throw fault;
      },
    };
    const running = query({ prompt: "hi", options: { tether: { transport } } });
    let error: unknown;
    try {
      for await (const message of running) assert.isString(message.type);
    } catch (thrown) {
      error = thrown;
    }
    assert.strictEqual(error, fault);
    await running.close();
  });

  test("options are never changed (P09)", async (t) => {
    const hooks = Object.freeze({ PreToolUse: Object.freeze([Object.freeze({ hooks: Object.freeze([]) })]) });
    const options = Object.freeze({ allowedTools: Object.freeze(["Read"]), hooks, env: Object.freeze({ A: "b" }) });
    const scene = play(t, [step.turn("ok")], { options: options as unknown as Options });
    await scene.drain();
    assert.deepEqual(options.allowedTools, ["Read"]);
  });

  test("lone surrogates in a prompt are replaced on their way out", async (t) => {
    const scene = play(t, [step.turn("ok")], { prompt: "a\ud83d" });
    await scene.drain();
    assert.include(JSON.stringify(scene.cli.received[1]), "a\ufffd");
  });

  test("an initialize reply is what the CLI said (H01)", async (t) => {
    const scene = play(t, [step.turn("ok")]);
    const reply = await scene.query.initializationResult();
    assert.strictEqual(reply.claude_code_version, frame.initializeReply().claude_code_version);
    await scene.drain();
  });
});
