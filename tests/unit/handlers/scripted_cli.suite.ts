/** What the real CLI was not seen to ask of callbacks, asked by a double of it: rare hooks, and user dialogs. */
import { assert } from "chai";
import {
  HOOK_EVENTS,
  type HookCallback,
  type HookEvent,
  type HookInput,
  type Hooks,
  query,
  type UserDialogRequest,
} from "../../../mod.ts";
import { deferred } from "../../../src/core/deferred.ts";
import { type JsonObject, scriptedCli, step } from "../../../src/testing/mod.ts";
import { suite } from "../../harness/suite.ts";

const BASE = { session_id: "s", transcript_path: "/w/s.jsonl", cwd: "/w" };

/** The events that CLI 2.1.332 was not seen to send to a callback, and what it would send. */
const INPUTS: readonly JsonObject[] = [
  { hook_event_name: "Setup", trigger: "init" },
  { hook_event_name: "SessionStart", source: "startup", model: "m" },
  { hook_event_name: "SessionStart", source: "fork", seconds_since_last_response: 5, context_tokens: 10 },
  { hook_event_name: "SessionEnd", reason: "prompt_input_exit" },
  { hook_event_name: "TeammateIdle", teammate_name: "ann", team_name: "blue" },
  { hook_event_name: "CwdChanged", old_cwd: "/w", new_cwd: "/w/sub" },
  { hook_event_name: "DirectoryAdded", directory: "/w/more", source: "register_repo_root" },
];

/** What the callback answers, by event. */
const OUTPUTS: Partial<Record<HookEvent, JsonObject>> = {
  Setup: { hookSpecificOutput: { hookEventName: "Setup", additionalContext: "set up" } },
  CwdChanged: { hookSpecificOutput: { hookEventName: "CwdChanged", watchPaths: ["/w/sub/a"] } },
};

export default suite("handlers and a scripted CLI", (test) => {
  test("I18 I25 events that the real CLI keeps from callbacks reach them all the same if it sends them", async (t) => {
    const inputs: HookInput[] = [];
    const note: HookCallback = (input) => {
      inputs.push(input);
      return Promise.resolve(OUTPUTS[input.hook_event_name] ?? {});
    };
    const hooks: Hooks = Object.fromEntries(HOOK_EVENTS.map((event) => [event, [{ hooks: [note] }]]));
    const asks = INPUTS.map((input) => {
      const event = input.hook_event_name as HookEvent;
      return step.ask(
        {
          subtype: "hook_callback",
          callback_id: `hook_${HOOK_EVENTS.indexOf(event)}`,
          input: { ...BASE, ...input },
        },
        { check: { subtype: "success", response: OUTPUTS[event] ?? {} } },
      );
    });
    const cli = scriptedCli([step.turn("done", { during: asks })]);
    const transport = cli.transport();
    const run = query({ prompt: "go", options: { hooks, tether: { transport } } });
    t.cleanup(() => run.close());
    for await (const _ of run);
    transport.verify();
    assert.deepEqual(inputs as unknown[], INPUTS.map((input) => ({ ...BASE, ...input })));
  });

  test("H33 dialogs: shown, answered, cancelled, taken back; an undeclared kind is cancelled for the user", async (t) => {
    const shown: UserDialogRequest[] = [];
    const open = deferred<AbortSignal>();
    const dialog = (dialog_kind: string, payload: JsonObject = {}) => ({
      subtype: "request_user_dialog",
      dialog_kind,
      payload,
      tool_use_id: "toolu_1",
    });
    const cli = scriptedCli([
      step.initialize({}),
      step.turn("done", {
        during: [
          step.ask(dialog("pick", { of: [1, 2] }), {
            check: { subtype: "success", response: { behavior: "completed", result: { picked: 2 } } },
          }),
          step.ask(dialog("broken"), { check: { subtype: "success", response: { behavior: "cancelled" } } }),
          step.ask(dialog("stranger"), { check: { subtype: "success", response: { behavior: "cancelled" } } }),
          step.ask(dialog("slow"), { as: "slow" }),
          step.run(async () => void await open.promise),
          step.cancel("slow"),
        ],
      }),
    ]);
    const transport = cli.transport();
    const run = query({
      prompt: "go",
      options: {
        supportedDialogKinds: ["pick", "broken", "slow"],
        onUserDialog: async (request, { signal }) => {
          shown.push(request);
          if (request.dialogKind === "pick") return { behavior: "completed", result: { picked: 2 } };
          if (request.dialogKind === "broken") throw new Error("no screen");
          open.resolve(signal);
          return await deferred<null>().promise;
        },
        tether: { transport },
      },
    });
    t.cleanup(() => run.close());
    for await (const _ of run);
    transport.verify();
    assert.isTrue((await open.promise).aborted);
    assert.deepEqual(shown.map(({ dialogKind }) => dialogKind), ["pick", "broken", "slow"]);
    assert.deepEqual(shown[0], { dialogKind: "pick", payload: { of: [1, 2] }, toolUseID: "toolu_1" });
  });
});
