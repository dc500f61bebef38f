import { isJsonObject, type JsonObject } from "../../core/json.ts";
import type { McpSession } from "./mcp_session.ts";

/** The version the CLI (2.1.332) takes manifests in; with any other it does the handshake itself. */
export const MANIFEST_PROTOCOL_VERSION = "2025-11-25";

/**
 * Does the handshake with a server in the CLI's name, so that the CLI need not: the raw results of `initialize` and
 * `tools/list`. Undefined for a server without tools, or one that answers in another version.
 */
export async function captureManifest(session: McpSession): Promise<JsonObject | undefined> {
  const { value, listChanged } = await session.muted(async () => {
    const initializeResult = await session.ask("initialize", {
      protocolVersion: MANIFEST_PROTOCOL_VERSION,
      capabilities: {},
      clientInfo: { name: "claude-code", version: "2.1.332" },
    });
    const { protocolVersion, capabilities } = initializeResult;
    if (protocolVersion !== MANIFEST_PROTOCOL_VERSION) return undefined;
    if (!isJsonObject(capabilities) || capabilities.tools === undefined) return undefined;
    await session.tell("notifications/initialized");
    return { initializeResult, toolsListResult: await session.ask("tools/list", {}) };
  });
  if (value === undefined) return undefined;
  const { initializeResult, toolsListResult } = value;
  // Half a list, or one that is out of date, is worse than none: the CLI then asks for it.
  const isWhole = toolsListResult.nextCursor === undefined && !listChanged;
  return isWhole ? { initializeResult, toolsListResult } : { initializeResult };
}
