/**
 * Tether: drive the `claude` command line from Deno, Bun and Node.
 *
 * Importing this module starts nothing, needs no permission and changes nothing in the host. What belongs to a runtime is
 * loaded when a query first has to start a process.
 *
 * ```ts
 * import { query } from "@tether/agent";
 *
 * for await (const message of query({ prompt: "What is in this folder?" })) {
 *   if (message.type === "result") console.log(message.subtype);
 * }
 * ```
 *
 * @module
 */
import { type QueryParams, startQuery } from "./src/client/query.ts";
import type { Query } from "./src/client/query_interface.ts";
import { detectRuntime } from "./src/runtime/detect.ts";

/**
 * Starts a conversation with the CLI.
 *
 * The process is started at once, also if nobody reads. Everything that fails after this call rejects the loop: a CLI that
 * is not found (`CLINotFoundError`), that will not start or leaves early (`ProcessError`), an error result followed by a
 * failure code (`ResultError`).
 *
 * @throws {OptionError} for a prompt or options that cannot work, before anything is started.
 */
export function query(params: QueryParams): Query {
  return startQuery(params, { runtime: detectRuntime });
}

export type { InterruptReceipt, Query } from "./src/client/query_interface.ts";
export type { QueryParams } from "./src/client/query.ts";
export type { Prompt } from "./src/client/prompt_source.ts";
export { allowAlways, type AllowScope } from "./src/client/allow_always.ts";
export { createSdkMcpServer, type SdkMcpServerConfig } from "./src/client/create_sdk_mcp_server.ts";
export { tool } from "./src/client/tool.ts";
export type * from "./src/client/tools/schema_types.ts";
export type { CreateSdkMcpServerOptions } from "./src/client/tools/tool_set.ts";
export type * from "./src/client/tools/tool_types.ts";
export type { Diagnostic, DiagnosticListener } from "./src/core/diagnostics.ts";
export type * from "./src/core/control/mod.ts";
export * from "./src/core/errors/mod.ts";
export { isJsonObject, type JsonObject, type JsonValue } from "./src/core/json.ts";
export type { Limits, Timeouts } from "./src/core/limits.ts";
export * from "./src/core/messages/mod.ts";
export * from "./src/core/options/mod.ts";
export type { ExitStatus, SpawnFailure } from "./src/core/runtime.ts";
export * from "./src/sessions/mod.ts";
