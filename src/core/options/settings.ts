import type { PermissionMode } from "./permissions.ts";
import type { SandboxSettings } from "./sandbox.ts";

/** A file the CLI reads settings from. */
export type SettingSource = "user" | "project" | "local";

/** Permission rules of a settings file. */
export interface PermissionSettings {
  /** Rules whose calls run unasked. */
  allow?: string[];
  /** Rules whose calls are refused. */
  deny?: string[];
  /** Rules whose calls are always asked about. */
  ask?: string[];
  /** The mode a session starts in. */
  defaultMode?: PermissionMode;
  /** Takes that mode away. */
  disableBypassPermissionsMode?: "disable";
  /** Takes that mode away. */
  disableAutoMode?: "disable";
  /** Directories a session may work in beside its own. */
  additionalDirectories?: string[];
  /** Other keys pass through. */
  [key: string]: unknown;
}

/**
 * A settings object of the CLI. Its list of keys is long and grows with every version: the common ones are typed here, all
 * others pass through.
 */
export interface Settings {
  /** For editors. */
  $schema?: string;
  /** A command that prints an API key. */
  apiKeyHelper?: string;
  /** Days transcripts are kept. */
  cleanupPeriodDays?: number;
  /** Variables for the session and what it starts. */
  env?: Record<string, string>;
  /** Rules and modes. */
  permissions?: PermissionSettings;
  /** The model to start with. */
  model?: string;
  /** Models to turn to when it is overloaded. */
  fallbackModel?: string[];
  /** Models that may be chosen. */
  availableModels?: string[];
  /** Command hooks by event. */
  hooks?: Record<string, unknown>;
  /** No hook of any settings runs. */
  disableAllHooks?: boolean;
  /** Servers of the project are used unasked. */
  enableAllProjectMcpServers?: boolean;
  /** Servers of the project that are used. */
  enabledMcpjsonServers?: string[];
  /** Servers of the project that are not used. */
  disabledMcpjsonServers?: string[];
  /** Plugins that are on, by `plugin@marketplace`. */
  enabledPlugins?: Record<string, unknown>;
  /** Plugins' own settings. They may hold secrets. */
  pluginConfigs?: Record<string, unknown>;
  /** How the model writes. */
  outputStyle?: string;
  /** The language it answers in. */
  language?: string;
  /** The sandbox commands run in. */
  sandbox?: SandboxSettings;
  /** The model thinks before it answers. */
  alwaysThinkingEnabled?: boolean;
  /** How much work an answer is worth. */
  effortLevel?: string;
  /** A long conversation is summed up by itself. */
  autoCompactEnabled?: boolean;
  /** The model keeps notes between sessions. */
  autoMemoryEnabled?: boolean;
  /** The agent that leads a conversation. */
  agent?: string;
  /** Commits name the model. */
  includeCoAuthoredBy?: boolean;
  /** Other keys pass through. */
  [key: string]: unknown;
}
