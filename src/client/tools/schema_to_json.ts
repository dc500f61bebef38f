import { OptionError } from "../../core/errors/mod.ts";
import type { JsonObject, JsonValue } from "../../core/json.ts";
import { isZod3, isZod4, type SchemaObject } from "./schema_kinds.ts";

/** Which side of a schema is meant: what it takes, or what it makes of that. */
export type SchemaSide = "input" | "output";

/**
 * Describes a schema as JSON Schema, by the user's own library wherever it can say so itself: a second copy of Zod does
 * not know the descriptions that the first one keeps.
 *
 * @throws {OptionError} for a library that offers no way.
 */
export async function schemaToJson(schema: SchemaObject, side: SchemaSide, option: string): Promise<JsonValue> {
  const standard = schema["~standard"];
  if (standard?.jsonSchema !== undefined) {
    // A field that JSON cannot hold (a Date that is coerced, a custom check) must not cost the tool its description.
    const libraryOptions = standard.vendor === "zod" ? { unrepresentable: "any" } : {};
    return standard.jsonSchema[side]({ target: "draft-2020-12", libraryOptions }) as JsonValue;
  }
  if (isZod4(schema)) return await zod4ToJson(schema, side);
  if (isZod3(schema)) return await zod3ToJson(schema, side);
  if (typeof schema.toJsonSchema === "function") return schema.toJsonSchema() as JsonValue;
  throw new OptionError(
    option,
    `is a schema of ${standard?.vendor ?? "a library"} that has no JSON Schema form; ` +
      "wrap it in what that library offers for it, or pass plain JSON Schema",
  );
}

/** Zod 4.0, 4.1 and mini: their core is asked, whichever copy is at hand, and told where descriptions are kept. */
async function zod4ToJson(schema: SchemaObject, io: SchemaSide): Promise<JsonValue> {
  const { toJSONSchema } = await import("zod/v4/core");
  const json = toJSONSchema(schema as never, {
    io,
    target: "draft-2020-12",
    unrepresentable: "any",
    override({ zodSchema, jsonSchema }) {
      const { description } = zodSchema as { description?: string };
      if (description !== undefined) jsonSchema.description ??= description;
    },
  });
  return json as JsonValue;
}

/** Zod 3 by the converter that comes with the MCP package. It writes draft-07. */
async function zod3ToJson(schema: SchemaObject, pipeStrategy: SchemaSide): Promise<JsonValue> {
  const { toJsonSchemaCompat } = await import("@modelcontextprotocol/sdk/server/zod-json-schema-compat.js");
  // Outside an object the converter has no word for "optional" but a choice with "not anything".
  const { innerType, description } = optionalParts(schema);
  const json = toJsonSchemaCompat(innerType, { strictUnions: true, pipeStrategy }) as JsonObject;
  return description === undefined ? json : { ...json, description };
}

function optionalParts(schema: SchemaObject): { readonly innerType: SchemaObject; readonly description?: string } {
  const def = schema._def as { typeName?: string; innerType?: SchemaObject; description?: string };
  if (def.typeName !== "ZodOptional" || def.innerType === undefined) return { innerType: schema };
  const inner = optionalParts(def.innerType);
  return def.description === undefined ? inner : { ...inner, description: def.description };
}
