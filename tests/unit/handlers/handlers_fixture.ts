import { AbortSource } from "../../../src/core/abort_source.ts";
import type { Diagnostic } from "../../../src/core/diagnostics.ts";
import { isJsonObject, type JsonObject } from "../../../src/core/json.ts";
import { resolveTimeouts, type Timeouts } from "../../../src/core/limits.ts";
import { onAbort } from "../../../src/core/on_abort.ts";
import type { Options } from "../../../src/core/options/mod.ts";
import type { HandlerResult, InboundRequest, RequestId } from "../../../src/core/protocol/mod.ts";
import { createHandlers, type Handlers } from "../../../src/client/handlers/handlers.ts";
import type { TestContext } from "../../harness/suite.ts";
import { VirtualClock } from "../../harness/virtual_clock.ts";

/** Handlers without a connection: the test plays the CLI. */
export interface HandlersFixture {
  readonly handlers: Handlers;
  readonly clock: VirtualClock;
  readonly diagnostics: Diagnostic[];
  /** What was sent by `sendControl`. */
  readonly sent: { readonly subtype: string; readonly fields: JsonObject }[];
  /** What was answered by `respond`. */
  readonly responded: { readonly requestId: RequestId; readonly payload: JsonObject }[];
  /** Whether `respond` finds its request; default true. */
  isOpen: boolean;
  /** Asks as the CLI does. */
  ask(subtype: string, fields: JsonObject, settings?: AskSettings): Promise<HandlerResult>;
  /** Sends a JSON-RPC message to an in-process server and returns what is in the answer. */
  mcp(server: string, message: unknown, settings?: AskSettings): Promise<JsonObject>;
  /** Answers what was sent by `sendControl`. */
  onSend: (subtype: string, fields: JsonObject) => Promise<JsonObject | undefined>;
}

/** How a request comes. */
export interface AskSettings {
  readonly requestId?: RequestId | undefined;
  readonly signal?: AbortSignal;
}

/** Makes handlers; they are closed when the test is over. */
export function openHandlers(t: TestContext, options: Options, timeouts: Timeouts = {}): HandlersFixture {
  const clock = new VirtualClock();
  let count = 0;
  const ask: HandlersFixture["ask"] = async (subtype, fields, settings = {}) => {
    const requestId = "requestId" in settings ? settings.requestId : `req-${++count}`;
    return await fixture.handlers.handle(inboundRequest(requestId, { subtype, ...fields }, settings.signal));
  };
  const fixture: HandlersFixture = {
    clock,
    diagnostics: [],
    sent: [],
    responded: [],
    isOpen: true,
    onSend: () => Promise.resolve(undefined),
    ask,
    async mcp(server, message, settings) {
      const answer = await ask("mcp_message", { server_name: server, message: message as JsonObject }, settings);
      if (!isJsonObject(answer) || !isJsonObject(answer.mcp_response)) throw new Error("no mcp_response");
      return answer.mcp_response;
    },
    handlers: createHandlers(options, {
      clock,
      timeouts: resolveTimeouts(timeouts),
      onDiagnostic: (event) => fixture.diagnostics.push(event),
      sendControl: async (subtype, fields) => {
        fixture.sent.push({ subtype, fields });
        return await fixture.onSend(subtype, fields);
      },
      respond: (requestId, payload) => {
        if (fixture.isOpen) fixture.responded.push({ requestId, payload });
        return Promise.resolve(fixture.isOpen);
      },
    }),
  };
  t.cleanup(async () => {
    let closed = false;
    void fixture.handlers.close().then(() => closed = true);
    await Promise.resolve();
    // A tool of the test may hang: virtual time must not make the clean-up hang with it.
    while (!closed) await clock.pass(1_000);
  });
  return fixture;
}

/** A request as a connection hands it on; `signal` takes it back. */
export function inboundRequest(
  requestId: RequestId | undefined,
  fields: JsonObject,
  signal?: AbortSignal,
): InboundRequest {
  const source = new AbortSource();
  if (signal !== undefined) onAbort(signal, (reason) => source.abort(reason));
  return Object.assign(source, { requestId, subtype: String(fields.subtype), fields });
}

/** The messages with which an MCP client begins. */
export const INITIALIZE: JsonObject = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "claude-code", version: "2.1.332" } },
};

/** A call of a tool, as the CLI makes it. */
export function toolCall(id: number, name: string, args: unknown = {}): JsonObject {
  return {
    method: "tools/call",
    params: {
      name,
      arguments: args as JsonObject,
      _meta: { "claudecode/toolUseId": `toolu_${id}`, progressToken: id },
    },
    jsonrpc: "2.0",
    id,
  };
}
