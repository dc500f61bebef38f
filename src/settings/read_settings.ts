import type { JsonObject } from "../core/json.ts";
import type { Settings } from "../core/options/settings.ts";
import { ACCOUNT_KEYS } from "./keys/account_keys.ts";
import { HOOK_KEYS } from "./keys/hook_keys.ts";
import { INTERFACE_KEYS } from "./keys/interface_keys.ts";
import type { KeyRule, KeyRules } from "./keys/key_rule.ts";
import { MCP_KEYS } from "./keys/mcp_keys.ts";
import { MODEL_KEYS } from "./keys/model_keys.ts";
import { PERMISSION_KEYS } from "./keys/permission_keys.ts";
import { PLUGIN_KEYS } from "./keys/plugin_keys.ts";
import { SANDBOX_KEYS } from "./keys/sandbox_keys.ts";
import { SESSION_KEYS } from "./keys/session_keys.ts";
import { ABSENT, entriesOf, INVALID, type Issue, Place, type Reader, readMember } from "./rules/rule.ts";

/** The rule of every key the CLI knows (2.1.332). Keys without one hold what they hold. */
export const SETTINGS_KEY_RULES: KeyRules = {
  ...ACCOUNT_KEYS,
  ...HOOK_KEYS,
  ...INTERFACE_KEYS,
  ...MCP_KEYS,
  ...MODEL_KEYS,
  ...PERMISSION_KEYS,
  ...PLUGIN_KEYS,
  ...SANDBOX_KEYS,
  ...SESSION_KEYS,
};

/** Settings that were read. */
export interface ReadSettings {
  /** What counts of them; undefined if an invalid value made all of them void. */
  readonly settings: Settings | undefined;
  /** What was wrong. */
  readonly issues: readonly Issue[];
}

/** Reads a settings object: what is invalid makes it void, or is taken out of managed settings. */
export function readSettingsObject(written: JsonObject, reader: Reader): ReadSettings {
  const whole = new Place(reader);
  const settings: JsonObject = {};
  let isVoid = false;
  for (const [key, value] of entriesOf(written)) {
    const rule: KeyRule | undefined = Object.hasOwn(SETTINGS_KEY_RULES, key) ? SETTINGS_KEY_RULES[key] : undefined;
    if (rule === undefined) {
      settings[key] = value as JsonObject[string];
      continue;
    }
    if (rule.managedOnly === true && reader !== "managed") continue;
    if (rule.insteadOf !== undefined && (written[rule.insteadOf] ?? null) !== null) continue;
    const reading = readMember(rule, value, whole.member(key));
    if (reading === INVALID) isVoid ||= reader === "own";
    else if (reading !== ABSENT) settings[rule.insteadOf ?? key] = reading;
  }
  return { settings: isVoid ? undefined : settings as Settings, issues: whole.issues };
}
