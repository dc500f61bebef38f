import { assert } from "chai";
import { deferred } from "../../../src/core/deferred.ts";
import { OptionError } from "../../../src/core/errors/mod.ts";
import type { JsonObject } from "../../../src/core/json.ts";
import type { HookCallback, HookEvent, Options } from "../../../src/core/options/mod.ts";
import { ControlAnswerError } from "../../../src/core/protocol/mod.ts";
import { rejectsWith } from "../../harness/rejects.ts";
import { suite, type TestContext } from "../../harness/suite.ts";
import { settle } from "../../harness/virtual_clock.ts";
import { type AskSettings, type HandlersFixture, openHandlers } from "./handlers_fixture.ts";

type AnyCallback = (...args: Parameters<HookCallback>) => unknown;

/** One callback for one event. */
function hooksOf(event: HookEvent, callback: AnyCallback, settings: JsonObject = {}): Options {
  return { hooks: { [event]: [{ hooks: [callback], ...settings }] } } as Options;
}

function openHook(t: TestContext, event: HookEvent, callback: AnyCallback, settings: JsonObject = {}): HandlersFixture {
  return openHandlers(t, hooksOf(event, callback, settings));
}

function call(fixture: HandlersFixture, event: string, settings?: AskSettings): Promise<unknown> {
  const input = { hook_event_name: event, tool_name: "Bash", tool_input: { command: "ls" } };
  return fixture.ask("hook_callback", { callback_id: "hook_0", input, tool_use_id: "toolu_1" }, settings);
}

/** The answer that a failing gate gives. */
const CLOSED: Record<string, (reason: string) => JsonObject> = {
  PreToolUse: (reason) => denied("PreToolUse", reason),
  PreSkillShellCommand: (reason) => denied("PreSkillShellCommand", reason),
  PreModelSwitch: (reason) => denied("PreModelSwitch", reason),
  UserPromptSubmit: (reason) => ({ decision: "block", reason }),
  UserPromptExpansion: (reason) => ({ decision: "block", reason }),
};

function denied(event: string, reason: string): JsonObject {
  return { hookSpecificOutput: { hookEventName: event, permissionDecision: "deny", permissionDecisionReason: reason } };
}

/** A verdict that can be read, and that JSON does not see. */
class ReadsAsDenied {
  readonly #event: string;

  constructor(event: string) {
    this.#event = event;
  }

