/** The options of a query, and the types of its callbacks. */
export type { AgentDefinition, AgentMcpServerSpec } from "./agents.ts";
export type { CloseOptions, CustomTransport, StreamTransport, Transport, TransportExit } from "./custom_transport.ts";
export type {
  AnnotatedAnswer,
  AskContext,
  ClarifyingQuestion,
  ElicitationRequest,
  ElicitationResult,
  OnElicitation,
  OnQuestion,
  OnUserDialog,
  QuestionAnswer,
  QuestionAnswers,
  QuestionChoice,
  QuestionContext,
  UnansweredQuestion,
  UserDialogRequest,
  UserDialogResult,
} from "./dialogs.ts";
export type * from "./hook_inputs.ts";
export type * from "./hook_outputs.ts";
export { HOOK_EVENTS } from "./hooks.ts";
export type { HookCallback, HookCallbackMatcher, HookContext, Hooks } from "./hooks.ts";
export type {
  McpClaudeAIProxyServerConfig,
  McpHttpServerConfig,
  McpRemoteServerConfig,
  McpSdkServerConfig,
  McpSdkServerConfigWithInstance,
  McpServerConfig,
  McpServerConfigForProcessTransport,
  McpServerInstance,
  McpServerStatusConfig,
  McpServerToolPolicy,
  McpSSEServerConfig,
  McpStdioServerConfig,
} from "./mcp_servers.ts";
export type { Options, SdkBeta } from "./options.ts";
export type {
  CanUseTool,
  McpServerProvenance,
  PermissionBehavior,
  PermissionContext,
  PermissionDecisionClassification,
  PermissionMode,
  PermissionResult,
  PermissionRuleValue,
  PermissionUpdate,
  PermissionUpdateDestination,
} from "./permissions.ts";
export { SYSTEM_PROMPT_DYNAMIC_BOUNDARY } from "./prompt_options.ts";
export type {
  BaseOutputFormat,
  CustomSystemPrompt,
  FileSystemPrompt,
  JsonSchemaOutputFormat,
  OutputFormat,
  OutputFormatType,
  PresetSystemPrompt,
  SdkPluginConfig,
  SystemPrompt,
  ToolConfig,
  ToolsPreset,
} from "./prompt_options.ts";
export type {
  SandboxCredentialRule,
  SandboxCredentialsConfig,
  SandboxFilesystemConfig,
  SandboxIgnoreViolations,
  SandboxNetworkConfig,
  SandboxSettings,
} from "./sandbox.ts";
export type {
  SessionKey,
  SessionStore,
  SessionStoreEntry,
  SessionStoreFlush,
  SessionSummaryEntry,
} from "./session_store.ts";
export type { PermissionSettings, Settings, SettingSource } from "./settings.ts";
export type { NodeReadable, NodeWritable, SpawnedProcess, SpawnOptions } from "./spawned_process.ts";
export type { TetherOptions } from "./tether_options.ts";
export type {
  EffortLevel,
  ThinkingAdaptive,
  ThinkingConfig,
  ThinkingDisabled,
  ThinkingDisplay,
  ThinkingEnabled,
} from "./thinking.ts";
export { checkContradictions, type Contradiction, CONTRADICTIONS, NOT_AVAILABLE } from "./contradictions.ts";
export { validateOptions } from "./validate.ts";
export { type OptionWarning, optionWarning, optionWarnings } from "./warnings.ts";
