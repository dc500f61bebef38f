import type { AccountSettings } from "./settings/account_settings.ts";
import type { HookSettings } from "./settings/hook_settings.ts";
import type { InterfaceSettings } from "./settings/interface_settings.ts";
import type { McpSettings } from "./settings/mcp_settings.ts";
import type { ModelSettings } from "./settings/model_settings.ts";
import type { AccessSettings } from "./settings/permission_settings.ts";
import type { PluginSettings } from "./settings/plugin_settings.ts";
import type { ManagedControlSettings, SessionSettings } from "./settings/session_settings.ts";

/** A file the CLI reads settings from. */
export type SettingSource = "user" | "project" | "local";

/**
 * A settings object of the CLI: every key it knows (2.1.332). The list grows with every version, so other keys pass through.
 * "Managed" keys count only in what an organisation sets.
 */
export interface Settings
  extends
    AccountSettings,
    ModelSettings,
    AccessSettings,
    HookSettings,
    PluginSettings,
    McpSettings,
    InterfaceSettings,
    SessionSettings,
    ManagedControlSettings {
  /** Other keys pass through. */
  [key: string]: unknown;
}
