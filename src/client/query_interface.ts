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
import type { OpenString, SDKMessage, SlashCommand } from "../core/messages/mod.ts";
import type {
  McpServerConfig,
  PermissionMode,
  PermissionResult,
  SdkPluginConfig,
  Settings,
  ThinkingDisplay,
} from "../core/options/mod.ts";
import type { Prompt } from "./prompt_source.ts";

/** What an interrupt brought about. Another name for {@linkcode SDKControlInterruptResponse}. */
export type InterruptReceipt = SDKControlInterruptResponse;

/**
 * A running conversation: the CLI's messages in order, and what can be asked of it meanwhile.
 *
 * Leaving the loop (`break`, `return()`, a throw in its body), {@linkcode Query.close} and disposal end the CLI and
 * settle when its process is gone. An abort of `options.abortController` does the same and makes the loop reject with
 * the signal's own reason. Messages that have arrived are delivered first.
 *
 * Everything can be asked at any time, also before the first message and within the loop. What the CLI refuses rejects
 * with a `ControlRequestError`, whose `errorCode` is the CLI's word for it, if it has one. What it does not answer in
 * time (`tether.timeouts.controlMs`; longer where hooks, servers or models are at work) rejects with a
 * `ControlTimeoutError`. What is asked of a query that is over rejects with an `AbortError`, or with the error it ended
 * with.
 */
export interface Query extends AsyncGenerator<SDKMessage, void, void> {
  /**
   * The messages as a `ReadableStream`, instead of iterating: there is one consumer.
   * Cancelling it closes the query. @throws {TypeError} once iteration has begun.
   */
  readonly readable: ReadableStream<SDKMessage>;
  /**
   * The id of the session. Pending until the first turn begins, as the CLI tells it then. Read it anew where it matters:
   * a conversation that is reset (`/clear`) goes on under another id, which is pending until its first turn. It is what has
   * been read of the CLI, which may be ahead of the messages you have taken. Rejects if the query ended without.
   */
  readonly sessionId: Promise<string>;
  /**
   * Sends further user messages, or one text. Settles when the CLI has taken each of them. Meanwhile input stays open,
   * also if the prompt of the query has ended; several may run at once.
   *
   * Once the prompt has ended and all work is done, the CLI's input ends: what comes later is refused. A prompt that does
   * not end keeps a conversation open.
   *
   * @throws {PromptError} with the source's own error as cause if it throws, or gives what is no user message. The query
   * goes on.
   * @throws {CLIConnectionError} with the code `input_ended` if it is too late. Nothing was sent then.
   */
  streamInput(prompt: Prompt): Promise<void>;
  /**
   * Stops the running turn; its result says that it was interrupted, which is no error then. A prompt that was sent and
   * has not begun is waited for. Lines that wait behind the turn run next, unless `cancelQueued` drops them. Background
   * work goes on. Settles with the CLI's receipt, before the result comes.
   *
   * @throws {ControlTimeoutError} if no turn begins, or the CLI does not answer, within `tether.timeouts.controlMs`.
   */
  interrupt(options?: {
    /** Lines that wait are dropped, and named in the receipt. */
    readonly cancelQueued?: boolean;
  }): Promise<InterruptReceipt | undefined>;
  /**
   * Switches the permission mode. @throws {ControlRequestError} with `errorCode` `invalid_mode`, or `bypass_not_launched`
   * if the query was started without `allowDangerouslySkipPermissions`.
   */
  setPermissionMode(mode: PermissionMode): Promise<SDKControlSetPermissionModeResponse>;
  /**
   * Switches the model; without one, back to the default. The CLI takes any name, and a wrong one shows at the next turn.
   * @throws {ControlRequestError} with `errorCode` `blocked_by_hook` if a hook forbids it.
   */
  setModel(model?: string): Promise<void>;
  /** How many tokens the model may think; 0 for none, `null` for the default. `thinkingDisplay` says what is shown of it. */
  setMaxThinkingTokens(maxThinkingTokens: number | null, thinkingDisplay?: ThinkingDisplay | null): Promise<void>;
  /**
   * Lays settings over those the CLI was started with, for this session; `null` takes back what was laid over a key.
   * Nothing is applied if a value is wrong.
   * @throws {ControlRequestError} if one is; the text names it.
   */
  applyFlagSettings(settings: { [Key in keyof Settings]?: Settings[Key] | null }): Promise<void>;
  /**
   * Writes settings into a settings file. CLI 2.1.332 lets `outputStyle` be written into `localSettings`, and refuses
   * other keys. @throws {ControlRequestError} if it refuses.
   */
  updateSettings(source: OpenString<"localSettings">, settings: Settings): Promise<void>;

  /** What the CLI answered to `initialize`: commands, models, account, version. Rejects if it could not start. */
  initializationResult(): Promise<SDKControlInitializeResponse>;
  /**
   * Asks the CLI to initialize once more, with the same hooks and callbacks. Permission questions that it still waits for
   * come again, unless a callback has them. Settles with its answer; {@linkcode Query.initializationResult} stays the first.
   */
  reinitialize(): Promise<SDKControlInitializeResponse>;
  /** Slash commands there are: those of `initialize`, or those that a `commands_changed` message brought since. */
  supportedCommands(): Promise<SlashCommand[]>;
  /** Models there were when the CLI initialized. */
  supportedModels(): Promise<ModelInfo[]>;
  /** Subagents there were when the CLI initialized. */
  supportedAgents(): Promise<AgentInfo[]>;
  /** Who pays, as it was when the CLI initialized. */
  accountInfo(): Promise<AccountInfo>;

