/** Callbacks under test, without a CLI: they are asked and answer as they would be with one. */
import { assert } from "chai";
import { z } from "zod";
import { createSdkMcpServer, type HookCallback, type Options, type PermissionContext, tool } from "../../mod.ts";
import { OptionError, ScriptError, testCallbacks, type TestedCallbacks } from "../../src/testing/mod.ts";
import { rejection, rejectsWith } from "../harness/rejects.ts";
import { suite, type TestContext } from "../harness/suite.ts";

async function start(t: TestContext, options: Options): Promise<TestedCallbacks> {
  const tested = await testCallbacks(options);
  t.cleanup(() => tested.close());
  return tested;
}

type Decision = "allow" | "deny" | "ask" | "defer";

function decide(permissionDecision: Decision, fields: Record<string, unknown> = {}): HookCallback<"PreToolUse"> {
  return () =>
    Promise.resolve({
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision,
        permissionDecisionReason: `${permissionDecision}!`,
        ...fields,
      },
    });
}

const silent: HookCallback = () => Promise.resolve({});

function failing(): Promise<never> {
  return Promise.reject(new Error("broken"));
}

const calc = () =>
  createSdkMcpServer({
    name: "calc",
    tools: [
      tool("add", "Adds two numbers", { a: z.number(), b: z.number() }, ({ a, b }) => ({
        content: [{ type: "text", text: String(a + b) }],
      })),
      tool("fail", "Fails", {}, () => {
        throw new Error("kaboom");
      }),
      tool("count", "Counts", {}, async (_, extra) => {
        await extra.sendProgress(1, 2, "half");
        return { content: [{ type: "text", text: String(extra.toolUseId) }] };
      }),
      tool("wait", "Waits", {}, (_, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener("abort", () => resolve({ content: [{ type: "text", text: "stopped" }] }));
        })),
    ],
  });

