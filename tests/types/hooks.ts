/** That a hook gets the input of its event, and may answer what its event has a say in, and nothing else. */
import type {
  AsyncHookJSONOutput,
  HookCallback,
  HookCallbackMatcher,
  HookEvent,
  HookInput,
  HookInputMap,
  HookJSONOutput,
  HookOutput,
  Hooks,
  HookSpecificOutput,
  HookSpecificOutputOf,
} from "../../src/core/options/mod.ts";
import type { Fails, Fits, Holds, IsAny, Same } from "./assertions.ts";

/** Each of the 34 events has an input of its own, and none is `any`. */
export type Inputs = [
  Holds<Same<keyof HookInputMap, HookEvent>>,
  Fails<{ [Event in HookEvent]: IsAny<HookInputMap[Event]> }[HookEvent]>,
  Holds<Same<HookInputMap["Stop"]["hook_event_name"], "Stop">>,
];

/** The events that have a say of their own are those of the union, and the others have none. */
export type Outputs = [
  Holds<Same<HookSpecificOutputOf<HookEvent>["hookEventName"], HookSpecificOutput["hookEventName"]>>,
  Holds<
    Same<
      { [Event in HookEvent]: [HookSpecificOutputOf<Event>] extends [never] ? Event : never }[HookEvent],
      | "SessionEnd"
      | "StopFailure"
      | "PreCompact"
      | "PostCompact"
      | "TaskCreated"
      | "TaskCompleted"
      | "TeammateIdle"
      | "ConfigChange"
      | "WorktreeRemove"
      | "InstructionsLoaded"
      | "DirectoryAdded"
    >
  >,
];

/** What an event may answer is an answer, and an answer of any kind is one of the peer's; each both ways. */
export type Answers = [
  Holds<Fits<HookOutput, HookJSONOutput>>,
  Holds<Fits<HookJSONOutput, HookOutput>>,
  Holds<Fits<{ [Event in HookEvent]: HookOutput<Event> }[HookEvent], HookJSONOutput>>,
  Holds<Fits<AsyncHookJSONOutput, HookOutput<"SessionEnd">>>,
  Fails<Fits<HookOutput<"PostToolUse">, HookOutput<"PreToolUse">>>,
];

/** Typed apart, as the peer types it: for every event. */
const everyEvent: HookCallback = (input) =>
  Promise.resolve(input.hook_event_name === "PreToolUse" ? { reason: input.tool_name } : {});

async function declared(input: HookInput, toolUseID: string | undefined): Promise<HookJSONOutput> {
  await input.cwd;
  return toolUseID === undefined ? {} : { systemMessage: toolUseID };
}

const forOne: HookCallback<"PreToolUse"> = ({ tool_name }) =>
  Promise.resolve({
    hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: tool_name === "x" ? "deny" : "allow" },
  });

/** What fits. */
export const hooks: Hooks = {
  PreToolUse: [{
    matcher: "Bash",
    timeout: 5,
    onFailure: "block",
    hooks: [
      everyEvent,
      declared,
      forOne,
      async (input, toolUseID, { signal }) => {
        const name: string = input.tool_name;
        const id: string | undefined = toolUseID;
        await signal.aborted;
        return {
          hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: name === id ? "deny" : "allow" },
        };
      },
      // As it is written for the peer, whose input is that of any event.
      (input) =>
        Promise.resolve(
          input.hook_event_name !== "PreToolUse" ? {} : {
            hookSpecificOutput: { hookEventName: input.hook_event_name, permissionDecision: "ask" },
          },
        ),
      (input) => Promise.resolve({ decision: "block", reason: input.tool_name }),
      (input, toolUseID) => declared(input, toolUseID),
      () => Promise.resolve(),
    ],
  }],
  PostToolUse: [{
    hooks: [(input) =>
      Promise.resolve({
        hookSpecificOutput: { hookEventName: "PostToolUse", updatedToolOutput: input.tool_response },
      })],
  }],
  WorktreeCreate: [{
    hooks: [
      ({ name }) =>
        Promise.resolve({ hookSpecificOutput: { hookEventName: "WorktreeCreate", worktreePath: `/tmp/${name}` } }),
    ],
  }],
  SessionEnd: [{ hooks: [everyEvent, ({ reason }) => Promise.resolve({ systemMessage: reason })] }],
  Stop: [{
    hooks: [({ stop_hook_active }) => Promise.resolve({ async: true, asyncTimeout: stop_hook_active ? 1 : 2 })],
  }],
};

/** The peer's way to write the type of the option. */
const matchers: Partial<Record<HookEvent, HookCallbackMatcher[]>> = { PreToolUse: [{ hooks: [everyEvent] }] };

/** It fits. */
export const asThePeer: Hooks = matchers;

/** What another event has a say in, or no event. */
export type Foreign = [
  Fails<
    Fits<{ hookSpecificOutput: { hookEventName: "PostToolUse"; additionalContext: string } }, HookOutput<"PreToolUse">>
  >,
  Fails<
    Fits<{ hookSpecificOutput: { hookEventName: "PreToolUse"; updatedToolOutput: string } }, HookOutput<"PreToolUse">>
  >,
  Fails<
    Fits<
      { hookSpecificOutput: { hookEventName: "PreModelSwitch"; permissionDecision: "defer" } },
      HookOutput<"PreModelSwitch">
    >
  >,
  Fails<Fits<{ hookSpecificOutput: { hookEventName: "Stop" } }, HookOutput<"SessionEnd">>>,
];

/** The same, as it is written. */
export const strict: HookCallback<"PreToolUse"> = ({ tool_name }) =>
  // @ts-expect-error -- only PostToolUse replaces an output
  Promise.resolve({ hookSpecificOutput: { hookEventName: "PreToolUse", updatedToolOutput: tool_name } });

/** What does not fit. */
export const wrong: Hooks[] = [
  // @ts-expect-error -- a Stop has no tool
  { Stop: [{ hooks: [(input) => Promise.resolve({ reason: input.tool_name })] }] },
  // @ts-expect-error -- a policy is one of two words
  { Stop: [{ hooks: [], onFailure: "deny" }] },
  // @ts-expect-error -- no such verdict
  { Stop: [{ hooks: [() => Promise.resolve({ decision: "deny" })] }] },
];
