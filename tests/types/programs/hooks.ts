/** Hooks: each event has its own input, and answers of its own. */
import {
  type AsyncHookJSONOutput,
  HOOK_EVENTS,
  type HookCallback,
  type HookCallbackMatcher,
  type HookEvent,
  type HookInput,
  type HookJSONOutput,
  type Options,
  type PostToolUseHookInput,
  type PreToolUseHookInput,
  type SyncHookJSONOutput,
} from "@tether/agent";
import type { Fails, Holds, IsAny, Same } from "../assertions.ts";

type Hooks = NonNullable<Options["hooks"]>;

/** The input that callbacks of an event are given. */
type InputOf<Event extends HookEvent> = Parameters<NonNullable<Hooks[Event]>[number]["hooks"][number]>[0];

/** In `options.hooks` every event is given exactly its own input. */
export type OwnInput = Holds<
  { [Event in HookEvent]: Same<InputOf<Event>["hook_event_name"], Event> }[HookEvent]
>;

/** No field of any input is `any`. */
export type NoAny = Fails<
  { [Event in HookEvent]: { [Field in keyof InputOf<Event>]-?: IsAny<InputOf<Event>[Field]> }[keyof InputOf<Event>] }[
    HookEvent
  ]
>;

/** Every event at once, fields read without a cast. */
export const hooks: Hooks = {
  PreToolUse: [{
    matcher: "Bash|Write",
    timeout: 5,
    onFailure: "continue",
    hooks: [(input, toolUseID, { signal }) => {
      const command: unknown = input.tool_input;
      const id: string | undefined = toolUseID;
      if (signal.aborted) return Promise.resolve({});
      return Promise.resolve({
        hookSpecificOutput: {
          hookEventName: "PreToolUse",
          permissionDecision: "deny",
          permissionDecisionReason: `${input.tool_name} ${String(command)} ${id}`,
          updatedInput: { command: "true" },
          additionalContext: "…",
        },
      });
    }],
  }],
  PostToolUse: [{
    hooks: [async (input) => {
      const answer: unknown = await Promise.resolve(input.tool_response);
      return {
        hookSpecificOutput: { hookEventName: "PostToolUse", additionalContext: String(answer), updatedToolOutput: {} },
      };
    }],
  }],
  UserPromptSubmit: [{
    hooks: [async ({ prompt, session_id, cwd, transcript_path }) => {
      await Promise.resolve();
      if (prompt.includes("secret")) return { decision: "block", reason: `${session_id} ${cwd} ${transcript_path}` };
      return { hookSpecificOutput: { hookEventName: "UserPromptSubmit", additionalContext: "…" } };
    }],
  }],
  SessionStart: [{
    hooks: [
      ({ source }) =>
        Promise.resolve({ hookSpecificOutput: { hookEventName: "SessionStart", additionalContext: source } }),
    ],
  }],
  PermissionRequest: [{
    hooks: [() =>
      Promise.resolve({
        hookSpecificOutput: {
          hookEventName: "PermissionRequest",
          decision: {
            behavior: "allow",
            updatedPermissions: [{ type: "setMode", mode: "plan", destination: "session" }],
          },
        },
      })],
  }],
  Stop: [{
    hooks: [({ stop_hook_active }) => Promise.resolve(stop_hook_active ? {} : { continue: false, stopReason: "…" })],
  }],
  // Nothing to say.
  Notification: [{ hooks: [({ message }) => Promise.resolve(void message)] }],
  // Later.
  PreCompact: [{ hooks: [() => Promise.resolve({ async: true, asyncTimeout: 1_000 })] }],
};

/** Typed apart, as programs for the official SDK have it. */
const byCast: HookCallback = async (input, toolUseID, { signal }) => {
  await Promise.resolve();
  const before = input as PreToolUseHookInput;
  if (signal.aborted || toolUseID === undefined) return {};
  return { systemMessage: before.tool_name };
};
const byName: HookCallback = async (input) => {
  await Promise.resolve();
  if (input.hook_event_name !== "PostToolUse") return { continue: true };
  const after: PostToolUseHookInput = input;
  return { reason: after.tool_name };
};
const matchers: HookCallbackMatcher[] = [{ matcher: "Edit", hooks: [byCast] }, { hooks: [byName] }];
/** … and put where they belong. */
export const typedApart: Partial<Record<HookEvent, HookCallbackMatcher[]>> = { PreToolUse: matchers, Stop: matchers };
export const optionsApart: Options = { hooks: typedApart };

/** Every event is listed. */
export const all: readonly HookEvent[] = HOOK_EVENTS;

/** An input is told from the others by its name. */
export function subject(input: HookInput): string {
  switch (input.hook_event_name) {
    case "PreToolUse":
    case "PostToolUse":
    case "PostToolUseFailure":
    case "PermissionRequest":
    case "PermissionDenied":
      return input.tool_name;
    case "SubagentStart":
    case "SubagentStop":
      return input.agent_type;
    case "FileChanged":
      return input.file_path;
    case "CwdChanged":
      return input.new_cwd;
    case "PreModelSwitch":
    case "PostModelSwitch":
      return input.to_model;
    case "SessionEnd":
      return input.reason;
    default:
      return input.session_id;
  }
}

/** The two forms of an answer. */
export const forms: [SyncHookJSONOutput, AsyncHookJSONOutput, HookJSONOutput] = [
  { continue: true, suppressOutput: true, systemMessage: "…", decision: "approve", reason: "…" },
  { async: true },
  {},
];

/** What an event does not know is refused. */
export const wrong: HookJSONOutput[] = [
  // @ts-expect-error -- a decision is one of four
  { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "no" } },
  // @ts-expect-error -- not of this event
  { hookSpecificOutput: { hookEventName: "UserPromptSubmit", permissionDecision: "deny" } },
  // @ts-expect-error -- not of this event
  { hookSpecificOutput: { hookEventName: "SessionStart", updatedInput: {} } },
  // @ts-expect-error -- no such event
  { hookSpecificOutput: { hookEventName: "PreTool" } },
  // @ts-expect-error -- "deny" is no decision out here
  { decision: "deny" },
];
