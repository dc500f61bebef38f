import { OptionError } from "../core/errors/mod.ts";
import type { InferToolInput, ToolSchema } from "./tools/schema_types.ts";
import type { SdkMcpToolDefinition, ToolExtra, ToolExtras, ToolReturn } from "./tools/tool_types.ts";

/**
 * Defines a tool that runs in this program.
 *
 * The schema says what its arguments are: fields with schemas (Zod 3 or 4, or any library with Standard Schema), a schema
 * object of such a library, or plain JSON Schema. Arguments are checked before the handler is called, and typed where the
 * schema carries a type. What the handler throws reaches the model as a failed call.
 *
 * @example
 * ```ts
 * import { tool } from "@tether/agent";
 * import { z } from "zod";
 *
 * const add = tool("add", "Adds two numbers", { a: z.number(), b: z.number() }, async ({ a, b }) => ({
 *   content: [{ type: "text", text: String(a + b) }],
 * }));
 * ```
 *
 * @throws {OptionError} without a name or a handler, or for a time limit that is no positive number.
 */
export function tool<const Schema extends ToolSchema>(
  name: string,
  description: string,
  inputSchema: Schema,
  handler: (args: InferToolInput<Schema>, extra: ToolExtra) => ToolReturn | Promise<ToolReturn>,
  extras: ToolExtras = {},
): SdkMcpToolDefinition<Schema, InferToolInput<Schema>> {
  if (typeof name !== "string" || name === "") throw new OptionError("name", "of a tool must be a word");
  if (typeof handler !== "function") throw new OptionError("handler", `of tool "${name}" must be a function`);
  const { annotations, searchHint, alwaysLoad, maxResultSizeChars, title, outputSchema, timeoutMs } = extras;
  if (timeoutMs !== undefined && !(timeoutMs > 0)) {
    throw new OptionError("timeoutMs", `of tool "${name}" must be a positive number of milliseconds`);
  }
  const meta = {
    ...(alwaysLoad === true ? { "anthropic/alwaysLoad": true } : {}),
    ...(searchHint === undefined ? {} : { "anthropic/searchHint": searchHint }),
    ...(maxResultSizeChars === undefined ? {} : { "anthropic/maxResultSizeChars": maxResultSizeChars }),
    ...extras._meta,
  };
  return {
    name,
    description,
    inputSchema,
    handler,
    ...(title === undefined ? {} : { title }),
    ...(annotations === undefined ? {} : { annotations }),
    ...(outputSchema === undefined ? {} : { outputSchema }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(Object.keys(meta).length === 0 ? {} : { _meta: meta }),
  };
}
