import type { HookEvent, HookInputMap } from "./hook_inputs.ts";
import type { HookJSONOutput, HookOutput } from "./hook_outputs.ts";

/** What a hook gets beside its input. */
export interface HookContext {
  /** Aborts when the CLI gives up on the hook; an answer after that is not sent. */
  signal: AbortSignal;
}

/**
 * Called when its event happens. Returning nothing is having no opinion.
 *
 * Callbacks of one event run at the same time; of several opinions on a tool call the strictest wins. With the name of an
 * event, input and output are those of the event; without, they are those of any.
 *
 * | event                                                  | reaches a callback (CLI 2.1.332)                          |
 * |--------------------------------------------------------|-----------------------------------------------------------|
 * | `PreToolUse`, `PostToolUse`, `PostToolUseFailure`,     | for every tool call; `PostToolBatch` once for each step   |
 * | `PostToolBatch`                                        | of the model                                              |
 * | `PermissionRequest`                                    | together with `canUseTool`: the first verdict counts      |
 * | `PermissionDenied`                                     | in mode `auto` only                                       |
 * | `UserPromptSubmit`, `MessageDisplay`, `Stop`           | in every turn                                             |
 * | `StopFailure`                                          | when the API refuses a turn                               |
 * | `UserPromptExpansion`, `PreSkillShellCommand`          | for command files, and their shell lines                  |
 * | `SubagentStart`, `SubagentStop`                        | also, with an empty `agent_type`, the CLI's own helpers   |
 * | `PreCompact`, `PostCompact`                            | `PostCompact` only if it went well                        |
 * | `SessionStart`                                         | for `clear` and `compact`; not at the start of a CLI      |
 * | `SessionEnd`                                           | for `clear`; not at the end of input                      |
 * | `PreModelSwitch`, `PostModelSwitch`                    | when the model really changes                             |
 * | `TaskCreated`, `TaskCompleted`                         | with the tools `TaskCreate` and `TaskUpdate` in `tools`   |
 * | `Elicitation`, `ElicitationResult`, `Notification`     | around a question of an MCP server; their answers to it   |
 * |                                                        | count for nothing                                         |
 * | `ConfigChange`, `InstructionsLoaded`, `DirectoryAdded` | when it happens                                           |
 * | `WorktreeCreate`, `WorktreeRemove`                     | for the worktree tools                                    |
 * | `FileChanged`                                          | for the `watchPaths` that a `SessionStart` callback gave  |
 * | `Setup`, `TeammateIdle`, `CwdChanged`                  | never seen                                                |
 */
export type HookCallback<Event extends HookEvent = HookEvent> = (
  input: HookInputMap[Event],
  toolUseID: string | undefined,
  options: HookContext,
) => Promise<HookOutput<Event> | void>;

// `in`: left to itself the compiler takes Event for an output as well where `exactOptionalPropertyTypes` is off.
/** Callbacks, and which subjects of an event they are for. */
export interface HookCallbackMatcher<in Event extends HookEvent = HookEvent> {
  /**
   * A name, names joined by `|` or `,` (each exact), or else an unanchored regular expression over the tool's name or the
   * event's subject. Left out, empty or `*`: everything.
   */
  matcher?: string | undefined;
  /**
   * What is called. Any answer of {@linkcode HookJSONOutput} is taken here, as functions that serve several events return
   * it; one that is meant for another event is a failure of the hook. `HookCallback<"Stop">` tells it before.
   */
  hooks: ((
    input: HookInputMap[Event],
    toolUseID: string | undefined,
    options: HookContext,
  ) => Promise<HookJSONOutput | void>)[];
  /**
   * Seconds. Past it a gate refuses the call (its own clock runs out a little earlier than the CLI's, so that the refusal
   * says why), and every other event goes on. Default: none; the CLI then waits for as long as it takes.
   */
  timeout?: number | undefined;
  /**
   * What a failure of these callbacks means. Left out, the gates refuse (PreToolUse, PreSkillShellCommand, PreModelSwitch,
   * UserPromptSubmit, UserPromptExpansion) and every other event goes on; `continue` lets pass what a gate would refuse,
   * `block` refuses for the other events that can: PermissionRequest and PostToolUse among them, PreCompact and
   * ConfigChange; Stop, SubagentStop, TaskCompleted and TeammateIdle go on all the same (CLI 2.1.332).
   */
  onFailure?: "continue" | "block" | undefined;
}

/** Hooks by event. */
export type Hooks = { [Event in HookEvent]?: HookCallbackMatcher<Event>[] | undefined };

/** Every event, in the CLI's order. */
export const HOOK_EVENTS = [
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "PostToolBatch",
  "Notification",
  "UserPromptSubmit",
  "UserPromptExpansion",
  "SessionStart",
  "SessionEnd",
  "Stop",
  "StopFailure",
  "SubagentStart",
  "SubagentStop",
  "PreCompact",
  "PostCompact",
  "PreModelSwitch",
  "PostModelSwitch",
  "PermissionRequest",
  "PermissionDenied",
  "Setup",
  "TeammateIdle",
  "TaskCreated",
  "TaskCompleted",
  "Elicitation",
  "ElicitationResult",
  "ConfigChange",
  "WorktreeCreate",
  "WorktreeRemove",
  "InstructionsLoaded",
  "CwdChanged",
  "FileChanged",
  "DirectoryAdded",
  "MessageDisplay",
  "PreSkillShellCommand",
] as const;
