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
export { EXIT_REASONS } from "./exit_reasons.ts";
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
export type { Settings, SettingSource } from "./settings.ts";
export type * from "./settings/account_settings.ts";
export type * from "./settings/hook_settings.ts";
export type * from "./settings/interface_settings.ts";
export type * from "./settings/mcp_settings.ts";
export type * from "./settings/model_settings.ts";
export type * from "./settings/permission_settings.ts";
export type * from "./settings/plugin_settings.ts";
export type * from "./settings/session_settings.ts";
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
export { BUILTIN_TOOL_NAMES, LEGACY_TOOL_NAME_ALIASES } from "./tool_names.ts";
export { checkContradictions, type Contradiction, CONTRADICTIONS, NOT_AVAILABLE } from "./contradictions.ts";
export { validateOptions } from "./validate.ts";
export { type OptionWarning, optionWarning, optionWarnings } from "./warnings.ts";