export default suite("callbacks under test", (test) => {
  test("a hook gets a whole input, and its answer is what the CLI gets", async (t) => {
    const seen: unknown[] = [];
    const tested = await start(t, {
      cwd: "/project",
      hooks: {
        PreToolUse: [{
          matcher: "Bash",
          hooks: [(input, toolUseId, { signal }) => {
            seen.push(input, toolUseId, signal.aborted);
            return Promise.resolve({
              hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "allow" },
            });
          }],
        }],
      },
    });
    const verdict = await tested.hook("PreToolUse", { tool_input: { command: "ls" } });
    assert.deepInclude(seen[0] as object, {
      hook_event_name: "PreToolUse",
      cwd: "/project",
      permission_mode: "default",
      tool_name: "Bash",
      tool_input: { command: "ls" },
      tool_use_id: "toolu_test_1",
    });
    assert.hasAllKeys(seen[0], [
      "session_id",
      "transcript_path",
      "cwd",
      "prompt_id",
      "permission_mode",
      "effort",
      "hook_event_name",
      "tool_name",
      "tool_input",
      "tool_use_id",
    ]);
    assert.deepEqual(seen.slice(1), ["toolu_test_1", false]);
    await tested.hook("PreToolUse", { permission_mode: undefined, effort: undefined });
    assert.doesNotHaveAnyKeys(seen[3], ["permission_mode", "effort"]);
    assert.strictEqual(verdict.decision, "allow");
    assert.deepEqual(verdict.replies, [{
      matcher: "Bash",
      output: { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "allow" } },
      error: undefined,
      timedOut: false,
    }]);
  });

  test("matchers decide who is called, as the CLI reads them", async (t) => {
    const called: string[] = [];
    const matchers = [undefined, "", "*", "Bash", "bash", "Ba", "Bash|Edit", "Read, Bash", "as.", "^mcp__calc", "["];
    const note = (name: string): HookCallback => () => {
      called.push(name);
      return Promise.resolve({});
    };
    const register = (list: readonly (string | undefined)[]) =>
      list.map((matcher) => ({ matcher, hooks: [note(String(matcher))] }));
    const tested = await start(t, {
      mcpServers: { calc: calc() },
      hooks: {
        PreToolUse: register([...matchers, "Task", "Agent"]),
        Stop: register(["nobody"]),
        PreModelSwitch: register(["claude-haiku-.*", "sdk"]),
        SubagentStop: register(["general-purpose", "other"]),
        FileChanged: register(["a.txt"]),
      },
    });
    const callsFor = async (run: () => Promise<unknown>): Promise<string[]> => {
      called.length = 0;
      await run();
      return [...called];
    };
    assert.deepEqual(await callsFor(() => tested.hook("PreToolUse")), [
      "undefined",
      "",
      "*",
      "Bash",
      "Bash|Edit",
      "Read, Bash",
      "as.",
    ]);
    assert.deepEqual(await callsFor(() => tested.hook("PreToolUse", { tool_name: "mcp__calc__add" })), [
      "undefined",
      "",
      "*",
      "^mcp__calc",
    ]);
    assert.includeMembers(await callsFor(() => tested.hook("PreToolUse", { tool_name: "Agent" })), ["Task", "Agent"]);
    assert.deepEqual(await callsFor(() => tested.hook("Stop")), ["nobody"], "Stop takes no matcher");
    assert.deepEqual(await callsFor(() => tested.hook("PreModelSwitch")), ["claude-haiku-.*"]);
    assert.deepEqual(await callsFor(() => tested.hook("SubagentStop")), ["general-purpose"]);
    assert.deepEqual(await callsFor(() => tested.hook("FileChanged", { file_path: "/x/a.txt" })), ["a.txt"]);
    const none = await tested.hook("SubagentStop", { agent_type: "Explore" });
    assert.deepEqual([none.replies, none.decision], [[], undefined]);
  });

  test("several callbacks come to the strictest decision; of those alike the last to answer is heard", async (t) => {
    const later = (callback: HookCallback<"PreToolUse">): HookCallback<"PreToolUse"> => async (...args) => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return await callback(...args);
    };
    const input = (word: string) => ({ updatedInput: { command: word } });
    const only: HookCallback<"PreToolUse"> = () =>
      Promise.resolve({ hookSpecificOutput: { hookEventName: "PreToolUse", ...input("only") } });
    const cases: [HookCallback<"PreToolUse">[], Decision | undefined, string | undefined, string | undefined][] = [
      [[decide("allow"), decide("ask")], "ask", "ask!", undefined],
      [[decide("ask"), decide("defer"), decide("allow")], "defer", "defer!", undefined],
      [[decide("deny"), decide("defer")], "deny", "deny!", undefined],
      [
        [
          later(decide("deny", { permissionDecisionReason: "one" })),
          decide("deny", { permissionDecisionReason: "two" }),
        ],
        "deny",
        "one",
        undefined,
      ],
      [[decide("allow", input("one")), decide("allow", input("two"))], "allow", "allow!", "two"],
      [[decide("ask"), decide("allow", input("two"))], "ask", "ask!", undefined],
      [[decide("allow", input("two")), decide("ask")], "ask", "ask!", "two"],
      [[decide("ask", input("two")), only], "ask", "ask!", "only"],
      [[only], undefined, undefined, "only"],
      [[() => Promise.resolve({ decision: "block", reason: "old" }), decide("allow")], "deny", "old", undefined],
      [[() => Promise.resolve({ decision: "approve" })], "allow", undefined, undefined],
      [[silent as HookCallback<"PreToolUse">], undefined, undefined, undefined],
    ];
    for (const [hooks, decision, reason, command] of cases) {
      const tested = await start(t, { hooks: { PreToolUse: [{ hooks }] } });
      const verdict = await tested.hook("PreToolUse");
      assert.lengthOf(verdict.replies, hooks.length);
      assert.deepEqual(
        [verdict.decision, verdict.reason, verdict.updatedInput?.command],
        [decision, reason, command],
        JSON.stringify(verdict),
      );
      await tested.close();
    }
  });

  test("texts for the model are joined, and other verdicts are told", async (t) => {
    const says = (text: string): HookCallback<"UserPromptSubmit"> => () =>
      Promise.resolve({ hookSpecificOutput: { hookEventName: "UserPromptSubmit", additionalContext: text } });
    const tested = await start(t, {
      hooks: {
        UserPromptSubmit: [{ hooks: [says("one"), says("two")] }],
        Stop: [{ hooks: [() => Promise.resolve({ decision: "block", reason: "go on" })] }],
        PostToolUse: [{ hooks: [() => Promise.resolve({ continue: false })] }],
        PermissionRequest: [{
          hooks: [() =>
            Promise.resolve({
              hookSpecificOutput: {
                hookEventName: "PermissionRequest",
                decision: { behavior: "deny", message: "never" },
              },
            })],
        }],
      },
    });
    assert.strictEqual((await tested.hook("UserPromptSubmit")).additionalContext, "one\ntwo");
    assert.deepInclude(await tested.hook("Stop"), { decision: "block", reason: "go on", stops: false });
    assert.deepInclude(await tested.hook("PostToolUse"), { decision: undefined, stops: true });
    assert.deepInclude(await tested.hook("PermissionRequest"), { decision: "deny", reason: "never" });
  });

  test("a gate that fails is closed, an observer that fails is an error, and both are told", async (t) => {
    const tested = await start(t, {
      hooks: {
        PreToolUse: [{ hooks: [failing] }],
        PostToolUse: [{ hooks: [failing] }, { matcher: "Bash", onFailure: "block", hooks: [failing] }],
        UserPromptSubmit: [{ hooks: [() => Promise.resolve({ decision: "maybe" } as never)] }],
      },
    });
    const gate = await tested.hook("PreToolUse");
    assert.strictEqual(gate.decision, "deny");
    assert.match(gate.reason!, /PreToolUse hook failed: .*broken/);
    const observer = await tested.hook("PostToolUse", { tool_name: "Read" });
    assert.deepInclude(observer, { decision: undefined });
    assert.match(observer.replies[0]!.error!, /broken/);
    assert.strictEqual((await tested.hook("PostToolUse")).decision, "block", "the matcher says so");
    assert.strictEqual((await tested.hook("UserPromptSubmit")).decision, "block");
    const causes = tested.diagnostics.flatMap((event) => event.kind === "callback_failed" ? [event.callback] : []);
    assert.deepEqual(causes, [
      "hooks.PreToolUse",
      "hooks.PostToolUse",
      "hooks.PostToolUse",
      "hooks.PostToolUse",
      "hooks.UserPromptSubmit",
    ]);
  });

  test("a hook past its time denies, and is aborted", async (t) => {
    let aborted = false;
    const tested = await start(t, {
      hooks: {
        PreToolUse: [{
          timeout: 0.1,
          hooks: [(_, __, { signal }) =>
            new Promise((resolve) =>
              signal.addEventListener("abort", () => {
                aborted = true;
                resolve();
              })
            )],
        }],
      },
    });
    const verdict = await tested.hook("PreToolUse");
    assert.strictEqual(verdict.decision, "deny");
    assert.isTrue(aborted);
    assert.isFalse(verdict.replies[0]!.timedOut, "our own clock is the first to run out, so that the denial says why");
  });

  test("what nobody registered is told, and does not pass for no opinion", async (t) => {
    const tested = await start(t, { hooks: { PreToolUse: [{ hooks: [silent] }], Stop: [] } });
    const fault = async (asked: Promise<unknown>): Promise<string> => (await rejectsWith(asked, ScriptError)).message;
    assert.match(await fault(tested.hook("PostToolUse")), /no hook for PostToolUse; they have: PreToolUse/);
    assert.match(await fault(tested.hook("Stop")), /no hook for Stop/);
    assert.match(await fault(tested.hook("Strop" as "Stop")), /there is no event "Strop"/);
    assert.match(await fault(tested.permission("Bash")), /neither canUseTool nor tether.onQuestion/);
    assert.match(await fault(tested.question({ question: "Who?", options: [] })), /neither canUseTool nor/);
    assert.match(await fault(tested.tool("calc", "add")), /no server "calc" in this program; there are: none/);
    assert.match(await fault(tested.tools("calc")), /no server "calc"/);
    assert.match(await fault(tested.dialog("x")), /no onUserDialog/);
    assert.deepEqual(await tested.elicit({ message: "Name?" }), { action: "decline" });
    const none = await start(t, { permissionPrompts: "none", canUseTool: () => Promise.resolve(null) });
    assert.match(await fault(none.permission("Bash")), /permissionPrompts "none"/);
  });

  test("a permission is asked for as the CLI does, and answered as it is answered", async (t) => {
    const seen: [string, Record<string, unknown>, PermissionContext][] = [];
    const tested = await start(t, {
      mcpServers: { "my calc": calc() },
      canUseTool: (name, input, context) => {
        seen.push([name, input, context]);
        return Promise.resolve(
          name === "Bash"
            ? { behavior: "deny", message: "no" }
            : { behavior: "allow", updatedInput: { ...input, b: 2 } },
        );
      },
    });
    const denied = await tested.permission("Bash", { command: "rm" }, {
      toolUseID: "toolu_mine",
      decisionReason: "outside",
      decisionReasonType: "workingDir",
      blockedPath: "/etc",
      suggestions: [{ type: "setMode", mode: "acceptEdits", destination: "session" }],
      agentID: "a1",
      matchedAskRule: { source: "userSettings", toolName: "Bash", ruleContent: "rm *" },
    });
    assert.deepEqual(denied, { behavior: "deny", message: "no", toolUseID: "toolu_mine" });
    assert.deepEqual(seen[0]!.slice(0, 2), ["Bash", { command: "rm" }]);
    assert.deepInclude(seen[0]![2], {
      toolUseID: "toolu_mine",
      decisionReason: "outside",
      decisionReasonType: "workingDir",
      blockedPath: "/etc",
      agentID: "a1",
      suggestions: [{ type: "setMode", mode: "acceptEdits", destination: "session" }],
      matchedAskRule: { source: "userSettings", toolName: "Bash", ruleContent: "rm *" },
    });
    const allowed = await tested.permission("mcp__my_calc__add", { a: 1 });
    assert.deepInclude(allowed, { behavior: "allow", updatedInput: { a: 1, b: 2 } });
    assert.deepEqual(seen[1]![2].mcpServer, { name: "my calc", source: "sdk" });
  });

  test("a permission callback that throws or returns rubbish denies", async (t) => {
    const answers: (() => Promise<never>)[] = [failing, () => Promise.resolve("yes" as never)];
    const tested = await start(t, { canUseTool: () => answers.shift()!() });
    for (const text of [/broken/, /a string instead of a permission result/]) {
      const answer = await tested.permission("Bash");
      assert.match(answer.behavior === "deny" ? answer.message : "", text);
    }
    assert.lengthOf(tested.diagnostics, 2);
  });

  test("a permission that is left open is answered later, by its name", async (t) => {
    let requestId = "";
    const tested = await start(t, {
      canUseTool: (_name, _input, context) => {
        requestId = context.requestId;
        return Promise.resolve(null);
      },
    });
    const late = await rejectsWith(tested.permission("Bash", {}, { timeoutMs: 20 }), ScriptError);
    assert.match(late.message, /no answer to can_use_tool within 20 ms; a callback that returns null/);
    const asked = tested.permission("Bash", { command: "ls" });
    const before = requestId;
    while (requestId === before) await new Promise((resolve) => setTimeout(resolve, 1));
    assert.isTrue(await tested.query.answerPermission(requestId, { behavior: "allow" }));
    assert.deepInclude(await asked, { behavior: "allow", updatedInput: { command: "ls" } });
  });

  test("questions of the model are answered, refused, or go to the permission callback", async (t) => {
    const question = { question: "Which?", options: [{ label: "this", preview: "**this**" }, { label: "that" }] };
    const answers = [{ "Which?": { answer: "this", notes: "please" } }, null];
    const tested = await start(t, { tether: { onQuestion: () => Promise.resolve(answers.shift()!) } });
    assert.deepEqual(await tested.question(question), {
      answered: true,
      answers: { "Which?": "this" },
      annotations: { "Which?": { preview: "**this**", notes: "please" } },
      message: undefined,
    });
    assert.deepInclude(await tested.question([question]), { answered: false, message: "The user did not answer." });
    assert.strictEqual((await tested.permission("Bash")).behavior, "deny", "only questions are answered");
    const other = await start(t, {
      canUseTool: (_name, input) =>
        Promise.resolve({ behavior: "allow", updatedInput: { ...input, answers: { "Which?": "that" } } }),
    });
    assert.deepInclude(await other.question(question), { answered: true, answers: { "Which?": "that" } });
  });

  test("servers' questions and dialogs are asked", async (t) => {
    const seen: unknown[] = [];
    const tested = await start(t, {
      onElicitation: ({ serverName, message, mode, requestedSchema }) => {
        seen.push([serverName, message, mode, Object.keys(requestedSchema?.properties ?? {})]);
        return Promise.resolve({ action: "accept", content: { name: "Ada" } });
      },
      supportedDialogKinds: ["known"],
      onUserDialog: ({ payload }) => Promise.resolve({ behavior: "completed", result: payload.x }),
    });
    const requestedSchema = { type: "object", properties: { name: { type: "string" } } };
    const answer = await tested.elicit({ serverName: "crm", message: "Name?", requestedSchema });
    assert.deepEqual(answer, { action: "accept", content: { name: "Ada" } });
    assert.deepEqual(seen, [["crm", "Name?", "form", ["name"]]]);
    assert.deepEqual(await tested.dialog("known", { x: 7 }), { behavior: "completed", result: 7 });
    assert.deepEqual(await tested.dialog("unknown"), { behavior: "cancelled" });
  });

  test("tools are listed and called through their server: schemas checked, failures told, progress heard", async (t) => {
    const tested = await start(t, { mcpServers: { calc: calc(), other: { command: "nothing" } } });
    assert.deepEqual(tested.servers, ["calc"]);
    const tools = await tested.tools("calc");
    assert.deepEqual(tools.map(({ name }) => name), ["add", "fail", "count", "wait"]);
    assert.deepInclude(tools[0]!, { description: "Adds two numbers" });
    assert.deepEqual(tools[0]!.inputSchema.required, ["a", "b"]);
    assert.deepInclude(await tested.tool("calc", "add", { a: 1, b: 2 }), { text: "3", isError: false });
    const wrong = await tested.tool("calc", "add", { a: "1" });
    assert.isTrue(wrong.isError);
    assert.match(wrong.text, /number/);
    assert.deepInclude(await tested.tool("calc", "fail"), { isError: true });
    assert.match((await tested.tool("calc", "fail")).text, /kaboom/);
    assert.isTrue((await tested.tool("calc", "sub")).isError, "there is no such tool");
    const counted = await tested.tool("calc", "count", {}, { toolUseId: "toolu_mine" });
    assert.strictEqual(counted.text, "toolu_mine");
    assert.deepEqual(counted.progress, [{ progress: 1, total: 2, message: "half" }]);
    const many = await Promise.all(Array.from({ length: 20 }, (_, a) => tested.tool("calc", "add", { a, b: 1 })));
    assert.deepEqual(many.map(({ text }) => Number(text)), Array.from({ length: 20 }, (_, a) => a + 1));
    assert.isArray((await tested.mcp("calc", "tools/list")).tools);
    assert.match(String(await rejection(tested.mcp("calc", "prompts/list"))), /Method not found/);
  });

  test("servers can be replaced meanwhile", async (t) => {
    const tested = await start(t, { mcpServers: { calc: calc() } });
    assert.strictEqual((await tested.tool("calc", "add", { a: 1, b: 2 })).text, "3");
    await tested.query.setMcpServers({ sums: calc() });
    assert.deepEqual(tested.servers, ["sums"]);
    assert.strictEqual((await tested.tool("sums", "add", { a: 2, b: 2 })).text, "4");
    await rejectsWith(tested.tool("calc", "add"), ScriptError);
  });

  test("what is asked can be taken back: the callback hears it, and the question rejects with the reason", async (t) => {
    const heard: string[] = [];
    const hang = (name: string) => (signal: AbortSignal): Promise<never> =>
      new Promise(() => signal.addEventListener("abort", () => heard.push(name)));
    const tested = await start(t, {
      mcpServers: { calc: calc() },
      hooks: { PreToolUse: [{ hooks: [(_, __, { signal }) => hang("hook")(signal)] }] },
      canUseTool: (_name, _input, { signal }) => hang("permission")(signal),
      onElicitation: (_request, { signal }) => hang("elicitation")(signal),
    });
    const asks: ((options: { signal: AbortSignal }) => Promise<unknown>)[] = [
      (options) => tested.hook("PreToolUse", {}, options),
      (options) => tested.permission("Bash", {}, options),
      (options) => tested.elicit({ message: "x" }, options),
      (options) => tested.tool("calc", "wait", {}, options),
    ];
    for (const ask of asks) {
      const abort = new AbortController();
      const asked = rejection(ask({ signal: abort.signal }));
      await new Promise((resolve) => setTimeout(resolve, 20));
      const reason = new Error("enough");
      abort.abort(reason);
      assert.strictEqual(await asked, reason);
      assert.strictEqual(await rejection(ask({ signal: abort.signal })), reason, "one that is over is not asked");
    }
    while (heard.length < 3) await new Promise((resolve) => setTimeout(resolve, 1));
    assert.deepEqual(heard, ["hook", "permission", "elicitation"]);
    assert.deepEqual(tested.diagnostics, []);
  });

  test("closing rejects what is still asked, and later questions", async (t) => {
    const tested = await start(t, { canUseTool: () => new Promise<never>(() => {}) });
    const asked = rejection(tested.permission("Bash"));
    await new Promise((resolve) => setTimeout(resolve, 10));
    await tested.close();
    assert.propertyVal(await asked, "name", "AbortError");
    assert.propertyVal(await rejection(tested.permission("Bash")), "name", "AbortError");
    await tested.close();
    await tested[Symbol.asyncDispose]();
  });

  test("options that no query takes are refused; those that start a process have no part in it", async (t) => {
    await rejectsWith(testCallbacks({ hooks: { PreToolUse: 7 } } as unknown as Options), OptionError);
    await rejectsWith(testCallbacks({ maxTurns: -1 }), OptionError);
    await rejectsWith(testCallbacks("options" as unknown as Options), OptionError);
    const tested = await start(t, {
      pathToClaudeCodeExecutable: "/nowhere/claude",
      cwd: "/nowhere",
      model: "opus",
      permissionMode: "plan",
      allowedTools: ["Read"],
      spawnClaudeCodeProcess: () => {
        throw new Error("no process is started");
      },
      tether: { isolateConfig: true, gateAll: true },
      canUseTool: () => Promise.resolve({ behavior: "allow" }),
    });
    assert.deepEqual(tested.diagnostics, []);
    const verdict = await tested.hook("PreToolUse", { tool_name: "Read" });
    assert.strictEqual(verdict.decision, "ask", "gateAll is a hook of the query's own");
  });

  test("wrong questions are refused at once", async (t) => {
    const tested = await start(t, { canUseTool: () => Promise.resolve(null), hooks: { Stop: [{ hooks: [silent] }] } });
    const fault = async (asked: Promise<unknown>): Promise<string> => (await rejectsWith(asked, OptionError)).message;
    assert.match(await fault(tested.permission("")), /toolName must be a name/);
    assert.match(await fault(tested.permission("Bash", { a: 1n })), /input cannot be sent/);
    assert.match(await fault(tested.permission("Bash", {}, { timeout: 1 } as never)), /timeout is not known/);
    assert.match(await fault(tested.permission("Bash", {}, { timeoutMs: NaN })), /timeoutMs must be milliseconds/);
    assert.match(await fault(tested.hook("Stop", {}, { signal: 7 as never })), /signal must be an AbortSignal/);
    assert.match(await fault(tested.hook("Stop", { x: () => {} } as never)), /fields cannot be sent/);
  });
});
