import { assert } from "chai";
import fc from "fast-check";
import { deferred } from "../../../src/core/deferred.ts";
import type { JsonObject, JsonValue } from "../../../src/core/json.ts";
import type { CanUseTool, Options, PermissionContext, PermissionUpdate } from "../../../src/core/options/mod.ts";
import { ControlAnswerError, NO_ANSWER } from "../../../src/core/protocol/mod.ts";
import { allowAlways } from "../../../src/client/allow_always.ts";
import { rejectsWith } from "../../harness/rejects.ts";
import { suite, type TestContext } from "../../harness/suite.ts";
import { settle } from "../../harness/virtual_clock.ts";
import { type HandlersFixture, openHandlers } from "./handlers_fixture.ts";

const INPUT = { command: "touch a1", description: "makes a file" };
const ASK = { tool_name: "Bash", input: INPUT, tool_use_id: "toolu_1" };

type AnyCallback = (...args: Parameters<CanUseTool>) => unknown;

function open(t: TestContext, canUseTool: AnyCallback, timeouts = {}): HandlersFixture {
  return openHandlers(t, { canUseTool } as Options, timeouts);
}

/** What the callback's result becomes on the wire. */
async function answerTo(t: TestContext, result: unknown): Promise<JsonObject> {
  return await open(t, () => Promise.resolve(result)).ask("can_use_tool", ASK) as JsonObject;
}

const RULE: PermissionUpdate = {
  type: "addRules",
  rules: [{ toolName: "Bash", ruleContent: "touch a1 *" }],
  behavior: "allow",
  destination: "localSettings",
};

