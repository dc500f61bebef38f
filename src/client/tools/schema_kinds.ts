import { isJsonObject } from "../../core/json.ts";

/** One thing wrong with a value. */
export interface SchemaIssue {
  /** What is wrong. */
  readonly message: string;
  /** Where, from the outside in. */
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined;
}

type StandardResult = { readonly value: unknown; readonly issues?: undefined } | {
  readonly issues: readonly SchemaIssue[];
};

/** The interface of Standard Schema (version 1) and of its JSON Schema extension. */
export interface StandardProps {
  /** Of the interface: 1. */
  readonly version: number;
  /** The library's name. */
  readonly vendor: string;
  /** Checks a value, and makes of it what the schema says. */
  validate(value: unknown): StandardResult | Promise<StandardResult>;
  /** Describes the schema. Newer libraries have it. */
  readonly jsonSchema?: {
    input(options: StandardJsonOptions): Record<string, unknown>;
    output(options: StandardJsonOptions): Record<string, unknown>;
  };
}

/** What a library is asked for when it describes its schema. */
export interface StandardJsonOptions {
  /** The draft wanted. */
  readonly target: "draft-2020-12";
  /** For the library alone. */
  readonly libraryOptions?: Record<string, unknown>;
}

/** A schema object of any library. What it has tells how it is read. */
export interface SchemaObject {
  /** Standard Schema. */
  readonly "~standard"?: StandardProps;
  /** Zod 4. */
  readonly _zod?: { readonly optin?: string; readonly def?: unknown };
  /** Zod 3 (Zod 4 has it too). */
  readonly _def?: unknown;
  /** Zod's own way to check a value. */
  safeParseAsync?(value: unknown): Promise<
    { readonly success: true; readonly data: unknown } | {
      readonly success: false;
      readonly error: { readonly issues: readonly SchemaIssue[] };
    }
  >;
  /** Zod: `undefined` is a value of it. */
  isOptional?(): boolean;
  /** ArkType before its JSON Schema extension. */
  toJsonSchema?(): unknown;
}

/** True for a schema object of a library, as opposed to a shape or plain JSON Schema. Some libraries' are functions. */
export function isSchemaObject(value: unknown): value is SchemaObject {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return false;
  const { "~standard": standard, _zod, _def } = value as SchemaObject;
  return typeof standard?.validate === "function" || typeof _zod === "object" || typeof _def === "object";
}

/** True for fields that each have a schema. An empty object is one: a tool without arguments. */
export function isSchemaShape(value: unknown): value is Readonly<Record<string, SchemaObject>> {
  return isJsonObject(value) && !isSchemaObject(value) && Object.values(value).every(isSchemaObject);
}

/** Zod 4, full or mini. */
export function isZod4(schema: SchemaObject): boolean {
  return typeof schema._zod === "object";
}

/** Zod 3. */
export function isZod3(schema: SchemaObject): boolean {
  return !isZod4(schema) && typeof schema._def === "object" && typeof schema.safeParseAsync === "function";
}

/** What came of checking a value. */
export type Validation =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly issues: readonly SchemaIssue[] };

/**
 * Checks a value by the library's own means. Zod is asked by its own method: behind the standard one it tries without
 * waiting first, so that an asynchronous check runs twice, and a rejection of the first run is nobody's.
 */
export async function validateWith(schema: SchemaObject, value: unknown): Promise<Validation> {
  const standard = schema["~standard"];
  if (standard !== undefined && typeof schema.safeParseAsync !== "function") {
    const result = await standard.validate(value);
    return result.issues === undefined ? { ok: true, value: result.value } : { ok: false, issues: result.issues };
  }
  const result = await schema.safeParseAsync!(value);
  return result.success ? { ok: true, value: result.data } : { ok: false, issues: result.error.issues };
}

/** Whether a field of this schema may be missing. Asks the library where it says, and tries it where it does not. */
export async function mayBeMissing(schema: SchemaObject): Promise<boolean> {
  if (isZod4(schema)) return schema._zod!.optin !== undefined;
  if (typeof schema.isOptional === "function") return schema.isOptional();
  return (await validateWith(schema, undefined)).ok;
}

/** Issues as lines of text, each naming the place. */
export function issueText(issues: readonly SchemaIssue[]): string {
  const lines = issues.map(({ message, path }) => {
    const place = (path ?? []).map((step) => String(typeof step === "object" ? step.key : step)).join(".");
    return place === "" ? message : `${place}: ${message}`;
  });
  return lines.join("\n");
}
