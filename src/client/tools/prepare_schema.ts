import { OptionError } from "../../core/errors/mod.ts";
import { isJsonObject, type JsonObject } from "../../core/json.ts";
import { objectSchema, pointerToken, toDraft2020 } from "./json_schema_2020.ts";
import { jsonSchemaValidator } from "./json_schema_validator.ts";
import {
  isSchemaObject,
  isSchemaShape,
  mayBeMissing,
  type SchemaIssue,
  type SchemaObject,
  validateWith,
  type Validation,
} from "./schema_kinds.ts";
import { type SchemaSide, schemaToJson } from "./schema_to_json.ts";
import { unsendablePlace } from "./unsendable_place.ts";

/** A schema, ready to be listed and applied. */
export interface PreparedSchema {
  /** Draft 2020-12, an object at its root. */
  readonly json: JsonObject;
  /** Checks a value and makes of it what the schema says. Rejects if the schema itself throws. */
  validate(value: unknown): Promise<Validation>;
}

/** Reads whatever `tool()` takes as a schema. @throws {OptionError} for what is none, or describes no object. */
export async function prepareSchema(schema: unknown, side: SchemaSide, option: string): Promise<PreparedSchema> {
  if (isSchemaObject(schema)) {
    const json = objectSchema(await schemaToJson(schema, side, option), option);
    return { json, validate: (value) => validateWith(schema, value) };
  }
  if (isSchemaShape(schema)) return await prepareShape(schema, side, option);
  if (!isJsonObject(schema)) throw new OptionError(option, "must be a schema, fields with schemas, or JSON Schema");
  return await prepareJsonSchema(schema, option);
}

async function prepareJsonSchema(schema: JsonObject, option: string): Promise<PreparedSchema> {
  const mixed = Object.entries(schema).find(([, field]) => checksByItself(field));
  if (mixed !== undefined) {
    // Taken for JSON Schema it would have no keyword that says anything, and let all arguments pass.
    throw new OptionError(option, `has a schema object as "${mixed[0]}", and beside it what is none`);
  }
  // Before anything goes through it: it may hold itself.
  const unsendable = unsendablePlace(schema, "it");
  if (unsendable !== undefined) throw new OptionError(option, `is no JSON Schema: ${unsendable}`);
  try {
    const json = objectSchema(schema, option);
    const validate = await jsonSchemaValidator(json);
    return { json, validate: (value) => new Promise((resolve) => resolve(validate(value))) };
  } catch (cause) {
    if (cause instanceof OptionError) throw cause;
    throw new OptionError(option, "is no JSON Schema that can be applied", { cause });
  }
}

/** Not {@linkcode isSchemaObject}, which a map of properties may look like by their names. */
function checksByItself(field: unknown): boolean {
  const { "~standard": standard, safeParseAsync } = (field ?? {}) as SchemaObject;
  return typeof standard?.validate === "function" || typeof safeParseAsync === "function";
}

/**
 * A shape is put together here, field by field, and not by its library: that takes no copy of the library, and fields may
 * come from different ones.
 */
async function prepareShape(
  shape: Readonly<Record<string, SchemaObject>>,
  side: SchemaSide,
  option: string,
): Promise<PreparedSchema> {
  const fields = Object.entries(shape);
  const properties: JsonObject = {};
  const required: string[] = [];
  for (const [name, field] of fields) {
    const json = await schemaToJson(field, side, `${option}.${name}`);
    properties[name] = toDraft2020(json, `/properties/${pointerToken(name)}`);
    if (!await mayBeMissing(field)) required.push(name);
  }
  return {
    json: { type: "object", properties, ...(required.length > 0 ? { required } : {}) },
    validate: (value) => validateShape(fields, value),
  };
}

async function validateShape(fields: readonly [string, SchemaObject][], value: unknown): Promise<Validation> {
  if (!isJsonObject(value)) return { ok: false, issues: [{ message: "Expected an object" }] };
  const issues: SchemaIssue[] = [];
  const result: Record<string, unknown> = {};
  for (const [name, field] of fields) {
    const given = Object.hasOwn(value, name) ? value[name] : undefined;
    const checked = await validateWith(field, given);
    if (!checked.ok) issues.push(...checked.issues.map((issue) => ({ ...issue, path: [name, ...(issue.path ?? [])] })));
    else if (checked.value !== undefined || Object.hasOwn(value, name)) result[name] = checked.value;
  }
  return issues.length > 0 ? { ok: false, issues } : { ok: true, value: result };
}
