/**
 * Parts a system prompt at the place from where on it changes between sessions, so that what stands before is cached. Use
 * it as an element of a `string[]` prompt.
 */
export const SYSTEM_PROMPT_DYNAMIC_BOUNDARY = "__SYSTEM_PROMPT_DYNAMIC_BOUNDARY__";

/** A system prompt of one's own, with its settings. */
export interface CustomSystemPrompt {
  /** The kind. */
  type: "custom";
  /** The text, in one piece or several. */
  prompt: string | readonly string[];
  /** The prompt is kept with the session and used again when it is resumed. */
  snapshot?: boolean | undefined;
}

/** The CLI's own system prompt, with additions. */
export interface PresetSystemPrompt {
  /** The kind. */
  type: "preset";
  /** Which one. */
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
  /** The kind. */
  type: "file";
  /** The file. */
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
  /** The kind. */
  type: "preset";
  /** Which one. */
  preset: "claude_code";
}

/** The kinds of output format there are. */
export type OutputFormatType = "json_schema";

/** What every output format has. */
export interface BaseOutputFormat {
  /** The kind. */
  type: OutputFormatType;
}

/** The answer must fit a JSON Schema. */
export interface JsonSchemaOutputFormat extends BaseOutputFormat {
  /** The kind. */
  type: "json_schema";
  /** The JSON Schema. */
  schema: Record<string, unknown>;
}

/** The form the final answer must have. */
export type OutputFormat = JsonSchemaOutputFormat;

/** Settings of built-in tools. */
export interface ToolConfig {
  /** The tool by which the model asks questions. */
  askUserQuestion?: {
    /** The form of the previews of choices. */
    previewFormat?: "markdown" | "html" | undefined;
  } | undefined;
}

/** A plugin to load. */
export interface SdkPluginConfig {
  /** The kind. */
  type: "local";
  /** The plugin's directory. */
  path: string;
  /** Its MCP servers are left alone. */
  skipMcpDiscovery?: boolean | undefined;
}
