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
  const json = objectSchema(schema, option);
  const validate = await jsonSchemaValidator(json);
  return { json, validate: (value) => new Promise((resolve) => resolve(validate(value))) };
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
