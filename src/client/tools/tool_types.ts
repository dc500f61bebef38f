import type { JsonSchemaObject, ToolSchema } from "./schema_types.ts";

/** One piece of what a tool answers. Kinds that are not listed pass as they are. */
export type ToolContent =
  | { type: "text"; text: string; [field: string]: unknown }
  | { type: "image" | "audio"; data: string; mimeType: string; [field: string]: unknown }
  | { type: "resource_link"; uri: string; name: string; [field: string]: unknown }
  | { type: "resource"; resource: { uri: string; [field: string]: unknown }; [field: string]: unknown };

/** What a tool answers. It reaches the CLI as it is. */
export interface ToolResult {
  content: ToolContent[];
  /** With an output schema: the answer as data. The text mirror may then be left out of `content`. */
  structuredContent?: Record<string, unknown> | undefined;
  /** The model is told that the call failed. */
  isError?: boolean | undefined;
  _meta?: Record<string, unknown> | undefined;
  [field: string]: unknown;
}

/** What a tool's handler may return: `content` may be left out beside `structuredContent`. */
export type ToolReturn = ToolResult | Omit<ToolResult, "content"> & { structuredContent: Record<string, unknown> };

/** What a tool's handler gets beside its arguments. */
export interface ToolExtra {
  /** Aborts when the call is cancelled, its time is over, or the query closes. What the handler returns then is dropped. */
  readonly signal: AbortSignal;
  /** The `tool_use` block this call belongs to, if the CLI named it. */
  readonly toolUseId: string | undefined;
  /** The `_meta` of the call. */
  readonly _meta: Record<string, unknown> | undefined;
  /** Says how far the work is, and starts the tool's own time limit anew. Sends nothing if the caller asked for none. */
  sendProgress(progress: number, total?: number, message?: string): Promise<void>;
  /** Sends any other notification of the MCP server. */
  sendNotification(notification: { method: string; params?: Record<string, unknown> }): Promise<void>;
}

/** Hints on what a tool does, as MCP defines them. `readOnlyHint` lets the CLI run calls side by side. */
export interface ToolAnnotations {
  title?: string | undefined;
  readOnlyHint?: boolean | undefined;
  destructiveHint?: boolean | undefined;
  idempotentHint?: boolean | undefined;
  openWorldHint?: boolean | undefined;
  [hint: string]: unknown;
}

/** Settings of a tool beside its name, description, arguments and handler. */
export interface ToolExtras {
  annotations?: ToolAnnotations | undefined;
  /** Words by which a search for tools finds this one. */
  searchHint?: string | undefined;
  /** The tool is in the prompt from the start, not found by search. */
  alwaysLoad?: boolean | undefined;
  /** The CLI hands longer results to the model as a file and a preview; this raises its limit of 50,000 characters. */
  maxResultSizeChars?: number | undefined;
  /** A name for people. */
  title?: string | undefined;
  /** Describes `structuredContent`, which is then checked. */
  outputSchema?: ToolSchema | undefined;
  /** A call that takes longer, without a sign of progress, fails. Milliseconds. Default: the CLI's own limits alone. */
  timeoutMs?: number | undefined;
  /** Goes out with the tool's description. */
  _meta?: Record<string, unknown> | undefined;
}

/** A tool, as `tool()` makes it. It belongs to no server and no query: it may be used in several at once. */
export interface SdkMcpToolDefinition<Schema = ToolSchema, Args = never> {
  name: string;
  description: string;
  inputSchema: Schema;
  handler: (args: Args, extra: ToolExtra) => ToolReturn | Promise<ToolReturn>;
  title?: string | undefined;
  annotations?: ToolAnnotations | undefined;
  outputSchema?: ToolSchema | undefined;
  timeoutMs?: number | undefined;
  _meta?: Record<string, unknown> | undefined;
}

/** JSON Schema of an object, as it goes out in a list of tools. */
export type ObjectSchema = JsonSchemaObject & { readonly type: "object" };
