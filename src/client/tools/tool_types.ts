import type { ToolSchema } from "./schema_types.ts";

/** One piece of what a tool answers. Kinds that are not listed pass as they are. */
export type ToolContent =
  | { type: "text"; text: string; [field: string]: unknown }
  /** `data` is base64. */
  | { type: "image" | "audio"; data: string; mimeType: string; [field: string]: unknown }
  | { type: "resource_link"; uri: string; name: string; [field: string]: unknown }
  | { type: "resource"; resource: { uri: string; [field: string]: unknown }; [field: string]: unknown };

/** What a tool answers. It reaches the CLI as it is. */
export interface ToolResult {
  /** What the model reads, piece by piece. */
  content: ToolContent[];
  /** With an output schema: the answer as data. The text mirror may then be left out of `content`. */
  structuredContent?: Record<string, unknown> | undefined;
  /** The model is told that the call failed. */
  isError?: boolean | undefined;
  /** Reaches the CLI beside the result. */
  _meta?: Record<string, unknown> | undefined;
  /** What later versions of MCP add. */
  [field: string]: unknown;
}

/** What a tool's handler may return: `content` may be left out beside `structuredContent`. */
export type ToolReturn = ToolResult | Omit<ToolResult, "content"> & { structuredContent: Record<string, unknown> };

/** What a tool's handler gets beside its arguments. */
export interface ToolExtra {
  /**
   * Aborts when the call is cancelled, its time is over, or the query closes. What the handler returns then is dropped.
   * `query.close()` waits up to 5 s for handlers that have taken their signal, and not for others.
   */
  readonly signal: AbortSignal;
  /** The `tool_use` block this call belongs to, if the CLI named it. */
  readonly toolUseId: string | undefined;
  /** The `_meta` of the call. */
  readonly _meta: Record<string, unknown> | undefined;
  /**
   * Says how far the work is, and starts the tool's own time limit anew; the CLI's limits run on, and it shows nothing of it
   * (CLI 2.1.332). Sends nothing if the caller asked for none.
   */
  sendProgress(progress: number, total?: number, message?: string): Promise<void>;
  /** Sends any other notification of the MCP server. Rejects for one whose capability the server has not declared (logs). */
  sendNotification(notification: { method: string; params?: Record<string, unknown> }): Promise<void>;
}

/** Hints on what a tool does, as MCP defines them. `readOnlyHint` lets the CLI run calls side by side. */
export interface ToolAnnotations {
  /** A name for people. */
  title?: string | undefined;
  /** It changes nothing. */
  readOnlyHint?: boolean | undefined;
  /** It may destroy what was there. */
  destructiveHint?: boolean | undefined;
  /** To call it twice is to call it once. */
  idempotentHint?: boolean | undefined;
  /** It reaches beyond this program. */
  openWorldHint?: boolean | undefined;
  /** Hints of later versions of MCP. */
  [hint: string]: unknown;
}

/** Settings of a tool beside its name, description, arguments and handler. */
export interface ToolExtras {
  /** Hints on what the tool does. */
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
  /** Its name on the server. The model knows it as `mcp__<server>__<name>`. */
  name: string;
  /** Tells the model what it does and when to use it. */
  description: string;
  /** Describes its arguments. */
  inputSchema: Schema;
  /** Does the work. Gets arguments that fit the schema. */
  handler: (args: Args, extra: ToolExtra) => ToolReturn | Promise<ToolReturn>;
  /** A name for people. */
  title?: string | undefined;
  /** Hints on what it does. */
  annotations?: ToolAnnotations | undefined;
  /** Describes `structuredContent`. */
  outputSchema?: ToolSchema | undefined;
  /** Its time limit, in milliseconds. */
  timeoutMs?: number | undefined;
  /** Goes out with its description. */
  _meta?: Record<string, unknown> | undefined;
}
