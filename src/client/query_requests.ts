import type {
  AccountInfo,
  AgentInfo,
  McpPermissionModeOverrideResult,
  McpServerStatus,
  McpSetServersResult,
  ModelInfo,
  RewindFilesResult,
  SDKControlGetContextUsageResponse,
  SDKControlGetUsageResponse,
  SDKControlInitializeResponse,
  SDKControlInterruptResponse,
  SDKControlMcpReadResourceResponse,
  SDKControlReadFileResponse,
  SDKControlReloadOutputStylesResponse,
  SDKControlReloadPluginsResponse,
  SDKControlReloadSkillsResponse,
  SDKControlSetPermissionModeResponse,
} from "../core/control/mod.ts";
import { deferred } from "../core/deferred.ts";
import { ControlRequestError } from "../core/errors/mod.ts";
import type { JsonObject, JsonValue } from "../core/json.ts";
import type { OpenString, SlashCommand } from "../core/messages/mod.ts";
import type {
  McpServerConfig,
  PermissionMode,
  PermissionResult,
  SdkPluginConfig,
  Settings,
  ThinkingDisplay,
} from "../core/options/mod.ts";
import type { QueryLife } from "./query_life.ts";

/**
 * What can be asked of a running CLI. Each method is one control request; see `Query` for what it does. An argument that is
 * `undefined` is left out.
 */
export class QueryRequests {
  readonly #life: QueryLife;

  constructor(life: QueryLife) {
    this.#life = life;
  }

  // -- the session ----------------------------------------------------------------------------------------------------

  get sessionId(): Promise<string> {
    return this.#life.facts.id;
  }

  async interrupt(options: { readonly cancelQueued?: boolean } = {}): Promise<SDKControlInterruptResponse | undefined> {
    const engine = await this.#life.ready();
    // A text is certain to be sent: an interrupt that comes before it is meant for it.
    await this.#life.feed.textsBegun();
    return await engine.interrupt({ cancel_queued: options.cancelQueued }) as SDKControlInterruptResponse | undefined;
  }

  async setPermissionMode(mode: PermissionMode): Promise<SDKControlSetPermissionModeResponse> {
    const answer = await this.#life.ask("set_permission_mode", { mode });
    return { mode, ...answer } as SDKControlSetPermissionModeResponse;
  }

  async setModel(model?: string): Promise<void> {
    await this.#life.ask("set_model", { model });
  }

