/**
 * Parts a system prompt at the place from where on it changes between sessions, so that what stands before is cached. Use
 * it as an element of a `string[]` prompt.
 */
export const SYSTEM_PROMPT_DYNAMIC_BOUNDARY = "__SYSTEM_PROMPT_DYNAMIC_BOUNDARY__";

/** A system prompt of one's own, with its settings. */
export interface CustomSystemPrompt {
  type: "custom";
  prompt: string | readonly string[];
  /** The prompt is kept with the session and used again when it is resumed. */
  snapshot?: boolean | undefined;
}

/** The CLI's own system prompt, with additions. */
export interface PresetSystemPrompt {
  type: "preset";
  preset: "claude_code";
  /** Stands after the CLI's own text. */
  append?: string | undefined;
  /** Leaves out what differs between machines and moments. */
  excludeDynamicSections?: boolean | undefined;
  /** The prompt is kept with the session and used again when it is resumed. */
  snapshot?: boolean | undefined;
}

/** A system prompt the CLI reads from a file. */
export interface FileSystemPrompt {
  type: "file";
  path: string;
}

/** What the model is told before anything else. Left out, or `""`: nothing at all, as in the peers. */
export type SystemPrompt =
  | string
  | readonly string[]
  | CustomSystemPrompt
  | PresetSystemPrompt
  | FileSystemPrompt;

/** Every tool the CLI has by default. */
export interface ToolsPreset {
  type: "preset";
  preset: "claude_code";
}

/** The kinds of output format there are. */
export type OutputFormatType = "json_schema";

/** What every output format has. */
export interface BaseOutputFormat {
  type: OutputFormatType;
}

/** The answer must fit a JSON Schema. */
export interface JsonSchemaOutputFormat extends BaseOutputFormat {
  type: "json_schema";
  schema: Record<string, unknown>;
}

/** The form the final answer must have. */
export type OutputFormat = JsonSchemaOutputFormat;

/** Settings of built-in tools. */
export interface ToolConfig {
  askUserQuestion?: {
    /** The form of the previews of choices. */
    previewFormat?: "markdown" | "html" | undefined;
  } | undefined;
}

/** A plugin to load. */
export interface SdkPluginConfig {
  type: "local";
  path: string;
  /** Its MCP servers are left alone. */
  skipMcpDiscovery?: boolean | undefined;
}
