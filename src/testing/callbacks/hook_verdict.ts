import { isJsonObject, type JsonObject } from "../../core/json.ts";
import type { HookEvent, HookJSONOutput } from "../../core/options/mod.ts";

/** What one callback of an event came to. */
export interface HookReply {
  /** The matcher it is registered under. */
  readonly matcher: string | undefined;
  /** What the CLI is answered; an empty object has no opinion. */
  readonly output: HookJSONOutput;
  /** The CLI is answered with this error instead: the callback failed, and its event is no gate. */
  readonly error: string | undefined;
  /** The CLI's own clock ran out first, and it took the question back. */
  readonly timedOut: boolean;
}

/** What hooks can decide. `block` is the word of the events that have no permission to give. */
export type HookDecision = "allow" | "deny" | "ask" | "defer" | "block";

/** What all callbacks that were called for an event come to together. */
export interface HookVerdict {
  /** The answers, in the order in which the callbacks are registered. Empty: no matcher fits. */
  readonly replies: readonly HookReply[];
  /** The strictest decision: deny, then defer, ask, allow; undefined: none of them has an opinion. */
  readonly decision: HookDecision | undefined;
  /** What was said with it. Where several decide alike, the last to answer is heard. */
  readonly reason: string | undefined;
  /** What the tool is called with instead; the last to answer is heard, an allow only where nobody asks. */
  readonly updatedInput: Record<string, unknown> | undefined;
  /** Texts for the model, joined by newlines. */
  readonly additionalContext: string | undefined;
  /** Somebody said `continue: false`. */
  readonly stops: boolean;
}

/** A reply, and what its matcher says of failures. */
export interface CollectedReply extends HookReply {
  /** As registered. */
  readonly onFailure: string | undefined;
}

/** Strictest last. As seen of PreToolUse (CLI 2.1.332). */
const STRICTNESS: readonly (HookDecision | undefined)[] = [undefined, "allow", "ask", "defer", "deny", "block"];

/** Events whose old word for a verdict is one about a permission. */
const PERMISSIONS: readonly string[] = ["PreToolUse", "PreSkillShellCommand", "PreModelSwitch"];

/** The CLI goes on here, whatever `onFailure` says. */
const NEVER_BLOCKED: readonly string[] = ["Stop", "SubagentStop", "TaskCompleted", "TeammateIdle"];

/** Puts replies together as the CLI (2.1.332) does. `replies` is in the order of registration, `arrived` in that of time. */
export function verdictOf(
  event: HookEvent,
  replies: readonly CollectedReply[],
  arrived: readonly CollectedReply[],
): HookVerdict {
  let decision: HookDecision | undefined;
  let reason: string | undefined;
  let updatedInput: Record<string, unknown> | undefined;
  for (const reply of arrived) {
    const own = opinionOf(event, reply);
    const isWeaker = STRICTNESS.indexOf(own.decision) < STRICTNESS.indexOf(decision);
    // An allow does not get its input past somebody who asks; one without a decision does.
    if (own.updatedInput !== undefined && !(own.decision === "allow" && isWeaker)) updatedInput = own.updatedInput;
    if (own.decision === undefined || isWeaker) continue;
    decision = own.decision;
    reason = own.reason;
  }
  const contexts = arrived.flatMap(({ output }) => textIn(specificOf(output).additionalContext));
  return {
    replies: replies.map(({ matcher, output, error, timedOut }) => ({ matcher, output, error, timedOut })),
    decision,
    reason,
    updatedInput,
    additionalContext: contexts.length === 0 ? undefined : contexts.join("\n"),
    stops: arrived.some(({ output }) => (output as { continue?: boolean }).continue === false),
  };
}

interface Opinion {
  readonly decision: HookDecision | undefined;
  readonly reason: string | undefined;
  readonly updatedInput?: Record<string, unknown> | undefined;
}

function opinionOf(event: HookEvent, reply: CollectedReply): Opinion {
  if (reply.timedOut && event === "PreToolUse") return { decision: "deny", reason: "the hook did not respond" };
  if (reply.error !== undefined || reply.timedOut) {
    const blocks = reply.onFailure === "block" && !NEVER_BLOCKED.includes(event);
    return { decision: blocks ? "block" : undefined, reason: blocks ? reply.error : undefined };
  }
  const output = reply.output as JsonObject;
  const specific = specificOf(reply.output);
  if (isJsonObject(specific.decision)) {
    const { behavior, message, updatedInput } = specific.decision;
    return { decision: wordOf(behavior), reason: textIn(message)[0], updatedInput: objectIn(updatedInput) };
  }
  const updatedInput = objectIn(specific.updatedInput);
  if (specific.permissionDecision !== undefined) {
    const reason = textIn(specific.permissionDecisionReason)[0];
    return { decision: wordOf(specific.permissionDecision), reason, updatedInput };
  }
  return { decision: oldWordOf(event, output.decision), reason: textIn(output.reason)[0], updatedInput };
}

function oldWordOf(event: HookEvent, word: unknown): HookDecision | undefined {
  if (word === "block") return PERMISSIONS.includes(event) ? "deny" : "block";
  return word === "approve" && PERMISSIONS.includes(event) ? "allow" : undefined;
}

function wordOf(word: unknown): HookDecision | undefined {
  return STRICTNESS.find((known) => known !== undefined && known === word);
}

function specificOf(output: HookJSONOutput): JsonObject {
  const { hookSpecificOutput: specific } = output as JsonObject;
  return isJsonObject(specific) ? specific : {};
}

function textIn(value: unknown): string[] {
  return typeof value === "string" ? [value] : [];
}

function objectIn(value: unknown): Record<string, unknown> | undefined {
  return isJsonObject(value) ? value : undefined;
}
