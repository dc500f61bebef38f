/** Settings and constants, as they are used with the official SDK. */
import {
  BUILTIN_TOOL_NAMES,
  EXIT_REASONS,
  type ExitReason,
  filterEscalatingDefaultMode,
  HOOK_EVENTS,
  LEGACY_TOOL_NAME_ALIASES,
  matchDeniedModels,
  ORG_POLICY_LIMIT_PREFIXES,
  type ResolvedSettings,
  resolveSettings,
  type Settings,
  SYSTEM_PROMPT_DYNAMIC_BOUNDARY,
  USAGE_LIMIT_ERROR_PREFIXES,
  USAGE_TRANSITION_PREFIXES,
  USAGE_WARNING_PREFIXES,
} from "@tether/agent";

/** What holds in a folder, and where it comes from. */
export async function show(cwd: string): Promise<string[]> {
  const resolved: ResolvedSettings = await resolveSettings({ cwd, settingSources: ["user", "project"] });
  const settings: Settings = resolved.effective;
  const cautious = filterEscalatingDefaultMode(resolved);
  return [
    settings.model ?? "",
    settings.permissions?.defaultMode ?? "",
    ...settings.permissions?.allow ?? [],
    ...Object.keys(settings.env ?? {}),
    ...resolved.sources.map(({ source, path }) => source + (path ?? "")),
    ...Object.keys(resolved.provenance),
    cautious.permissions?.defaultMode ?? "",
  ];
}

/** Which models may not be used. */
export async function denied(models: string[], settings: Settings): Promise<string[]> {
  const { denied, warnings } = await matchDeniedModels(models, settings.deniedModels);
  return [...models.filter((_, index) => denied[index]), ...warnings];
}

/** Lists of words. */
export const words: readonly (readonly string[])[] = [
  BUILTIN_TOOL_NAMES,
  HOOK_EVENTS,
  EXIT_REASONS,
  ORG_POLICY_LIMIT_PREFIXES,
  USAGE_LIMIT_ERROR_PREFIXES,
  USAGE_TRANSITION_PREFIXES,
  USAGE_WARNING_PREFIXES,
  Object.keys(LEGACY_TOOL_NAME_ALIASES),
  [SYSTEM_PROMPT_DYNAMIC_BOUNDARY],
];

/** A word of a list. */
export const reasons: ExitReason[] = EXIT_REASONS.filter((reason) => reason !== "other");
