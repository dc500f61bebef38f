/** What can be asked of a running CLI, and what it answers. */
export type { SDKControlGetContextUsageResponse } from "./context_usage.ts";
export type { SDKControlRequest, SDKControlResponse } from "./envelopes.ts";
export type { RewindFilesResult, SDKControlReadFileResponse } from "./files.ts";
export type { AccountInfo, AgentInfo, ModelInfo, SDKControlInitializeResponse } from "./initialize_response.ts";
export type {
  ConfigScope,
  McpPermissionModeOverrideResult,
  McpServerStatus,
  McpSetServersResult,
  SDKControlMcpReadResourceResponse,
} from "./mcp.ts";
export type {
  SDKControlListPermissionRulesResponse,
  SDKControlPermissionRulesState,
  SDKPermissionRuleDescription,
  SDKPermissionRuleEntry,
  SDKPermissionWorkspaceDirectory,
} from "./permission_rules.ts";
export type {
  SDKControlReloadOutputStylesResponse,
  SDKControlReloadPluginsResponse,
  SDKControlReloadSkillsResponse,
} from "./reloads.ts";
export type { SDKControlInterruptResponse, SDKControlSetPermissionModeResponse } from "./session.ts";
export type { SDKControlGetUsageResponse } from "./usage.ts";
