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
import { SDKClient } from "./src/client/client.ts";
import { type SpareProcess, startSpare } from "./src/client/prewarm.ts";
import { type QueryParams, startQuery } from "./src/client/query.ts";
import type { Query } from "./src/client/query_interface.ts";
import type { Options } from "./src/core/options/mod.ts";
import { type StartupParams, startWarm, type WarmQuery } from "./src/client/startup.ts";
import { detectRuntime } from "./src/runtime/detect.ts";
import type { ResolvedSettings, ResolveSettingsOptions } from "./src/settings/resolved_settings.ts";

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

/**
 * Starts a CLI before there is a prompt, and settles when it is ready for one: a query on it begins without the time a
 * start takes.
 *
 * Rejects when the process is gone: with what `query()` would reject its loop with, a `ControlTimeoutError` (its cause says
 * how far the start had come) or the reason of an abort.
 *
 * ```ts
 * import { startup } from "@tether/agent";
 *
 * const warm = await startup({ options: { model: "opus" } });
 * for await (const message of warm.query("What is in this folder?")) console.log(message.type);
 * ```
 */
export async function startup(params: StartupParams = {}): Promise<WarmQuery> {
  return await startWarm(params, { runtime: detectRuntime });
}

/**
 * Starts a CLI before there is a prompt or a folder, and settles when it can be claimed for both. Without `options.cwd` it
 * waits in an empty private folder, which is removed when it is gone.
 *
 * Rejects like {@linkcode startup}, and with an `OptionError` for options that describe a session (`resume`, `continue`,
 * `forkSession`).
 */
export async function prewarm(params: StartupParams = {}): Promise<SpareProcess> {
  return await startSpare(params, { runtime: detectRuntime });
}

/**
 * A session that is asked one thing after another: connect, query, receive, as often as you like, and disconnect.
 *
 * ```ts
 * import { ClaudeSDKClient } from "@tether/agent";
 *
 * const client = new ClaudeSDKClient({ model: "opus" });
 * await client.connect();
 * await client.query("What is in this folder?");
 * for await (const message of client.receiveResponse()) console.log(message.type);
 * await client.disconnect();
 * ```
 */
export class ClaudeSDKClient extends SDKClient {
  /** Starts nothing yet. @throws {OptionError} for options that cannot work. */
  constructor(options: Options = {}) {
    super(options, { runtime: detectRuntime });
  }
}

/**
 * Tells which settings are in effect in a folder, and where each comes from: the user's, the project's and the machine's
 * files are read as the CLI reads them, without starting it. Needs the right to read those files, and nothing else.
 *
 * ```ts
 * import { resolveSettings } from "@tether/agent";
 *
 * const { effective, provenance } = await resolveSettings({ cwd: "/srv/project" });
 * console.log(effective.model, provenance.model?.source);
 * ```
 *
 * @throws {OptionError} for options that cannot work.
 */
export async function resolveSettings(options: ResolveSettingsOptions = {}): Promise<ResolvedSettings> {
  // Its tables are large, and most programs do without.
  const { resolveSettingsOn } = await import("./src/settings/resolve_settings.ts");
  return await resolveSettingsOn(await detectRuntime(), options);
}

export type { ClaimOptions, SpareClaim } from "./src/client/claim.ts";
export type { SDKClient } from "./src/client/client.ts";
export type { SDKClientRequests } from "./src/client/client_requests.ts";
export type { ClaimParams, SpareProcess } from "./src/client/prewarm.ts";
export type { StartupParams, WarmQuery } from "./src/client/startup.ts";
export type { InterruptReceipt, Query } from "./src/client/query_interface.ts";
export type { QueryParams } from "./src/client/query.ts";
export type { Prompt } from "./src/client/prompt_source.ts";
export { allowAlways, type AllowScope } from "./src/client/allow_always.ts";
export { createSdkMcpServer, type SdkMcpServerConfig } from "./src/client/create_sdk_mcp_server.ts";
export { tool } from "./src/client/tool.ts";
export type * from "./src/client/tools/schema_types.ts";
export type { CreateSdkMcpServerOptions } from "./src/client/tools/tool_set.ts";
export type * from "./src/client/tools/tool_types.ts";
export type { Clock } from "./src/core/clock.ts";
export type { Diagnostic, DiagnosticKind, DiagnosticListener, DiagnosticOf } from "./src/core/diagnostics.ts";
export type * from "./src/core/control/mod.ts";
export * from "./src/core/errors/mod.ts";
export { isJsonObject, type JsonObject, type JsonValue } from "./src/core/json.ts";
export type { Limits, Timeouts } from "./src/core/limits.ts";
export * from "./src/core/messages/mod.ts";
export * from "./src/core/options/mod.ts";
export type { ExitStatus, SpawnFailure } from "./src/core/runtime.ts";
export * from "./src/sessions/mod.ts";
export { type DeniedModelsMatch, matchDeniedModels } from "./src/settings/denied_models.ts";
export { filterEscalatingDefaultMode } from "./src/settings/escalating_mode.ts";
export type * from "./src/settings/resolved_settings.ts";
