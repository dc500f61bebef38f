/** Tools: every kind of schema gives its handler the arguments it describes. */
import {
  createSdkMcpServer,
  type InferShape,
  type McpServerConfig,
  query,
  type SdkMcpToolDefinition,
  tool,
} from "@tether/agent";
import * as v from "valibot";
import { z as z3 } from "zod/v3";
import { z } from "zod";
import type { Holds, Same } from "../assertions.ts";

const done = { content: [{ type: "text" as const, text: "ok" }] };

/** The form of the official SDK: fields with Zod schemas. */
export const zod4 = tool(
  "zod4",
  "…",
  {
    name: z.string(),
    count: z.number().int().optional(),
    kind: z.enum(["a", "b"]).default("a"),
    nested: z.object({ list: z.array(z.string()) }),
    size: z.string().transform((text) => text.length),
  },
  (args) => {
    const _: Same<
      typeof args,
      InferShape<{
        readonly name: z.ZodString;
        readonly count: z.ZodOptional<z.ZodNumber>;
        readonly kind: z.ZodDefault<z.ZodEnum<{ a: "a"; b: "b" }>>;
        readonly nested: z.ZodObject<{ list: z.ZodArray<z.ZodString> }>;
        readonly size: z.ZodPipe<z.ZodString, z.ZodTransform<number, string>>;
      }>
    > = true;
    const name: string = args.name;
    const count: number | undefined = args.count;
    const kind: "a" | "b" = args.kind;
    const list: string[] = args.nested.list;
    const size: number = args.size;
    // @ts-expect-error -- no such field
    args.other;
    // @ts-expect-error -- it may be missing
    args.count.toFixed();
    return Promise.resolve({ content: [{ type: "text", text: `${name}${count}${kind}${list}${size}` }] });
  },
);

/** A whole object is as good as its fields. */
export const zod4Object = tool("zod4-object", "…", z.object({ a: z.number(), b: z.string().optional() }), (args) => {
  const _: Same<typeof args, { a: number; b?: string | undefined }> = true;
  return args.a > 0 ? done : Promise.resolve(done);
});

/** Zod 3. */
export const zod3 = tool(
  "zod3",
  "…",
  { a: z3.number(), b: z3.string().optional(), c: z3.boolean().default(true) },
  (args) => {
    const a: number = args.a;
    const b: string | undefined = args.b;
    const c: boolean = args.c;
    // @ts-expect-error -- not a string
    args.a.length;
    return { content: [{ type: "text", text: `${a}${b}${c}` }] };
  },
);

/** A whole object of Zod 3. */
export const zod3Object = tool("zod3-object", "…", z3.object({ a: z3.number() }), (args) => {
  const _: Same<typeof args, { a: number }> = true;
  return { structuredContent: { a: args.a } };
});

/** Standard Schema, by fields. */
export const valibot = tool("valibot", "…", { a: v.number(), b: v.optional(v.string()) }, (args) => {
  const a: number = args.a;
  const b: string | undefined = args.b;
  // @ts-expect-error -- no such field
  args.c;
  return { content: [{ type: "text", text: `${a}${b}` }] };
});

/** Standard Schema, whole. */
export const valibotObject = tool("valibot-object", "…", v.object({ a: v.number() }), (args) => {
  const _: Same<typeof args, { a: number }> = true;
  return done;
});

/** Libraries side by side in one shape. */
export const mixed = tool("mixed", "…", { a: z.number(), b: z3.string(), c: v.boolean() }, (args) => {
  const a: number = args.a;
  const b: string = args.b;
  const c: boolean = args.c;
  return { content: [{ type: "text", text: `${a}${b}${c}` }] };
});

/** JSON Schema carries no type. */
export const json = tool(
  "json",
  "…",
  { type: "object", properties: { a: { type: "number" } }, required: ["a"] },
  (args) => {
    const _: Same<typeof args, Record<string, unknown>> = true;
    return { content: [{ type: "text", text: String(args.a) }] };
  },
);

/** No arguments. */
export const none = tool("none", "…", {}, () => done);

/** Everything a tool may be told beside, and everything its handler may use. */
export const whole = tool(
  "whole",
  "…",
  { a: z.string() },
  async (args, extra) => {
    const signal: AbortSignal = extra.signal;
    await extra.sendProgress(1, 2, "half way");
    if (signal.aborted) return { isError: true, content: [{ type: "text", text: args.a }] };
    return {
      structuredContent: { answer: 1 },
      content: [
        { type: "image", data: "", mimeType: "image/png" },
        { type: "audio", data: "", mimeType: "audio/wav" },
        { type: "resource_link", uri: "file:///a", name: "a" },
        { type: "resource", resource: { uri: "file:///a", text: "x" } },
      ],
    };
  },
  {
    annotations: { title: "Whole", readOnlyHint: true, destructiveHint: false, openWorldHint: false },
    alwaysLoad: true,
    searchHint: "words",
    maxResultSizeChars: 100_000,
    outputSchema: z.object({ answer: z.number() }),
    timeoutMs: 1_000,
  },
);

/** Tools of different arguments in one list. */
export const server = createSdkMcpServer({
  name: "mine",
  version: "1.0.0",
  instructions: "…",
  tools: [zod4, zod4Object, zod3, zod3Object, valibot, valibotObject, mixed, json, none, whole],
});

/** A list that is typed apart, as programs for the official SDK have it. */
// deno-lint-ignore no-explicit-any -- that is how it is written there
export const typedApart: SdkMcpToolDefinition<any>[] = [zod4, json, whole];
createSdkMcpServer({ name: "apart", tools: typedApart });

/** A server is an option like any other. */
export const servers: Record<string, McpServerConfig> = { mine: server, other: { command: "x", args: ["-y"] } };
query({ prompt: "x", options: { mcpServers: servers, allowedTools: ["mcp__mine__zod4"] } });

/** What is wrong does not compile. */
export const wrong = [
  // @ts-expect-error -- no schema
  () => tool("x", "…", 5, () => done),
  // @ts-expect-error -- a text is not a result
  () => tool("x", "…", {}, () => "text"),
  // @ts-expect-error -- an image has data
  () => tool("x", "…", {}, () => ({ content: [{ type: "image" as const, mimeType: "image/png" }] })),
  // @ts-expect-error -- no such hint of ours
  () => tool("x", "…", {}, () => done, { searchHints: "x" }),
];

/** Nothing became `any`. */
export type Typed = Holds<Same<Parameters<typeof json.handler>[0], Record<string, unknown>>>;
