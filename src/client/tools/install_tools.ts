import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp";
import { AbortSource } from "../../core/abort_source.ts";
import { systemClock } from "../../core/clock.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../core/json.ts";
import { onAbort } from "../../core/on_abort.ts";
import { McpLink } from "../handlers/mcp_link.ts";
import { toDraft2020 } from "./json_schema_2020.ts";
import type { McpPackage } from "./mcp_package.ts";
import { callMeta, callTool, type PreparedTool } from "./tool_call.ts";
import { errorResult } from "./tool_result.ts";
import type { ToolSet } from "./tool_set.ts";

/** What a server hands a request handler, as much as is used. */
interface RequestExtra {
  readonly signal: AbortSignal;
  readonly requestId: string | number;
  sendNotification(notification: never): Promise<void>;
}

type RequestHandler = (request: { method: string; params?: unknown }, extra: RequestExtra) => unknown;

/** As much of the package's `Server` as is used, without its many type parameters. */
interface PlainServer {
  readonly transport?: unknown;
  setRequestHandler(schema: unknown, handler: RequestHandler): void;
  fallbackRequestHandler?: RequestHandler;
}

/**
 * Makes a tool set the tools of a server, beside those the user may register on it.
 *
 * They are served by the server's fallback handler. The regular ones check every result against a strict schema, which
 * costs half the time of a call and drops what that schema does not know; here results pass as they are.
 */
export function installTools(mcp: McpServer, set: ToolSet, schemas: McpPackage): void {
  const server = mcp.server as unknown as PlainServer;
  const registered: { list?: RequestHandler; call?: RequestHandler } = {};
  const setRequestHandler = server.setRequestHandler.bind(server);
  server.setRequestHandler = (schema, handler) => {
    if (schema === schemas.ListToolsRequestSchema) registered.list = handler;
    else if (schema === schemas.CallToolRequestSchema) registered.call = handler;
    else setRequestHandler(schema, handler);
  };
  // Makes the server declare the capability and take its own handlers to us while that is still allowed: before it connects.
  mcp.registerTool("tether", {}, () => ({ content: [] })).remove();
  server.fallbackRequestHandler = async (request, extra) => {
    if (request.method === "tools/list") {
      return { tools: await listed(request, extra) };
    }
    if (request.method === "tools/call") return await called(request, extra);
    throw Object.assign(new Error("Method not found"), { code: -32601 });
  };

  async function listed(request: { method: string }, extra: RequestExtra): Promise<JsonObject[]> {
    return [...set.list(await set.prepare()), ...(await others(request, extra)).map(withPlainSchemas)];
  }

  /** What the user has registered on the server. */
  async function others(request: { method: string }, extra: RequestExtra): Promise<JsonObject[]> {
    const { tools } = await (registered.list?.(request, extra) ?? { tools: [] }) as { tools: JsonObject[] };
    return tools;
  }

  async function called(request: { method: string; params?: unknown }, extra: RequestExtra): Promise<unknown> {
    const params = isJsonObject(request.params) ? request.params : {};
    const tool = (await set.prepare()).get(String(params.name));
    if (tool !== undefined) return await run(tool, params, extra);
    const isOther = (await others(request, extra)).some(({ name }) => name === params.name);
    return isOther ? await registered.call?.(request, extra) : errorResult(`Unknown tool: ${String(params.name)}`);
  }

  function run(tool: PreparedTool, params: JsonObject, extra: RequestExtra): Promise<unknown> {
    const link = server.transport instanceof McpLink ? server.transport : undefined;
    const ourId = Number(extra.requestId);
    let handlerRun: Promise<unknown> | undefined;
    let listens = false;
    const by = new AbortSource();
    onAbort(extra.signal, (reason) => by.abort(reason));
    const answer = callTool(tool, {
      args: params.arguments,
      by,
      meta: callMeta(params),
      clock: link?.clock ?? systemClock,
      sendNotification: (notification) => extra.sendNotification(notification as never),
      failed: (cause) =>
        link?.report(ourId, { kind: "callback_failed", callback: `tool ${tool.definition.name}`, gate: false, cause }),
      began: (run) => handlerRun = run,
      listens: () => listens = true,
    });
    // A call that was taken back is over at once for its caller; its id and the close wait for the handler.
    link?.track(ourId, answer.catch(() => {}).then(() => handlerRun), () => listens);
    return answer;
  }
}

function withPlainSchemas(tool: JsonObject): JsonObject {
  const plain = (schema: JsonValue | undefined): JsonValue | undefined =>
    schema === undefined ? undefined : toDraft2020(schema);
  const { inputSchema, outputSchema } = tool;
  return {
    ...tool,
    inputSchema: plain(inputSchema),
    ...(outputSchema === undefined ? {} : { outputSchema: plain(outputSchema) }),
  };
}
