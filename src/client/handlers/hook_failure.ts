import type { JsonObject } from "../../core/json.ts";

/**
 * What it means when a hook callback fails: throws, hangs past its `timeout`, returns what the CLI would refuse, or is
 * taken back. The CLI (2.1.332) by itself treats an error or an invalid answer as "no opinion", so a gate would open.
 *
 * | event                                      | a failure is                                                            |
 * |--------------------------------------------|-------------------------------------------------------------------------|
 * | `PreToolUse`, `PreSkillShellCommand`       | a deny: the tool or the shell command does not run                      |
 * | `PreModelSwitch`                           | a deny: the model stays                                                 |
 * | `UserPromptSubmit`, `UserPromptExpansion`  | a block: the prompt does not reach the model                            |
 * | `PermissionRequest`                        | no opinion: the permission callback and the user's rules decide, and    |
 * |                                            | none of them is open by default. With `onFailure: "block"`: a deny      |
 * | `ConfigChange`                             | an error. Refusing a change may keep a tightening out as well as a      |
 * |                                            | loosening, so neither side is the safe one                              |
 * | `Stop`, `SubagentStop`, `TeammateIdle`,    | an error. To block here is to go on: a broken hook would spin for ever  |
 * | `TaskCreated`, `TaskCompleted`             |                                                                         |
 * | `PreCompact`                               | an error. A conversation that may not compact comes to a standstill     |
 * | `WorktreeCreate`                           | an error; without a path from the hook the tool fails by itself         |
 * | `Elicitation`, `ElicitationResult`         | an error; the CLI takes no verdict from callbacks here                  |
 * | every other event (observers)              | an error: the CLI shows a notice and goes on                            |
 *
 * `onFailure: "continue"` turns a gate's deny or block into the plain error. `onFailure: "block"` is the CLI's own way to
 * close the events that answer with an error; it ignores it on Stop, SubagentStop, TaskCompleted and TeammateIdle.
 */
export type HookFailure =
  | { readonly kind: "closed"; readonly answer: (reason: string) => JsonObject }
  | { readonly kind: "no_opinion" }
  | { readonly kind: "error" };

function denied(event: string): HookFailure {
  return {
    kind: "closed",
    answer: (reason) => ({
      hookSpecificOutput: { hookEventName: event, permissionDecision: "deny", permissionDecisionReason: reason },
    }),
  };
}

/** What `onFailure: "block"` makes of a failure that would have no opinion. */
const REFUSED: HookFailure = {
  kind: "closed",
  answer: (message) => ({
    hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { behavior: "deny", message } },
  }),
};

const BLOCKED: HookFailure = { kind: "closed", answer: (reason) => ({ decision: "block", reason }) };

const FAILURES: ReadonlyMap<string, HookFailure> = new Map([
  ...["PreToolUse", "PreSkillShellCommand", "PreModelSwitch"].map((event) => [event, denied(event)] as const),
  ["UserPromptSubmit", BLOCKED],
  ["UserPromptExpansion", BLOCKED],
  ["PermissionRequest", { kind: "no_opinion" }],
]);

const ERROR: HookFailure = { kind: "error" };

/** What a failing callback of this event is answered with. */
export function hookFailure(event: string, onFailure: unknown): HookFailure {
  const failure = FAILURES.get(event) ?? ERROR;
  if (failure.kind === "no_opinion" && onFailure === "block") return REFUSED;
  return failure.kind === "closed" && onFailure === "continue" ? ERROR : failure;
}
