/** What answers the CLI's own requests: hooks, permissions, in-process MCP servers, elicitations and dialogs. */
import type { Clock } from "../../core/clock.ts";
import type { DiagnosticListener } from "../../core/diagnostics.ts";
import type { JsonObject } from "../../core/json.ts";
import type { ResolvedTimeouts } from "../../core/limits.ts";
import type { PermissionResult } from "../../core/options/mod.ts";
import type { InboundRequest, NO_ANSWER } from "../../core/protocol/mod.ts";

/** The parts of the `initialize` request that tell the CLI what it may ask of us. A part is absent when its option is. */
export interface InitializeParts {
  readonly hooks?: JsonObject;
  readonly sdkMcpServers?: string[];
  readonly sdkMcpServerConfigs?: JsonObject;
  readonly sdkMcpServerManifests?: JsonObject;
  readonly supportedDialogKinds?: string[];
}

/** What the handlers need from the query they belong to. */
export interface HandlersContext {
  readonly onDiagnostic: DiagnosticListener;
  readonly timeouts: ResolvedTimeouts;
  readonly clock: Clock;
  /** Sends a control request of ours and awaits its answer (what an in-process MCP server says unasked). */
  sendControl(subtype: string, fields: JsonObject): Promise<JsonObject | undefined>;
  /** Answers a request that was left open; false if it is gone. */
  respond(requestId: string, payload: JsonObject): Promise<boolean>;
}

/** Serves what the CLI asks during one query. */
export interface Handlers {
  /** True if anything may still be asked of us: any callback, any in-process server. */
  readonly asks: boolean;
  /** Serves one inbound control request. A thrown error becomes an error answer. */
  handle(request: InboundRequest): Promise<JsonObject | undefined | typeof NO_ANSWER>;
  /** What `initialize` must carry. In-process servers are asked for their tools within one budget for all (250 ms). */
  initializeFields(): Promise<InitializeParts>;
  /** Answers a permission request that its callback left open with `null`. False if it is gone. */
  answerPermission(requestId: string, result: PermissionResult): Promise<boolean>;
  /** Aborts what runs and ends every MCP session, in bounded time. Never rejects. */
  close(): Promise<void>;
}
