/** What answers the CLI's own requests: hooks, permissions, in-process MCP servers, elicitations and dialogs. */
import type { Clock } from "../../core/clock.ts";
import type { DiagnosticListener } from "../../core/diagnostics.ts";
import type { JsonObject } from "../../core/json.ts";
import type { ResolvedTimeouts } from "../../core/limits.ts";
import type { McpServerConfig, Options, PermissionResult } from "../../core/options/mod.ts";
import {
  type HandlerResult,
  type InboundRequest,
  NEVER_ANSWERED,
  type RequestId,
  UnsupportedRequestError,
} from "../../core/protocol/mod.ts";
import type { Tracing } from "../tracing/tracing.ts";
import { CallScope } from "./call_scope.ts";
import { ElicitationHandlers } from "./elicitation.ts";
import { HookHandlers } from "./hooks.ts";
import { McpHandlers } from "./mcp.ts";
import { PermissionHandlers } from "./permissions.ts";

/** The parts of the `initialize` request that tell the CLI what it may ask of us. A part is absent when its option is. */
export interface InitializeParts {
  /** Callback ids by event and matcher. */
  readonly hooks?: JsonObject;
  /** Names of the in-process servers. */
  readonly sdkMcpServers?: string[];
  /** Their `timeout` and `tools`, for those that have any. */
  readonly sdkMcpServerConfigs?: JsonObject;
  /** What a handshake with them gave, for those that were ready in time. */
  readonly sdkMcpServerManifests?: JsonObject;
  /** As in the options. */
  readonly supportedDialogKinds?: string[];
}

/** What the handlers need from the query they belong to. */
export interface HandlersContext {
  /** Hears of callbacks that failed. Must not throw (see `guardedListener`). */
  readonly onDiagnostic: DiagnosticListener;
  /** `permissionMs` is the one that counts here. */
  readonly timeouts: ResolvedTimeouts;
  /** What deadlines are measured by. */
  readonly clock: Clock;
  /** What calls are traced by, once the query has started. Default: nothing. */
  tracing?(): Tracing;
  /** Sends a control request of ours and awaits its answer (what an in-process MCP server says unasked). */
  sendControl(subtype: string, fields: JsonObject): Promise<JsonObject | undefined>;
  /** Answers a request that was left open; false if it is gone. */
  respond(requestId: RequestId, payload: JsonObject): Promise<boolean>;
  /** Hears that an answer of ours stops the running turn: its result is then what was wanted. */
  interrupts?(): void;
}

/** Serves what the CLI asks during one query. */
export interface Handlers {
  /** True if anything may still be asked of us: any callback, any in-process server. */
  readonly asks: boolean;
  /** Serves one inbound control request. A thrown error becomes an error answer. */
  handle(request: InboundRequest): Promise<HandlerResult>;
  /**
   * What `initialize` must carry. In-process servers are asked for their tools within one budget for all (250 ms).
   * Rejects for tools that cannot work: a schema that cannot be listed, the MCP package missing.
   */
  initializeFields(): Promise<InitializeParts>;
  /** Answers a permission request that its callback left open with `null`. False if it is gone. */
  answerPermission(requestId: string, result: PermissionResult): Promise<boolean>;
  /**
   * Looks whether servers can be set, and readies the tools of in-process ones. Changes nothing.
   * Rejects with an `OptionError` for a server that is none, or has a tool that cannot be listed.
   */
  prepareMcpServers(servers: Readonly<Record<string, McpServerConfig>>): Promise<void>;
  /**
   * Replaces all servers of this program, before `mcp_set_servers` is sent. Returns its `servers` field: in-process ones
   * reduced to their settings. Those that were there go when `taken` says that the CLI agreed (default: at once); if it did
   * not, they stay.
   */
  setMcpServers(servers: Readonly<Record<string, McpServerConfig>>, taken?: Promise<boolean>): JsonObject;
  /** Aborts what runs and ends every MCP session, in bounded time. Never rejects. */
  close(): Promise<void>;
}

/** Requests the CLI puts to other kinds of host, and goes on without an answer to (CLI 2.1.332). */
const LEFT_UNANSWERED: ReadonlySet<string> = new Set([
  "remote_tool_call",
  "remote_plumbing_call",
  "remote_tools_probe",
  "remote_tools_reannounce",
]);

/**
 * Makes the handlers of one query.
 *
 * @throws {OptionError} for hooks that are no lists of callbacks, and in-process servers whose instance is none.
 */
export function createHandlers(options: Options, context: HandlersContext): Handlers {
  const calls = new CallScope(context.clock);
  const hooks = new HookHandlers(options, calls, context);
  const permissions = new PermissionHandlers(options, calls, context);
  const elicitation = new ElicitationHandlers(options, calls, context.onDiagnostic);
  const mcp = new McpHandlers(options, context);
  const hasHooks = hooks.config !== undefined && Object.keys(options.hooks ?? hooks.config).length > 0;
  const served: ReadonlyMap<string, (request: InboundRequest) => HandlerResult | Promise<HandlerResult>> = new Map([
    ["hook_callback", (request) => hooks.handle(request)],
    ["can_use_tool", (request) => permissions.handle(request)],
    ["mcp_message", (request) => mcp.handle(request)],
    ["elicitation", (request) => elicitation.elicit(request)],
    ["request_user_dialog", (request) => elicitation.showDialog(request)],
  ]);
  return {
    get asks() {
      return hasHooks || permissions.asks || elicitation.asks || mcp.asks;
    },
    async handle(request) {
      const serve = served.get(request.subtype);
      if (serve !== undefined) return await serve(request);
      if (LEFT_UNANSWERED.has(request.subtype)) return NEVER_ANSWERED;
      throw new UnsupportedRequestError(request.subtype);
    },
    async initializeFields() {
      const { supportedDialogKinds } = options;
      return {
        ...(hooks.config === undefined ? {} : { hooks: hooks.config }),
        ...await mcp.initializeParts(),
        ...(supportedDialogKinds === undefined ? {} : { supportedDialogKinds: [...supportedDialogKinds] }),
      };
    },
    answerPermission: (requestId, result) => permissions.answer(requestId, result),
    prepareMcpServers: (servers) => mcp.prepare(servers),
    setMcpServers: (servers, taken) => mcp.setServers(servers, taken),
    async close() {
      permissions.close();
      calls.close();
      await mcp.close();
    },
  };
}
