/** Forms a schema may take, by library: what the model is told of each, and what the handler gets. */
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { assert } from "chai";
import * as v from "valibot";
import { z } from "zod";
import * as zm from "zod/mini";
import { z as z3 } from "zod/v3";
import { prepareSchema } from "../../../src/client/tools/prepare_schema.ts";
import { issueText } from "../../../src/client/tools/schema_kinds.ts";
import { OptionError } from "../../../src/core/errors/mod.ts";
import type { JsonObject, JsonValue } from "../../../src/core/json.ts";
import { rejectsWith } from "../../harness/rejects.ts";
import { suite } from "../../harness/suite.ts";

interface Form {
  readonly schema: unknown;
  /** How the field `it` is listed. */
  readonly listed: JsonObject;
  /** The field may be missing. */
  readonly optional?: true;
  /** Values that come, and what the handler gets of them. */
  readonly good: readonly (readonly [given: JsonValue, got: unknown])[];
  /** Values that do not reach it. */
  readonly bad: readonly JsonValue[];
}

const same = (...values: JsonValue[]): [JsonValue, unknown][] => values.map((value) => [value, value]);

interface Tree {
  readonly v: string;
  readonly kids: readonly Tree[];
}

const tree4: z.ZodType<Tree> = z.object({ v: z.string().describe("value"), kids: z.array(z.lazy(() => tree4)) });
const tree3: z3.ZodType<Tree> = z3.object({ v: z3.string().describe("value"), kids: z3.array(z3.lazy(() => tree3)) });

/** A tree's own schema, as a field of `it`. */
const TREE: JsonObject = {
  type: "object",
  properties: {
    v: { type: "string", description: "value" },
    kids: { type: "array", items: { $ref: "#/properties/it" } },
  },
  required: ["v", "kids"],
};

const NUMBERS: JsonObject = { type: "object", additionalProperties: { type: "number" } };
const NAMED_NUMBERS: JsonObject = { ...NUMBERS, propertyNames: { type: "string" } };
const record = { good: same({ a: 1 }), bad: [{ a: "x" }, []] };
const recursive = {
  good: same({ v: "a", kids: [{ v: "b", kids: [] }] }),
  bad: [{ v: "a", kids: [{ v: 5, kids: [] }] }],
};
const choice = { good: same({ k: "a", x: "y" }, { k: "b" }), bad: [{ k: "c" }, { k: "a" }] };
const date = (day: string): [JsonValue, unknown][] => [[day, new Date(day)]];

