import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp";
import { ClaudeSDKError, OptionError } from "../../core/errors/mod.ts";
import type { JsonObject } from "../../core/json.ts";
import { installTools } from "./install_tools.ts";
import type { McpPackage } from "./mcp_package.ts";
import { prepareSchema } from "./prepare_schema.ts";
import type { PreparedTool } from "./tool_call.ts";
import type { SdkMcpToolDefinition } from "./tool_types.ts";
import { unsendablePlace } from "./unsendable_place.ts";

/** Settings of an in-process MCP server. */
export interface CreateSdkMcpServerOptions {
  /** Its tools are named `mcp__<name>__<tool>`, unless the query lists it under another name. */
  name: string;
  /** Default `1.0.0`. */
  version?: string | undefined;
  /** What the model is told about the server. */
  instructions?: string | undefined;
  /** Made by `tool()`. Names must differ. */
  tools?: readonly SdkMcpToolDefinition<unknown>[] | undefined;
  /** All tools are in the prompt from the start, not found by search. */
  alwaysLoad?: boolean | undefined;
}

/** A connection of a query's to a tool set. */
export interface ConnectedTools {
  /** The server behind it, made if there is none yet. @throws {ClaudeSDKError} `mcp_package_missing`. */
  server(): McpServer;
}

/** Where a server config keeps its tool set. Registered, so that copies of this module know each other's. */
export const TOOL_SET: unique symbol = Symbol.for("tether.toolSet") as never;

/** Tools as a value: it holds no connection, so any number of queries may use it at once. */
export class ToolSet {
  readonly #options: CreateSdkMcpServerOptions;
  readonly #definitions: readonly SdkMcpToolDefinition[];
  #prepared: Promise<ReadonlyMap<string, PreparedTool>> | undefined;
  #latest: ConnectedTools | undefined;

  /** @throws {OptionError} for tools without a name, or with the same. */
  constructor(options: CreateSdkMcpServerOptions) {
    const { name, tools = [] } = options;
    if (typeof name !== "string" || name === "") throw new OptionError("name", "of an MCP server must be a word");
    const names = new Set<string>();
    for (const tool of tools) {
      if (typeof tool?.name !== "string" || tool.name === "" || typeof tool.handler !== "function") {
        throw new OptionError("tools", `of MCP server "${name}" must be made by tool()`);
      }
      if (names.has(tool.name)) {
        throw new OptionError("tools", `of MCP server "${name}" has two of the name "${tool.name}"`);
      }
      names.add(tool.name);
    }
    this.#options = options;
    this.#definitions = tools as readonly SdkMcpToolDefinition[];
  }

  /**
   * The server that a query is connected to, the latest if there are several. It is made when it is asked for.
   *
   * @throws {ClaudeSDKError} with the code `not_connected` without a query, `mcp_package_missing` without the package.
   */
  get instance(): McpServer {
    if (this.#latest !== undefined) return this.#latest.server();
    throw new ClaudeSDKError(
      "not_connected",
      `MCP server "${this.#options.name}" has no instance before a query has connected to it`,
    );
  }

  /** Tells what a query has connected to. */
  connected(latest: ConnectedTools): void {
    this.#latest = latest;
  }

  /** How the server introduces itself. */
  get identity(): JsonObject {
    const { name, version = "1.0.0", instructions } = this.#options;
    return { serverInfo: { name, version }, ...(instructions ? { instructions } : {}) };
  }

  /**
   * Gets ready what is needed to list and call the tools, and returns them by name.
   *
   * @throws {OptionError} for a schema that cannot be listed.
   */
  prepare(): Promise<ReadonlyMap<string, PreparedTool>> {
    // Kept, also when it fails: a schema that cannot be listed does not become one that can.
    this.#prepared ??= Promise.all(this.#definitions.map((definition) => prepareTool(definition)))
      .then((tools) => new Map(tools.map((tool) => [tool.definition.name, tool])));
    return this.#prepared;
  }

  /** A new server with these tools, not connected yet. A schema that cannot be listed shows when the tools are listed. */
  buildServer(mcp: McpPackage): McpServer {
    const { name, version = "1.0.0", instructions } = this.#options;
    const server = new mcp.McpServer({ name, version }, instructions === undefined ? {} : { instructions });
    if (this.#definitions.length > 0) installTools(server, this, mcp);
    return server;
  }

  /** Tools as a list of tools has them. */
  list(tools: ReadonlyMap<string, PreparedTool>): JsonObject[] {
    return [...tools.values()].map((tool) => this.#listed(tool));
  }

  #listed({ definition, input, output }: PreparedTool): JsonObject {
    const { name, title, description, annotations } = definition;
    const alwaysLoad = this.#options.alwaysLoad === true ? { "anthropic/alwaysLoad": true } : {};
    const meta = { ...alwaysLoad, ...definition._meta };
    return {
      name,
      ...(title === undefined ? {} : { title }),
      description,
      inputSchema: input.json,
      ...(output === undefined ? {} : { outputSchema: output.json }),
      ...(annotations === undefined ? {} : { annotations: annotations as JsonObject }),
      ...(Object.keys(meta).length === 0 ? {} : { _meta: meta as JsonObject }),
    };
  }
}

async function prepareTool(definition: SdkMcpToolDefinition): Promise<PreparedTool> {
  const { name, inputSchema, outputSchema, annotations, _meta } = definition;
  for (const [field, value] of Object.entries({ annotations, _meta })) {
    const unsendable = unsendablePlace(value, field);
    if (unsendable !== undefined) throw new OptionError(`${field} of tool "${name}"`, `cannot be sent: ${unsendable}`);
  }
  return {
    definition,
    input: await prepareSchema(inputSchema, "input", `inputSchema of tool "${name}"`),
    output: outputSchema === undefined
      ? undefined
      : await prepareSchema(outputSchema, "output", `outputSchema of tool "${name}"`),
  };
}
