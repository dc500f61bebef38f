import { isJsonObject, type JsonObject } from "../core/json.ts";
import { OptionError } from "../core/errors/option_error.ts";
import { SHAPES } from "../core/options/option_table.ts";
import type { Settings } from "../core/options/settings.ts";
import { pathRules } from "../core/paths.ts";
import type { Runtime } from "../core/runtime.ts";
import { BESIDE_SERVER, JOINED, MANAGED_SOURCES, mergeSettings, UNDER_PARENT } from "./merge_settings.ts";
import { restrictionsOf } from "./parent_settings.ts";
import { readSettingsObject } from "./read_settings.ts";
import type { PolicySettingsOrigin, ResolveSettingsOptions, SDKSettingsParseError } from "./resolved_settings.ts";
import { readSettingsFile } from "./settings_file.ts";
import { managedFolder } from "./settings_paths.ts";

/** What an organisation, and a host on its behalf, have set. */
export interface ManagedSettings {
  /** All of it, merged; undefined if nothing is set. */
  readonly settings: Settings | undefined;
  /** The strongest part it came from. */
  readonly origin: PolicySettingsOrigin;
  /** A file is there and could not be used. */
  readonly fileDidNotLoad: boolean;
}

/** Reads the machine's managed settings, and weighs them against what a server and a host gave. */
export async function readManagedSettings(
  runtime: Runtime,
  options: Pick<ResolveSettingsOptions, "managedSettings" | "serverManagedSettings">,
  errors: SDKSettingsParseError[],
): Promise<ManagedSettings> {
  const server = readGiven("serverManagedSettings", options.serverManagedSettings, errors);
  const parent = restrictionsOf(
    readGiven("managedSettings", options.managedSettings, errors),
    options.managedSettings as JsonObject | undefined ?? undefined,
  );
  const { settings: file, didNotLoad } = await readManagedFiles(runtime, errors);

  // The first that says something rules, nearly alone, unless it lets the other in.
  let policy = server;
  if (isEmpty(server)) policy = file;
  else {
    const isOpen = server["managedSourcesBehavior"] === "merge";
    policy = mergeSettings(isOpen ? file : pick(file, BESIDE_SERVER), server, MANAGED_SOURCES);
  }
  let origin: PolicySettingsOrigin = isEmpty(server) ? "file" : "remote";
  if (isEmpty(policy)) {
    policy = parent;
    origin = "parent";
  } else if (policy["parentSettingsBehavior"] === "merge") policy = mergeSettings(parent, policy, UNDER_PARENT);

  const { managedSourcesBehavior: _said, ...settings } = policy;
  return { settings: isEmpty(settings) ? undefined : settings, origin, fileDidNotLoad: didNotLoad };
}

/** Managed settings that came as an option. @throws {OptionError} if they are no object. */
function readGiven(option: string, given: unknown, errors: SDKSettingsParseError[]): Settings {
  if (given === undefined || given === null) return {};
  // Not read as empty: what a promise or a Map holds may forbid something.
  if (!isJsonObject(given) || !SHAPES.object.fits(given)) throw new OptionError(option, "must be an object");
  const { settings, issues } = readSettingsObject(given, "managed");
  for (const issue of issues) errors.push({ ...issue });
  return settings ?? {};
}

/** `managed-settings.json`, with the files of `managed-settings.d` laid over it in the order of their names. */
async function readManagedFiles(
  runtime: Runtime,
  errors: SDKSettingsParseError[],
): Promise<{ settings: Settings; didNotLoad: boolean }> {
  const { join } = pathRules(runtime.platform);
  const folder = managedFolder(runtime.platform);
  const partsFolder = join(folder, "managed-settings.d");
  const parts = (await runtime.fs.readDir(partsFolder) ?? [])
    .filter(({ name, kind }) => kind !== "directory" && name.endsWith(".json") && !name.startsWith("."))
    .map(({ name }) => name)
    .sort();

  let settings: Settings = {};
  let didNotLoad = false;
  for (const path of [join(folder, "managed-settings.json"), ...parts.map((name) => join(partsFolder, name))]) {
    const content = await readSettingsFile(runtime.fs, path);
    if (content.kind === "missing") continue;
    if (content.kind === "broken") {
      errors.push({ file: path, path: "", message: content.message });
      didNotLoad = true;
      continue;
    }
    const read = readSettingsObject(content.object, "managed");
    for (const issue of read.issues) errors.push({ file: path, ...issue });
    settings = mergeSettings(settings, read.settings ?? {}, JOINED);
  }
  return { settings, didNotLoad };
}

function pick(settings: Settings, keys: readonly string[]): Settings {
  return Object.fromEntries(Object.entries(settings as JsonObject).filter(([key]) => keys.includes(key))) as Settings;
}

function isEmpty(settings: Settings): boolean {
  return Object.entries(settings as JsonObject).every(([key, value]) =>
    value === undefined || key === "managedSourcesBehavior"
  );
}
