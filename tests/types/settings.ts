/** That every key of the official settings is typed, and that values are what they should be. */
import type { ResolvedSettingSource, Settings } from "../../mod.ts";
import type { OFFICIAL_SETTINGS_KEYS } from "../pins/official_settings_keys.ts";
import type { Holds, Same } from "./assertions.ts";

type Official = typeof OFFICIAL_SETTINGS_KEYS[number];
/** The keys that are written out: not the one that stands for all others. */
type Written = keyof { [Key in keyof Settings as string extends Key ? never : Key]: 1 };

/** Neither more nor fewer. */
export type Keys = Holds<Same<Written, Official>>;

/** Where settings can come from. */
export type Sources = Holds<Same<ResolvedSettingSource, "user" | "project" | "local" | "flag" | "managed">>;

/** Known values, words of a newer CLI, keys of a newer CLI. */
export const settings: Settings = {
  permissions: { allow: ["Read"], defaultMode: "of a newer CLI", more: 1 },
  effortLevel: "of a newer CLI",
  hooks: { PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: "x", timeout: 5 }] }] },
  sandbox: { enabled: true, network: { allowedDomains: ["example.com"] } },
  extraKnownMarketplaces: { m: { source: { source: "github", repo: "a/b" } } },
  ofANewerCli: [1],
};

// @ts-expect-error: the kind of a value is known
export const wrongKind: Settings = { cleanupPeriodDays: "30" };
// @ts-expect-error: a hook has a type
export const wrongHook: Settings = { hooks: { Stop: [{ hooks: [{ command: "x" }] }] } };
// @ts-expect-error: an event that does not exist
export const wrongEvent: Settings = { hooks: { Stopp: [{ hooks: [] }] } };
