import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { assert } from "chai";
import * as v from "valibot";
import { z } from "zod";
import * as zm from "zod/mini";
// Zod 3 itself: the code of the 3.x line, as every Zod 4 package ships it.
import { z as z3 } from "zod/v3";
import { tool } from "../../../src/client/tool.ts";
import { objectSchema, toDraft2020 } from "../../../src/client/tools/json_schema_2020.ts";
import { prepareSchema } from "../../../src/client/tools/prepare_schema.ts";
import { issueText } from "../../../src/client/tools/schema_kinds.ts";
import type { InferToolInput } from "../../../src/client/tools/schema_types.ts";
import { OptionError } from "../../../src/core/errors/mod.ts";
import type { JsonObject, JsonValue } from "../../../src/core/json.ts";
import { rejection, rejectsWith } from "../../harness/rejects.ts";
import { suite } from "../../harness/suite.ts";

/** True only for the same type both ways. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false;
type Flat<T> = { [Name in keyof T]: T[Name] };

function proven<_Fact extends true>(): void {}

/** What the listing says of every way to declare the same tool. */
const EXPECTED = {
  type: "object",
  properties: {
    name: { type: "string", description: "the name", minLength: 2 },
    nested: {
      type: "object",
      properties: { x: { type: "number", description: "nested x" } },
      required: ["x"],
      description: "nested",
    },
    list: { type: "array", items: { type: "string", description: "an item" } },
    limit: { type: "number" },
  },
  required: ["name", "nested", "list"],
};

const zod4Shape = {
  name: z.string().min(2).describe("the name"),
  nested: z.object({ x: z.number().describe("nested x") }).describe("nested"),
  list: z.array(z.string().describe("an item")),
  limit: z.number().optional(),
};
const zod3Shape = {
  name: z3.string().min(2).describe("the name"),
  nested: z3.object({ x: z3.number().describe("nested x") }).describe("nested"),
  list: z3.array(z3.string().describe("an item")),
  limit: z3.number().optional(),
};
const miniShape = {
  name: zm.string().check(zm.minLength(2), zm.describe("the name")),
  nested: zm.object({ x: zm.number().check(zm.describe("nested x")) }).check(zm.describe("nested")),
  list: zm.array(zm.string().check(zm.describe("an item"))),
  limit: zm.optional(zm.number()),
};
const valibotShape = {
  name: v.pipe(v.string(), v.minLength(2), v.description("the name")),
  nested: v.pipe(v.object({ x: v.pipe(v.number(), v.description("nested x")) }), v.description("nested")),
  list: v.array(v.pipe(v.string(), v.description("an item"))),
  limit: v.optional(v.number()),
};

/** The shape of a library that has Standard Schema, but is none of those known by name. */
const strangerShape = Object.fromEntries(
  Object.entries(zod4Shape).map(([name, schema]) => [name, {
    "~standard": {
      version: 1,
      vendor: "stranger",
      validate: (value: unknown) => schema["~standard"].validate(value),
      jsonSchema: schema["~standard"].jsonSchema,
    },
  }]),
);

/** A Zod 3 schema as it was before Standard Schema (up to 3.23). */
function beforeStandardSchema<T extends object>(schema: T): T {
  return new Proxy(schema, {
    get: (target, name) => name === "~standard" ? undefined : Reflect.get(target, name, target),
  });
}

const WAYS: Readonly<Record<string, unknown>> = {
  "a Zod 4 shape": zod4Shape,
  "a Zod 4 object": z.object(zod4Shape),
  "a Zod 3 shape": zod3Shape,
  "a Zod 3 object": z3.object(zod3Shape),
  "an old Zod 3 object": beforeStandardSchema(z3.object(zod3Shape)),
  "an old Zod 3 shape": { ...zod3Shape, name: beforeStandardSchema(zod3Shape.name) },
  "a Zod mini shape": miniShape,
  "a Zod mini object": zm.object(miniShape),
  "a Valibot object with its JSON Schema": toStandardJsonSchema(v.object(valibotShape)),
  "a shape of Valibot schemas": Object.fromEntries(
    Object.entries(valibotShape).map(([name, schema]) => [name, toStandardJsonSchema(schema)]),
  ),
  "a shape of an unknown Standard Schema library": strangerShape,
  "a shape of mixed libraries": { ...zod4Shape, name: zod3Shape.name, list: toStandardJsonSchema(valibotShape.list) },
  "plain JSON Schema": EXPECTED,
  "frozen JSON Schema with $schema": Object.freeze({ $schema: "http://json-schema.org/draft-07/schema#", ...EXPECTED }),
};

