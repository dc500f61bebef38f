import type { OpenString } from "../messages/unknown.ts";
import type { AgentDefinition } from "./agents.ts";
import type { OnElicitation, OnUserDialog } from "./dialogs.ts";
import type { Hooks } from "./hooks.ts";
import type { McpServerConfig } from "./mcp_servers.ts";
import type { CanUseTool, PermissionMode } from "./permissions.ts";
import type { OutputFormat, SdkPluginConfig, SystemPrompt, ToolConfig, ToolsPreset } from "./prompt_options.ts";
import type { SandboxSettings } from "./sandbox.ts";
import type { SessionStore, SessionStoreFlush } from "./session_store.ts";
import type { Settings, SettingSource } from "./settings.ts";
import type { SpawnedProcess, SpawnOptions } from "./spawned_process.ts";
import type { TetherOptions } from "./tether_options.ts";
import type { EffortLevel, ThinkingConfig } from "./thinking.ts";

/** A beta of the service. */
export type SdkBeta = OpenString<"context-1m-2025-08-07">;

/**
 * How a query runs. Everything may be left out; an options object is never changed, and is read when the call is made.
 *
 * The names and meanings are those of the official TypeScript SDK (0.3.332); what only the Python SDK has is marked so, and
 * what only Tether has is under `tether`. Values never become flags of their own, and nothing secret reaches a command line.
 */
