import { isJsonObject, type JsonObject, type JsonValue } from "../core/json.ts";
import type { Settings } from "../core/options/settings.ts";
import { SETTINGS_KEY_RULES } from "./read_settings.ts";
import type { Rule } from "./rules/rule.ts";

/** What happens to keys where two sources meet. */
export interface MergeRules {
  /** Keys whose value the stronger source gives alone. */
  readonly replaced: readonly string[];
  /** Keys the weaker source has the last word on. */
  readonly kept?: readonly string[];
  /** Keys of the weaker source that do not count. */
  readonly dropped?: readonly string[];
  /** A guard is up as soon as one of the two says so. */
  readonly keepsGuards?: boolean;
  /** Lists begin with the stronger source's members. Default: with the weaker's. */
  readonly strongerFirst?: boolean;
}

/** Keys that the stronger of two sources always gives alone. */
const ALONE: readonly string[] = ["fallbackModel", "modelPicker"];
/** Keys whose members the stronger source gives alone, each of them. */
const MEMBERS_ALONE: readonly string[] = ["extraKnownMarketplaces", "managedMcpServers"];
/** Lists of what is allowed, which one managed source may not widen for another. */
const ALLOWED: readonly string[] = [
  "availableModels",
  "allowedProviders",
  "allowedMcpServers",
  "allowedChannelPlugins",
  "strictKnownMarketplaces",
  "gatewayInternalNetworks",
  "policyHelper",
  "forceLoginOrgUUID",
];

/** Guards that do not count as up when they are invalid. */
const GUARDS: Readonly<Record<string, boolean>> = { disableAllHooks: true, forceRemoteSettingsRefresh: true };

/** How files of a person and a project meet, and parts of one managed file. */
export const JOINED: MergeRules = { replaced: ALONE };

/** How managed settings meet those of a person: what may be chosen is for the organisation to say. */
export const UNDER_MANAGED: MergeRules = { replaced: [...ALONE, "availableModels"] };

/** How what a host demands meets managed settings that admit it. */
export const UNDER_PARENT: MergeRules = { replaced: [...ALONE, ...ALLOWED], keepsGuards: true };

/** How the machine's settings meet a server's when that one asks for it. Who may log in is for the machine to say. */
export const MANAGED_SOURCES: MergeRules = {
  replaced: [...ALONE, ...ALLOWED],
  kept: ["forceLoginMethod", "forceLoginOrgUUID"],
  dropped: [
    "apiKeyHelper",
    "proxyAuthHelper",
    "awsCredentialExport",
    "awsAuthRefresh",
    "gcpAuthRefresh",
    "otelHeadersHelper",
    "policyHelper",
    "modelPicker",
    "forceLoginGatewayUrl",
    "gatewayInternalNetworks",
    "allowNestedModelAccessUnderForceLogin",
    "askUserQuestionTimeout",
    "dialogExpiry",
    "parentSettingsBehavior",
    "managedSourcesBehavior",
  ],
  keepsGuards: true,
  strongerFirst: true,
};

/** Keys of the machine's settings that count beside a server's that rule alone. */
export const BESIDE_SERVER: readonly string[] = [
  "env",
  "forceLoginMethod",
  "forceLoginOrgUUID",
  "forceRemoteSettingsRefresh",
];

/** Lays a source over a weaker one: objects are merged, lists joined without doubles, anything else is replaced. */
export function mergeSettings(weaker: Settings, stronger: Settings, rules: MergeRules = JOINED): Settings {
  const merged: JsonObject = { ...weaker as JsonObject };
  for (const key of rules.dropped ?? []) delete merged[key];
  for (const [key, value] of Object.entries(stronger as JsonObject)) {
    if (value === undefined) continue;
    const below = Object.hasOwn(merged, key) ? merged[key] : undefined;
    if (below !== undefined && rules.kept?.includes(key)) continue;
    if (below === undefined || rules.replaced.includes(key)) merged[key] = value;
    else if (MEMBERS_ALONE.includes(key) && isJsonObject(below) && isJsonObject(value)) {
      merged[key] = { ...below, ...value };
    } else merged[key] = mergeValues(below, value, rules.strongerFirst === true);
  }
  if (rules.keepsGuards === true) {
    for (const [key, rule] of Object.entries(SETTINGS_KEY_RULES)) {
      if (Object.hasOwn(merged, key)) keepGuards(merged, key, rule, weaker as JsonObject, stronger as JsonObject);
    }
  }
  return merged as Settings;
}

function mergeValues(below: JsonValue, above: JsonValue, strongerFirst: boolean): JsonValue {
  if (Array.isArray(below) && Array.isArray(above)) {
    return [...new Set(strongerFirst ? [...above, ...below] : [...below, ...above])];
  }
  if (!isJsonObject(below) || !isJsonObject(above)) return above;
  const merged: JsonObject = { ...below };
  for (const [key, value] of Object.entries(above)) {
    if (value === undefined) continue;
    const old = Object.hasOwn(merged, key) ? merged[key] : undefined;
    merged[key] = old === undefined ? value : mergeValues(old, value, strongerFirst);
  }
  return merged;
}

/** Puts the strictest value where one of two sources has it, and takes out what only the weaker one loosens. */
function keepGuards(merged: JsonObject, key: string, rule: Rule, weaker: JsonObject, stronger: JsonObject): void {
  const value = merged[key];
  const below = weaker[key];
  const above = stronger[key];
  if (rule.members !== undefined && isJsonObject(value) && isJsonObject(below)) {
    const kept = { ...value };
    for (const [name, member] of Object.entries(rule.members)) {
      if (Object.hasOwn(kept, name)) keepGuards(kept, name, member, below, isJsonObject(above) ? above : {});
    }
    merged[key] = kept;
    return;
  }
  const strictest = GUARDS[key] ?? rule.strictest;
  if (below === undefined || strictest === undefined || (typeof strictest !== "boolean" && rule.guards !== true)) {
    return;
  }
  if (below === strictest && typeof strictest === "boolean") merged[key] = strictest;
  else if (below !== strictest && above === undefined && (rule.guards === true || typeof below === "boolean")) {
    delete merged[key];
  }
}