/** A strict object says so in its schema; that is no part of what is compared. */
function withoutAdditional(schema: JsonValue): JsonValue {
  if (Array.isArray(schema)) return schema.map(withoutAdditional);
  if (typeof schema !== "object" || schema === null) return schema;
  const entries = Object.entries(schema).filter(([name]) => name !== "additionalProperties");
  return Object.fromEntries(entries.map(([name, value]) => [name, withoutAdditional(value!)]));
}

export default suite("tool schemas", (test) => {
  for (const [way, schema] of Object.entries(WAYS)) {
    test(`L21 L27 ${way}: listed with its descriptions, also nested ones`, async () => {
      const { json } = await prepareSchema(schema, "input", "inputSchema");
      assert.deepEqual(withoutAdditional(json), EXPECTED as JsonValue);
    });

    test(`L26 ${way}: enforced`, async () => {
      const { validate } = await prepareSchema(schema, "input", "inputSchema");
      const good = { name: "Bob", nested: { x: 1 }, list: ["a"], limit: 3 };
      assert.deepEqual(await validate(good), { ok: true, value: good });
      const { limit: _, ...less } = good;
      assert.deepEqual(await validate(less), { ok: true, value: less });
      const bad: [unknown, string][] = [
        [{ ...good, name: "B" }, "name"],
        [{ ...good, nested: { x: "1" } }, "nested.x"],
        [{ ...good, list: ["a", 2] }, "list.1"],
        [{ name: "Bob", list: [] }, "nested"],
      ];
      for (const [value, place] of bad) {
        const result = await validate(value);
        assert.isFalse(result.ok);
        assert.include(result.ok ? "" : issueText(result.issues), place);
      }
      for (const value of ["text", 5, []]) assert.isFalse((await validate(value)).ok);
    });
  }

  test("tuples are written as prefixItems, whatever the library", async () => {
    const ways = [
      { pair: z.tuple([z.string(), z.number()]) },
      { pair: z3.tuple([z3.string(), z3.number()]) },
      { type: "object", properties: { pair: { type: "array", items: [{ type: "string" }, { type: "number" }] } } },
    ];
    for (const way of ways) {
      const { json, validate } = await prepareSchema(way, "input", "inputSchema");
      const { pair } = json.properties as { pair: JsonObject };
      assert.deepEqual(pair.prefixItems as unknown, [{ type: "string" }, { type: "number" }]);
      assert.notStrictEqual(Array.isArray(pair.items), true);
      assert.notInclude(JSON.stringify(json), "$schema");
      assert.isTrue((await validate({ pair: ["a", 1] })).ok);
      assert.isFalse((await validate({ pair: [1, "a"] })).ok);
    }
  });

  test("forms of draft-07 are written anew; names that look like keywords are left alone", () => {
    const old: JsonObject = {
      $schema: "http://json-schema.org/draft-07/schema#",
      definitions: { item: { type: "array", items: [{ type: "string" }], additionalItems: { type: "number" } } },
      properties: {
        items: { $ref: "#/definitions/item" },
        definitions: { enum: [{ items: [1] }], default: { $schema: "kept" } },
        loose: { type: "array", items: { type: "string" }, additionalItems: false },
      },
      dependencies: { a: ["b"], c: { required: ["d"] }, e: true },
    };
    assert.deepEqual(toDraft2020(old) as unknown, {
      $defs: { item: { type: "array", prefixItems: [{ type: "string" }], items: { type: "number" } } },
      properties: {
        items: { $ref: "#/$defs/item" },
        definitions: { enum: [{ items: [1] }], default: { $schema: "kept" } },
        loose: { type: "array", items: { type: "string" } },
      },
      dependentRequired: { a: ["b"] },
      dependentSchemas: { c: { required: ["d"] }, e: true },
    });
  });

  test("recursive schemas keep their references when they become a field", async () => {
    const node: z.ZodType = z.object({ value: z.string(), kids: z.array(z.lazy(() => node)) });
    const { json, validate } = await prepareSchema({ "a/b": node }, "input", "inputSchema");
    assert.include(JSON.stringify(json), '"$ref":"#/properties/a~1b');
    const tree = { "a/b": { value: "1", kids: [{ value: "2", kids: [] }] } };
    assert.isTrue((await validate(tree)).ok);
    const plain = await prepareSchema(json, "input", "inputSchema");
    assert.isTrue((await plain.validate(tree)).ok);
    assert.isFalse((await plain.validate({ "a/b": { value: "1", kids: [{ value: 2, kids: [] }] } })).ok);
  });

  test("schemas that change a value: defaults are filled in, strings parsed, unknown fields dropped", async () => {
    for (
      const way of [
        { n: z.coerce.number(), d: z.string().default("x"), t: z.string().trim() },
        { n: z3.coerce.number(), d: z3.string().default("x"), t: z3.string().trim() },
      ]
    ) {
      const { json, validate } = await prepareSchema(way, "input", "inputSchema");
      assert.deepEqual(await validate({ n: "5", t: " a ", odd: 1 }), { ok: true, value: { n: 5, d: "x", t: "a" } });
      assert.notInclude(json.required as string[], "d");
    }
  });

  test("schemas that check asynchronously are waited for", async () => {
    const { validate } = await prepareSchema(
      {
        id: z.string().refine(async (id) => await Promise.resolve(id === "known"), "is not known"),
      },
      "input",
      "inputSchema",
    );
    assert.isTrue((await validate({ id: "known" })).ok);
    const result = await validate({ id: "other" });
    assert.strictEqual(result.ok ? "" : issueText(result.issues), "id: is not known");
  });

  test("schemas that check asynchronously run once, and one that throws is a rejection of the call alone", async () => {
    for (const library of [z, z3, zm]) {
      let runs = 0;
      const check = (throws: boolean) => async (): Promise<boolean> => {
        runs++;
        await Promise.resolve();
        if (throws) throw new Error("the check is broken");
        return true;
      };
      const field = (throws: boolean): unknown =>
        library === zm ? zm.string().check(zm.refine(check(throws))) : z.string().refine(check(throws));
      const old = (throws: boolean): unknown => z3.string().refine(check(throws));
      const made = library === z3 ? old : field;
      const fine = await prepareSchema({ id: made(false) }, "input", "s");
      assert.isTrue((await fine.validate({ id: "x" })).ok);
      assert.strictEqual(runs, 1);
      const broken = await prepareSchema({ id: made(true) }, "input", "s");
      // A rejection that nobody takes would fail this body as well.
      assert.strictEqual((await rejection(broken.validate({ id: "x" })) as Error).message, "the check is broken");
    }
  });

  test("JSON Schema that holds itself, or what JSON does not, is an error that names the tool's option", async () => {
    const itself: JsonObject = { type: "object", properties: {} };
    (itself.properties as JsonObject).itself = itself;
    const deep: JsonObject = { type: "object" };
    let end = deep;
    for (let depth = 0; depth < 20_000; depth++) end = (end.properties = { a: { type: "object" } }).a as JsonObject;
    const refused: [unknown, RegExp][] = [
      [itself, /properties\.itself holds itself/],
      [deep, /is no JSON Schema/],
      [{ type: "object", properties: { a: { maximum: 10n } } }, /it\.properties\.a\.maximum is a bigint/],
      [{ type: "object", properties: { a: { default: () => 1 } } }, /default is a function/],
      [{ type: "object", properties: { a: { pattern: /x/ } } }, /pattern is a RegExp/],
      [{ a: z.string(), b: { type: "string" } }, /schema object as "a"/],
      [{ b: { type: "string" }, a: z3.string() }, /schema object as "a"/],
    ];
    for (const [schema, text] of refused) {
      const error = await rejectsWith(prepareSchema(schema, "input", "inputSchema of x"), OptionError);
      assert.strictEqual(error.option, "inputSchema of x");
      assert.match(error.message, text);
    }
    const named = { type: "object", properties: { _def: { type: "object" }, _zod: { type: "object" } } };
    assert.deepEqual((await prepareSchema(named, "input", "s")).json, named);
  });

  test("fields that JSON cannot describe do not cost the tool its schema", async () => {
    const { json } = await prepareSchema(
      { when: z.coerce.date(), ok: z.custom(() => true), n: z.number() },
      "input",
      "s",
    );
    assert.hasAllKeys(json.properties, ["when", "ok", "n"]);
  });

  test("no arguments: an empty shape, an empty schema", async () => {
    assert.deepEqual((await prepareSchema({}, "input", "s")).json, { type: "object", properties: {} });
    assert.deepEqual((await prepareSchema({ type: "object" }, "input", "s")).json, { type: "object" });
    assert.include((await prepareSchema(z.object({}), "input", "s")).json, { type: "object" });
  });

  test("a root that the API refuses is an error that names the tool's option", async () => {
    const union = z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]);
    const refused: unknown[] = [
      z.string(),
      union,
      z3.object({ a: z3.string() }).and(z3.object({ b: z3.string() })),
      { type: "array" },
      { anyOf: [] },
      true,
      "text",
      null,
      [z.string()],
    ];
    for (const schema of refused) {
      const error = await rejectsWith(prepareSchema(schema, "input", "inputSchema of x"), OptionError);
      assert.strictEqual(error.option, "inputSchema of x");
    }
  });

  test("a library without a JSON Schema form is named, with the way out", async () => {
    const error = await rejection(prepareSchema(v.object({ a: v.string() }), "input", "inputSchema")) as Error;
    assert.match(error.message, /valibot .* wrap it in what that library offers/);
  });

  test("a schema that keeps its object among the definitions is brought to the root", () => {
    const schema = {
      $ref: "#/definitions/Args",
      definitions: { Args: { type: "object", properties: { a: { type: "string" } } } },
    };
    assert.deepEqual(objectSchema(schema as JsonObject, "s"), {
      type: "object",
      properties: { a: { type: "string" } },
      $defs: { Args: { type: "object", properties: { a: { type: "string" } } } },
    });
  });

  test("JSON Schema: what is wrong is said once, with its place", async () => {
    const { validate } = await prepareSchema(
      {
        type: "object",
        properties: { "a/b c": { type: "number" } },
        required: ["r"],
        additionalProperties: false,
      },
      "input",
      "s",
    );
    const result = await validate({ "a/b c": "x", odd: 1 });
    assert.deepEqual(result.ok ? [] : issueText(result.issues).split("\n"), [
      'Instance does not have required property "r".',
      'a/b c: Instance type "string" is invalid. Expected "number".',
      "odd: is not allowed here",
    ]);
  });

  test("a JSON Schema that cannot be applied rejects instead of letting everything pass", async () => {
    const { validate } = await prepareSchema(
      { type: "object", properties: { a: { $ref: "#/$defs/gone" } } },
      "input",
      "s",
    );
    assert.instanceOf(await rejection(validate({ a: 1 })), Error);
  });

  test("handlers get the types their schema carries", () => {
    proven<
      Same<Flat<InferToolInput<typeof zod4Shape>>, {
        name: string;
        nested: { x: number };
        list: string[];
        limit?: number | undefined;
      }>
    >();
    proven<
      Same<Flat<InferToolInput<typeof zod3Shape>>, {
        name: string;
        nested: { x: number };
        list: string[];
        limit?: number | undefined;
      }>
    >();
    proven<Same<InferToolInput<{ type: "object" }>, Record<string, unknown>>>();
    const objects = [
      tool("a", "", z.object(zod4Shape), (args) => (proven<Same<typeof args.nested.x, number>>(), { content: [] })),
      tool("b", "", z3.object(zod3Shape), (args) => (proven<Same<typeof args.list, string[]>>(), { content: [] })),
      tool("c", "", toStandardJsonSchema(v.object(valibotShape)), ({ name }) => (
        proven<Same<typeof name, string>>(), { content: [] }
      )),
      tool("d", "", { type: "object", properties: {} }, (args) => (
        proven<Same<typeof args, Record<string, unknown>>>(), { content: [] }
      )),
    ];
    assert.deepEqual(objects.map(({ name }) => name), ["a", "b", "c", "d"]);
  });
});
