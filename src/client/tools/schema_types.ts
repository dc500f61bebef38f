/** What a tool's arguments may be described by, and which type its handler gets for it. */

/** As much of the Standard Schema interface (version 1) as Tether uses: Zod 3.24+, Zod 4, Valibot, ArkType, … have it. */
export interface StandardTyped<Input = unknown, Output = Input> {
  /** The marker of the interface, and the types it carries. */
  readonly "~standard": {
    readonly version: number;
    readonly vendor: string;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

/** A Zod 3 schema, also of a version that knows no Standard Schema. */
export interface Zod3Typed<Output = unknown> {
  /** Carries the type; there is no such value. */
  readonly _output: Output;
  /** What Zod 3 knows of the schema. */
  readonly _def: unknown;
}

/** Any schema object. */
export type AnySchema = StandardTyped | Zod3Typed;

/** Fields by name, each with a schema; the form Zod calls a raw shape. Libraries may be mixed. */
export type SchemaShape = { readonly [field: string]: AnySchema };

/** The name the official SDK gives to a {@linkcode SchemaShape}. */
export type AnyZodRawShape = SchemaShape;

/** Plain JSON Schema. Draft 2020-12 is meant; forms of draft-07 are converted. */
export type JsonSchemaObject = { readonly [keyword: string]: unknown };

/** What `tool()` takes as the description of arguments. */
export type ToolSchema = AnySchema | SchemaShape | JsonSchemaObject;

/** What a schema makes of a value. */
export type SchemaOutput<Schema> = Schema extends
  { readonly "~standard": { readonly types?: { readonly output: infer Output } | undefined } } ? Output
  : Schema extends { readonly _output: infer Output } ? Output
  : unknown;

/** The names of the fields that may be missing. */
export type OptionalFields<Shape> = {
  [Name in keyof Shape]: undefined extends SchemaOutput<Shape[Name]> ? Name : never;
}[
  keyof Shape
];

/** The arguments that a shape describes: a field whose schema allows `undefined` may be missing. */
export type InferShape<Shape> =
  & { [Name in Exclude<keyof Shape, OptionalFields<Shape>>]: SchemaOutput<Shape[Name]> }
  & { [Name in OptionalFields<Shape>]?: SchemaOutput<Shape[Name]> };

/** The arguments that a handler gets: typed where the schema carries a type. */
export type InferToolInput<Schema> = Schema extends AnySchema ? SchemaOutput<Schema>
  : Schema extends SchemaShape ? InferShape<Schema>
  : Record<string, unknown>;
