import { OptionError } from "../core/errors/option_error.ts";
import { SHAPES } from "../core/options/option_table.ts";
import type { JsonObject } from "../core/json.ts";
import type { Settings, SettingSource } from "../core/options/settings.ts";
import { pathRules } from "../core/paths.ts";
import type { Runtime } from "../core/runtime.ts";
import { readManagedSettings } from "./managed_settings.ts";
import { JOINED, mergeSettings, UNDER_MANAGED } from "./merge_settings.ts";
import { readSettingsObject } from "./read_settings.ts";
import type { ProvenanceEntry, ResolvedSettings, ResolveSettingsOptions } from "./resolved_settings.ts";
import { readSettingsFile } from "./settings_file.ts";
import { absolutePath, userSettingsFile } from "./settings_paths.ts";

/** A file of a person or a project, and whose it is. */
interface SourceFile {
  readonly source: SettingSource;
  readonly path: string | undefined;
}

/** {@linkcode ResolvedSettings} of a machine. */
export async function resolveSettingsOn(
  runtime: Runtime,
  options: ResolveSettingsOptions = {},
): Promise<ResolvedSettings> {
  if (!SHAPES.object.fits(options)) throw new OptionError("options", "must be an object");
  checkOptions(options);
  const errors: ResolvedSettings["errors"] = [];
  const sources: ResolvedSettings["sources"] = [];
  for (const { source, path } of sourceFiles(runtime, options)) {
    if (path === undefined) {
      errors.push({ path: "", message: "The user's settings were not read: no home folder is known. Pass configDir" });
      continue;
    }
    const content = await readSettingsFile(runtime.fs, path);
    if (content.kind === "missing") continue;
    if (content.kind === "broken") {
      errors.push({ file: path, path: "", message: content.message });
      continue;
    }
    const { settings, issues } = readSettingsObject(content.object, "own");
    for (const issue of issues) errors.push({ file: path, ...issue });
    if (settings !== undefined && Object.keys(settings).length > 0) sources.push({ source, settings, path });
  }
  const managed = await readManagedSettings(runtime, options, errors);
  if (managed.settings !== undefined) {
    sources.push({ source: "managed", settings: managed.settings, policyOrigin: managed.origin });
  }

  let effective: Settings = {};
  const provenance: ResolvedSettings["provenance"] = {};
  for (const { settings, ...origin } of sources) {
    effective = mergeSettings(effective, settings, origin.source === "managed" ? UNDER_MANAGED : JOINED);
    for (const key of Object.keys(settings as JsonObject)) provenance[key] = { ...origin } satisfies ProvenanceEntry;
  }
  return {
    effective,
    provenance,
    sources,
    machinePolicy: { didNotLoad: managed.fileDidNotLoad ? ["file"] : false },
    errors,
  };
}

const SOURCES: readonly SettingSource[] = ["user", "project", "local"];

/** Weakest first, whatever order they were asked for in. */
function sourceFiles(runtime: Runtime, options: ResolveSettingsOptions): SourceFile[] {
  const wanted: readonly SettingSource[] = options.settingSources ?? SOURCES;
  const { join } = pathRules(runtime.platform);
  const files: SourceFile[] = [];
  if (wanted.includes("user")) files.push({ source: "user", path: userSettingsFile(runtime, options.configDir) });
  if (!wanted.includes("project") && !wanted.includes("local")) return files;
  const folder = join(absolutePath(runtime, options.cwd ?? "."), ".claude");
  if (wanted.includes("project")) files.push({ source: "project", path: join(folder, "settings.json") });
  if (wanted.includes("local")) files.push({ source: "local", path: join(folder, "settings.local.json") });
  return files;
}

function checkOptions({ cwd, configDir, settingSources }: ResolveSettingsOptions): void {
  if (cwd !== undefined && typeof cwd !== "string") throw new OptionError("cwd", "must be a string");
  if (configDir !== undefined && typeof configDir !== "string") throw new OptionError("configDir", "must be a string");
  if (settingSources !== undefined && settingSources !== null && !Array.isArray(settingSources)) {
    throw new OptionError("settingSources", "must be an array");
  }
  settingSources?.forEach((source, index) => {
    if (!SOURCES.includes(source)) {
      throw new OptionError(`settingSources[${index}]`, 'must be "user", "project" or "local"');
    }
  });
}
