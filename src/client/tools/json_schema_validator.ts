import type { OutputUnit } from "@cfworker/json-schema";
import type { JsonObject } from "../../core/json.ts";
import type { SchemaIssue, Validation } from "./schema_kinds.ts";

/** Keywords that only say that something below them failed, and what did is reported too. */
const CONTAINERS = new Set([
  "properties",
  "items",
  "prefixItems",
  "$ref",
  "additionalProperties",
  "unevaluatedProperties",
]);

/** Checks values by plain JSON Schema of draft 2020-12. Builds no code at run time, so that it runs anywhere. */
export async function jsonSchemaValidator(schema: JsonObject): Promise<(value: unknown) => Validation> {
  const { Validator } = await import("@cfworker/json-schema");
  // A copy: the validator writes into the schema it is given.
  const validator = new Validator(structuredClone(schema), "2020-12", false);
  return (value) => {
    const { valid, errors } = validator.validate(value);
    return valid ? { ok: true, value } : { ok: false, issues: issuesOf(errors) };
  };
}

function issuesOf(errors: readonly OutputUnit[]): SchemaIssue[] {
  const leaves = errors.filter(({ keyword }) => !CONTAINERS.has(keyword));
  // The schema `false`, which stands for "no such property", is tried on properties that are known and wrong as well.
  const told = new Set(leaves.filter(({ keyword }) => keyword !== "false").map((error) => error.instanceLocation));
  return leaves
    .filter(({ keyword, instanceLocation }) => keyword !== "false" || !told.has(instanceLocation))
    .map(({ error, keyword, instanceLocation }) => ({
      message: keyword === "false" ? "is not allowed here" : error,
      path: instanceLocation.split("/").slice(1).map(decodePointerToken),
    }));
}

function decodePointerToken(token: string): string {
  return decodeURI(token).replaceAll("~1", "/").replaceAll("~0", "~");
}
