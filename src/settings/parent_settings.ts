import { isJsonObject, type JsonObject, type JsonValue } from "../core/json.ts";
import type { Settings } from "../core/options/settings.ts";

/** What a host may demand by a key: its value as it counts, or undefined if it restricts nothing. */
type Demand = (value: JsonValue) => JsonValue | undefined;

const asItIs: Demand = (value) => value;
const ifTrue: Demand = (value) => value === true ? true : undefined;
const ifFalse: Demand = (value) => value === false ? false : undefined;
const ifList: Demand = (value) => Array.isArray(value) ? value : undefined;
const ifSome: Demand = (value) =>
  (Array.isArray(value) || typeof value === "string") && value.length > 0 ? value : undefined;
const ifNone: Demand = (value) => Array.isArray(value) && value.length === 0 ? value : undefined;
const ifIs = (word: string): Demand => (value) => value === word ? value : undefined;

function each(keys: readonly string[], demand: Demand): Record<string, Demand> {
  return Object.fromEntries(keys.map((key) => [key, demand]));
}

/** What is left of an object by the demands of its members; nothing if none is left. */
function members(demands: Readonly<Record<string, Demand>>): Demand {
  return (value) => {
    if (!isJsonObject(value)) return undefined;
    const kept = pick(value, demands);
    return Object.keys(kept).length === 0 ? undefined : kept;
  };
}

function pick(value: JsonObject, demands: Readonly<Record<string, Demand>>): JsonObject {
  const kept: JsonObject = {};
  for (const [key, member] of Object.entries(value)) {
    const demanded = member === undefined || !Object.hasOwn(demands, key) ? undefined : demands[key]?.(member);
    if (demanded !== undefined) kept[key] = demanded;
  }
  return kept;
}

/** Files with a secret: a mask may not say where the secret goes to, so it goes nowhere. */
const secretFiles: Demand = (value) => {
  if (!Array.isArray(value)) return undefined;
  return ifSome(
    value.filter(isJsonObject).map(({ path, mode }): JsonObject =>
      mode === "mask" ? { path, mode, injectHosts: [] } : { path, mode }
    ),
  );
};

const deniedVariables: Demand = (value) =>
  Array.isArray(value) ? ifSome(value.filter((item) => isJsonObject(item) && item["mode"] === "deny")) : undefined;

const PERMISSIONS = {
  ...each(["deny", "ask", "allow", "additionalDirectories"], ifList),
  ...each(["disableBypassPermissionsMode", "disableAutoMode"], ifIs("disable")),
  ...each([
    "blockReadsOutsideWorkingDirectories",
    "blockWritesOutsideWorkingDirectories",
    "denyInsteadOfPrompting",
  ], ifTrue),
};

const SANDBOX = {
  ...each(["enabled", "failIfUnavailable"], ifTrue),
  ...each([
    "autoAllowBashIfSandboxed",
    "allowUnsandboxedCommands",
    "enableWeakerNestedSandbox",
    "enableWeakerNetworkIsolation",
    "allowAppleEvents",
    "allowNestedUserNamespaces",
  ], ifFalse),
  network: members({
    ...each(["allowedDomains", "deniedDomains"], ifList),
    ...each(["allowManagedDomainsOnly", "strictAllowlist"], ifTrue),
    ...each(["allowAllUnixSockets", "allowLocalBinding"], ifFalse),
  }),
  filesystem: members({
    ...each(["denyRead", "denyWrite", "allowRead"], ifList),
    allowManagedReadPathsOnly: ifTrue,
    disabled: ifFalse,
  }),
  credentials: members({
    files: secretFiles,
    envVars: deniedVariables,
    allowPlaintextInject: ifFalse,
    sigv4: members(each(["streaming", "presigned", "sigv4a"], ifIs("deny"))),
  }),
  windows: members({ backend: asItIs }),
};

const DEMANDS: Readonly<Record<string, Demand>> = {
  ...each([
    "enforceAvailableModels",
    "disableClaudeAiConnectors",
    "disableAgentView",
    "disableRemoteControl",
    "disableWorkflows",
    "disableArtifact",
    "disableSkillShellExecution",
    "disableWindowsBashCommandSplit",
    "allowManagedHooksOnly",
    "allowManagedPermissionRulesOnly",
    "allowManagedMcpServersOnly",
    "disableCommandPluginSources",
    "disableSideloadFlags",
  ], ifTrue),
  ...each(["syncClaudeAiSkills", "syncClaudeAiPlugins", "enableArtifact", "enableWorkflows"], ifFalse),
  ...each(
    ["availableModels", "allowedProviders", "allowedMcpServers", "deniedMcpServers", "strictKnownMarketplaces"],
    ifList,
  ),
  ...each(["deniedModels", "blockedMarketplaces"], ifSome),
  ...each(["allowedHttpHookUrls", "httpHookAllowedEnvVars"], ifNone),
  forceLoginOrgUUID: (value) => value === "" ? undefined : value,
  strictPluginOnlyCustomization: (value) => value === true ? true : ifSome(value),
  availableModelsMatch: ifIs("exact"),
  disableAutoMode: ifIs("disable"),
  permissions: members(PERMISSIONS),
  sandbox: members(SANDBOX),
};

/**
 * What counts of the settings a host gives its sessions: what restricts them, and no more. `disableAllHooks` would also
 * turn off an organisation's hooks, so it counts as `allowManagedHooksOnly`; of `attribution`, that commits do not name the model.
 */
export function restrictionsOf(settings: Settings, asWritten: JsonObject = settings as JsonObject): Settings {
  const written = settings as JsonObject;
  const kept = pick(written, DEMANDS);
  // An invalid one counts as true: what it was to be cannot be told.
  if ((asWritten["disableAllHooks"] ?? false) !== false) kept["allowManagedHooksOnly"] = true;
  const attribution = isJsonObject(written["attribution"]) ? written["attribution"] : {};
  const quiet: JsonObject = {};
  const unnamed = attribution["commit"] === "" || written["includeCoAuthoredBy"] === false;
  if ((attribution["commitTrailers"] ?? !unnamed) === false) quiet["commitTrailers"] = false;
  if (attribution["sessionUrl"] === false) quiet["sessionUrl"] = false;
  if (Object.keys(quiet).length > 0) kept["attribution"] = quiet;
  return kept as Settings;
}
