/** The messages of the CLI, and the user line it reads. */
export type {
  AppliedContextEdit,
  AssistantMessageBody,
  CacheMissReason,
  InputTransformation,
  SDKAssistantMessage,
  SDKAssistantMessageError,
} from "./assistant.ts";
export type {
  BlockAsGiven,
  CompactionBlock,
  ContainerUploadBlock,
  ContentBlock,
  ContentBlockParam,
  DocumentBlock,
  FallbackBlock,
  ImageBlock,
  McpToolListingBlock,
  McpToolResultBlock,
  McpToolUseBlock,
  MediaSource,
  RedactedThinkingBlock,
  SearchResultBlock,
  ServerToolResultBlock,
  ServerToolUseBlock,
  TextBlock,
  ThinkingBlock,
  ToolResultBlock,
  ToolUseBlock,
  UnknownContentBlock,
  WebSearchResult,
  WebSearchToolResultBlock,
} from "./content_blocks.ts";
export type { SDKCommandLifecycleMessage, SDKModelFallbackMessage, SDKSessionTitleChangedMessage } from "./extras.ts";
export {
  fieldsOf,
  isAssistantMessage,
  isErrorResult,
  isResultMessage,
  isStreamEvent,
  isSuccessResult,
  isSystemMessage,
  isUserMessage,
} from "./guards.ts";
export type { ErrorResult, SuccessResult, SystemMessageOf, SystemSubtype } from "./guards.ts";
export type {
  HookLifecycle,
  SDKHookProgressMessage,
  SDKHookResponseMessage,
  SDKHookStartedMessage,
} from "./hooks_lifecycle.ts";
export type { SDKFrame, SDKSystemFrame } from "./frame.ts";
export { messageKind } from "./message.ts";
export type { SDKKnownMessage, SDKMessage } from "./message.ts";
export type {
  ModelRefusal,
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
  SDKRateLimitInfo,
  SDKToolUseSummaryMessage,
  SlashCommand,
} from "./notices.ts";
export type { SDKMessageOrigin } from "./origin.ts";
export type { SDKContextUsage, SDKContextUsageCategory, SDKUsageReport } from "./reports.ts";
export type {
  FastModeDisabledReason,
  FastModeState,
  ResultTimings,
  SDKDeferredToolUse,
  SDKPermissionDenial,
  SDKResultBase,
  SDKResultError,
  SDKResultMessage,
  SDKResultSuccess,
  SDKStartupFailureReason,
  SubagentStats,
  TerminalReason,
} from "./result.ts";
export type {
  SDKAPIRetryMessage,
  SDKCompactBoundaryMessage,
  SDKControlRequestProgressMessage,
  SDKConversationResetMessage,
  SDKMirrorErrorMessage,
  SDKSessionStateChangedMessage,
  SDKSessionWritesLostMessage,
  SDKStatus,
  SDKStatusMessage,
  SDKThinkingTokensMessage,
  SDKWorkerShuttingDownMessage,
} from "./status.ts";
export type { ContentBlockDelta, RawMessageStreamEvent, SDKPartialAssistantMessage } from "./stream_event.ts";
export type { ApiKeySource, SDKSystemMessage } from "./system_init.ts";
export type {
  SDKBackgroundTasksChangedMessage,
  SDKMcpResourceLink,
  SDKTaskNotificationMessage,
  SDKTaskProgressMessage,
  SDKTaskStartedMessage,
  SDKTaskUpdatedMessage,
  SDKToolProgressMessage,
  TaskUsage,
} from "./tasks.ts";
export type { OpenString, SDKUnknownMessage, SDKUnknownSystemMessage, UnknownKind } from "./unknown.ts";
export { textOf, toolResultsOf, toolUsesOf } from "./text_of.ts";
export type { ModelUsage, NonNullableUsage, Usage } from "./usage.ts";
export type { SDKUserMessage, SDKUserMessageReplay, UserMessageBody } from "./user.ts";
export {
  ORG_POLICY_LIMIT_PREFIXES,
  USAGE_LIMIT_ERROR_PREFIXES,
  USAGE_TRANSITION_PREFIXES,
  USAGE_WARNING_PREFIXES,
} from "./usage_texts.ts";
