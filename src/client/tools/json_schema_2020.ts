import { OptionError } from "../../core/errors/mod.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../core/json.ts";

/** Keywords whose value maps names to schemas. */
const MAPS = new Set(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"]);

/** Keywords whose value is a schema. */
const SINGLES = new Set([
  "additionalProperties",
  "additionalItems",
  "contains",
  "contentSchema",
  "else",
  "if",
  "items",
  "not",
  "propertyNames",
  "then",
  "unevaluatedItems",
  "unevaluatedProperties",
]);

/** Keywords whose value is a list of schemas. */
const LISTS = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);

/**
 * Writes a JSON Schema of any draft from 07 on as draft 2020-12, which is what the Messages API asks of tools: tuples as
 * `prefixItems`, `definitions` as `$defs`, and no `$schema`. References are prefixed, for a schema that moves below
 * another's root.
 */
export function toDraft2020(schema: JsonValue, refPrefix = ""): JsonValue {
  if (!isJsonObject(schema)) return schema;
  const result: JsonObject = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (value === undefined || keyword === "$schema") continue;
    if (keyword === "items" && Array.isArray(value)) {
      result.prefixItems = value.map((item) => toDraft2020(item, refPrefix));
      // What stands for the rest in draft-07 takes the place of the list.
      const rest = schema.additionalItems;
      if (rest !== undefined) result.items = toDraft2020(rest, refPrefix);
    } else if (keyword === "additionalItems") {
      continue; // Means something beside a list only, see above.
    } else if (keyword === "$ref" && typeof value === "string") {
      result.$ref = movedReference(value, refPrefix);
    } else if (keyword === "dependencies" && isJsonObject(value)) {
      splitDependencies(value, refPrefix, result);
    } else if (MAPS.has(keyword) && isJsonObject(value)) {
      const target = keyword === "definitions" ? "$defs" : keyword;
      const kept = isJsonObject(result[target]) ? result[target] : {};
      result[target] = { ...kept, ...mapped(value, refPrefix) };
    } else if (SINGLES.has(keyword)) {
      result[keyword] = toDraft2020(value, refPrefix);
    } else if (LISTS.has(keyword) && Array.isArray(value)) {
      result[keyword] = value.map((item) => toDraft2020(item, refPrefix));
    } else {
      result[keyword] = value;
    }
  }
  return result;
}

/**
 * Brings a schema of a tool into the form the API takes: an object at the root.
 *
 * @throws {OptionError} for a root that is no object, or a choice between several: the API refuses those, and every
 * request of the query with them.
 */
export function objectSchema(schema: JsonValue, option: string): JsonObject {
  let root = toDraft2020(schema);
  if (isJsonObject(root) && typeof root.$ref === "string") root = withoutRootReference(root, root.$ref);
  if (!isJsonObject(root)) throw new OptionError(option, "must describe an object");
  for (const keyword of ["anyOf", "oneOf", "allOf"]) {
    if (root[keyword] !== undefined) {
      throw new OptionError(option, `must not have ${keyword} at its root, which the API refuses; put it into a field`);
    }
  }
  const { type } = root;
  if (type !== undefined && type !== "object" && !(Array.isArray(type) && type.length === 1 && type[0] === "object")) {
    throw new OptionError(option, "must describe an object");
  }
  return { ...root, type: "object" };
}

/** A JSON pointer's way of writing a name. */
export function pointerToken(name: string): string {
  return encodeURI(name.replaceAll("~", "~0").replaceAll("/", "~1"));
}

function movedReference(reference: string, prefix: string): string {
  if (!reference.startsWith("#")) return reference;
  const pointer = reference.slice(1).replace(/^\/definitions\//, "/$defs/");
  return `#${prefix}${pointer}`;
}

function mapped(schemas: JsonObject, refPrefix: string): JsonObject {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, value]) => [name, value === undefined ? value : toDraft2020(value, refPrefix)]),
  );
}

function splitDependencies(dependencies: JsonObject, refPrefix: string, result: JsonObject): void {
  const entries = Object.entries(dependencies);
  const required = entries.filter(([, value]) => Array.isArray(value));
  const schemas = entries.filter(([, value]) => isJsonObject(value) || typeof value === "boolean");
  if (required.length > 0) result.dependentRequired = Object.fromEntries(required);
  if (schemas.length > 0) result.dependentSchemas = mapped(Object.fromEntries(schemas), refPrefix);
}

/** Some generators keep the object itself among the definitions. */
function withoutRootReference(root: JsonObject, reference: string): JsonValue {
  const name = /^#\/\$defs\/([^/]+)$/.exec(reference)?.[1];
  const definitions = root.$defs;
  if (name === undefined || !isJsonObject(definitions)) return root;
  const target = definitions[decodeURI(name).replaceAll("~1", "/").replaceAll("~0", "~")];
  if (!isJsonObject(target)) return root;
  const { $ref: _, ...rest } = root;
  return { ...target, ...rest };
}
