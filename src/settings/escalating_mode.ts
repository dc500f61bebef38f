import type { Settings } from "../core/options/settings.ts";
import type { ResolvedSettings, ResolvedSettingSource } from "./resolved_settings.ts";

/**
 * Modes that ask less than the default, by the source that may not bring them along: files of a project come with its
 * code, so whoever wrote that would decide what runs unasked.
 */
const ESCALATING: Partial<Readonly<Record<ResolvedSettingSource, readonly string[]>>> = {
  project: ["acceptEdits", "auto", "bypassPermissions"],
  local: ["auto", "bypassPermissions"],
};

/**
 * The effective settings without a `permissions.defaultMode` that a project's files may not set: `acceptEdits`, `auto` and
 * `bypassPermissions` from the shared file, the last two from the local one. The mode is taken out, and no other source's
 * comes in its place. The settings given are not changed; they are returned as they are where nothing is taken out.
 */
export function filterEscalatingDefaultMode(
  resolved: Pick<ResolvedSettings, "effective" | "sources">,
): Settings {
  const { effective, sources } = resolved;
  const mode = effective.permissions?.defaultMode;
  if (effective.permissions === undefined || mode === undefined) return effective;

  const origin = sources.findLast(({ settings }) => settings.permissions?.defaultMode !== undefined)?.source;
  if (origin === undefined || !Object.hasOwn(ESCALATING, origin) || !ESCALATING[origin]?.includes(mode)) {
    return effective;
  }
  const { defaultMode: _taken, ...permissions } = effective.permissions;
  return { ...effective, permissions };
}