const FORMS: Readonly<Record<string, Form>> = {
  "Zod 4, a record": { schema: z.record(z.string(), z.number()), listed: NAMED_NUMBERS, ...record },
  "Zod 4, a record of known keys": {
    schema: z.record(z.enum(["a", "b"]), z.number()),
    listed: { ...NUMBERS, propertyNames: { type: "string", enum: ["a", "b"] }, required: ["a", "b"] },
    good: same({ a: 1, b: 2 }),
    bad: [{ a: 1 }, { c: 1 }],
  },
  "Zod 4, a recursive object": { schema: tree4, listed: TREE, ...recursive },
  "Zod 4, a choice by a field": {
    schema: z.discriminatedUnion("k", [
      z.object({ k: z.literal("a"), x: z.string().describe("deep") }),
      z.object({ k: z.literal("b") }),
    ]),
    listed: {
      oneOf: [
        {
          type: "object",
          properties: { k: { type: "string", const: "a" }, x: { type: "string", description: "deep" } },
          required: ["k", "x"],
        },
        { type: "object", properties: { k: { type: "string", const: "b" } }, required: ["k"] },
      ],
    },
    ...choice,
  },
  "Zod 4, a date made from text": {
    schema: z.coerce.date().describe("when"),
    listed: { type: "string", format: "date-time", description: "when" },
    good: date("2026-01-02T03:04:05Z"),
    bad: ["soon"],
  },
  "Zod 4, a big number made from a number": {
    schema: z.coerce.bigint(),
    listed: { type: "integer" },
    good: [[5, 5n]],
    bad: [1.5],
  },
  "Zod 4, a text that becomes its length": {
    schema: z.string().describe("in").transform((text) => text.length),
    listed: { type: "string", description: "in" },
    good: [["abc", 3]],
    bad: [3],
  },
  "Zod 4, null or text": {
    schema: z.string().nullable(),
    listed: { type: ["string", "null"] },
    good: same("a", null),
    bad: [5],
  },
  "Zod 4, a default": {
    schema: z.string().default("d"),
    listed: { type: "string", default: "d" },
    optional: true,
    good: same("a"),
    bad: [5],
  },
  "Zod 4, what stands in for the wrong": {
    schema: z.number().catch(5),
    listed: { type: "number", default: 5 },
    optional: true,
    good: [[1, 1], ["x", 5]],
    bad: [],
  },
  "Zod 4, a check that takes time": {
    schema: z.string().refine(async (text) => await Promise.resolve(text !== "bad"), "is bad"),
    listed: { type: "string" },
    good: same("good"),
    bad: ["bad"],
  },
  "Zod mini, an optional text with a check": {
    schema: zm.optional(zm.string().check(zm.minLength(2))),
    listed: { type: "string", minLength: 2 },
    optional: true,
    good: same("ab"),
    bad: ["a"],
  },
  "Zod 3, a record": { schema: z3.record(z3.number()), listed: NUMBERS, ...record },
  "Zod 3, a recursive object": { schema: tree3, listed: { ...TREE, additionalProperties: false }, ...recursive },
  "Zod 3, a choice by a field": {
    schema: z3.discriminatedUnion("k", [
      z3.object({ k: z3.literal("a"), x: z3.string().describe("deep") }),
      z3.object({ k: z3.literal("b") }),
    ]),
    listed: {
      anyOf: [
        {
          type: "object",
          properties: { k: { type: "string", const: "a" }, x: { type: "string", description: "deep" } },
          required: ["k", "x"],
          additionalProperties: false,
        },
        {
          type: "object",
          properties: { k: { type: "string", const: "b" } },
          required: ["k"],
          additionalProperties: false,
        },
      ],
    },
    ...choice,
  },
  "Zod 3, a date made from text": {
    schema: z3.coerce.date().describe("when"),
    listed: { type: "string", format: "date-time", description: "when" },
    good: date("2026-01-02T03:04:05Z"),
    bad: ["soon"],
  },
  "Zod 3, a default": {
    schema: z3.string().default("d"),
    listed: { type: "string", default: "d" },
    optional: true,
    good: same("a"),
    bad: [5],
  },
  "Valibot, a record": {
    schema: toStandardJsonSchema(v.record(v.string(), v.number())),
    listed: NAMED_NUMBERS,
    good: same({ a: 1 }),
    bad: [{ a: "x" }],
  },
  "Valibot, a tuple": {
    schema: toStandardJsonSchema(v.tuple([v.string(), v.number()])),
    listed: { type: "array", prefixItems: [{ type: "string" }, { type: "number" }], minItems: 2 },
    good: same(["a", 1]),
    bad: [["a"], [1, "a"]],
  },
  "Valibot, a default": {
    schema: toStandardJsonSchema(v.optional(v.string(), "d")),
    listed: { type: "string", default: "d" },
    optional: true,
    good: same("a"),
    bad: [5],
  },
  "Valibot, a description and a check of one's own": {
    schema: toStandardJsonSchema(
      v.pipe(v.string(), v.description("deep"), v.check((text) => text !== "bad", "is bad")),
    ),
    listed: { type: "string", description: "deep" },
    good: same("good"),
    bad: ["bad"],
  },
};

export default suite("forms of tool schemas", (test) => {
  for (const [name, { schema, listed, optional, good, bad }] of Object.entries(FORMS)) {
    test(name, async () => {
      const { json, validate } = await prepareSchema({ it: schema }, "input", "inputSchema");
      assert.deepEqual(json, {
        type: "object",
        properties: { it: listed },
        ...(optional === true ? {} : { required: ["it"] }),
      });
      for (const [given, got] of good) {
        const result = await validate({ it: given });
        assert.deepEqual(result, { ok: true, value: { it: got } });
      }
      for (const given of bad) {
        const result = await validate({ it: given });
        assert.match(result.ok ? "nothing" : issueText(result.issues), /^it\b/);
      }
      assert.strictEqual((await validate({})).ok, optional === true);
    });
  }

  test("a description that its own library fails to give is an error that names the tool's option, with the cause", async () => {
    const cause = new Error("no word for that");
    const schema = {
      "~standard": {
        version: 1,
        vendor: "some",
        validate: (value: unknown) => ({ value }),
        jsonSchema: {
          input: () => {
            throw cause;
          },
        },
      },
    };
    const error = await rejectsWith(prepareSchema({ it: schema }, "input", "inputSchema of x"), OptionError);
    assert.strictEqual(error.option, "inputSchema of x.it");
    assert.strictEqual(error.cause, cause);
    assert.include(error.message, "no word for that");
  });
});
