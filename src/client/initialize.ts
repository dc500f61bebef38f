import { CLIConnectionError } from "../core/errors/mod.ts";
import type { JsonObject, JsonValue } from "../core/json.ts";
import { type Options, type OptionWarning, optionWarning } from "../core/options/mod.ts";
import { checkSendable } from "../core/streams/encode_frame.ts";
import { namedServers } from "./handlers/agent_servers.ts";

/** What `initialize` gets from elsewhere than the options: the callbacks' side, and what the command line could not carry. */
export interface InitializeSources {
  /** Which callbacks there are, by event. */
  readonly hooks?: JsonObject | undefined;
  /** Names of the servers of this program. */
  readonly sdkMcpServers?: readonly string[] | undefined;
  readonly sdkMcpServerConfigs?: JsonObject | undefined;
  /** Their answers to a handshake that was made in advance. */
  readonly sdkMcpServerManifests?: JsonObject | undefined;
  /** Default: the option of that name. */
  readonly supportedDialogKinds?: readonly string[] | undefined;
  /** The `initialize` of a launch plan. */
  readonly delivered?: JsonObject | undefined;
}

/**
 * Builds the `initialize` request, without its `subtype`. A key is there when its option is (behaviours H02–H05, I02);
 * the order is that of the TypeScript SDK.
 */
export function buildInitialize(options: Options, sources: InitializeSources = {}): JsonObject {
  const { outputFormat, skills } = options;
  const fields: Record<string, unknown> = {
    hooks: sources.hooks,
    sdkMcpServers: sources.sdkMcpServers,
    sdkMcpServerConfigs: sources.sdkMcpServerConfigs,
    sdkMcpServerManifests: sources.sdkMcpServerManifests,
    jsonSchema: outputFormat?.schema,
    ...systemPrompt(options),
    planModeInstructions: options.planModeInstructions,
    toolAliases: options.toolAliases,
    agents: agents(options),
    title: options.title,
    // "all" needs no list: the rule `Skill` says it.
    skills: Array.isArray(skills) ? skills : undefined,
    promptSuggestions: options.promptSuggestions,
    agentProgressSummaries: options.agentProgressSummaries,
    forwardSubagentText: options.forwardSubagentText,
    supportedDialogKinds: sources.supportedDialogKinds ?? options.supportedDialogKinds,
    perTaskStopAffordance: options.perTaskStopAffordance,
    ...sources.delivered,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as JsonObject;
}

/**
 * Looks whether what options put into `initialize` can be written there: afterwards a process would have been started for it.
 *
 * @throws {OptionError} for what JSON has no word for.
 */
export function checkInitialize(options: Options): void {
  const { outputFormat } = options;
  if (outputFormat !== undefined) checkSendable(outputFormat.schema, "outputFormat.schema");
  for (const [name, agent] of Object.entries(agents(options) ?? {})) checkSendable(agent, `agents.${name}`);
}

/** An unset prompt is an empty one, as in both peers: the CLI's own has to be asked for by `preset`. */
function systemPrompt({ systemPrompt: prompt = "" }: Options): Record<string, unknown> {
  if (typeof prompt === "string") return { systemPrompt: [prompt] };
  // `isArray` does not narrow a readonly array out of the union.
  if (!("type" in prompt)) return { systemPrompt: prompt };
  switch (prompt.type) {
    case "custom":
      return {
        systemPrompt: typeof prompt.prompt === "string" ? [prompt.prompt] : prompt.prompt,
        systemPromptSnapshot: prompt.snapshot,
      };
    case "preset":
      return {
        appendSystemPrompt: prompt.append,
        systemPromptSnapshot: prompt.snapshot,
        excludeDynamicSections: prompt.excludeDynamicSections,
      };
    case "file":
      // An empty prompt in here would win over the file (CLI 2.1.332).
      return {};
  }
}

/** Agents as they were given, but for servers of this program: those are the session's, and named. */
function agents({ agents }: Options): Record<string, unknown> | undefined {
  if (agents === undefined) return undefined;
  return Object.fromEntries(
    Object.entries(agents).map(([name, agent]) => [
      name,
      agent.mcpServers === undefined ? agent : { ...agent, mcpServers: namedServers(agent.mcpServers) },
    ]),
  );
}

/**
 * Whether prompts must wait for the answer to `initialize`: because the CLI takes something out of it that a turn without
 * must not run, or because a hook has to hold the CLI to its failure.
 */
export function awaitsInitialize(options: Options, delivered: JsonObject = {}): boolean {
  return Object.keys(delivered).length > 0 || blocksOnFailure(options);
}

function blocksOnFailure({ hooks }: Options): boolean {
  return Object.values(hooks ?? {}).some((matchers) =>
    matchers?.some(({ onFailure }) => onFailure === "block") === true
  );
}

/** What the CLI says of each field it was given, and whether a session may go on without it. */
const APPLIED: readonly { readonly field: string; readonly answer: string; readonly missing: "fatal" | "warn" }[] = [
  { field: "settings", answer: "settings_applied", missing: "fatal" },
  { field: "managedSettings", answer: "managed_settings_applied", missing: "fatal" },
  { field: "disallowedTools", answer: "disallowed_tools_applied", missing: "fatal" },
  { field: "mcpServers", answer: "mcp_servers_applied", missing: "warn" },
  { field: "plugins", answer: "plugins_applied", missing: "warn" },
];

/**
 * Looks whether the CLI took what `initialize` brought. Called before the first prompt goes out.
 *
 * @returns warnings about what it took in part.
 * @throws {CLIConnectionError} `initialize_not_applied` if it does not know a field, or did not take one that protects.
 */
export function checkInitializeAnswer(options: Options, delivered: JsonObject, answer: JsonObject): OptionWarning[] {
  const warnings: OptionWarning[] = [];
  for (const { field, answer: name, missing } of APPLIED) {
    if (delivered[field] === undefined) continue;
    const applied: JsonValue | undefined = answer[name];
    if (applied === true) continue;
    if (missing === "fatal" || applied === undefined) throw notApplied(field);
    const code = field === "mcpServers" ? "CLAUDE_SDK_MCP_SERVERS_NOT_APPLIED" : `${field}_not_applied`;
    warnings.push(optionWarning(field, code, "was not taken by the CLI, or not whole"));
  }
  if (blocksOnFailure(options) && (answer.hook_on_failure_supported !== true || answer.hooks_applied === false)) {
    throw notApplied("hooks with onFailure"); // K09
  }
  return warnings;
}

function notApplied(what: string): CLIConnectionError {
  return new CLIConnectionError(`The CLI did not take ${what}: it is too old for this option`, {
    code: "initialize_not_applied",
  });
}
