/** Everything that can be asked of a query, as it is written for the official SDK. */
import {
  type AccountInfo,
  type AgentInfo,
  type McpServerStatus,
  type McpSetServersResult,
  type ModelInfo,
  type Query,
  query,
  type RewindFilesResult,
  type SDKControlGetContextUsageResponse,
  type SDKControlInitializeResponse,
  type SDKMessage,
  type SDKUserMessage,
  type SlashCommand,
} from "@tether/agent";

async function* more(): AsyncGenerator<SDKUserMessage> {
  await Promise.resolve();
  yield { type: "user", message: { role: "user", content: "more" }, parent_tool_use_id: null, session_id: "" };
}

/** What is told. */
export async function tell(running: Query): Promise<void> {
  await running.interrupt();
  await running.setPermissionMode("plan");
  await running.setModel("opus");
  await running.setModel();
  await running.setMaxThinkingTokens(1_000);
  await running.setMaxThinkingTokens(null);
  await running.applyFlagSettings({ model: "opus", permissions: { deny: ["WebFetch"] } });
  await running.applyFlagSettings({ model: null, effortLevel: null });
  await running.updateSettings("localSettings", { outputStyle: "Explanatory" });
  await running.streamInput(more());
  await running.stopTask("task");
  const sent: boolean = await running.backgroundTasks("tool-use");
  await running.seedReadState("/file", sent ? 1 : 2);
  await running.reconnectMcpServer("server");
  await running.toggleMcpServer("server", false);
  await running.setMcpPermissionModeOverride("server", "auto");
  await running.setMcpPermissionModeOverride("server", null);
}

/** What is asked. */
export async function asked(running: Query): Promise<string[]> {
  const start: SDKControlInitializeResponse = await running.initializationResult();
  const again = await running.reinitialize();
  const commands: SlashCommand[] = await running.supportedCommands();
  const models: ModelInfo[] = await running.supportedModels();
  const agents: AgentInfo[] = await running.supportedAgents();
  const account: AccountInfo = await running.accountInfo();
  const servers: McpServerStatus[] = await running.mcpServerStatus();
  const usage: SDKControlGetContextUsageResponse = await running.getContextUsage();
  const cost = await running.usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET();
  const set: McpSetServersResult = await running.setMcpServers({ other: { command: "x", args: [] } });
  const rewound: RewindFilesResult = await running.rewindFiles("uuid", { dryRun: true });
  const file = await running.readFile("/file", { maxBytes: 10, encoding: "base64" });
  const resource = await running.readMcpResource("server", "ui://x");
  const plugins = await running.reloadPlugins();
  const skills = await running.reloadSkills();
  const styles = await running.reloadOutputStyles();
  return [
    ...start.commands.map(({ name, description }) => name + description),
    start.output_style,
    ...again.models.map(({ value, displayName }) => value + displayName),
    ...commands.map(({ name, argumentHint }) => name + argumentHint),
    ...models.map(({ value, description }) => value + description),
    ...agents.map(({ name, description }) => name + description),
    account.email ?? account.organization ?? account.subscriptionType ?? account.tokenSource ?? "",
    ...servers.map(({ name, status, serverInfo, error }) => name + status + (serverInfo?.version ?? error ?? "")),
    ...usage.categories.map(({ name, tokens }) => `${name} ${tokens}`),
    `${usage.totalTokens} ${usage.maxTokens} ${usage.percentage} ${usage.model}`,
    `${cost.session.total_cost_usd}`,
    ...set.added,
    ...set.removed,
    ...Object.values(set.errors),
    `${rewound.canRewind} ${rewound.error ?? ""} ${rewound.filesChanged?.join() ?? ""} ${rewound.insertions ?? 0}`,
    file?.contents ?? "",
    JSON.stringify(resource.contents),
    ...plugins.plugins.map(({ name, path }) => name + path),
    ...skills.skills.map(({ name }) => name),
    JSON.stringify(styles),
  ];
}

/** A query is an async generator like any other. */
export async function generator(): Promise<SDKMessage[]> {
  const running: AsyncGenerator<SDKMessage, void> & Query = query({ prompt: "x" });
  const seen: SDKMessage[] = [];
  const first = await running.next();
  if (first.done !== true) seen.push(first.value);
  for await (const message of running) {
    seen.push(message);
    if (message.type === "result") break;
  }
  await running.return(undefined);
  await running.throw(new Error("x")).catch(() => {});
  running.close();
  return seen;
}
