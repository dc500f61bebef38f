/** Every method of a query that is one request, with the words of the protocol (behaviour H18). */
import type { Query } from "../../../mod.ts";
import type { JsonObject } from "../../../src/testing/mod.ts";

/** One call: what goes out, what comes back, and what the caller gets of it. */
export interface Call {
  readonly name: string;
  readonly call: (query: Query) => Promise<unknown>;
  readonly sent: JsonObject;
  /** The payload; undefined for an answer without. */
  readonly payload?: JsonObject;
  /** What the call resolves to. Default: the payload. */
  readonly gives?: unknown;
  /** What it resolves to if the answer has no payload. */
  readonly givesWithout: unknown;
}

const PLUGIN = { type: "local", path: "/p" } as const;

/** All of them, with and without what may be left out. */
export const CALLS: readonly Call[] = [
  {
    name: "interrupt",
    call: (q) => q.interrupt(),
    sent: { subtype: "interrupt" },
    payload: { still_queued: ["u"] },
    givesWithout: undefined,
  },
  {
    name: "interrupt and drop",
    call: (q) => q.interrupt({ cancelQueued: true }),
    sent: { subtype: "interrupt", cancel_queued: true },
    payload: { still_queued: [], cancelled: ["u"] },
    givesWithout: undefined,
  },
  {
    name: "setPermissionMode",
    call: (q) => q.setPermissionMode("plan"),
    sent: { subtype: "set_permission_mode", mode: "plan" },
    payload: { mode: "auto" },
    givesWithout: { mode: "plan" },
  },
  {
    name: "setModel",
    call: (q) => q.setModel("m"),
    sent: { subtype: "set_model", model: "m" },
    payload: { model: "m" },
    gives: undefined,
    givesWithout: undefined,
  },
  { name: "setModel, back", call: (q) => q.setModel(), sent: { subtype: "set_model" }, givesWithout: undefined },
  {
    name: "setMaxThinkingTokens",
    call: (q) => q.setMaxThinkingTokens(5),
    sent: { subtype: "set_max_thinking_tokens", max_thinking_tokens: 5 },
    givesWithout: undefined,
  },
  {
    name: "setMaxThinkingTokens, shown",
    call: (q) => q.setMaxThinkingTokens(null, "summarized"),
    sent: { subtype: "set_max_thinking_tokens", max_thinking_tokens: null, thinking_display: "summarized" },
    givesWithout: undefined,
  },
  {
    name: "applyFlagSettings",
    call: (q) => q.applyFlagSettings({ effortLevel: "low" }),
    sent: { subtype: "apply_flag_settings", settings: { effortLevel: "low" } },
    givesWithout: undefined,
  },
  {
    name: "applyFlagSettings, taken back",
    call: (q) => q.applyFlagSettings({ effortLevel: null }),
    sent: { subtype: "apply_flag_settings", settings: { effortLevel: null } },
    givesWithout: undefined,
  },
  {
    name: "updateSettings",
    call: (q) => q.updateSettings("localSettings", { outputStyle: "x" }),
    sent: { subtype: "update_settings", source: "localSettings", settings: { outputStyle: "x" } },
    payload: {},
    gives: undefined,
    givesWithout: undefined,
  },
  {
    name: "getContextUsage",
    call: (q) => q.getContextUsage(),
    sent: { subtype: "get_context_usage" },
    payload: { totalTokens: 5 },
    givesWithout: {},
  },
  {
    name: "getContextUsage, full",
    call: (q) => q.getContextUsage({ detail: "full" }),
    sent: { subtype: "get_context_usage", detail: "full" },
    payload: { totalTokens: 5 },
    givesWithout: {},
  },
  {
    name: "usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET",
    call: (q) => q.usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET(),
    sent: { subtype: "get_usage" },
    payload: { rate_limits: null },
    givesWithout: {},
  },
  {
    name: "usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET, short",
    call: (q) => q.usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET({ skipBehaviors: true }),
    sent: { subtype: "get_usage", skip_behaviors: true },
    payload: { rate_limits: null },
    givesWithout: {},
  },
  {
    name: "readFile",
    call: (q) => q.readFile("f"),
    sent: { subtype: "read_file", path: "f" },
    payload: { contents: "c", absPath: "/f" },
    givesWithout: null,
  },
  {
    name: "readFile, some bytes",
    call: (q) => q.readFile("f", { maxBytes: 3, encoding: "base64" }),
    sent: { subtype: "read_file", path: "f", max_bytes: 3, encoding: "base64" },
    payload: { contents: "c", absPath: "/f", truncated: true },
    givesWithout: null,
  },
  {
    name: "rewindFiles",
    call: (q) => q.rewindFiles("u"),
    sent: { subtype: "rewind_files", user_message_id: "u" },
    payload: { canRewind: true, skippedLinks: 0 },
    givesWithout: {},
  },
  {
    name: "rewindFiles, dry",
    call: (q) => q.rewindFiles("u", { dryRun: true }),
    sent: { subtype: "rewind_files", user_message_id: "u", dry_run: true },
    payload: { canRewind: true, filesChanged: ["/f"] },
    givesWithout: {},
  },
  {
    name: "seedReadState",
    call: (q) => q.seedReadState("/f", 1),
    sent: { subtype: "seed_read_state", path: "/f", mtime: 1 },
    givesWithout: undefined,
  },
  {
    name: "reloadPlugins",
    call: (q) => q.reloadPlugins(),
    sent: { subtype: "reload_plugins" },
    payload: { error_count: 0 },
    givesWithout: {},
  },
  {
    name: "reloadPlugins, with all",
    call: (q) => q.reloadPlugins({ holdOnCacheImpact: true, addPlugins: [PLUGIN], refuseIfBusy: true }),
    sent: { subtype: "reload_plugins", hold_on_cache_impact: true, add_plugins: [PLUGIN], refuse_if_busy: true },
    payload: { error_count: 0, held: true },
    givesWithout: {},
  },
  {
    name: "reloadSkills",
    call: (q) => q.reloadSkills(),
    sent: { subtype: "reload_skills" },
    payload: { skills: [] },
    givesWithout: {},
  },
  {
    name: "reloadOutputStyles",
    call: (q) => q.reloadOutputStyles(),
    sent: { subtype: "reload_output_styles" },
    payload: { available_output_styles: ["s"] },
    givesWithout: {},
  },
  {
    name: "mcpServerStatus",
    call: (q) => q.mcpServerStatus(),
    sent: { subtype: "mcp_status" },
    payload: { mcpServers: [{ name: "s", status: "pending" }] },
    gives: [{ name: "s", status: "pending" }],
    givesWithout: [],
  },
  {
    name: "setMcpServers",
    call: (q) => q.setMcpServers({ s: { command: "x" } }),
    sent: { subtype: "mcp_set_servers", servers: { s: { command: "x", args: [] } } },
    payload: { added: ["s"], removed: [], errors: { s: "e" } },
    givesWithout: { added: [], removed: [], errors: {} },
  },
  {
    name: "reconnectMcpServer",
    call: (q) => q.reconnectMcpServer("s"),
    sent: { subtype: "mcp_reconnect", serverName: "s" },
    givesWithout: undefined,
  },
  {
    name: "toggleMcpServer",
    call: (q) => q.toggleMcpServer("s", false),
    sent: { subtype: "mcp_toggle", serverName: "s", enabled: false },
    givesWithout: undefined,
  },
  {
    name: "readMcpResource",
    call: (q) => q.readMcpResource("s", "ui://x"),
    sent: { subtype: "mcp_read_resource", serverName: "s", uri: "ui://x" },
    payload: { contents: [] },
    givesWithout: {},
  },
  {
    name: "setMcpPermissionModeOverride",
    call: (q) => q.setMcpPermissionModeOverride("s", null),
    sent: { subtype: "set_mcp_permission_mode_override", serverName: "s", mode: null },
    payload: { warning: "w" },
    givesWithout: {},
  },
  {
    name: "stopTask",
    call: (q) => q.stopTask("t"),
    sent: { subtype: "stop_task", task_id: "t" },
    payload: {},
    gives: undefined,
    givesWithout: undefined,
  },
  {
    name: "backgroundTasks",
    call: (q) => q.backgroundTasks(),
    sent: { subtype: "background_tasks" },
    payload: {},
    gives: true,
    givesWithout: true,
  },
  {
    name: "backgroundTasks, one",
    call: (q) => q.backgroundTasks("tu"),
    sent: { subtype: "background_tasks", tool_use_id: "tu" },
    payload: { backgrounded: false },
    gives: false,
    givesWithout: true,
  },
];

/** What needs no request of its own. */
export const CACHED: readonly [string, (query: Query) => Promise<unknown>][] = [
  ["initializationResult", (q) => q.initializationResult()],
  ["supportedCommands", (q) => q.supportedCommands()],
  ["supportedModels", (q) => q.supportedModels()],
  ["supportedAgents", (q) => q.supportedAgents()],
  ["accountInfo", (q) => q.accountInfo()],
  ["sessionId", (q) => q.sessionId],
];
