import type { McpServerStatus, SDKControlInitializeResponse } from "../core/control/mod.ts";
import type { Query } from "./query_interface.ts";

/**
 * What can be asked of the session of a client: everything a {@linkcode Query} offers, under the same names, and the names of
 * the Python SDK where they differ. Each method rejects with a `CLIConnectionError`, code `not_connected`, if there is none.
 */
export class SDKClientRequests {
  readonly #query: () => Query;

  /** Made by the client. `query` gives the query of the session, or throws. */
  constructor(query: () => Query) {
    this.#query = query;
  }

  /** What the CLI answered to `initialize`: commands, models, account, version. Sends nothing. */
  async getServerInfo(): Promise<SDKControlInitializeResponse> {
    return await this.#query().initializationResult();
  }

  /** How each MCP server stands, in an object as in the Python SDK. */
  async getMcpStatus(): Promise<{ mcpServers: McpServerStatus[] }> {
    return { mcpServers: await this.#query().mcpServerStatus() };
  }

  /** The id of the session. See {@linkcode Query.sessionId}. */
  get sessionId(): Promise<string> {
    return (async () => await this.#query().sessionId)();
  }

  // -- the session ------------------------------------------------------------------------------------------------------

  /** Stops the running turn. See {@linkcode Query.interrupt}. */
  async interrupt(...args: Parameters<Query["interrupt"]>): ReturnType<Query["interrupt"]> {
    return await this.#query().interrupt(...args);
  }

  /** Switches the permission mode. See {@linkcode Query.setPermissionMode}. */
  async setPermissionMode(...args: Parameters<Query["setPermissionMode"]>): ReturnType<Query["setPermissionMode"]> {
    return await this.#query().setPermissionMode(...args);
  }

  /** Switches the model. See {@linkcode Query.setModel}. */
  async setModel(...args: Parameters<Query["setModel"]>): ReturnType<Query["setModel"]> {
    return await this.#query().setModel(...args);
  }

  /** How many tokens the model may think. See {@linkcode Query.setMaxThinkingTokens}. */
  async setMaxThinkingTokens(
    ...args: Parameters<Query["setMaxThinkingTokens"]>
  ): ReturnType<Query["setMaxThinkingTokens"]> {
    return await this.#query().setMaxThinkingTokens(...args);
  }

  /** Lays settings over those of the start. See {@linkcode Query.applyFlagSettings}. */
  async applyFlagSettings(...args: Parameters<Query["applyFlagSettings"]>): ReturnType<Query["applyFlagSettings"]> {
    return await this.#query().applyFlagSettings(...args);
  }

  /** Writes settings into a file. See {@linkcode Query.updateSettings}. */
  async updateSettings(...args: Parameters<Query["updateSettings"]>): ReturnType<Query["updateSettings"]> {
    return await this.#query().updateSettings(...args);
  }

  /** Answers a question that `canUseTool` left open. See {@linkcode Query.answerPermission}. */
  async answerPermission(...args: Parameters<Query["answerPermission"]>): ReturnType<Query["answerPermission"]> {
    return await this.#query().answerPermission(...args);
  }

  // -- what the CLI has said --------------------------------------------------------------------------------------------

  /** The same as {@linkcode SDKClientRequests.getServerInfo}. */
  async initializationResult(
    ...args: Parameters<Query["initializationResult"]>
  ): ReturnType<Query["initializationResult"]> {
    return await this.#query().initializationResult(...args);
  }

  /** Asks the CLI to initialize once more. See {@linkcode Query.reinitialize}. */
  async reinitialize(...args: Parameters<Query["reinitialize"]>): ReturnType<Query["reinitialize"]> {
    return await this.#query().reinitialize(...args);
  }

  /** Slash commands there are. See {@linkcode Query.supportedCommands}. */
  async supportedCommands(...args: Parameters<Query["supportedCommands"]>): ReturnType<Query["supportedCommands"]> {
    return await this.#query().supportedCommands(...args);
  }

  /** Models there are. See {@linkcode Query.supportedModels}. */
  async supportedModels(...args: Parameters<Query["supportedModels"]>): ReturnType<Query["supportedModels"]> {
    return await this.#query().supportedModels(...args);
  }

  /** Subagents there are. See {@linkcode Query.supportedAgents}. */
  async supportedAgents(...args: Parameters<Query["supportedAgents"]>): ReturnType<Query["supportedAgents"]> {
    return await this.#query().supportedAgents(...args);
  }

  /** Who pays. See {@linkcode Query.accountInfo}. */
  async accountInfo(...args: Parameters<Query["accountInfo"]>): ReturnType<Query["accountInfo"]> {
    return await this.#query().accountInfo(...args);
  }

  /** What fills the context window. See {@linkcode Query.getContextUsage}. */
  async getContextUsage(...args: Parameters<Query["getContextUsage"]>): ReturnType<Query["getContextUsage"]> {
    return await this.#query().getContextUsage(...args);
  }

  /** What the session has cost. May change at any time. */
  async usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET(
    ...args: Parameters<Query["usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET"]>
  ): ReturnType<Query["usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET"]> {
    return await this.#query().usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET(...args);
  }

  // -- files ------------------------------------------------------------------------------------------------------------

  /** Reads a file where the CLI is. See {@linkcode Query.readFile}. */
  async readFile(...args: Parameters<Query["readFile"]>): ReturnType<Query["readFile"]> {
    return await this.#query().readFile(...args);
  }

  /** Puts files back to what they were before a message. See {@linkcode Query.rewindFiles}. */
  async rewindFiles(...args: Parameters<Query["rewindFiles"]>): ReturnType<Query["rewindFiles"]> {
    return await this.#query().rewindFiles(...args);
  }

  /** Tells the CLI that a file was read. See {@linkcode Query.seedReadState}. */
  async seedReadState(...args: Parameters<Query["seedReadState"]>): ReturnType<Query["seedReadState"]> {
    return await this.#query().seedReadState(...args);
  }

  /** Loads plugins anew. See {@linkcode Query.reloadPlugins}. */
  async reloadPlugins(...args: Parameters<Query["reloadPlugins"]>): ReturnType<Query["reloadPlugins"]> {
    return await this.#query().reloadPlugins(...args);
  }

  /** Loads skills anew. See {@linkcode Query.reloadSkills}. */
  async reloadSkills(...args: Parameters<Query["reloadSkills"]>): ReturnType<Query["reloadSkills"]> {
    return await this.#query().reloadSkills(...args);
  }

  /** Loads output styles anew. See {@linkcode Query.reloadOutputStyles}. */
  async reloadOutputStyles(...args: Parameters<Query["reloadOutputStyles"]>): ReturnType<Query["reloadOutputStyles"]> {
    return await this.#query().reloadOutputStyles(...args);
  }

  // -- MCP servers and tasks --------------------------------------------------------------------------------------------

  /** How each MCP server stands. See {@linkcode Query.mcpServerStatus}. */
  async mcpServerStatus(...args: Parameters<Query["mcpServerStatus"]>): ReturnType<Query["mcpServerStatus"]> {
    return await this.#query().mcpServerStatus(...args);
  }

  /** Replaces MCP servers. See {@linkcode Query.setMcpServers}. */
  async setMcpServers(...args: Parameters<Query["setMcpServers"]>): ReturnType<Query["setMcpServers"]> {
    return await this.#query().setMcpServers(...args);
  }

  /** Connects a server anew. See {@linkcode Query.reconnectMcpServer}. */
  async reconnectMcpServer(...args: Parameters<Query["reconnectMcpServer"]>): ReturnType<Query["reconnectMcpServer"]> {
    return await this.#query().reconnectMcpServer(...args);
  }

  /** Switches a server off, or on again. See {@linkcode Query.toggleMcpServer}. */
  async toggleMcpServer(...args: Parameters<Query["toggleMcpServer"]>): ReturnType<Query["toggleMcpServer"]> {
    return await this.#query().toggleMcpServer(...args);
  }

  /** Reads a resource of a server. See {@linkcode Query.readMcpResource}. */
  async readMcpResource(...args: Parameters<Query["readMcpResource"]>): ReturnType<Query["readMcpResource"]> {
    return await this.#query().readMcpResource(...args);
  }

  /** Sets the permission mode for one server's tools. See {@linkcode Query.setMcpPermissionModeOverride}. */
  async setMcpPermissionModeOverride(
    ...args: Parameters<Query["setMcpPermissionModeOverride"]>
  ): ReturnType<Query["setMcpPermissionModeOverride"]> {
    return await this.#query().setMcpPermissionModeOverride(...args);
  }

  /** Ends a background task. See {@linkcode Query.stopTask}. */
  async stopTask(...args: Parameters<Query["stopTask"]>): ReturnType<Query["stopTask"]> {
    return await this.#query().stopTask(...args);
  }

  /** Sends what runs into the background. See {@linkcode Query.backgroundTasks}. */
  async backgroundTasks(...args: Parameters<Query["backgroundTasks"]>): ReturnType<Query["backgroundTasks"]> {
    return await this.#query().backgroundTasks(...args);
  }
}
