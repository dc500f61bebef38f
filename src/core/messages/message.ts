import type { SDKAssistantMessage } from "./assistant.ts";
import type { SDKCommandLifecycleMessage, SDKModelFallbackMessage, SDKSessionTitleChangedMessage } from "./extras.ts";
import type { SDKHookProgressMessage, SDKHookResponseMessage, SDKHookStartedMessage } from "./hooks_lifecycle.ts";
import type {
  SDKActiveGoalMessage,
  SDKAuthStatusMessage,
  SDKCommandsChangedMessage,
  SDKElicitationCompleteMessage,
  SDKFilesPersistedEvent,
  SDKInformationalMessage,
  SDKLocalCommandOutputMessage,
  SDKMemoryRecallMessage,
  SDKModelRefusalFallbackMessage,
  SDKModelRefusalNoFallbackMessage,
  SDKNotificationMessage,
  SDKPermissionDeniedMessage,
  SDKPluginInstallMessage,
  SDKPromptSuggestionMessage,
  SDKRateLimitEvent,
  SDKToolUseSummaryMessage,
} from "./notices.ts";
import type { SDKResultMessage } from "./result.ts";
import type {
  SDKAPIRetryMessage,
  SDKCompactBoundaryMessage,
  SDKControlRequestProgressMessage,
  SDKConversationResetMessage,
  SDKMirrorErrorMessage,
  SDKSessionStateChangedMessage,
  SDKSessionWritesLostMessage,
  SDKStatusMessage,
  SDKThinkingTokensMessage,
  SDKWorkerShuttingDownMessage,
} from "./status.ts";
import type { SDKPartialAssistantMessage } from "./stream_event.ts";
import type { SDKSystemMessage } from "./system_init.ts";
import type {
  SDKBackgroundTasksChangedMessage,
  SDKTaskNotificationMessage,
  SDKTaskProgressMessage,
  SDKTaskStartedMessage,
  SDKTaskUpdatedMessage,
  SDKToolProgressMessage,
} from "./tasks.ts";
import type { SDKUnknownMessage, SDKUnknownSystemMessage } from "./unknown.ts";
import type { SDKUserMessage, SDKUserMessageReplay } from "./user.ts";

/** The 40 kinds of the peer's union (version 0.3.332), and some the CLI sends outside it. */
export type SDKKnownMessage =
  | SDKAssistantMessage
  | SDKUserMessage
  | SDKUserMessageReplay
  | SDKResultMessage
  | SDKSystemMessage
  | SDKPartialAssistantMessage
  | SDKCompactBoundaryMessage
  | SDKStatusMessage
  | SDKAPIRetryMessage
  | SDKControlRequestProgressMessage
  | SDKModelRefusalFallbackMessage
  | SDKModelRefusalNoFallbackMessage
  | SDKLocalCommandOutputMessage
  | SDKHookStartedMessage
  | SDKHookProgressMessage
  | SDKHookResponseMessage
  | SDKPluginInstallMessage
  | SDKToolProgressMessage
  | SDKAuthStatusMessage
  | SDKTaskNotificationMessage
  | SDKTaskStartedMessage
  | SDKTaskUpdatedMessage
  | SDKTaskProgressMessage
  | SDKBackgroundTasksChangedMessage
  | SDKThinkingTokensMessage
  | SDKSessionStateChangedMessage
  | SDKWorkerShuttingDownMessage
  | SDKCommandsChangedMessage
  | SDKNotificationMessage
  | SDKFilesPersistedEvent
  | SDKToolUseSummaryMessage
  | SDKMemoryRecallMessage
  | SDKRateLimitEvent
  | SDKElicitationCompleteMessage
  | SDKPermissionDeniedMessage
  | SDKPromptSuggestionMessage
  | SDKMirrorErrorMessage
  | SDKInformationalMessage
  | SDKConversationResetMessage
  | SDKSessionWritesLostMessage
  | SDKActiveGoalMessage
  | SDKCommandLifecycleMessage
  | SDKModelFallbackMessage
  | SDKSessionTitleChangedMessage;

/**
 * A message of the CLI: its own object, unchanged.
 *
 * The union is open: a CLI newer than this version may send kinds it does not know, and they are delivered too. A `switch`
 * over `type` (and over `subtype` of `system` messages) narrows to the known kinds; `default:` holds the others.
 */
export type SDKMessage = SDKKnownMessage | SDKUnknownSystemMessage | SDKUnknownMessage;

/** The name of a message's kind: its `type`, followed by `/` and its `subtype` where it has one. */
export function messageKind(message: { readonly type: string; readonly subtype?: unknown }): string {
  return typeof message.subtype === "string" ? `${message.type}/${message.subtype}` : message.type;
}