  /** What fills the context window. `full` asks the service to count, which takes longer; default `summary`. */
  getContextUsage(options?: {
    /** How exact. */
    readonly detail?: "summary" | "full";
  }): Promise<SDKControlGetContextUsageResponse>;
  /** What the session has cost, and how much of a plan's limits is used. The CLI's vendor may change it at any time. */
  usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET(options?: {
    /** Leaves out what the use consists of, which takes time to find out. */
    readonly skipBehaviors?: boolean;
  }): Promise<SDKControlGetUsageResponse>;

  /**
   * Reads a file on the CLI's machine, in the folders its tools may read. `null` if the CLI refuses, for whatever reason: a
   * file that is not there looks like one that is forbidden.
   */
  readFile(path: string, options?: {
    /** At most so many bytes; the answer says if there were more. */
    readonly maxBytes?: number;
    /** `base64` for what is no text. Default `utf-8`. */
    readonly encoding?: "utf-8" | "base64";
  }): Promise<SDKControlReadFileResponse | null>;
  /**
   * Puts files back to what they were before a user message. Needs `enableFileCheckpointing`, and a `uuid` of yours on that
   * message. @throws {ControlRequestError} without a checkpoint, or without the option.
   */
  rewindFiles(userMessageId: string, options?: {
    /** Only tells what would change. */
    readonly dryRun?: boolean;
  }): Promise<RewindFilesResult>;
  /** Tells the CLI that a file was read when it had this `mtime` (milliseconds), so that it may be edited. */
  seedReadState(path: string, mtime: number): Promise<void>;

  /**
   * Loads plugins anew, from disk. @throws {ControlRequestError} with `errorCode` `reload_plugins_busy` if a turn runs and
   * that was to be refused.
   */
  reloadPlugins(options?: {
    /** Changes nothing if the model's cache of the conversation would be lost; the answer says so. */
    readonly holdOnCacheImpact?: boolean;
    /** Loads these as well. */
    readonly addPlugins?: readonly SdkPluginConfig[];
    /** Not while a turn runs. */
    readonly refuseIfBusy?: boolean;
  }): Promise<SDKControlReloadPluginsResponse>;
  /** Loads skills anew, from disk. */
  reloadSkills(): Promise<SDKControlReloadSkillsResponse>;
  /** Loads output styles anew, from disk. */
  reloadOutputStyles(): Promise<SDKControlReloadOutputStylesResponse>;

  /** How each MCP server stands. */
  mcpServerStatus(): Promise<McpServerStatus[]>;
  /**
   * Replaces the servers of an earlier call, and those of this program that the options brought; servers of files and of
   * the command line stay. A server of this program that stays keeps its session. Settles when the CLI has tried to start
   * them; in-process ones connect after that.
   *
   * @throws {OptionError} for a server that is none. Nothing is changed then.
   * @throws {ControlRequestError} if the CLI refuses it as a whole. The servers of this program stay as they were.
   */
  setMcpServers(servers: Readonly<Record<string, McpServerConfig>>): Promise<McpSetServersResult>;
  /**
   * Connects a server anew. @throws {ControlRequestError} if that fails, if there is none of that name, and for a server
   * of this program.
   */
  reconnectMcpServer(serverName: string): Promise<void>;
  /** Switches a server off, or on again. @throws {ControlRequestError} if there is none of that name. */
  toggleMcpServer(serverName: string, enabled: boolean): Promise<void>;
  /**
   * Reads a resource of a server. CLI 2.1.332 reads `ui://` addresses only, and not of a server of this program.
   * @throws {ControlRequestError} if it does not.
   */
  readMcpResource(serverName: string, uri: string): Promise<SDKControlMcpReadResourceResponse>;
  /**
   * Sets the permission mode for one server's tools; `null` takes that back. An unknown server is no error: the answer
   * holds a warning. @throws {ControlRequestError} for a mode that is none.
   */
  setMcpPermissionModeOverride(
    serverName: string,
    mode: "default" | "auto" | null,
  ): Promise<McpPermissionModeOverrideResult>;

  /** Ends a background task. One that is unknown, or over, is no error. Its notification has come when this settles. */
  stopTask(taskId: string): Promise<void>;
  /**
   * Sends what runs into the background: the tool call of that id, or everything that can be. False if the call is none
   * that could be sent there.
   */
  backgroundTasks(toolUseId?: string): Promise<boolean>;

  /**
   * Answers a permission question that `canUseTool` left open by returning `null`. False if it is no longer open.
   * A result that makes no sense is answered as a deny.
   */
  answerPermission(requestId: string, result: PermissionResult): Promise<boolean>;
  /**
   * Ends the CLI; settles when it is gone. Never rejects; may be called at any time and more than once. Tools of yours that
   * have taken their `signal` are given up to 5 s to end. One that has not may await this of its own query.
   */
  close(): Promise<void>;
  /** The same as {@linkcode Query.close}. */
  [Symbol.asyncDispose](): Promise<void>;
}