  async setMaxThinkingTokens(
    maxThinkingTokens: number | null,
    thinkingDisplay?: ThinkingDisplay | null,
  ): Promise<void> {
    await this.#life.ask("set_max_thinking_tokens", {
      max_thinking_tokens: maxThinkingTokens,
      thinking_display: thinkingDisplay,
    });
  }

  async applyFlagSettings(settings: { [Key in keyof Settings]?: Settings[Key] | null }): Promise<void> {
    await this.#life.ask("apply_flag_settings", { settings: json(settings) });
  }

  async updateSettings(source: OpenString<"localSettings">, settings: Settings): Promise<void> {
    await this.#life.ask("update_settings", { source, settings: json(settings) });
  }

  async answerPermission(requestId: string, result: PermissionResult): Promise<boolean> {
    await this.#life.live();
    return await this.#life.launch.handlers.answerPermission(requestId, result);
  }

  // -- what initialize said -------------------------------------------------------------------------------------------

  initializationResult(): Promise<SDKControlInitializeResponse> {
    return this.#life.facts.initialized;
  }

  reinitialize(): Promise<SDKControlInitializeResponse> {
    return this.#life.reinitialize();
  }

  supportedCommands(): Promise<SlashCommand[]> {
    return this.#life.facts.commands();
  }

  async supportedModels(): Promise<ModelInfo[]> {
    return (await this.initializationResult()).models ?? [];
  }

  async supportedAgents(): Promise<AgentInfo[]> {
    return (await this.initializationResult()).agents ?? [];
  }

  async accountInfo(): Promise<AccountInfo> {
    return (await this.initializationResult()).account ?? {};
  }

  // -- reports --------------------------------------------------------------------------------------------------------

  async getContextUsage(
    options: { readonly detail?: "summary" | "full" } = {},
  ): Promise<SDKControlGetContextUsageResponse> {
    return told(await this.#life.ask("get_context_usage", { detail: options.detail }));
  }

  async usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET(
    options: { readonly skipBehaviors?: boolean } = {},
  ): Promise<SDKControlGetUsageResponse> {
    return told(await this.#life.ask("get_usage", { skip_behaviors: options.skipBehaviors }));
  }

  // -- files ----------------------------------------------------------------------------------------------------------

  async readFile(
    path: string,
    options: { readonly maxBytes?: number; readonly encoding?: "utf-8" | "base64" } = {},
  ): Promise<SDKControlReadFileResponse | null> {
    try {
      const fields = { path, max_bytes: options.maxBytes, encoding: options.encoding };
      const answer = await this.#life.ask("read_file", fields);
      return answer === undefined ? null : told(answer);
    } catch (error) {
      // The CLI's refusal is an answer here; that there is no CLI any more is none.
      if (error instanceof ControlRequestError) return null;
      throw error;
    }
  }

  async rewindFiles(userMessageId: string, options: { readonly dryRun?: boolean } = {}): Promise<RewindFilesResult> {
    return told(
      await this.#life.ask("rewind_files", { user_message_id: userMessageId, dry_run: options.dryRun }),
    );
  }

  async seedReadState(path: string, mtime: number): Promise<void> {
    await this.#life.ask("seed_read_state", { path, mtime });
  }

  // -- loading anew ---------------------------------------------------------------------------------------------------

  async reloadPlugins(options: {
    readonly holdOnCacheImpact?: boolean;
    readonly addPlugins?: readonly SdkPluginConfig[];
    readonly refuseIfBusy?: boolean;
  } = {}): Promise<SDKControlReloadPluginsResponse> {
    return told(
      await this.#life.ask("reload_plugins", {
        hold_on_cache_impact: options.holdOnCacheImpact,
        add_plugins: json(options.addPlugins),
        refuse_if_busy: options.refuseIfBusy,
      }),
    );
  }

  async reloadSkills(): Promise<SDKControlReloadSkillsResponse> {
    return told(await this.#life.ask("reload_skills"));
  }

  async reloadOutputStyles(): Promise<SDKControlReloadOutputStylesResponse> {
    return told(await this.#life.ask("reload_output_styles"));
  }

  // -- MCP servers ----------------------------------------------------------------------------------------------------

  async mcpServerStatus(): Promise<McpServerStatus[]> {
    return told<{ mcpServers?: McpServerStatus[] | null }>(await this.#life.ask("mcp_status")).mcpServers ?? [];
  }

  async setMcpServers(servers: Readonly<Record<string, McpServerConfig>>): Promise<McpSetServersResult> {
    const { handlers } = this.#life.launch;
    await handlers.prepareMcpServers(servers);
    const engine = await this.#life.ready();
    const taken = deferred<boolean>();
    try {
      // What they were and what the CLI is told of them change in one go.
      const fields = { servers: handlers.setMcpServers(servers, taken.promise) };
      const answer = await engine.request("mcp_set_servers", fields);
      taken.resolve(true);
      return { added: [], removed: [], errors: {}, ...answer } as McpSetServersResult;
    } catch (error) {
      // Refused as a whole, nothing has changed for the CLI; of an answer that never came nobody knows.
      taken.resolve(!(error instanceof ControlRequestError));
      throw error;
    }
  }

  async reconnectMcpServer(serverName: string): Promise<void> {
    await this.#life.ask("mcp_reconnect", { serverName });
  }

  async toggleMcpServer(serverName: string, enabled: boolean): Promise<void> {
    await this.#life.ask("mcp_toggle", { serverName, enabled });
  }

  async readMcpResource(serverName: string, uri: string): Promise<SDKControlMcpReadResourceResponse> {
    return told(await this.#life.ask("mcp_read_resource", { serverName, uri }));
  }

  async setMcpPermissionModeOverride(
    serverName: string,
    mode: "default" | "auto" | null,
  ): Promise<McpPermissionModeOverrideResult> {
    return told(await this.#life.ask("set_mcp_permission_mode_override", { serverName, mode }));
  }

  // -- tasks ----------------------------------------------------------------------------------------------------------

  async stopTask(taskId: string): Promise<void> {
    await this.#life.ask("stop_task", { task_id: taskId });
  }

  async backgroundTasks(toolUseId?: string): Promise<boolean> {
    const answer = await this.#life.ask("background_tasks", { tool_use_id: toolUseId });
    return answer?.backgrounded !== false;
  }
}

/** A payload as what the protocol says it is. One that is missing tells nothing. */
function told<T>(payload: JsonObject | undefined): T {
  return (payload ?? {}) as unknown as T;
}

/** What has a type of its own, as what it is on the wire. */
function json(value: unknown): JsonValue | undefined {
  return value as JsonValue | undefined;
}
