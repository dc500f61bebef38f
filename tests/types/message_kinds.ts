/** That all kinds of the peer are there, that guards narrow, and that helpers take what they should. */
import {
  type ContentBlock,
  type ErrorResult,
  fieldsOf,
  isAssistantMessage,
  isErrorResult,
  isResultMessage,
  isStreamEvent,
  isSuccessResult,
  isSystemMessage,
  isUserMessage,
  type SDKAPIRetryMessage,
  type SDKAssistantMessage,
  type SDKKnownMessage,
  type SDKMessage,
  type SDKPartialAssistantMessage,
  type SDKResultError,
  type SDKResultMessage,
  type SDKResultSuccess,
  type SDKUnknownSystemMessage,
  type SDKUserMessage,
  type SDKUserMessageReplay,
  type SuccessResult,
  textOf,
  type ToolResultBlock,
  toolResultsOf,
  type ToolUseBlock,
  toolUsesOf,
} from "../../mod.ts";
import type { Fails, Fits, Holds, IsAny, Same } from "./assertions.ts";

/** The words by which a union's members are told apart; the patterns that stand for unknown kinds are left out. */
type Word<T extends string> = T extends `${string} (unknown kind)` ? never : T;
type KindOf<M> = M extends { type: infer T extends string; subtype: infer S extends string } ? `${T}/${Word<S>}`
  : M extends { type: infer T extends string } ? T
  : never;

/** The 40 kinds of the peer 0.3.332; the four error results count as one. */
type PeerKinds =
  | "assistant"
  | "auth_status"
  | "conversation_reset"
  | "prompt_suggestion"
  | "rate_limit_event"
  | "result/error_during_execution"
  | "result/error_max_budget_usd"
  | "result/error_max_structured_output_retries"
  | "result/error_max_turns"
  | "result/success"
  | "stream_event"
  | "system/api_retry"
  | "system/background_tasks_changed"
  | "system/commands_changed"
  | "system/compact_boundary"
  | "system/control_request_progress"
  | "system/elicitation_complete"
  | "system/files_persisted"
  | "system/hook_progress"
  | "system/hook_response"
  | "system/hook_started"
  | "system/informational"
  | "system/init"
  | "system/local_command_output"
  | "system/memory_recall"
  | "system/mirror_error"
  | "system/model_refusal_fallback"
  | "system/model_refusal_no_fallback"
  | "system/notification"
  | "system/permission_denied"
  | "system/plugin_install"
  | "system/session_state_changed"
  | "system/session_writes_lost"
  | "system/status"
  | "system/task_notification"
  | "system/task_progress"
  | "system/task_started"
  | "system/task_updated"
  | "system/thinking_tokens"
  | "system/worker_shutting_down"
  | "tool_progress"
  | "tool_use_summary"
  | "user";

/** What the CLI sends outside the peer's union. */
type ExtraKinds = "active_goal" | "command_lifecycle" | "system/model_fallback" | "system/session_title_changed";

/** All kinds, and no other. */
export type Kinds = Holds<Same<KindOf<SDKKnownMessage>, PeerKinds | ExtraKinds>>;

/** No field of any kind is `any`, and a misspelt one is none. */
export type Fields = [
  Fails<IsAny<SDKAssistantMessage["message"]["content"][number]>>,
  Fails<IsAny<SDKResultSuccess["structured_output"]>>,
  Holds<Same<SDKUserMessage["tool_use_result"], unknown>>,
  Fails<Fits<"sesion_id", keyof SDKAssistantMessage>>,
];

/** Guards narrow as the words do, on both sides. */
export function byGuard(message: SDKMessage): unknown {
  if (isAssistantMessage(message)) {
    const _: Same<typeof message, SDKAssistantMessage> = true;
    return message.message.id;
  }
  if (isUserMessage(message)) {
    const _: Same<typeof message, SDKUserMessage | SDKUserMessageReplay> = true;
    return message.message.role;
  }
  if (isStreamEvent(message)) {
    const _: Same<typeof message, SDKPartialAssistantMessage> = true;
    return message.event.type;
  }
  if (isSuccessResult(message)) {
    const _: false = message.is_error;
    return message.structured_output;
  }
  if (isResultMessage(message)) {
    // An API failure is a success with `is_error`: it is still there.
    const _: Same<typeof message, SDKResultMessage> = true;
    return message.is_error;
  }
  const _: Fails<Fits<"result", typeof message["type"]>> = false;
  return message.type;
}

/** An error result has its texts where its subtype says. */
export function byErrorResult(message: SDKMessage): string {
  if (!isErrorResult(message)) return "";
  const _: Same<typeof message, ErrorResult> = true;
  return message.subtype === "success" ? message.result : message.errors.join();
}

/** A subtype of `system` narrows to its message; one that nobody knows, to the unknown arm. */
export function bySubtype(message: SDKMessage): unknown {
  if (isSystemMessage(message, "api_retry")) {
    const _: Same<typeof message, SDKAPIRetryMessage> = true;
    return message.retry_delay_ms;
  }
  if (isSystemMessage(message, "brand_new")) {
    const _: Same<typeof message, SDKUnknownSystemMessage> = true;
    return message.anything;
  }
  if (isSystemMessage(message)) {
    const _: Same<typeof message["type"], "system"> = true;
    return message.subtype;
  }
  return fieldsOf(message).of_a_newer_cli;
}

/** In a filter they keep their type. */
export const filtered = (messages: readonly SDKMessage[]): [SDKAssistantMessage[], SuccessResult | undefined] => [
  messages.filter(isAssistantMessage),
  messages.findLast(isSuccessResult),
];

/** Helpers take a message, or a block of one. */
export function helpers(message: SDKMessage, block: ContentBlock): [string, string, ToolUseBlock[], ToolResultBlock[]] {
  return [textOf(message), textOf(block), toolUsesOf(message), toolResultsOf(message)];
}

/** Errors have a list, successes have none. */
export type Results = [
  Fails<Fits<"errors", keyof SDKResultSuccess>>,
  Fails<Fits<"result", keyof SDKResultError>>,
];
