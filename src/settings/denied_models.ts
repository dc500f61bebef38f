import { hasContextTag, isSnapshot, type ModelVersion, parseModelVersion, plainModelName } from "./model_names.ts";

/** Which models a list of denied ones denies. */
export interface DeniedModelsMatch {
  /** One answer for each model asked about, in the same order. */
  denied: boolean[];
  /** For people: entries that mean less or more than they seem to, and what was ignored. Each is said once. */
  warnings: string[];
}

/** What an entry denies. */
type Denial = (plainName: string, version: ModelVersion | undefined) => boolean;

/** Families whose bare name denies every model of theirs. */
const FAMILIES: readonly string[] = ["sonnet", "opus", "haiku", "fable"];

/** Names that stand for another model tomorrow. */
const MOVING: readonly string[] = ["default", "best", "opusplan"];

/**
 * Tells which of some models the setting `deniedModels` denies, as the CLI reads it (2.1.332).
 *
 * An entry is
 * - a family (`opus`, `sonnet`, `haiku`, `fable`): every name in which that word stands by itself;
 * - a version (`claude-opus-4-8`, `opus-4-8`, `claude-3-5-sonnet`): that model in every spelling, provider and snapshot. With
 *   one number only (`claude-opus-4`), every version that begins with it;
 * - a version with more after it that is no snapshot (`claude-opus-4-8-eap`): names that begin so;
 * - anything else: exactly that name.
 *
 * Case, blanks around a name and tags like `[1m]` never matter. `default`, `best` and `opusplan` are ignored.
 *
 * @param models The models asked about. What is no text is not denied.
 * @param deniedModels The setting's value. Left out or `null`: nothing is denied.
 */
export function matchDeniedModels(
  models: readonly string[],
  deniedModels: readonly string[] | null | undefined,
): Promise<DeniedModelsMatch> {
  const warnings = new Set<string>();
  const denials = readDenials(deniedModels, warnings);

  if (!Array.isArray(models)) {
    warnings.add('"models" is no list of names: no model was looked at.');
    return Promise.resolve({ denied: [], warnings: [...warnings] });
  }
  const denied = models.map((model: unknown): boolean => {
    if (typeof model !== "string") {
      warnings.add(`"models" holds a ${typeName(model)}, which is no name of a model: it counts as not denied.`);
      return false;
    }
    const name = plainModelName(model);
    const version = parseModelVersion(name);
    return denials.some((denies) => denies(name, version));
  });
  return Promise.resolve({ denied, warnings: [...warnings] });
}

function readDenials(entries: unknown, warnings: Set<string>): Denial[] {
  if (entries === undefined || entries === null) return [];
  if (!Array.isArray(entries)) {
    warnings.add('"deniedModels" is no list of names: it denies nothing.');
    return [];
  }
  return entries.flatMap((entry: unknown) => {
    if (typeof entry !== "string") {
      warnings.add(`"deniedModels" holds a ${typeName(entry)}, which is no name of a model: it was ignored.`);
      return [];
    }
    return readDenial(entry, warnings) ?? [];
  });
}

function readDenial(entry: string, warnings: Set<string>): Denial | undefined {
  const shown = JSON.stringify(entry);
  const name = plainModelName(entry);
  if (name === "") {
    warnings.add('An entry of "deniedModels" is empty: it was ignored.');
    return undefined;
  }
  if (MOVING.includes(name)) {
    warnings.add(`${shown} was ignored: which model it stands for changes with releases and settings. Name a model.`);
    return undefined;
  }
  const tagNote = hasContextTag(entry) ? " The size of the context makes no difference." : "";
  if (FAMILIES.includes(name)) {
    if (tagNote !== "") warnings.add(`${shown} denies the whole family "${name}".${tagNote}`);
    const word = new RegExp(`(?:^|[^a-z0-9])${name}(?:$|[^a-z0-9])`);
    return (model) => word.test(model);
  }

  const version = parseEntry(name);
  if (version === undefined) {
    warnings.add(`${shown} denies the name ${JSON.stringify(name)} and no other name of the same model.${hint(name)}`);
    return (model) => model === name;
  }
  const snapshot = isSnapshot(version.rest);
  if (tagNote !== "" || (snapshot && version.rest !== "")) {
    const rest = snapshot && version.rest !== "" ? ` ${JSON.stringify(version.rest)} makes no difference.` : "";
    warnings.add(`${shown} denies ${describe(version)}, however it is written.${rest}${tagNote}`);
  }
  const variant = snapshot ? undefined : version.rest;
  return (_, model) => model !== undefined && isVersion(model, version) && isVariant(model.rest, variant);
}

/** Entries may leave the `claude-` out that names of models begin with. */
function parseEntry(name: string): ModelVersion | undefined {
  return parseModelVersion(name) ?? (name.startsWith("claude-") ? undefined : parseModelVersion(`claude-${name}`));
}

function isVersion(model: ModelVersion, denied: ModelVersion): boolean {
  return model.family === denied.family && model.major === denied.major &&
    (denied.minor === undefined || (model.minor ?? 0) === denied.minor);
}

function isVariant(rest: string, variant: string | undefined): boolean {
  return variant === undefined || rest === variant || rest.startsWith(`${variant}-`);
}

function describe({ family, major, minor }: ModelVersion): string {
  return minor === undefined ? `every model "${family}" ${major}.x` : `the model "${family}" ${major}.${minor}`;
}

/** What the author of an entry may have meant. */
function hint(name: string): string {
  const dashed = name.replaceAll(/[.\s]+/g, "-");
  const version = parseEntry(dashed);
  if (dashed !== name && version !== undefined) return ' Versions are written with hyphens, as in "claude-opus-4-8".';
  const family = FAMILIES.find((known) => name.includes(known) || (name.length > 2 && known.startsWith(name)));
  if (family !== undefined && /^[a-z]+$/.test(name)) return ` The family is written "${family}".`;
  if (/^[a-z]+$/.test(name)) return ` Families that can be denied by name: ${FAMILIES.join(", ")}.`;
  return "";
}

function typeName(value: unknown): string {
  return value === null ? "null" : typeof value;
}
