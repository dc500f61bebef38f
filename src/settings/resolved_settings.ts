import type { Settings, SettingSource } from "../core/options/settings.ts";
import type { OpenString } from "../core/messages/unknown.ts";

/** Where settings come from. `flag` is what a session was started with; {@linkcode resolveSettings} never names it. */
export type ResolvedSettingSource = SettingSource | "flag" | "managed";

/**
 * How managed settings came to the machine: from the organisation's server, a profile (`plist`), the registry (`hklm`,
 * `hkcu`), a file, a helper program, or from the host of a session (`parent`). Tether itself reads files, and takes what
 * came from a server or a host as an option.
 */
export type PolicySettingsOrigin = OpenString<"remote" | "plist" | "hklm" | "hkcu" | "file" | "helper" | "parent">;

/** Where the value of a key comes from; for a merged value, the last source that added to it. */
export interface ProvenanceEntry {
  /** The source. */
  source: ResolvedSettingSource;
  /** Its file. Managed settings name none: they may be several. */
  path?: string;
  /** How managed settings came here. */
  policyOrigin?: PolicySettingsOrigin;
}

/** Something that is wrong with settings. */
export interface SDKSettingsParseError {
  /** The file; left out for settings that were handed over. */
  file?: string;
  /** The place in it, as `permissions.defaultMode`; empty for all of it. */
  path: string;
  /** What is wrong. Values are not repeated: they may be secret. */
  message: string;
}

/** What settings are in effect, and why. */
export interface ResolvedSettings {
  /** All sources merged, as a session reads them. */
  effective: Settings;
  /** Where each key of `effective` comes from. */
  provenance: Partial<Record<keyof Settings & string, ProvenanceEntry>>;
  /** What each source says, weakest first. Sources that say nothing are left out. */
  sources: (ProvenanceEntry & { settings: Settings })[];
  /** Whether a part of what rules this machine could not be read; a session would refuse to start then. */
  machinePolicy: {
    /** The parts, or `false` if all of it was read. */
    didNotLoad: false | ("file" | "profile" | "registry")[];
    /** Set by a host that compared the registry with its own copy. */
    registryPolicyDifferedFromFingerprint?: true;
  };
  /**
   * What was wrong. A file of a person or a project with an invalid value has no effect at all; of managed settings, only
   * the invalid value has none. Entries of lists that were passed over are named here, too.
   */
  errors: SDKSettingsParseError[];
}

/** What to resolve. */
export interface ResolveSettingsOptions {
  /** The folder whose `.claude` holds the project's files; no other folder is looked at. Default: the host's. */
  cwd?: string;
  /** Which files of a person and a project to read. Default: all. Managed settings are always read. */
  settingSources?: SettingSource[];
  /**
   * The folder of the person's own settings.
   * Default: `CLAUDE_CONFIG_DIR`, else `.claude` in the home folder. With it, no variable has to be readable.
   */
  configDir?: string;
  /** Settings a host gives its sessions, as the option of a query. Only what restricts a session counts. */
  managedSettings?: Settings;
  /** Managed settings from the organisation's server. They count before those of the machine. */
  serverManagedSettings?: Settings;
  /**
   * Tells the state of the registry's policies, for hosts on Windows that keep a copy. Accepted, and not called: Tether does
   * not read the registry.
   */
  registryPolicyFingerprint?: () => { hklm: string | null; hkcu: string | null } | undefined;
}
