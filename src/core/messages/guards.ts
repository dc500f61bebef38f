import type { SDKAssistantMessage } from "./assistant.ts";
import type { SDKKnownMessage, SDKMessage } from "./message.ts";
import type { SDKResultError, SDKResultMessage, SDKResultSuccess } from "./result.ts";
import type { SDKPartialAssistantMessage } from "./stream_event.ts";
import type { OpenString, SDKUnknownSystemMessage } from "./unknown.ts";
import type { SDKUserMessage, SDKUserMessageReplay } from "./user.ts";

// For `filter`, `find` and the like. Inside a loop `message.type === "result"` narrows just as well.

/** The subtypes of `system` messages that this version knows. */
export type SystemSubtype = Extract<SDKKnownMessage, { type: "system" }>["subtype"];

/** The `system` message of a subtype; of one nobody knows yet, the unknown arm. */
export type SystemMessageOf<Subtype extends string> = Subtype extends SystemSubtype
  ? Extract<SDKKnownMessage, { type: "system"; subtype: Subtype }>
  : SDKUnknownSystemMessage;

/** A turn that came to its end, and whose text is an answer. */
export type SuccessResult = SDKResultSuccess & { is_error: false };

/** A turn that was cut short, or one that the service failed. */
export type ErrorResult = SDKResultError | (SDKResultSuccess & { is_error: true });

/** A finished block of the model's answer. */
export function isAssistantMessage(message: SDKMessage): message is SDKAssistantMessage {
  return message.type === "assistant";
}

/** Tool results, replays, and texts of the CLI's own. */
export function isUserMessage(message: SDKMessage): message is SDKUserMessage | SDKUserMessageReplay {
  return message.type === "user";
}

/** A part of an answer while it is being written; only with `includePartialMessages`. */
export function isStreamEvent(message: SDKMessage): message is SDKPartialAssistantMessage {
  return message.type === "stream_event";
}

/** The end of a turn, whichever. */
export function isResultMessage(message: SDKMessage): message is SDKResultMessage {
  return message.type === "result";
}

/**
 * The end of a turn that went well. The subtype alone does not say so: a turn that the service failed is a `success`
 * with `is_error` (CLI 2.1.332), and that is none here.
 */
export function isSuccessResult(message: SDKMessage): message is SuccessResult {
  return isResultMessage(message) && message.subtype === "success" && !message.is_error;
}

/** The end of a turn that failed: every result that {@linkcode isSuccessResult} does not take. */
export function isErrorResult(message: SDKMessage): message is ErrorResult {
  return isResultMessage(message) && !isSuccessResult(message);
}

/** A message about the session; with `subtype`, one of that kind. */
export function isSystemMessage(message: SDKMessage): message is Extract<SDKMessage, { type: "system" }>;
/** A message about the session, of one kind. */
export function isSystemMessage<const Subtype extends OpenString<SystemSubtype>>(
  message: SDKMessage,
  subtype: Subtype,
): message is SystemMessageOf<Subtype>;
export function isSystemMessage(message: SDKMessage, subtype?: string): boolean {
  // `filter` and the like pass an index as well.
  return message.type === "system" && (typeof subtype !== "string" || message.subtype === subtype);
}

/**
 * The message as a bag of fields: the way to those that this version's types do not have, such as what a newer CLI adds
 * to a known kind. It is the message itself, not a copy.
 */
export function fieldsOf(message: SDKMessage): Readonly<Record<string, unknown>> {
  return message as unknown as Readonly<Record<string, unknown>>;
}
