/**
 * In-process MCP servers with the package `@modelcontextprotocol/sdk` loaded from the start: `instance` is there at once,
 * for programs that register more on it than tools. Importing this entry takes about a tenth of a second longer.
 *
 * @module
 */
// @ts-types="@modelcontextprotocol/sdk/server/mcp"
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
// @ts-types="@modelcontextprotocol/sdk/types"
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import type { McpSdkServerConfigWithInstance } from "../core/options/mod.ts";
import { type McpPackage, provideMcpPackage } from "../client/tools/mcp_package.ts";
import { type CreateSdkMcpServerOptions, ToolSet } from "../client/tools/tool_set.ts";

export { tool } from "../client/tool.ts";
export type {
  McpSdkServerConfig,
  McpSdkServerConfigWithInstance,
  McpServerInstance,
  McpServerToolPolicy,
} from "../core/options/mod.ts";
export type { CreateSdkMcpServerOptions } from "../client/tools/tool_set.ts";
export type {
  AnySchema,
  AnyZodRawShape,
  InferShape,
  InferToolInput,
  JsonSchemaObject,
  OptionalFields,
  SchemaOutput,
  SchemaShape,
  StandardTyped,
  ToolSchema,
  Zod3Typed,
} from "../client/tools/schema_types.ts";
export type {
  SdkMcpToolDefinition,
  ToolAnnotations,
  ToolContent,
  ToolExtra,
  ToolExtras,
  ToolResult,
  ToolReturn,
} from "../client/tools/tool_types.ts";

const PACKAGE: McpPackage = { McpServer, CallToolRequestSchema, ListToolsRequestSchema };
provideMcpPackage(PACKAGE);

/** An in-process server whose `McpServer` is there. */
export interface SdkMcpServerConfigWithMcpServer extends McpSdkServerConfigWithInstance {
  /** One object for all queries; they share it while any of them lasts. */
  instance: McpServer;
}

/**
 * Puts tools into an in-process MCP server, to be named in `options.mcpServers`. Resources, prompts and more tools may be
 * registered on its `instance`.
 *
 * @throws {OptionError} for tools that were not made by `tool()`, or share a name.
 */
export function createSdkMcpServer(options: CreateSdkMcpServerOptions): SdkMcpServerConfigWithMcpServer {
  const instance = new ToolSet(options).buildServer(PACKAGE);
  return { type: "sdk", name: options.name, instance };
}
