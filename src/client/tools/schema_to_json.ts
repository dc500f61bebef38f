import { OptionError } from "../../core/errors/mod.ts";
import type { JsonObject, JsonValue } from "../../core/json.ts";
import { missingPeer } from "./missing_peer.ts";
import { isZod3, isZod4, type SchemaObject } from "./schema_kinds.ts";

/** Which side of a schema is meant: what it takes, or what it makes of that. */
export type SchemaSide = "input" | "output";

/**
 * Describes a schema as JSON Schema, by the user's own library wherever it can say so itself: a second copy of Zod does
 * not know the descriptions that the first one keeps.
 *
 * @throws {OptionError} for a library that offers no way, and where its own way fails.
 */
export async function schemaToJson(schema: SchemaObject, side: SchemaSide, option: string): Promise<JsonValue> {
  try {
    return await describe(schema, side, option);
  } catch (cause) {
    if (cause instanceof OptionError) throw cause;
    const text = cause instanceof Error ? cause.message : String(cause);
    throw new OptionError(option, `cannot be described as JSON Schema: ${text}`, { cause });
  }
}

async function describe(schema: SchemaObject, side: SchemaSide, option: string): Promise<JsonValue> {
  const standard = schema["~standard"];
  if (standard?.jsonSchema !== undefined) {
    const libraryOptions = LIBRARY_OPTIONS[standard.vendor] ?? {};
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

/** What a schema of Zod 4 is, as much as is asked. */
interface Zod4Schema {
  readonly description?: string | undefined;
  readonly _zod: { readonly def: { readonly type: string; readonly coerce?: boolean | undefined } };
}

/** What is made from text or a number is described as that. JSON has no word for what comes out. */
const COERCED: Readonly<Record<string, JsonObject>> = {
  date: { type: "string", format: "date-time" },
  bigint: { type: "integer" },
};

/**
 * A field that JSON cannot hold, or a check that JSON Schema has no word for, must not cost the tool its description. The
 * schema itself still applies.
 */
const ZOD_OPTIONS = {
  unrepresentable: "any",
  override: ({ zodSchema, jsonSchema }: { zodSchema: unknown; jsonSchema: object }): void => {
    const { description, _zod: { def } } = zodSchema as Zod4Schema;
    if (def.coerce === true) Object.assign(jsonSchema, COERCED[def.type]);
    if (description !== undefined) (jsonSchema as JsonObject).description ??= description;
  },
} as const;

const LIBRARY_OPTIONS: Readonly<Record<string, Record<string, unknown>>> = {
  zod: ZOD_OPTIONS,
  valibot: { errorMode: "ignore" },
};

/** Zod 4.0, 4.1 and mini: their core is asked, whichever copy is at hand, and told where descriptions are kept. */
async function zod4ToJson(schema: SchemaObject, io: SchemaSide): Promise<JsonValue> {
  const { toJSONSchema } = await import("zod/v4/core").catch(missingPeer);
  const json = toJSONSchema(schema as never, {
    io,
    target: "draft-2020-12",
    ...ZOD_OPTIONS,
  });
  return json as JsonValue;
}

/** Zod 3 by the converter that comes with the MCP package. It writes draft-07. */
async function zod3ToJson(schema: SchemaObject, pipeStrategy: SchemaSide): Promise<JsonValue> {
  const { toJsonSchemaCompat } = await import("@modelcontextprotocol/sdk/server/zod-json-schema-compat.js").catch(
    missingPeer,
  );
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
