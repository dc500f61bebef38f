import type { SlashCommand } from "../messages/notices.ts";
import type { FastModeDisabledReason, FastModeState } from "../messages/result.ts";
import type { ApiKeySource } from "../messages/system_init.ts";
import type { OpenString } from "../messages/unknown.ts";
import type { PermissionMode } from "../options/permissions.ts";
import type { EffortLevel } from "../options/thinking.ts";

/** Who pays for the session. */
export interface AccountInfo {
  /** The user's address, when logged in. */
  email?: string;
  /** The organization's name, when there is one. */
  organization?: string;
  /** The plan, when logged in. */
  subscriptionType?: string;
  /** Where the login token comes from; `none` without one. */
  tokenSource?: string;
  /** Where the API key comes from. */
  apiKeySource?: ApiKeySource;
  /** Who serves the models. */
  apiProvider?: OpenString<"firstParty" | "bedrock" | "vertex" | "foundry">;
}

/** A subagent the model can start. */
export interface AgentInfo {
  /** What it is started by. */
  name: string;
  /** When to use it. */
  description: string;
  /** The model it runs on; `inherit` for that of the conversation. */
  model?: string;
}

/** A model the session can be switched to. */
export interface ModelInfo {
  /** What `setModel()` takes. */
  value: string;
  /** The full name of what that stands for now. */
  resolvedModel?: string;
  /** For people. */
  displayName: string;
  /** What it is good at, and what it costs. */
  description: string;
  /** It takes an effort level. */
  supportsEffort?: boolean;
  /** Which. */
  supportedEffortLevels?: EffortLevel[];
  /** It can decide by itself how much to think. */
  supportsAdaptiveThinking?: boolean;
  /** It has a fast mode. */
  supportsFastMode?: boolean;
  /** The permission mode `auto` works with it. */
  supportsAutoMode?: boolean;
  /** It can do without thinking. */
  supportsThinkingOff?: boolean;
}

/** What the CLI answers to `initialize` (CLI 2.1.332). Older ones leave out most of it; what is not typed passes through. */
export interface SDKControlInitializeResponse {
  /** Slash commands there are. */
  commands: SlashCommand[];
  /** Subagents there are. */
  agents: AgentInfo[];
  /** How the model writes. */
  output_style: string;
  /** What could be chosen for it. */
  available_output_styles: string[];
  /** Where the user's own styles are kept. */
  user_output_styles_dir?: string;
  /** Models there are. */
  models: ModelInfo[];
  /** Who pays. */
  account: AccountInfo;
  /** The CLI's process, on its machine. */
  pid?: number;
  /** The CLI's version. */
  claude_code_version?: string;
  /** Who is asked before a tool runs. */
  current_permission_mode?: PermissionMode;
  /** What the session is doing. */
  session_state?: OpenString<"idle" | "running" | "requires_action">;
  /** The hooks of the request are in force; missing if it had none. */
  hooks_applied?: boolean;
  /** A hook can hold the CLI to its failure. */
  hook_on_failure_supported?: boolean;
  /** How many hooks keep the policy they asked for when nobody answers. */
  hooks_when_unanswered_kept?: number;
  /** Another hook's "ask" wins over this host's decision. */
  other_hook_ask_outranks_host?: boolean;
  /** What became of each manifest of an in-process server. */
  sdk_mcp_manifests_parked?: Record<
    string,
    OpenString<"parked" | "already_connected" | "protocol_version_mismatch" | "malformed" | "not_honoured">
  >;
  /** The servers of the request are in use; only if it had any. */
  mcp_servers_applied?: boolean;
  /** The plugins of the request are in use; only if it had any. */
  plugins_applied?: boolean;
  /** The settings of the request are in force; only if it had any. */
  settings_applied?: boolean;
  /** The managed settings of the request are in force; only if it had any. */
  managed_settings_applied?: boolean;
  /** The forbidden tools of the request are forbidden; only if it had any. */
  disallowed_tools_applied?: boolean;
  /** Whether fast mode is on. */
  fast_mode_state?: FastModeState;
  /** Why fast mode is off. */
  fast_mode_disabled_reason?: FastModeDisabledReason;
  /** Whether and how feedback can be given. */
  feedback_mode?: { kind: string };
  /** The CLI sends no analytics. */
  analytics_disabled?: boolean;
  /** Commands run in a sandbox. */
  sandbox_enabled?: boolean;
  /** What this CLI can do, by name. */
  capabilities?: string[];
  /** Whatever else it says; nothing has been checked. */
  [key: string]: unknown;
}