export default suite("permissions", (test) => {
  test("J01 without any callback the CLI gets an error", async (t) => {
    const fixture = openHandlers(t, {});
    const error = await rejectsWith(fixture.ask("can_use_tool", ASK), ControlAnswerError);
    assert.strictEqual(error.message, "canUseTool callback is not provided.");
    assert.isFalse(fixture.handlers.asks);
  });

  test("J02 an allow without input carries the original one", async (t) => {
    assert.deepEqual(await answerTo(t, { behavior: "allow" }), {
      behavior: "allow",
      updatedInput: INPUT,
      toolUseID: "toolu_1",
    });
  });

  test("J03 an allow with input carries that", async (t) => {
    const answer = await answerTo(t, { behavior: "allow", updatedInput: { command: "ls" }, toolUseID: "wrong" });
    assert.deepEqual(answer, { behavior: "allow", updatedInput: { command: "ls" }, toolUseID: "toolu_1" });
  });

  test("J04 a deny carries its message, a default one if it has none, and interrupt only if it is true", async (t) => {
    const deny = { behavior: "deny", message: "no", toolUseID: "toolu_1" };
    assert.deepEqual(await answerTo(t, { behavior: "deny", message: "no" }), deny);
    assert.deepEqual(await answerTo(t, { behavior: "deny", message: "no", interrupt: false }), deny);
    assert.deepEqual(await answerTo(t, { behavior: "deny", message: "no", interrupt: "yes" }), deny);
    assert.deepEqual(await answerTo(t, { behavior: "deny", message: "no", interrupt: true }), {
      ...deny,
      interrupt: true,
    });
    assert.deepEqual(await answerTo(t, { behavior: "deny" }), { ...deny, message: "The tool call was denied." });
  });

  test("a known classification travels, an unknown one does not", async (t) => {
    const known = await answerTo(t, { behavior: "allow", decisionClassification: "user_permanent" });
    assert.strictEqual(known.decisionClassification, "user_permanent");
    const unknown = await answerTo(t, { behavior: "deny", message: "m", decisionClassification: "odd" });
    assert.notProperty(unknown, "decisionClassification");
  });

  test("J05 the context has everything the CLI said, under its own names", async (t) => {
    let seen: unknown[] = [];
    const fixture = open(t, (...args) => {
      seen = args;
      return { behavior: "allow" };
    });
    const suggestions = [RULE as unknown as JsonObject];
    await fixture.ask("can_use_tool", {
      ...ASK,
      display_name: "Bash",
      title: "Run?",
      description: "makes a file",
      permission_suggestions: suggestions,
      blocked_path: "/w/a1",
      decision_reason: "because",
      decision_reason_type: "workingDir",
      default_to_no: true,
      suppress_always_allow_rule: false,
      mcp_server: { name: "calc", source: "sdk" },
      matched_ask_rule: { source: "session", tool_name: "Bash", rule_content: "touch:*" },
      agent_id: "agent-1",
    }, { requestId: "u-1" });
    const { signal, ...context } = seen[2] as PermissionContext;
    assert.deepEqual(seen.slice(0, 2), ["Bash", INPUT]);
    assert.isFalse(signal.aborted);
    assert.deepEqual(context, {
      toolUseID: "toolu_1",
      requestId: "u-1",
      displayName: "Bash",
      title: "Run?",
      description: "makes a file",
      suggestions: [RULE],
      blockedPath: "/w/a1",
      decisionReason: "because",
      decisionReasonType: "workingDir",
      defaultToNo: true,
      suppressAlwaysAllowRule: false,
      mcpServer: { name: "calc", source: "sdk" },
      matchedAskRule: { source: "session", toolName: "Bash", ruleContent: "touch:*" },
      agentID: "agent-1",
    });
  });

  test("J05 what the CLI left out is left out; suggestions that are null are none", async (t) => {
    const seen: PermissionContext[] = [];
    const fixture = open(t, (_name, _input, context) => {
      seen.push(context);
      return { behavior: "allow" };
    });
    await fixture.ask("can_use_tool", ASK, { requestId: "u-1" });
    await fixture.ask("can_use_tool", { ...ASK, permission_suggestions: null }, { requestId: "u-2" });
    assert.sameMembers(Object.keys(seen[0]!), ["signal", "toolUseID", "requestId"]);
    assert.deepEqual(seen[1]?.suggestions, []);
  });

  test("J06 suggestions may be given back as they came", async (t) => {
    const suggestions: PermissionUpdate[] = [
      RULE,
      { type: "replaceRules", rules: [{ toolName: "Read" }], behavior: "deny", destination: "session" },
      { type: "removeRules", rules: [], behavior: "ask", destination: "userSettings" },
      { type: "setMode", mode: "acceptEdits", destination: "session" },
      { type: "addDirectories", directories: ["/w"], destination: "projectSettings" },
      { type: "removeDirectories", directories: [], destination: "cliArg" },
    ];
    const fixture = open(t, (_name, _input, context) => ({
      behavior: "allow",
      updatedPermissions: context.suggestions,
    }));
    const fields = { ...ASK, permission_suggestions: suggestions as unknown as JsonValue };
    const answer = await fixture.ask("can_use_tool", fields) as JsonObject;
    assert.deepEqual(answer.updatedPermissions, suggestions as unknown as JsonValue);
    assert.deepEqual(fixture.diagnostics, []);
  });

  test("J10 an update that the CLI refuses is dropped and reported; the others and the tool go on", async (t) => {
    const bad: unknown[] = [
      null,
      "addRules",
      {},
      { ...RULE, destination: "nowhere" },
      { ...RULE, behavior: "maybe" },
      { ...RULE, rules: [{ toolName: 5 }] },
      { ...RULE, rules: "Bash" },
      { type: "addDirectories", directories: [1], destination: "session" },
      { type: "setMode", destination: "session" },
      { ...RULE, rules: Array.from({ length: 5000 }, () => ({ toolName: "Bash" })) },
    ];
    const newer = { type: "brandNew", whatever: 1 };
    const fixture = open(t, () => ({ behavior: "allow", updatedPermissions: [RULE, ...bad, newer] }));
    const answer = await fixture.ask("can_use_tool", ASK) as JsonObject;
    assert.deepEqual(answer.updatedPermissions, [RULE, newer] as unknown as JsonValue);
    assert.lengthOf(fixture.diagnostics, bad.length);
    for (const event of fixture.diagnostics) {
      assert.include(event, { kind: "callback_failed", callback: "canUseTool", gate: false });
    }
    const notAList = open(t, () => ({ behavior: "allow", updatedPermissions: RULE }));
    assert.notProperty(await notAList.ask("can_use_tool", ASK), "updatedPermissions");
    assert.lengthOf(notAList.diagnostics, 1);
  });

  test("J08 what is no permission result is a deny that says so, and reported", async (t) => {
    const rubbish: unknown[] = [
      undefined,
      true,
      "allow",
      [],
      {},
      { behavior: "ask" },
      { behavior: "allow", updatedInput: "ls" },
      { behavior: "allow", updatedInput: [] },
      { behavior: "allow", updatedInput: { big: 1n } },
      { behavior: "allow", updatedInput: { cost: NaN } },
      { behavior: "allow", updatedInput: { list: [undefined] } },
      { behavior: "allow", updatedInput: { log: () => {} } },
      { behavior: "allow", updatedInput: new Map([["command", "ls"]]) },
      { behavior: "allow", updatedInput: new Date(0) },
      new Error("returned"),
    ];
    for (const result of rubbish) {
      const fixture = open(t, () => Promise.resolve(result));
      const answer = await fixture.ask("can_use_tool", ASK) as JsonObject;
      assert.strictEqual(answer.behavior, "deny");
      assert.match(String(answer.message), /^The permission callback failed: /);
      assert.lengthOf(fixture.diagnostics, 1);
      assert.include(fixture.diagnostics[0], { kind: "callback_failed", callback: "canUseTool", gate: true });
    }
  });

  test("whatever a callback returns, only an allow of its own is an allow", async (t) => {
    const anything = fc.anything({ withBigInt: true, withNullPrototype: true });
    await fc.assert(
      fc.asyncProperty(anything, async (result) => {
        const fixture = open(t, () => Promise.resolve(result));
        const answer = await fixture.ask("can_use_tool", ASK);
        if (result === null) return assert.strictEqual(answer, NO_ANSWER);
        assert.strictEqual((answer as JsonObject).behavior, "deny");
      }),
      { seed: 7, numRuns: 200 },
    );
  });

  test("J07 a callback that throws denies; the error is kept", async (t) => {
    const error = new Error("kaboom");
    for (
      const callback of [() => Promise.reject(error), () => {
        throw error;
      }]
    ) {
      const fixture = open(t, callback);
      assert.deepEqual(await fixture.ask("can_use_tool", ASK), {
        behavior: "deny",
        message: "The permission callback failed: kaboom",
        toolUseID: "toolu_1",
      });
      const [event] = fixture.diagnostics;
      assert.strictEqual(event?.kind === "callback_failed" ? event.cause : undefined, error);
    }
  });

  test("people are slow: without permissionMs a callback has no deadline", async (t) => {
    const decision = deferred<unknown>();
    const fixture = open(t, () => decision.promise);
    const answer = fixture.ask("can_use_tool", ASK);
    await fixture.clock.pass(1e12);
    assert.strictEqual(fixture.clock.pending, 0);
    decision.resolve({ behavior: "allow" });
    assert.include(await answer as JsonObject, { behavior: "allow" });
  });

  test("with permissionMs a callback that takes longer denies, and is told", async (t) => {
    let signal: AbortSignal | undefined;
    const fixture = open(t, (_name, _input, context) => {
      signal = context.signal;
      return deferred<unknown>().promise;
    }, { permissionMs: 1_000 });
    const answer = fixture.ask("can_use_tool", ASK);
    await fixture.clock.pass(1_000);
    assert.include(await answer as JsonObject, {
      behavior: "deny",
      message: "The permission callback failed: it did not answer within 1000 ms",
    });
    assert.isTrue(signal?.aborted);
    assert.include(fixture.diagnostics[0], { kind: "callback_failed", gate: true });
  });

  test("J17 a question that was taken back: the callback is told, nothing is allowed, nothing reported", async (t) => {
    const controller = new AbortController();
    let signal: AbortSignal | undefined;
    const decision = deferred<unknown>();
    const fixture = open(t, (_name, _input, context) => {
      signal = context.signal;
      return decision.promise;
    });
    const answer = fixture.ask("can_use_tool", ASK, { signal: controller.signal, requestId: "u-1" });
    controller.abort();
    assert.include(await answer as JsonObject, { behavior: "deny" });
    assert.isTrue(signal?.aborted);
    assert.deepEqual(fixture.diagnostics, []);
    decision.resolve({ behavior: "allow" });
    await settle();
    assert.isFalse(await fixture.handlers.answerPermission("u-1", { behavior: "allow" }));
  });

  test("J09 null leaves the question open; answerPermission answers it, once, through respond", async (t) => {
    const fixture = open(t, () => Promise.resolve(null));
    assert.strictEqual(await fixture.ask("can_use_tool", ASK, { requestId: 7 }), NO_ANSWER);
    assert.isFalse(await fixture.handlers.answerPermission("8", { behavior: "allow" }));
    assert.isTrue(await fixture.handlers.answerPermission("7", { behavior: "allow" }));
    assert.isFalse(await fixture.handlers.answerPermission("7", { behavior: "allow" }));
    assert.deepEqual(fixture.responded, [
      { requestId: 7, payload: { behavior: "allow", updatedInput: INPUT, toolUseID: "toolu_1" } },
    ]);
  });

  test("an answer may overtake the null of its callback", async (t) => {
    let answered: boolean | undefined;
    const fixture: HandlersFixture = open(t, async (_name, _input, { requestId }) => {
      answered = await fixture.handlers.answerPermission(requestId, { behavior: "deny", message: "no" });
      return null;
    });
    assert.strictEqual(await fixture.ask("can_use_tool", ASK), NO_ANSWER);
    assert.isTrue(answered);
    assert.lengthOf(fixture.responded, 1);
  });

  test("what a callback comes to after its question was answered counts no more", async (t) => {
    const { promise: ended, reject: fail } = deferred<undefined>();
    const ways: (() => unknown)[] = [() => undefined, () => ({ behavior: "deny", message: "late" }), () => ended];
    fail(new Error("boom"));
    for (const way of ways) {
      const fixture: HandlersFixture = open(t, async (_name, _input, { requestId }) => {
        await fixture.handlers.answerPermission(requestId, { behavior: "allow" });
        return way();
      });
      assert.strictEqual(await fixture.ask("can_use_tool", ASK), NO_ANSWER);
      assert.strictEqual(fixture.responded[0]?.payload.behavior, "allow");
      // Nothing was denied; what was thrown is reported all the same.
      const failures = fixture.diagnostics.map((event) => event.kind === "callback_failed" && event.gate);
      assert.deepEqual(failures, way === ways[2] ? [false] : []);
    }
  });

  test("a callback that changes its input changes nothing: an allow runs what the model asked for", async (t) => {
    const change: AnyCallback = (_name, input) => {
      (input as { nested: { command: string } }).nested.command = "shown";
      delete (input as { description?: string }).description;
    };
    const input = { nested: { command: "run" }, description: "d" };
    const asked = { ...ASK, input: structuredClone(input) };
    const direct = open(t, (...args) => {
      change(...args);
      return { behavior: "allow" };
    });
    assert.deepEqual((await direct.ask("can_use_tool", asked) as JsonObject).updatedInput, input);
    const later = open(t, (...args) => {
      change(...args);
      return null;
    });
    await later.ask("can_use_tool", asked, { requestId: "a" });
    await later.handlers.answerPermission("a", { behavior: "allow" });
    assert.deepEqual(later.responded[0]?.payload.updatedInput, input);
  });

  test("a late answer that makes no sense is a deny; a question that is gone is not answered", async (t) => {
    const fixture = open(t, () => Promise.resolve(null));
    await fixture.ask("can_use_tool", ASK, { requestId: "a" });
    assert.isTrue(await fixture.handlers.answerPermission("a", {} as never));
    assert.strictEqual(fixture.responded[0]?.payload.behavior, "deny");
    assert.include(fixture.diagnostics[0], { callback: "answerPermission", gate: true });

    const controller = new AbortController();
    await fixture.ask("can_use_tool", ASK, { requestId: "b", signal: controller.signal });
    controller.abort();
    assert.isFalse(await fixture.handlers.answerPermission("b", { behavior: "allow" }));

    await fixture.ask("can_use_tool", ASK, { requestId: "c" });
    fixture.isOpen = false;
    assert.isFalse(await fixture.handlers.answerPermission("c", { behavior: "allow" }));

    await fixture.ask("can_use_tool", ASK, { requestId: "d" });
    await fixture.handlers.close();
    assert.isFalse(await fixture.handlers.answerPermission("d", { behavior: "allow" }));
    assert.lengthOf(fixture.responded, 1);
  });

  test("a question without an id cannot be left open: null denies it", async (t) => {
    const fixture = open(t, () => Promise.resolve(null));
    const answer = await fixture.ask("can_use_tool", ASK, { requestId: undefined }) as JsonObject;
    assert.strictEqual(answer.behavior, "deny");
  });

  test("J16 questions side by side do not wait for each other", async (t) => {
    const slow = deferred<unknown>();
    const fixture = open(
      t,
      (_name, _input, { toolUseID }) => toolUseID === "slow" ? slow.promise : { behavior: "allow" },
    );
    const first = fixture.ask("can_use_tool", { ...ASK, tool_use_id: "slow" });
    assert.include(await fixture.ask("can_use_tool", { ...ASK, tool_use_id: "fast" }) as JsonObject, {
      toolUseID: "fast",
    });
    slow.resolve({ behavior: "deny", message: "no" });
    assert.deepEqual(await first, { behavior: "deny", message: "no", toolUseID: "slow" });
  });

  test("a request without a tool or an input is an error", async (t) => {
    const fixture = open(t, () => ({ behavior: "allow" }));
    await rejectsWith(fixture.ask("can_use_tool", { input: {} }), TypeError);
    await rejectsWith(fixture.ask("can_use_tool", { tool_name: "Bash" }), TypeError);
  });

  test("allowAlways: suggestions stay in the scope that was chosen", () => {
    const suggestions: PermissionUpdate[] = [RULE, {
      type: "setMode",
      mode: "acceptEdits",
      destination: "userSettings",
    }];
    assert.deepEqual(allowAlways({ toolName: "Bash", suggestions }, { scope: "session" }), {
      behavior: "allow",
      updatedPermissions: [
        { ...RULE, destination: "session" },
        { type: "setMode", mode: "acceptEdits", destination: "session" },
      ],
      decisionClassification: "user_temporary",
    });
    assert.strictEqual(RULE.destination, "localSettings");
  });

  test("allowAlways: without suggestions it is a rule for the whole tool", () => {
    for (const suggestions of [undefined, []]) {
      assert.deepEqual(allowAlways({ toolName: "WebFetch", suggestions }, { scope: "project" }), {
        behavior: "allow",
        updatedPermissions: [
          { type: "addRules", rules: [{ toolName: "WebFetch" }], behavior: "allow", destination: "projectSettings" },
        ],
        decisionClassification: "user_permanent",
      });
    }
  });
});
