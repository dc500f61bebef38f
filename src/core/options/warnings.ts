import type { Diagnostic } from "../diagnostics.ts";
import { isJsonObject } from "../json.ts";
import { OPTION_TABLE, type OptionRow } from "./option_table.ts";
import type { Options } from "./options.ts";
import { wholeTool } from "./permission_rules.ts";

/** A warning about options, as {@linkcode Diagnostic} carries it. */
export type OptionWarning = Extract<Diagnostic, { kind: "option_warning" }>;

/**
 * What is legal and does not do what it seems to. Told once for a query, before the CLI is started (K06); the codes are
 * those of the TypeScript SDK where it warns too.
 */
export function optionWarnings(options: Options): OptionWarning[] {
  return [
    ...shadowedCallback(options),
    ...unheardCallback(options),
    ...unknownNames(options),
    ...agentServers(options),
    ...repeatedFlags(options),
    ...notCarried(options),
  ];
}

/** Makes a warning whose message is the option's path and what is the matter with it. */
export function optionWarning(option: string, code: string, problem: string): OptionWarning {
  return { kind: "option_warning", option, code, message: `${option} ${problem}` };
}

/** The permission callback is only asked what nothing else has decided (K01–K05). */
function shadowedCallback({ canUseTool, permissionMode, allowedTools, skills, tether }: Options): OptionWarning[] {
  if (canUseTool === undefined || tether?.gateAll === true) return [];
  const code = "CLAUDE_SDK_CAN_USE_TOOL_SHADOWED";
  const remedy = "set tether.gateAll, or use a PreToolUse hook, to see every call";
  if (permissionMode === "bypassPermissions") {
    return [optionWarning("canUseTool", code, `is never asked in permissionMode bypassPermissions; ${remedy}`)];
  }
  const rules = skills === "all" ? [...allowedTools ?? [], "Skill"] : allowedTools ?? [];
  const tools = new Set(rules.map(wholeTool).filter((tool) => tool !== undefined));
  if (tools.size === 0) return [];
  return [
    optionWarning("canUseTool", code, `is never asked about ${[...tools].join(", ")}, which rules allow; ${remedy}`),
  ];
}

function unheardCallback({ canUseTool, permissionPrompts, tether }: Options): OptionWarning[] {
  if (permissionPrompts !== "none") return [];
  const option = canUseTool !== undefined
    ? "canUseTool"
    : tether?.onQuestion !== undefined
    ? "tether.onQuestion"
    : undefined;
  if (option === undefined) return [];
  return [optionWarning(option, "permission_prompts_none", 'is never asked with permissionPrompts "none"')];
}

function unknownNames(options: Options): OptionWarning[] {
  const names = Object.keys(options).filter((name) => !Object.hasOwn(OPTION_TABLE, name));
  return names.map((name) => optionWarning(name, "unknown_option", "is not an option of this version and is ignored"));
}

/** `type: "sdk"` without a server behind it: nobody serves that. */
function agentServers({ agents }: Options): OptionWarning[] {
  return Object.entries(agents ?? {}).flatMap(([name, agent]) =>
    (agent.mcpServers ?? []).some((spec) => isJsonObject(spec) && Object.values(spec).some(hasNoInstance))
      ? [optionWarning(
        `agents.${name}.mcpServers`,
        "CLAUDE_SDK_AGENT_IN_PROCESS_SERVER",
        "holds a server of this program without its instance, which is not served: name one of the session's here",
      )]
      : []
  );
}

/** Asking for the value would throw where there is none yet. */
function hasNoInstance(server: unknown): boolean {
  return isJsonObject(server) && server.type === "sdk" && !("instance" in server);
}

/** Flags that options make, by the names `extraArgs` would give them. */
const FLAG_OPTIONS: Readonly<Record<string, keyof Options>> = {
  "add-dir": "additionalDirectories",
  "agent": "agent",
  "allowedTools": "allowedTools",
  "disallowedTools": "disallowedTools",
  "effort": "effort",
  "fallback-model": "fallbackModel",
  "json-schema": "outputFormat",
  "max-turns": "maxTurns",
  "mcp-config": "mcpServers",
  "model": "model",
  "permission-mode": "permissionMode",
  "resume": "resume",
  "session-id": "sessionId",
  "setting-sources": "settingSources",
  "settings": "settings",
  "tools": "tools",
};

/** `extraArgs` are not compared with the options by anyone else: the CLI sees both. */
function repeatedFlags(options: Options): OptionWarning[] {
  return Object.keys(options.extraArgs ?? {}).flatMap((name) => {
    const option = Object.hasOwn(FLAG_OPTIONS, name) ? FLAG_OPTIONS[name] : undefined;
    if (option === undefined || options[option] === undefined) return [];
    return [optionWarning(`extraArgs.${name}`, "flag_given_twice", `is given beside the option ${option}`)];
  });
}

/** With a transport of the user's nothing is started, so nothing that only a start can carry has an effect. */
function notCarried(options: Options): OptionWarning[] {
  if (options.tether?.transport === undefined) return [];
  return Object.keys(options).flatMap((name) => {
    const carrier = (OPTION_TABLE as Record<string, OptionRow | undefined>)[name]?.carrier;
    const isLate = name === "mcpServers"
      ? hasOnlyServersOfOurs(options)
      : carrier === "host" || carrier === "initialize";
    if (carrier === undefined || isLate) return [];
    if (options[name as keyof Options] === undefined) return [];
    return [
      optionWarning(name, "not_carried", "has no effect with tether.transport: it is said when the CLI is started"),
    ];
  });
}

/** Servers of this program are announced by `initialize`; all others are read when the CLI starts. */
function hasOnlyServersOfOurs({ mcpServers }: Options): boolean {
  return typeof mcpServers === "object" && Object.values(mcpServers).every((server) => server.type === "sdk");
}
