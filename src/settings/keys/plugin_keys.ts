import { isJsonObject, type JsonObject } from "../../core/json.ts";
import {
  ABSENT,
  either,
  entriesOf,
  flag,
  INVALID,
  list,
  number,
  oneOf,
  readBy,
  record,
  type Rule,
  text,
  texts,
} from "../rules/rule.ts";
import { object } from "../rules/object_rule.ts";
import { guard, type KeyRule, type KeyRules, lenient, same } from "./key_rule.ts";
import { knownMarketplace, marketplaceSource, SOURCE_KINDS } from "./marketplace_rules.ts";

const option = either("text, a number, a switch or a list of text", text, number(), flag, texts());

function hasUnknownSource(marketplace: unknown): boolean {
  const source = isJsonObject(marketplace) ? marketplace["source"] : undefined;
  const kind = isJsonObject(source) ? source["source"] : undefined;
  return typeof kind === "string" && !SOURCE_KINDS.includes(kind);
}

const known: Rule = {
  read(value, at) {
    if (!isJsonObject(value)) return ABSENT;
    const kept: JsonObject = {};
    for (const [name, written] of entriesOf(value)) {
      const place = at.member(name);
      // A kind nobody knows may be one of a newer CLI; the key means nothing to this one.
      if (hasUnknownSource(written)) return place.member("source.source").fail("is no kind of source that is known");
      const reading = readBy(knownMarketplace(), written, place);
      if (reading === INVALID || reading === ABSENT) continue;
      const source = isJsonObject(reading) ? reading["source"] : undefined;
      if (isJsonObject(source) && source["source"] === "settings" && source["name"] !== name) {
        place.member("source.name").fail("must be the name it is listed under");
      } else kept[name] = reading;
    }
    return kept;
  },
};

const allowedMarketplaces: KeyRule = {
  ...list(marketplaceSource, { keepsRest: "managed", mayEmpty: true }),
  strictest: [],
  nullable: true,
};

/** Plugins, skills, marketplaces. */
export const PLUGIN_KEYS: KeyRules = {
  enabledPlugins: record(either("true, false or a list of versions", flag, texts()), { keepsRest: "managed" }),
  pluginConfigs: record(object({ mcpServers: record(record(option)), options: record(option) })),
  ...same(lenient(texts()), "prependPlugins", "appendPlugins"),
  extraKnownMarketplaces: known,
  additionalMarketplaces: { ...known, insteadOf: "extraKnownMarketplaces" },
  strictKnownMarketplaces: allowedMarketplaces,
  allowedMarketplaces: { ...allowedMarketplaces, insteadOf: "strictKnownMarketplaces" },
  blockedMarketplaces: { ...list(marketplaceSource, { keepsRest: "managed", mayEmpty: true }), nullable: true },
  pluginSuggestionMarketplaces: texts(),
  pluginTrustMessage: text,
  strictPluginOnlyCustomization: {
    ...either(
      "true, false or a list of what is locked",
      flag,
      list(oneOf(["skills", "agents", "hooks", "mcp"]), { keepsRest: "everyone", mayEmpty: true }),
    ),
    otherwise: ABSENT,
    strictest: true,
  },
  skillOverrides: record(oneOf(["on", "name-only", "user-invocable-only", "off"])),
  ...same(
    guard(true),
    "disableBundledSkills",
    "disableSkillShellExecution",
    "disableCommandPluginSources",
    "disableSideloadFlags",
  ),
  ...same(guard(false), "syncClaudeAiSkills", "syncClaudeAiPlugins"),
  skillListingMaxDescChars: number({ whole: true, above: 0 }),
  skillListingBudgetFraction: number({ above: 0, to: 1 }),
  allowedChannelPlugins: {
    ...list(object({ marketplace: text, plugin: text }, { required: ["marketplace", "plugin"] }), {
      keepsRest: "managed",
      mayEmpty: true,
    }),
    strictest: [],
    nullIsInvalid: true,
  },
  channelsEnabled: guard(false),
};
