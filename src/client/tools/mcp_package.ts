import { ClaudeSDKError } from "../../core/errors/mod.ts";
import { missingPeer } from "./missing_peer.ts";

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

/**
 * Loads the package, which takes about a tenth of a second: only when a server is needed.
 *
 * @throws {ClaudeSDKError} with the code `mcp_package_missing` if it cannot be loaded: it is an optional peer.
 */
export async function loadMcpPackage(): Promise<McpPackage> {
  try {
    const [{ McpServer }, { CallToolRequestSchema, ListToolsRequestSchema }] = await Promise.all([
      import("@modelcontextprotocol/sdk/server/mcp.js").catch(missingPeer),
      import("@modelcontextprotocol/sdk/types.js").catch(missingPeer),
    ]);
    return { McpServer, CallToolRequestSchema, ListToolsRequestSchema };
  } catch (cause) {
    throw new ClaudeSDKError(
      "mcp_package_missing",
      "In-process MCP servers need the package @modelcontextprotocol/sdk, which could not be loaded; add it to your " +
        "dependencies",
      { cause },
    );
  }
}
