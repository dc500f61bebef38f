import { ClaudeSDKError } from "../../core/errors/mod.ts";

/**
 * What is used of `@modelcontextprotocol/sdk`. Its types are named without `.js`, its modules with it: that is how its
 * `exports` have them.
 */
export interface McpPackage {
  /** The server class. */
  readonly McpServer: typeof import("@modelcontextprotocol/sdk/server/mcp").McpServer;
  /** Stands for `tools/list`. */
  readonly ListToolsRequestSchema: unknown;
  /** Stands for `tools/call`. */
  readonly CallToolRequestSchema: unknown;
}

let known: McpPackage | undefined;

/** Hands over the package, which whoever imports it eagerly has at hand. */
export function provideMcpPackage(loaded: McpPackage): void {
  known = loaded;
}

/** What is used of the global `process`, where there is one. */
interface Host {
  readonly process?: {
    getBuiltinModule?(name: "node:module"): { createRequire(from: string): (name: string) => Partial<McpPackage> };
  };
}

/**
 * The package, loaded at once if it was not yet, which takes about a tenth of a second: only when somebody asks for a server
 * itself. A getter cannot wait, so it is required, not imported.
 *
 * @throws {ClaudeSDKError} with the code `mcp_package_missing` if it cannot be loaded (it is an optional peer), or not in this
 * way: on an edge runtime, in a bundle, on Node before 20.16.
 */
export function mcpPackage(): McpPackage {
  if (known !== undefined) return known;
  try {
    const modules = (globalThis as Host).process?.getBuiltinModule?.("node:module");
    if (modules === undefined) throw new TypeError("this runtime loads nothing without waiting for it");
    const load = modules.createRequire(import.meta.url);
    const { McpServer } = load("@modelcontextprotocol/sdk/server/mcp.js");
    const { CallToolRequestSchema, ListToolsRequestSchema } = load("@modelcontextprotocol/sdk/types.js");
    return known = { McpServer: McpServer!, CallToolRequestSchema, ListToolsRequestSchema };
  } catch (cause) {
    throw new ClaudeSDKError(
      "mcp_package_missing",
      "The instance of an in-process MCP server needs the package @modelcontextprotocol/sdk, which could not be loaded here; " +
        "add it to your dependencies, or take createSdkMcpServer() from @tether/agent/mcp",
      { cause },
    );
  }
}
