import { isJsonObject, type JsonObject, type JsonValue } from "../../core/json.ts";
import type { SandboxSettings } from "../../core/options/sandbox.ts";

/** Lists that are joined, those of the settings first. All others are replaced. */
const JOINED: ReadonlySet<string> = new Set([
  "filesystem.denyRead",
  "filesystem.denyWrite",
  "network.deniedDomains",
  "credentials.files",
  "credentials.envVars",
  "credentials.awsPairs",
]);

/** Blocks that are replaced whole. */
const WHOLE: ReadonlySet<string> = new Set(["ripgrep"]);

/**
 * Folds the `sandbox` option into a settings object, which is not changed. The option wins; lists of what is forbidden are
 * joined, so that an option cannot lift what the settings forbid.
 */
export function withSandbox(settings: JsonObject, sandbox: SandboxSettings): JsonObject {
  const below = isJsonObject(settings.sandbox) ? loosened(settings.sandbox, sandbox) : {};
  const merged = merge(below, sandbox as JsonObject, "");
  // A sandbox that was asked for and cannot be had must not be left out in silence (B15).
  if (merged.enabled === true && merged.failIfUnavailable === undefined) merged.failIfUnavailable = true;
  return { ...settings, sandbox: merged };
}

/** Takes out of the settings what would undo the option. */
function loosened(settings: JsonObject, sandbox: SandboxSettings): JsonObject {
  const result: JsonObject = { ...settings };
  if (sandbox.filesystem !== undefined && isJsonObject(result.filesystem) && result.filesystem.disabled === true) {
    const { disabled: _, ...filesystem } = result.filesystem;
    result.filesystem = filesystem;
  }
  if (sandbox.network?.allowedDomains !== undefined && isJsonObject(result.network)) {
    // A proxy of the settings' would decide on domains in the option's place.
    const { httpProxyPort: _http, socksProxyPort: _socks, ...network } = result.network;
    result.network = network;
  }
  return result;
}

function merge(below: JsonObject, above: JsonObject, path: string): JsonObject {
  const entries = new Map<string, JsonValue | undefined>(Object.entries(below));
  for (const [key, value] of Object.entries(above)) {
    if (value === undefined) continue;
    const at = path === "" ? key : `${path}.${key}`;
    entries.set(key, mergeValue(entries.get(key), value, at));
  }
  return Object.fromEntries(entries);
}

function mergeValue(below: JsonValue | undefined, above: JsonValue, path: string): JsonValue {
  if (WHOLE.has(path)) return above;
  if (isJsonObject(below) && isJsonObject(above)) return merge(below, above, path);
  if (JOINED.has(path) && Array.isArray(below) && Array.isArray(above)) return [...below, ...above];
  return above;
}
