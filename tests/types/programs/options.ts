/** Options: each of them with a value of the forms it takes. */
import {
  AbortError,
  type AgentDefinition,
  allowAlways,
  type CanUseTool,
  InMemorySessionStore,
  type OnElicitation,
  type OnUserDialog,
  type Options,
  type PermissionResult,
  query,
  type SpawnedProcess,
  type SpawnOptions,
  SYSTEM_PROMPT_DYNAMIC_BOUNDARY,
  type TetherOptions,
} from "@tether/agent";

const reviewer: AgentDefinition = {
  description: "Reviews",
  prompt: "You review.",
  tools: ["Read", "Grep"],
  disallowedTools: ["Bash"],
  model: "sonnet",
  mcpServers: ["mine", { other: { command: "x" } }],
  maxTurns: 3,
};

const canUseTool: CanUseTool = async (toolName, input, { signal, suggestions, toolUseID, title }) => {
  await Promise.resolve();
  if (signal.aborted) throw new AbortError();
  if (toolName === "Bash") return { behavior: "deny", message: `not ${title ?? toolUseID}`, interrupt: true };
  if (toolName === "Later") return null;
  const result: PermissionResult = { behavior: "allow", updatedInput: { ...input, checked: true } };
  return suggestions === undefined ? result : { ...result, updatedPermissions: suggestions };
};

const onElicitation: OnElicitation = async (request, { signal }) => {
  await Promise.resolve();
  return signal.aborted || request.mode === "url" ? { action: "decline" } : { action: "accept", content: { a: 1 } };
};

const onUserDialog: OnUserDialog = (request) =>
  Promise.resolve(
    request.dialogKind === "x" ? { behavior: "completed", result: request.payload } : { behavior: "cancelled" },
  );

declare function spawn(options: SpawnOptions): SpawnedProcess;

const tether: TetherOptions = {
  configDir: "/tmp/config",
  extraEnv: { A: "b" },
  limits: { maxMessageBytes: 1 << 20, queueBytes: 1 << 20, stderrTailBytes: 1 << 10 },
  timeouts: { controlMs: 1, initializeMs: 1, graceMs: 1, termMs: 1, quietMs: 1, backgroundMs: 1, permissionMs: 1 },
  onDiagnostic: (event) => void event.kind,
  onQuestion: ([first]) => Promise.resolve(first === undefined ? null : { [first.question]: "yes" }),
  gateAll: true,
};

/** All of them, so that one that is missing here does not compile. */
export const every: Required<Options> = {
  abortController: new AbortController(),
  additionalDirectories: ["/a"],
  agent: "reviewer",
  agents: { reviewer },
  agentProgressSummaries: true,
  allowDangerouslySkipPermissions: true,
  allowedTools: ["Read", "Bash(git:*)"],
  betas: ["context-1m-2025-08-07"],
  canUseTool,
  continue: false,
  cwd: "/",
  debug: false,
  debugFile: "/tmp/debug",
  disallowedTools: ["WebSearch"],
  effort: "high",
  enableFileCheckpointing: false,
  env: { PATH: "/bin", EMPTY: undefined },
  executable: "node",
  executableArgs: ["--enable-source-maps"],
  extraArgs: { flag: null, other: "value" },
  fallbackModel: "haiku",
  forkSession: true,
  forwardSubagentText: true,
  hooks: {},
  includeHookEvents: true,
  includePartialMessages: true,
  loadTimeoutMs: 1_000,
  managedSettings: { permissions: { deny: ["WebFetch"] } },
  maxBudgetUsd: 1,
  maxThinkingTokens: 1_000,
  maxTurns: 3,
  mcpServers: {
    stdio: { type: "stdio", command: "x", args: [], env: { A: "b" } },
    http: { type: "http", url: "https://example.com", headers: { Authorization: "Bearer x" } },
    sse: { type: "sse", url: "https://example.com" },
  },
  mcpServersDelivery: "initialize",
  model: "opus",
  onElicitation,
  onUserDialog,
  outputFormat: { type: "json_schema", schema: { type: "object" } },
  pathToClaudeCodeExecutable: "/bin/claude",
  perTaskStopAffordance: true,
  permissionMode: "acceptEdits",
  permissionPromptToolName: "mcp__x__y",
  permissionPrompts: "host",
  persistSession: false,
  planModeInstructions: "…",
  pluginDelivery: "argv",
  plugins: [{ type: "local", path: "/plugin" }],
  projectConfigRoot: "/",
  promptSuggestions: true,
  resume: "11111111-1111-4111-8111-111111111111",
  resumeDropsTurn: "x",
  resumeSessionAt: "x",
  sandbox: { enabled: true, network: { allowedDomains: ["example.com"] }, filesystem: { denyRead: ["/secret"] } },
  sessionId: "11111111-1111-4111-8111-111111111111",
  sessionStore: new InMemorySessionStore(),
  sessionStoreFlush: "eager",
  settings: { model: "opus", env: { A: "b" }, hooks: {} },
  settingSources: ["user", "project", "local"],
  skills: ["pdf"],
  spawnClaudeCodeProcess: (options) => spawn({ ...options, args: [...options.args] }),
  stderr: (data) => void data.length,
  strictMcpConfig: true,
  supportedDialogKinds: ["x"],
  systemPrompt: { type: "preset", preset: "claude_code", append: "…", excludeDynamicSections: true },
  taskBudget: { total: 1_000 },
  tether,
  thinking: { type: "enabled", budgetTokens: 1_000 },
  title: "…",
  toolAliases: { Bash: "Shell" },
  toolConfig: { askUserQuestion: { previewFormat: "html" } },
  tools: { type: "preset", preset: "claude_code" },
  user: "nobody",
  verbatimPrompts: true,
};
query({ prompt: "x", options: every });

/** Other forms of those that have several. */
export const others: Options[] = [
  { systemPrompt: "You are.", thinking: { type: "adaptive" }, tools: [], skills: "all", settings: "/settings.json" },
  { systemPrompt: ["a", SYSTEM_PROMPT_DYNAMIC_BOUNDARY, "b"], thinking: { type: "disabled" }, mcpServers: "/mcp.json" },
  { systemPrompt: { type: "file", path: "/prompt.md" }, model: undefined, hooks: undefined, settings: "{}" },
  {
    canUseTool: (toolName, _input, { suggestions }) =>
      Promise.resolve(allowAlways({ toolName, suggestions }, { scope: "session" })),
  },
];

/** What is wrong does not compile. */
export const wrong: Options[] = [
  // @ts-expect-error -- no such option
  { maxTurn: 3 },
  // @ts-expect-error -- a number
  { maxTurns: "3" },
  // @ts-expect-error -- a server without a command
  { mcpServers: { a: { type: "stdio" } } },
  // @ts-expect-error -- a deny says why
  { canUseTool: () => Promise.resolve({ behavior: "deny" }) },
  // @ts-expect-error -- no such preset
  { systemPrompt: { type: "preset", preset: "none" } },
  // @ts-expect-error -- no such group
  { tether: { limit: {} } },
];
