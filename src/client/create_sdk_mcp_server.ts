import type { McpSdkServerConfigWithInstance } from "../core/options/mod.ts";
import { type CreateSdkMcpServerOptions, TOOL_SET, ToolSet } from "./tools/tool_set.ts";

/** A tool set as an entry of `options.mcpServers`. */
export type SdkMcpServerConfig = McpSdkServerConfigWithInstance;

/**
 * Puts tools into an in-process MCP server, to be named in `options.mcpServers`.
 *
 * The value may be used by any number of queries, also at the same time: each gets a server of its own. Its
 * `instance` throws until a query has connected; the package `@modelcontextprotocol/sdk` is loaded when it is first asked for.
 *
 * @throws {OptionError} for tools that were not made by `tool()`, or share a name.
 */
export function createSdkMcpServer(options: CreateSdkMcpServerOptions): SdkMcpServerConfig {
  const set = new ToolSet(options);
  const config = { type: "sdk", name: options.name, [TOOL_SET]: set };
  // Not enumerable, so that `{ ...server, timeout: 5000 }` does not ask for an instance that is not there yet.
  Object.defineProperty(config, "instance", { get: () => set.instance, enumerable: false });
  return config as unknown as SdkMcpServerConfig;
}
