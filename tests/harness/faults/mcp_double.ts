/** An MCP server in this program with one tool, made by hand: no package is needed where there are none. */
import { isJsonObject, type JsonObject } from "../../../src/core/json.ts";
import type { McpServerInstance } from "../../../src/core/options/mcp_servers.ts";

interface Link {
  onmessage?: (message: JsonObject) => void;
  send(message: JsonObject): Promise<void>;
  close(): Promise<void>;
}

/** The tool: resolves to its text; its signal aborts when the call is cancelled, or the server closed. */
export type DoubleTool = (signal: AbortSignal) => Promise<string>;

/** Makes the server. */
export function mcpDouble(tool: DoubleTool): McpServerInstance {
  let link: Link | undefined;
  const calls = new Map<unknown, AbortController>();
  const answer = async (request: JsonObject): Promise<JsonObject> => {
    switch (request.method) {
      case "initialize":
        return {
          protocolVersion: isJsonObject(request.params) ? request.params.protocolVersion! : "",
          capabilities: { tools: {} },
          serverInfo: { name: "double", version: "1" },
        };
      case "tools/list":
        return { tools: [{ name: "work", inputSchema: { type: "object" } }] };
      default: {
        const controller = new AbortController();
        calls.set(request.id, controller);
        const text = await tool(controller.signal);
        calls.delete(request.id);
        return { content: [{ type: "text", text }] };
      }
    }
  };
  return {
    connect(transport: never) {
      const connected: Link = link = transport;
      connected.onmessage = (message) => {
        if (message.method === "notifications/cancelled" && isJsonObject(message.params)) {
          calls.get(message.params.requestId)?.abort();
        } else if (message.id !== undefined) {
          void answer(message).then((result) => connected.send({ jsonrpc: "2.0", id: message.id!, result }));
        }
      };
      return Promise.resolve();
    },
    async close() {
      for (const controller of calls.values()) controller.abort();
      await link?.close();
    },
  };
}
