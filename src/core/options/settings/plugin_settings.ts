import type { OpenString } from "../../messages/unknown.ts";

/** Where a marketplace of plugins comes from, or a pattern of such places. Other kinds pass through. */
export type MarketplaceSource =
  | { source: "url"; url: string; headers?: Record<string, string>; headersHelper?: string }
  | {
    source: "github";
    /** Owner and name. */
    repo: string;
    ref?: string;
    path?: string;
    sparsePaths?: string[];
    skipLfs?: boolean;
  }
  | { source: "git"; url: string; ref?: string; path?: string; sparsePaths?: string[]; skipLfs?: boolean }
  | { source: "npm"; package: string; version?: string; registry?: string }
  | { source: "file"; path: string }
  | { source: "directory"; path: string }
  | { source: "skills-dir" }
  | { source: "hostPattern"; hostPattern: string }
  | { source: "pathPattern"; pathPattern: string }
  | {
    source: "settings";
    /** The name it is listed under. */
    name: string;
    plugins: { name: string; source: string | { source: string; [key: string]: unknown }; [key: string]: unknown }[];
    owner?: { name: string; email?: string; url?: string };
  };

/** A marketplace that is known by a name. */
export interface KnownMarketplace {
  /** Where it comes from. */
  source: MarketplaceSource;
  /** Where it is kept on this machine. */
  installLocation?: string;
  /** It is renewed at the start. */
  autoUpdate?: boolean;
  /** Sums that plugins must have. */
  pluginDigests?: Record<string, string[]>;
}

/** A plugin's own settings. They may hold secrets. */
export interface PluginConfig {
  /** Values for its MCP servers, by server. */
  mcpServers?: Record<string, Record<string, string | number | boolean | string[]>>;
  /** Its options. */
  options?: Record<string, string | number | boolean | string[]>;
  /** Other keys pass through. */
  [key: string]: unknown;
}

/** Settings of plugins, skills and channels. */
export interface PluginSettings {
  /** Plugins that are on, by `plugin@marketplace`; a list asks for versions. */
  enabledPlugins?: Record<string, boolean | string[] | { [key: string]: unknown }>;
  /** Plugins that come before all others. */
  prependPlugins?: string[];
  /** Plugins that come after all others. */
  appendPlugins?: string[];
  /** Plugins' own settings, by `plugin@marketplace`. */
  pluginConfigs?: Record<string, PluginConfig>;
  /** Marketplaces to know. */
  extraKnownMarketplaces?: Record<string, KnownMarketplace>;
  /** Another name of `extraKnownMarketplaces`. */
  additionalMarketplaces?: Record<string, KnownMarketplace>;
  /** Managed: the only marketplaces that may be added. */
  strictKnownMarketplaces?: MarketplaceSource[];
  /** Another name of `strictKnownMarketplaces`. */
  allowedMarketplaces?: MarketplaceSource[];
  /** Managed: marketplaces that may not be added. */
  blockedMarketplaces?: MarketplaceSource[];
  /** Managed: marketplaces whose plugins may be suggested. */
  pluginSuggestionMarketplaces?: string[];
  /** Managed: what is added to the warning before a plugin is installed. */
  pluginTrustMessage?: string;
  /** Managed: these come from plugins alone; `true` means all of them. */
  strictPluginOnlyCustomization?: boolean | OpenString<"skills" | "agents" | "hooks" | "mcp">[];
  /** Plugins that come by a command are not taken. */
  disableCommandPluginSources?: boolean;
  /** Flags that load plugins from a folder or URL do not work. */
  disableSideloadFlags?: boolean;
  /** Plugins of the account are taken over. */
  syncClaudeAiPlugins?: boolean;
  /** Skills of the account are taken over. */
  syncClaudeAiSkills?: boolean;
  /** Which skills the model sees, and which can be typed. */
  skillOverrides?: Record<string, OpenString<"on" | "name-only" | "user-invocable-only" | "off">>;
  /** The CLI's own skills and workflows are off. */
  disableBundledSkills?: boolean;
  /** Commands in the text of skills are not run. */
  disableSkillShellExecution?: boolean;
  /** Characters of a skill's description in the list of skills. */
  skillListingMaxDescChars?: number;
  /** The part of the context that list may take, from 0 to 1. */
  skillListingBudgetFraction?: number;
  /** Managed: channels may be used. */
  channelsEnabled?: boolean;
  /** Managed: plugins that may bring messages in. */
  allowedChannelPlugins?: { marketplace: string; plugin: string }[];
}
