import { OptionError } from "../../core/errors/option_error.ts";
import type { Platform } from "../../core/runtime.ts";
import type { Options } from "../../core/options/options.ts";
import { joinRules } from "../../core/options/permission_rules.ts";
import { checkListItems, checkName, refuseNul } from "../../core/options/text_checks.ts";

/** What a flag is given: a value, several (the flag is repeated), `true` for a flag without a value, or nothing. */
export type FlagValue = string | readonly string[] | true | undefined;

/** One flag of the CLI and where its value comes from. */
export interface FlagRow {
  /** With its dashes. */
  readonly flag: string;
  /** The option that is named when the value is refused. */
  readonly option: keyof Options;
  /** Reads the value. @throws {OptionError} for a value that would mean something else there. */
  value(options: Options, platform: Platform): FlagValue;
}

type TextOption = { [K in keyof Options]-?: Options[K] extends string | undefined ? K : never }[keyof Options];
type FlagOption = { [K in keyof Options]-?: Options[K] extends boolean | undefined ? K : never }[keyof Options];

/** An id or a name. Empty counts as unset. */
function name(flag: string, option: TextOption): FlagRow {
  return {
    flag,
    option,
    value: (options) => {
      const value = options[option];
      if (value === undefined || value === "") return undefined;
      checkName(option, value);
      return value;
    },
  };
}

