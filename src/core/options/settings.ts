import type { PermissionMode } from "./permissions.ts";
import type { SandboxSettings } from "./sandbox.ts";

/** A file the CLI reads settings from. */
export type SettingSource = "user" | "project" | "local";

/** Permission rules of a settings file. */
export interface PermissionSettings {
  allow?: string[];
  deny?: string[];
  ask?: string[];
  defaultMode?: PermissionMode;
  disableBypassPermissionsMode?: "disable";
  disableAutoMode?: "disable";
  additionalDirectories?: string[];
  [key: string]: unknown;
}

/**
 * A settings object of the CLI. Its list of keys is long and grows with every version: the common ones are typed here, all
 * others pass through.
 */
export interface Settings {
  $schema?: string;
  /** A command that prints an API key. */
  apiKeyHelper?: string;
  /** Days transcripts are kept. */
  cleanupPeriodDays?: number;
  /** Variables for the session and what it starts. */
  env?: Record<string, string>;
  permissions?: PermissionSettings;
  model?: string;
  fallbackModel?: string[];
  availableModels?: string[];
  hooks?: Record<string, unknown>;
  disableAllHooks?: boolean;
  enableAllProjectMcpServers?: boolean;
  enabledMcpjsonServers?: string[];
  disabledMcpjsonServers?: string[];
  enabledPlugins?: Record<string, unknown>;
  pluginConfigs?: Record<string, unknown>;
  outputStyle?: string;
  language?: string;
  sandbox?: SandboxSettings;
  alwaysThinkingEnabled?: boolean;
  effortLevel?: string;
  autoCompactEnabled?: boolean;
  autoMemoryEnabled?: boolean;
  agent?: string;
  includeCoAuthoredBy?: boolean;
  [key: string]: unknown;
}