export interface Options {
  /** Ends the query when it aborts; the query then rejects with the signal's reason. */
  abortController?: AbortController | undefined;
  /** Directories the session may work in beside `cwd`. Absolute paths. */
  additionalDirectories?: string[] | undefined;
  /** The agent that leads the conversation: one of `agents` or of the settings. */
  agent?: string | undefined;
  /** Subagents by name. */
  agents?: Record<string, AgentDefinition> | undefined;
  /** Running subagents say now and then what they are at, in `task_progress`. */
  agentProgressSummaries?: boolean | undefined;
  /** Needed for `bypassPermissions`. */
  allowDangerouslySkipPermissions?: boolean | undefined;
  /** Rules whose calls run unasked. They restrict nothing: that is what `tools` is for. */
  allowedTools?: string[] | undefined;
  /** Betas of the service to take part in. */
  betas?: SdkBeta[] | undefined;
  /** Decides on tool calls that rules, hooks and the mode leave open. */
  canUseTool?: CanUseTool | undefined;
  /** Goes on with the latest conversation of `cwd`. */
  continue?: boolean | undefined;
  /** Where the session works. Default: the host's working directory. */
  cwd?: string | undefined;
  /** The CLI writes a debug log. Ignored beside `debugFile`. */
  debug?: boolean | undefined;
  /** The CLI writes a debug log to this file. */
  debugFile?: string | undefined;
  /** Rules whose calls are refused; a bare tool name takes the tool away. */
  disallowedTools?: string[] | undefined;
  /** How much work an answer is worth. */
  effort?: EffortLevel | undefined;
  /** File changes can be taken back with `rewindFiles()`. */
  enableFileCheckpointing?: boolean | undefined;
  /** The environment of the CLI. It **replaces** the host's: nothing is inherited. See `tether.extraEnv` for an overlay. */
  env?: Record<string, string | undefined> | undefined;
  /** What runs a CLI that is a script. */
  executable?: OpenString<"bun" | "deno" | "node"> | undefined;
  /** Arguments for `executable`, before the script. For a native CLI they come before all flags. */
  executableArgs?: string[] | undefined;
  /** More flags for the CLI, without their dashes; `null` for a flag without a value. */
  extraArgs?: Record<string, string | null | undefined> | undefined;
  /** Models to turn to when `model` is overloaded, separated by commas. */
  fallbackModel?: string | undefined;
  /** A resumed session goes on under a new id. */
  forkSession?: boolean | undefined;
  /** Texts and thinking of subagents are delivered too. */
  forwardSubagentText?: boolean | undefined;
  /** Callbacks by event. */
  hooks?: Hooks | undefined;
  /** Messages tell of every command hook, not just of those at start. */
  includeHookEvents?: boolean | undefined;
  /** Answers are delivered while they are being written. */
  includePartialMessages?: boolean | undefined;
  /** How long one call of `sessionStore` may take while a session is loaded. Milliseconds; default 60 000. */
  loadTimeoutMs?: number | undefined;
  /** Settings that users cannot override. */
  managedSettings?: Settings | undefined;
  /** Ends a run that gets dearer than this. US dollars. */
  maxBudgetUsd?: number | undefined;
  /** The older way to say `thinking`; 0 switches it off. */
  maxThinkingTokens?: number | undefined;
  /** Ends a run after so many turns. 0: no limit. */
  maxTurns?: number | undefined;
  /** MCP servers by name. As in the Python SDK also the path of a configuration file, or its JSON text. */
  mcpServers?: Record<string, McpServerConfig> | string | undefined;
  /** How `mcpServers` reach the CLI: with the first request (`initialize`), or in a private file (`argv`). */
  mcpServersDelivery?: "argv" | "initialize" | undefined;
  /** The model: an alias or a full id. */
  model?: string | undefined;
  /** Answers what MCP servers ask the user. */
  onElicitation?: OnElicitation | undefined;
  /** Shows dialogs of the kinds in `supportedDialogKinds`. */
  onUserDialog?: OnUserDialog | undefined;
  /** The form the final answer must have. */
  outputFormat?: OutputFormat | undefined;
  /** The CLI to run. Default: looked for beside this package, on `PATH` and in the usual places. */
  pathToClaudeCodeExecutable?: string | undefined;
  /** There is a way to stop single tasks here, so an interrupt spares them. */
  perTaskStopAffordance?: boolean | undefined;
  /** Who is asked before a tool runs. Left out, the CLI decides by its settings. */
  permissionMode?: PermissionMode | undefined;
  /** An MCP tool that answers permission questions instead of `canUseTool`. */
  permissionPromptToolName?: string | undefined;
  /** `none`: nobody answers permission questions, and what would ask is refused. */
  permissionPrompts?: "host" | "none" | undefined;
  /** `false`: the session leaves no transcript. */
  persistSession?: boolean | undefined;
  /** Replaces how the CLI plans in plan mode. */
  planModeInstructions?: string | undefined;
  /** How `plugins` reach the CLI. */
  pluginDelivery?: "argv" | "initialize" | undefined;
  /** Plugins to load. */
  plugins?: SdkPluginConfig[] | undefined;
  /** The trusted checkout that project settings are read from when `cwd` is a worktree of it. */
  projectConfigRoot?: string | undefined;
  /** After each turn a message suggests what to say next. */
  promptSuggestions?: boolean | undefined;
  /** The id of the session to go on with. */
  resume?: string | undefined;
  /** With `resumeSessionAt`: the turn that is meant to be dropped. The CLI refuses when more would be. */
  resumeDropsTurn?: string | undefined;
  /** With `resume`: go on from this message, and forget what came after it. */
  resumeSessionAt?: string | undefined;
  /** The sandbox commands run in. */
  sandbox?: SandboxSettings | undefined;
  /** The id of the new session. A UUID. */
  sessionId?: string | undefined;
  /** Keeps the transcript a second time, and can give it back. */
  sessionStore?: SessionStore | undefined;
  /** When entries go to `sessionStore`. Default `batched`. */
  sessionStoreFlush?: SessionStoreFlush | undefined;
  /** Settings for this session: an object, its JSON text, or the path of a file. */
  settings?: string | Settings | undefined;
  /** Which settings files are read. Default: all. `[]`: none. */
  settingSources?: SettingSource[] | undefined;
  /** Skills the model may use unasked, by name, or all of them. */
  skills?: string[] | "all" | undefined;
  /** Starts the process in your own way. */
  spawnClaudeCodeProcess?: ((options: SpawnOptions) => SpawnedProcess) | undefined;
  /** Takes what the CLI writes to stderr, line by line. Its faults end nothing; errors carry the end of stderr anyway. */
  stderr?: ((data: string) => void) | undefined;
  /** Only `mcpServers`: servers of settings and projects are left alone. */
  strictMcpConfig?: boolean | undefined;
  /** Dialogs that `onUserDialog` can show. */
  supportedDialogKinds?: string[] | undefined;
  /** What the model is told before anything else. */
  systemPrompt?: SystemPrompt | undefined;
  /** The model is told how many tokens it may use. */
  taskBudget?: { total: number } | undefined;
  /** What is only in Tether. */
  tether?: TetherOptions | undefined;
  /** Whether and how the model thinks before it answers. */
  thinking?: ThinkingConfig | undefined;
  /** The session's title. */
  title?: string | undefined;
  /** Calls of a tool go to another one: `{ Bash: "mcp__box__bash" }`. */
  toolAliases?: Record<string, string> | undefined;
  /** Settings of built-in tools. */
  toolConfig?: ToolConfig | undefined;
  /** Which built-in tools there are. `[]`: none. */
  tools?: string[] | ToolsPreset | undefined;
  /** Python SDK only: the operating-system user the CLI runs as (POSIX). */
  user?: string | undefined;
  /** Prompts are taken literally: no slash commands, no `@` mentions. */
  verbatimPrompts?: boolean | undefined;
}