/** What cmd.exe would make something of (B12). */
const WINDOWS_META = /[&|<>^%!"\r\n]/;

/** An id of a session or a message: also safe where a script wraps the CLI on Windows. */
function id(flag: string, option: TextOption, settings: { readonly sendEmpty?: boolean } = {}): FlagRow {
  return {
    flag,
    option,
    value: (options, platform) => {
      const value = options[option];
      if (value === undefined || (value === "" && settings.sendEmpty !== true)) return undefined;
      checkName(option, value);
      if (platform === "win32" && WINDOWS_META.test(value)) {
        throw new OptionError(option, 'must not hold any of & | < > ^ % ! " on Windows');
      }
      return value;
    },
  };
}

/** A path. Empty counts as unset, unless the CLI is to see that it is. */
function path(flag: string, option: TextOption, settings: { readonly sendEmpty?: boolean } = {}): FlagRow {
  return {
    flag,
    option,
    value: (options) => options[option] === "" && settings.sendEmpty !== true ? undefined : options[option],
  };
}

/** A flag without a value. */
function bare(flag: string, option: FlagOption, when = true): FlagRow {
  return { flag, option, value: (options) => options[option] === when ? true : undefined };
}

/** A number, by whatever rule. */
function number(flag: string, option: keyof Options, read: (options: Options) => number | undefined): FlagRow {
  return { flag, option, value: (options) => read(options)?.toString() };
}

/** Words joined by commas. Empty lists are nothing, unless an empty list means something. */
function words(
  flag: string,
  option: "betas" | "settingSources",
  settings: { readonly sendEmpty?: boolean } = {},
): FlagRow {
  return {
    flag,
    option,
    value: (options) => {
      const items = options[option];
      if (items === undefined || (items.length === 0 && settings.sendEmpty !== true)) return undefined;
      checkListItems(option, items);
      return items.join(",");
    },
  };
}

/**
 * Every flag that options make, in the order of the TypeScript SDK. Left out are those whose values may be large or secret:
 * they have ways of their own.
 */
export const FLAGS: readonly FlagRow[] = [
  { flag: "--system-prompt-file", option: "systemPrompt", value: systemPromptFile },
  { flag: "--thinking", option: "thinking", value: thinking },
  number("--max-thinking-tokens", "thinking", thinkingTokens),
  { flag: "--thinking-display", option: "thinking", value: thinkingDisplay },
  name("--effort", "effort"),
  number("--max-turns", "maxTurns", ({ maxTurns }) => maxTurns === 0 ? undefined : maxTurns),
  number("--max-budget-usd", "maxBudgetUsd", ({ maxBudgetUsd }) => maxBudgetUsd),
  number("--task-budget", "taskBudget", ({ taskBudget }) => taskBudget?.total),
  name("--model", "model"),
  name("--agent", "agent"),
  words("--betas", "betas"),
  path("--debug-file", "debugFile"),
  {
    flag: "--debug",
    option: "debug",
    value: ({ debug, debugFile }) => debug === true && !debugFile ? true : undefined,
  },
  { flag: "--permission-prompt-tool", option: "permissionPromptToolName", value: permissionPromptTool },
  name("--permission-prompts", "permissionPrompts"),
  bare("--continue", "continue"),
  id("--resume", "resume"),
  { flag: "--allowedTools", option: "allowedTools", value: allowedTools },
  { flag: "--tools", option: "tools", value: tools },
  words("--setting-sources", "settingSources", { sendEmpty: true }),
  bare("--strict-mcp-config", "strictMcpConfig"),
  name("--permission-mode", "permissionMode"),
  bare("--allow-dangerously-skip-permissions", "allowDangerouslySkipPermissions"),
  name("--fallback-model", "fallbackModel"),
  bare("--include-hook-events", "includeHookEvents"),
  bare("--include-partial-messages", "includePartialMessages"),
  { flag: "--session-mirror", option: "sessionStore", value: (o) => o.sessionStore === undefined ? undefined : true },
  path("--project-config-root", "projectConfigRoot", { sendEmpty: true }),
  { flag: "--add-dir", option: "additionalDirectories", value: (options) => options.additionalDirectories },
  bare("--fork-session", "forkSession"),
  id("--resume-session-at", "resumeSessionAt"),
  // An empty one is sent, so that the CLI refuses it: dropping it would drop the guard (B11).
  id("--resume-drops-turn", "resumeDropsTurn", { sendEmpty: true }),
  id("--session-id", "sessionId"),
  bare("--no-session-persistence", "persistSession", false),
];

function systemPromptFile({ systemPrompt }: Options): FlagValue {
  if (typeof systemPrompt !== "object" || !("type" in systemPrompt) || systemPrompt.type !== "file") return undefined;
  return systemPrompt.path;
}

function thinking({ thinking, maxThinkingTokens }: Options): FlagValue {
  if (thinking === undefined) return maxThinkingTokens === 0 ? "disabled" : undefined;
  if (thinking.type === "enabled") return thinking.budgetTokens === undefined ? "adaptive" : undefined;
  return thinking.type;
}

function thinkingTokens({ thinking, maxThinkingTokens }: Options): number | undefined {
  if (thinking === undefined) return maxThinkingTokens === 0 ? undefined : maxThinkingTokens;
  return thinking.type === "enabled" ? thinking.budgetTokens : undefined;
}

function thinkingDisplay({ thinking }: Options): FlagValue {
  if (thinking === undefined || thinking.type === "disabled" || thinking.display === undefined) return undefined;
  checkName("thinking.display", thinking.display);
  return thinking.display;
}

/** `stdio` opens the channel on which the CLI asks the host. Without it what would ask is refused. */
function permissionPromptTool({ canUseTool, tether, permissionPromptToolName }: Options): FlagValue {
  if (canUseTool !== undefined || tether?.onQuestion !== undefined) return "stdio";
  if (permissionPromptToolName === undefined || permissionPromptToolName === "") return undefined;
  checkName("permissionPromptToolName", permissionPromptToolName);
  return permissionPromptToolName;
}

/** The rules of `allowedTools`, and those that `skills` add. No list is changed (B30). */
function allowedTools({ allowedTools = [], skills }: Options): FlagValue {
  const added = skills === "all" ? ["Skill"] : (skills ?? []).map((skill) => `Skill(${skill})`);
  const rules = [...allowedTools];
  for (const rule of added) if (!allowedTools.includes(rule)) rules.push(rule);
  return rules.length === 0 ? undefined : joinRules("allowedTools", rules);
}

/** Names only. The CLI (2.1.332) drops a rule such as `Bash(git *)` here without a word, and with it the tool. */
function tools({ tools }: Options): FlagValue {
  if (tools === undefined) return undefined;
  if (!Array.isArray(tools)) return "default";
  checkListItems("tools", tools);
  tools.forEach((tool: string, index: number) => {
    if (/[()]/.test(tool)) throw new OptionError(`tools[${index}]`, "must be the name of a tool, not a rule");
  });
  return tools.join(",");
}

/** Checks one argument. @throws {OptionError} for what the system would cut off or refuse. */
export function checkArgument(option: string, argument: string, longest: number): void {
  refuseNul(option, argument);
  const bytes = new TextEncoder().encode(argument).length;
  if (bytes > longest) {
    throw new OptionError(option, `takes ${bytes} bytes on the command line, more than ${longest}`);
  }
}
