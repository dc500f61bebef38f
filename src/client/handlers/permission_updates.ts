import { isJsonObject, type JsonObject } from "../../core/json.ts";
import type { PermissionUpdateDestination } from "../../core/options/mod.ts";

const DESTINATIONS: readonly PermissionUpdateDestination[] = [
  "userSettings",
  "projectSettings",
  "localSettings",
  "session",
  "cliArg",
];

/** The CLI (2.1.332) reads at most this many updates, and as many rules or directories in each. */
const MOST = 4096;

/**
 * Why the CLI would not take a permission update as it stands; undefined if it would. One bad update makes it refuse the
 * whole answer, the tool call with it. Updates of a type that is not known here pass: the CLI ignores them.
 */
export function permissionUpdateFault(update: unknown): string | undefined {
  if (!isJsonObject(update)) return "is not an object";
  if (typeof update.type !== "string") return "has no type";
  const shape = SHAPES.get(update.type);
  if (shape === undefined) return undefined;
  if (!DESTINATIONS.includes(update.destination as PermissionUpdateDestination)) return "has no known destination";
  return shape(update);
}

const SHAPES: ReadonlyMap<string, (update: JsonObject) => string | undefined> = new Map([
  ...["addRules", "replaceRules", "removeRules"].map((type) => [type, rulesFault] as const),
  ...["addDirectories", "removeDirectories"].map((type) => [type, directoriesFault] as const),
  ["setMode", (update) => typeof update.mode === "string" ? undefined : "has no mode"],
]);

function rulesFault(update: JsonObject): string | undefined {
  if (!["allow", "deny", "ask"].includes(update.behavior as string)) return "has no known behavior";
  return listFault("rules", update.rules, (rule) =>
    isJsonObject(rule) && typeof rule.toolName === "string" &&
    (rule.ruleContent === undefined || typeof rule.ruleContent === "string"));
}

function directoriesFault(update: JsonObject): string | undefined {
  return listFault("directories", update.directories, (directory) => typeof directory === "string");
}

function listFault(name: string, list: unknown, fits: (item: unknown) => boolean): string | undefined {
  if (!Array.isArray(list)) return `has no list of ${name}`;
  if (list.length > MOST) return `has more than ${MOST} ${name}`;
  return list.every(fits) ? undefined : `has an entry in ${name} of the wrong shape`;
}

/** The updates the CLI takes, in order; tells `onFault` of the others. */
export function soundPermissionUpdates(updates: unknown, onFault: (fault: string) => void): JsonObject[] {
  if (!Array.isArray(updates)) {
    onFault("updatedPermissions is not a list");
    return [];
  }
  return updates.filter((update: unknown, index): update is JsonObject => {
    const fault = index < MOST ? permissionUpdateFault(update) : `is past the ${MOST}th`;
    if (fault !== undefined) onFault(`updatedPermissions[${index}] ${fault}`);
    return fault === undefined;
  });
}