  get hookSpecificOutput(): unknown {
    return { hookEventName: this.#event, permissionDecision: "deny" };
  }
}

const boom = (): never => {
  throw new Error("boom");
};

export default suite("hooks", (test) => {
  test("I01 ids count on over all events, in the order they are written", async (t) => {
    const none: HookCallback = () => Promise.resolve({});
    const { handlers } = openHandlers(t, {
      hooks: {
        PreToolUse: [{ matcher: "Bash", hooks: [none, none], timeout: 33, onFailure: "block" }, { hooks: [none] }],
        Stop: [{ hooks: [none] }],
      },
    });
    assert.deepEqual((await handlers.initializeFields()).hooks, {
      PreToolUse: [
        { matcher: "Bash", hookCallbackIds: ["hook_0", "hook_1"], timeout: 33, onFailure: "block" },
        { hookCallbackIds: ["hook_2"] },
      ],
      Stop: [{ hookCallbackIds: ["hook_3"] }],
    });
    assert.isTrue(handlers.asks);
  });

  test("I02 an event without matchers is not sent; a matcher without callbacks is; no hooks, no field", async (t) => {
    const { handlers } = openHandlers(t, { hooks: { PreToolUse: [], Stop: [{ hooks: [] }], PreCompact: undefined } });
    assert.deepEqual((await handlers.initializeFields()).hooks, { Stop: [{ hookCallbackIds: [] }] });
    const empty = openHandlers(t, { hooks: {} });
    assert.deepEqual(await empty.handlers.initializeFields(), { hooks: {} });
    assert.isFalse(empty.handlers.asks);
    assert.deepEqual(await openHandlers(t, {}).handlers.initializeFields(), {});
  });

  test("what are no hooks is refused before anything starts", (t) => {
    for (const hooks of [{ Stop: {} }, { Stop: [null] }, { Stop: [{}] }, { Stop: [{ hooks: ["no"] }] }]) {
      assert.throws(() => openHandlers(t, { hooks } as unknown as Options), OptionError, "hooks.Stop");
    }
  });

  test("I03 I16 a callback gets its input as sent, the id of the tool use, and a signal", async (t) => {
    const seen: unknown[][] = [];
    const fixture = openHook(t, "PreToolUse", (...args) => void seen.push(args));
    const input = { hook_event_name: "PreToolUse", agent_id: "a1", unknown: [1] };
    await fixture.ask("hook_callback", { callback_id: "hook_0", input, tool_use_id: "toolu_9" });
    await fixture.ask("hook_callback", { callback_id: "hook_0", input });
    assert.deepEqual(seen.map(([given, id]) => [given, id]), [[input, "toolu_9"], [input, undefined]]);
    const { signal } = seen[0]![2] as { signal: AbortSignal };
    assert.instanceOf(signal, AbortSignal);
    assert.isFalse(signal.aborted);
  });

  test("I04 I05 an output passes as it is, unknown keys too", async (t) => {
    const outputs: JsonObject[] = [
      { continue: false, stopReason: "s", suppressOutput: true, systemMessage: "m", decision: "block", reason: "r" },
      { async: true, asyncTimeout: 5 },
      { brand_new: { deep: [1] }, hookSpecificOutput: { hookEventName: "PreToolUse", brand_new: 1 } },
      denied("PreToolUse", "no"),
    ];
    let next = 0;
    const fixture = openHook(t, "PreToolUse", () => Promise.resolve(outputs[next++]));
    for (const output of outputs) assert.deepEqual(await call(fixture, "PreToolUse"), output);
    assert.deepEqual(fixture.diagnostics, []);
  });

  test("nothing returned is an explicit empty opinion, also for a gate", async (t) => {
    for (const nothing of [undefined, null, Promise.resolve()]) {
      assert.deepEqual(await call(openHook(t, "PreToolUse", () => nothing), "PreToolUse"), {});
    }
  });

  test("a missing hookEventName is filled in: without it the CLI throws a deny away", async (t) => {
    const fixture = openHook(t, "PreToolUse", () => ({ hookSpecificOutput: { permissionDecision: "deny" } }));
    assert.deepEqual(await call(fixture, "PreToolUse"), {
      hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny" },
    });
  });

  test("I06 an unknown callback id is an error answer", async (t) => {
    const fixture = openHook(t, "PreToolUse", boom);
    const asked = fixture.ask("hook_callback", { callback_id: "hook_7", input: {} });
    assert.strictEqual((await rejectsWith(asked, ControlAnswerError)).message, "No hook callback found for ID: hook_7");
  });

  for (const [event, closed] of Object.entries(CLOSED)) {
    test(`a gate fails closed: ${event} throws, rejects, returns rubbish`, async (t) => {
      const failures: AnyCallback[] = [
        boom,
        () => Promise.reject(new Error("boom")),
        () => "yes",
        () => 1,
        () => [{}],
        () => new Error("returned"),
        () => ({ hookSpecificOutput: { hookEventName: "SomethingElse" } }),
        () => ({ hookSpecificOutput: "deny" }),
        () => ({ decision: "deny" }),
        () => ({ behavior: "deny", message: "in the shape of canUseTool" }),
        () => ({ permissionDecision: "deny" }),
        () => ({ updatedInput: {} }),
        () => ({ continue: "no" }),
        () => ({ systemMessage: 5 }),
        () => ({ hookSpecificOutput: { hookEventName: event, additionalContext: 7 } }),
        () => ({ reason: 1n as unknown }),
        // What JSON leaves out, or does not see, must not turn a verdict into an error answer or into none.
        () => ({ decision: "block", reason: "mine", cost: NaN }),
        () => ({ decision: "block", reason: "mine", log: () => {} }),
        () => ({ decision: "block", reason: "mine", list: [undefined] }),
        () => Object.create({ decision: "block" }),
        () => Object.defineProperty({}, "decision", { value: "block" }),
        () => new ReadsAsDenied(event),
        () => new Map([["decision", "block"]]),
        () => ({ hookSpecificOutput: Promise.resolve({ hookEventName: event, permissionDecision: "deny" }) }),
        () => ({ async: true, decision: "block", reason: "too late" }),
      ];
      for (const failure of failures) {
        const fixture = openHook(t, event as HookEvent, failure);
        const answer = await call(fixture, event) as JsonObject;
        const reason = (answer.reason ??
          (answer.hookSpecificOutput as JsonObject | undefined)?.permissionDecisionReason) as string;
        assert.match(reason, new RegExp(`^${event} hook failed: `));
        assert.deepEqual(answer, closed(reason));
        assert.lengthOf(fixture.diagnostics, 1);
        assert.include(fixture.diagnostics[0], { kind: "callback_failed", callback: `hooks.${event}`, gate: true });
      }
    });
  }

  test("a verdict of a gate that the CLI does not know is a failure, not an opinion", async (t) => {
    for (const permissionDecision of ["block", "yes", true, null]) {
      const fixture = openHook(t, "PreToolUse", () => ({
        hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision },
      }));
      assert.deepEqual(
        await call(fixture, "PreToolUse"),
        denied(
          "PreToolUse",
          "PreToolUse hook failed: hookSpecificOutput.permissionDecision has a value that the CLI refuses",
        ),
      );
    }
  });

  test("an object that says itself how it is written is taken at its word, the name of the event filled in", async (t) => {
    const fixture = openHook(t, "PreToolUse", () => ({
      toJSON: () => ({ hookSpecificOutput: { permissionDecision: "deny", permissionDecisionReason: "mine" } }),
    }));
    assert.deepEqual(await call(fixture, "PreToolUse"), denied("PreToolUse", "mine"));
  });

  test("the error of the user is kept as cause, and shown to the model in short", async (t) => {
    const error = new Error("x".repeat(10_000));
    const fixture = openHook(t, "PreToolUse", () => Promise.reject(error));
    const answer = await call(fixture, "PreToolUse") as { hookSpecificOutput: JsonObject };
    assert.isBelow(String(answer.hookSpecificOutput.permissionDecisionReason).length, 600);
    const [event] = fixture.diagnostics;
    assert.strictEqual(event?.kind === "callback_failed" ? event.cause : undefined, error);
  });

  test("thrown values of any kind are failures like errors", async (t) => {
    const odd = Object.create(null);
    for (const thrown of [undefined, null, "text", 5, { message: "m" }, odd]) {
      const fixture = openHook(t, "PreToolUse", () => Promise.reject(thrown));
      const answer = await call(fixture, "PreToolUse") as { hookSpecificOutput: JsonObject };
      assert.strictEqual(answer.hookSpecificOutput.permissionDecision, "deny");
    }
  });

  test("a gate past its own time answers before the CLI gives up on it, and its callback is told", async (t) => {
    const never = deferred<undefined>();
    let signal: AbortSignal | undefined;
    const fixture = openHook(t, "UserPromptSubmit", (_input, _id, options) => {
      signal = options.signal;
      return never.promise;
    }, { timeout: 0.2 });
    const answer = call(fixture, "UserPromptSubmit");
    await fixture.clock.pass(179);
    assert.isFalse(signal?.aborted);
    await fixture.clock.pass(21);
    assert.deepEqual(await answer, {
      decision: "block",
      reason: "UserPromptSubmit hook failed: it did not answer within 180 ms",
    });
    assert.isTrue(signal?.aborted);
    assert.strictEqual(fixture.clock.pending, 0);
  });

  test("an observer past its own time is an error answer, a PermissionRequest hook has no opinion; both are told", async (t) => {
    const observers: HookEvent[] = [
      "PostToolUse",
      "Stop",
      "SessionStart",
      "Notification",
      "SubagentStop",
      "PreCompact",
    ];
    for (const event of [...observers, "PermissionRequest"] as HookEvent[]) {
      let signal: AbortSignal | undefined;
      const fixture = openHook(t, event, (_input, _id, options) => {
        signal = options.signal;
        return deferred<undefined>().promise;
      }, { timeout: 0.2 });
      const answer = call(fixture, event).then((value) => ({ value }), (error) => ({ error }));
      await fixture.clock.pass(179);
      assert.isFalse(signal?.aborted, event);
      await fixture.clock.pass(1);
      const told = await answer;
      if (event === "PermissionRequest") assert.deepEqual(told, { value: {} });
      else {
        const { error } = told as { readonly error?: Error };
        assert.instanceOf(error, ControlAnswerError, event);
        assert.strictEqual(error?.message, `${event} hook failed: it did not answer within 180 ms`);
      }
      assert.isTrue(signal?.aborted, event);
      assert.strictEqual(fixture.clock.pending, 0);
      assert.deepInclude(fixture.diagnostics[0], { kind: "callback_failed", callback: `hooks.${event}`, gate: false });
    }
  });

  test("a callback that settles after its time changes nothing, and its late rejection is nobody's", async (t) => {
    const late = deferred<undefined>();
    const fixture = openHook(t, "PreToolUse", () => late.promise, { timeout: 1 });
    const answer = call(fixture, "PreToolUse");
    await fixture.clock.pass(1_000);
    late.reject(new Error("late"));
    await settle();
    assert.include(JSON.stringify(await answer), '"deny"');
    assert.lengthOf(fixture.diagnostics, 1);
  });

  test("without a timeout a hook may take for ever; odd timeouts are none", async (t) => {
    for (const timeout of [undefined, 0, -1, NaN, "5" as never]) {
      const fixture = openHook(t, "PreToolUse", () => deferred<undefined>().promise, {
        ...(timeout === undefined ? {} : { timeout }),
      });
      const controller = new AbortController();
      const answer = call(fixture, "PreToolUse", { signal: controller.signal });
      await fixture.clock.pass(1e9);
      assert.strictEqual(fixture.clock.pending, 0);
      controller.abort();
      assert.include(JSON.stringify(await answer), '"deny"');
    }
  });

  test("I22 I23 taken back: the callback is told, and what comes of it is no allow", async (t) => {
    const hang = deferred<JsonObject>();
    let signal: AbortSignal | undefined;
    const fixture = openHook(t, "PreToolUse", (_input, _id, options) => {
      signal = options.signal;
      return hang.promise;
    });
    const controller = new AbortController();
    const answer = call(fixture, "PreToolUse", { signal: controller.signal });
    controller.abort(new Error("taken back"));
    assert.include(JSON.stringify(await answer), '"permissionDecision":"deny"');
    assert.isTrue(signal?.aborted);
    assert.strictEqual((signal?.reason as Error).message, "taken back");
    assert.deepEqual(fixture.diagnostics, []);
    hang.resolve({ hookSpecificOutput: { permissionDecision: "allow" } });
  });

  test("closing takes back what runs, and what comes later never starts", async (t) => {
    let calls = 0;
    const fixture = openHook(t, "PreToolUse", () => {
      calls++;
      return deferred<undefined>().promise;
    });
    const answer = call(fixture, "PreToolUse");
    await fixture.handlers.close();
    assert.include(JSON.stringify(await answer), '"permissionDecision":"deny"');
    assert.include(JSON.stringify(await call(fixture, "PreToolUse")), '"permissionDecision":"deny"');
    assert.strictEqual(calls, 1);
  });

  test('onFailure "continue" opens a gate on purpose: the failure is an error answer, still reported', async (t) => {
    const fixture = openHook(t, "PreToolUse", boom, { onFailure: "continue" });
    const error = await rejectsWith(call(fixture, "PreToolUse"), ControlAnswerError);
    assert.strictEqual(error.message, "PreToolUse hook failed: boom");
    assert.include(fixture.diagnostics[0], { kind: "callback_failed", gate: false });
  });

  test("I07 observers answer with an error and are reported", async (t) => {
    const observers: HookEvent[] = [
      "PostToolUse",
      "Stop",
      "SubagentStop",
      "ConfigChange",
      "PreCompact",
      "Notification",
    ];
    for (const event of observers) {
      const fixture = openHook(t, event, boom);
      const error = await rejectsWith(call(fixture, event), ControlAnswerError);
      assert.strictEqual(error.message, `${event} hook failed: boom`);
      assert.include(fixture.diagnostics[0], { kind: "callback_failed", callback: `hooks.${event}`, gate: false });
    }
  });

  test("a failing PermissionRequest hook has no opinion", async (t) => {
    const failures: AnyCallback[] = [boom, () => ({ hookSpecificOutput: { decision: "allow" } })];
    for (const failure of failures) {
      const fixture = openHook(t, "PermissionRequest", failure);
      assert.deepEqual(await call(fixture, "PermissionRequest"), {});
      assert.include(fixture.diagnostics[0], { kind: "callback_failed", gate: false });
    }
  });

  test('a failing PermissionRequest hook denies with onFailure "block"', async (t) => {
    const fixture = openHook(t, "PermissionRequest", boom, { onFailure: "block" });
    assert.deepEqual(await call(fixture, "PermissionRequest"), {
      hookSpecificOutput: {
        hookEventName: "PermissionRequest",
        decision: { behavior: "deny", message: "PermissionRequest hook failed: boom" },
      },
    });
    assert.include(fixture.diagnostics[0], { kind: "callback_failed", gate: true });
  });

  test("an event of a newer CLI is an observer", async (t) => {
    const fixture = openHook(t, "BrandNewEvent" as HookEvent, boom);
    await rejectsWith(call(fixture, "BrandNewEvent"), ControlAnswerError);
  });

  test("I08 callbacks run side by side", async (t) => {
    const gate = deferred<JsonObject>();
    const fixture = openHandlers(t, {
      hooks: { PreToolUse: [{ hooks: [() => gate.promise, () => Promise.resolve({ reason: "fast" })] }] },
    });
    const ask = (id: string) => fixture.ask("hook_callback", { callback_id: id, input: {} });
    const slow = ask("hook_0");
    assert.deepEqual(await ask("hook_1"), { reason: "fast" });
    gate.resolve({ reason: "slow" });
    assert.deepEqual(await slow, { reason: "slow" });
  });

  test("a request without input closes the gate too", async (t) => {
    const fixture = openHook(t, "PreToolUse", () => ({}));
    const answer = await fixture.ask("hook_callback", { callback_id: "hook_0" });
    assert.include(JSON.stringify(answer), '"permissionDecision":"deny"');
  });

  test("gateAll adds a hook of ours behind the user's, which sends every call to the permission callback", async (t) => {
    const fixture = openHandlers(t, {
      hooks: { PreToolUse: [{ matcher: "Bash", hooks: [() => Promise.resolve()] }] },
      canUseTool: () => Promise.resolve({ behavior: "deny", message: "no" }),
      tether: { gateAll: true },
    });
    const { hooks } = await fixture.handlers.initializeFields();
    assert.deepEqual(hooks, {
      PreToolUse: [{ matcher: "Bash", hookCallbackIds: ["hook_0"] }, { hookCallbackIds: ["hook_1"] }],
    });
    const answer = await fixture.ask("hook_callback", { callback_id: "hook_1", input: {} }) as JsonObject;
    assert.include(answer.hookSpecificOutput as JsonObject, { hookEventName: "PreToolUse", permissionDecision: "ask" });
  });

  test("gateAll alone asks too", async (t) => {
    const { handlers } = openHandlers(t, { tether: { gateAll: true } });
    assert.isTrue(handlers.asks);
    assert.deepEqual((await handlers.initializeFields()).hooks, { PreToolUse: [{ hookCallbackIds: ["hook_0"] }] });
  });
});
