import { OptionError } from "../errors/option_error.ts";
import { isJsonObject } from "../json.ts";
import { resolveLimits, resolveTimeouts } from "../limits.ts";
import { checkContradictions, effectiveSettings } from "./contradictions.ts";
import { checkTransport } from "./custom_transport.ts";
import { HOOK_EVENTS } from "./hooks.ts";
import { OPTION_TABLE, type OptionRow, type Shape, SHAPES, TETHER_TABLE } from "./option_table.ts";
import type { Options } from "./options.ts";
import { readSettings } from "./settings_text.ts";
import { checkSkillName } from "./skill_names.ts";
import { checkName, refuseNul } from "./text_checks.ts";

/**
 * Checks options before anything is started: that each looks like what it is, and that they do not contradict each other.
 * Names that are no options are not refused here (they may be a newer peer's); see `optionWarnings`.
 *
 * @throws {OptionError} with the path of the option at fault.
 */
export function validateOptions(options: Options): void {
  if (!isJsonObject(options as unknown)) throw new OptionError("options", "must be an object");
  for (const [name, value] of Object.entries(options)) {
    const row = rowOf<OptionRow>(OPTION_TABLE, name);
    if (row !== undefined) demand(name, row.shape, value);
  }
  checkTether(options.tether);
  for (const check of CHECKS) check(options);
  checkContradictions(options);
}

/** The row of a name, which may be one that every object has. */
function rowOf<Row>(table: object, name: string): Row | undefined {
  return Object.hasOwn(table, name) ? (table as Record<string, Row>)[name] : undefined;
}

/** @throws {OptionError} unless the value is left out or fits. */
function demand(option: string, shape: Shape, value: unknown): void {
  if (value !== undefined && !shape.fits(value)) throw new OptionError(option, `must be ${shape.expected}`);
}

function checkTether(tether: Options["tether"]): void {
  for (const [name, value] of Object.entries(tether ?? {})) {
    const shape = rowOf<Shape>(TETHER_TABLE, name);
    // Said to be unavailable further on, rather than unknown.
    if (name === "worker") continue;
    if (shape === undefined) throw new OptionError(`tether.${name}`, "is not a known name");
    demand(`tether.${name}`, shape, value);
  }
  for (const method of ["now", "after"] as const) {
    demand(`tether.clock.${method}`, SHAPES.callback, clockPart(tether, method));
  }
  if (tether?.transport !== undefined) checkTransport(tether.transport);
  resolveLimits(tether?.limits);
  resolveTimeouts(tether?.timeouts);
}

/** Undefined without a clock; a part that is missing is nothing that fits. */
function clockPart(tether: Options["tether"], method: "now" | "after"): unknown {
  return tether?.clock === undefined ? undefined : tether.clock[method] ?? null;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** What a shape alone cannot say, one option each. */
const CHECKS: readonly ((options: Options) => void)[] = [
  (options) => {
    for (const name of ["cwd", "executable", "pathToClaudeCodeExecutable", "user"] as const) {
      refuseNul(name, options[name] ?? "");
    }
    options.executableArgs?.forEach((argument, index) => refuseNul(`executableArgs[${index}]`, argument));
  },
  ({ hooks }) => {
    for (const [event, matchers] of Object.entries(hooks ?? {})) {
      if (matchers !== undefined) checkHooks(event, matchers);
    }
  },
  ({ agents }) => {
    for (const [name, agent] of Object.entries(agents ?? {})) {
      const option = `agents.${name}`;
      demand(option, SHAPES.object, agent ?? null);
      demand(`${option}.description`, SHAPES.text, agent.description ?? null);
      demand(`${option}.prompt`, SHAPES.text, agent.prompt ?? null);
      for (const list of ["tools", "disallowedTools", "skills"] as const) {
        demand(`${option}.${list}`, SHAPES.texts, agent[list]);
      }
      demand(`${option}.mcpServers`, SHAPES.list, agent.mcpServers);
    }
  },
  ({ mcpServers }) => {
    if (mcpServers === undefined || typeof mcpServers === "string") return;
    for (const [name, server] of Object.entries(mcpServers)) {
      const option = `mcpServers.${name}`;
      checkName(option, name);
      demand(option, SHAPES.object, server ?? null);
      // Looked for, never read: on a server made by `createSdkMcpServer` it is a getter that may throw, and a copy of such
      // a server has only what that function keeps under a symbol.
      const isServed = "instance" in server || Object.getOwnPropertySymbols(server).length > 0;
      if (server.type === "sdk" && !isServed) {
        throw new OptionError(option, "is in this program and has no instance");
      }
      // Kinds that a newer CLI knows are its to check.
      const { type, command, url } = server as {
        readonly type?: unknown;
        readonly command?: unknown;
        readonly url?: unknown;
      };
      if (type === undefined || type === "stdio") demand(`${option}.command`, SHAPES.text, command ?? null);
      if (type === "http" || type === "sse") demand(`${option}.url`, SHAPES.text, url ?? null);
    }
  },
  ({ outputFormat }) => {
    if (outputFormat === undefined) return;
    if (outputFormat.type !== "json_schema") throw new OptionError("outputFormat.type", 'must be "json_schema"');
    demand("outputFormat.schema", SHAPES.object, outputFormat.schema ?? null);
  },
  ({ plugins }) =>
    [...plugins ?? []].forEach((plugin, index) => {
      demand(`plugins[${index}]`, SHAPES.object, plugin ?? null);
      if (plugin.type !== "local") throw new OptionError(`plugins[${index}].type`, 'must be "local"');
      demand(`plugins[${index}].path`, SHAPES.text, plugin.path ?? null);
      demand(`plugins[${index}].skipMcpDiscovery`, SHAPES.flag, plugin.skipMcpDiscovery);
    }),
  ({ sessionId }) => {
    if (sessionId !== undefined && sessionId !== "" && !UUID.test(sessionId)) {
      throw new OptionError("sessionId", "must be a UUID"); // K10
    }
  },
  ({ settingSources }) =>
    settingSources?.forEach((source, index) => {
      if (source !== "user" && source !== "project" && source !== "local") {
        throw new OptionError(`settingSources[${index}]`, 'must be "user", "project" or "local"');
      }
    }),
  (options) => void readSettings("settings", effectiveSettings(options)),
  ({ skills }) => {
    if (Array.isArray(skills)) skills.forEach(checkSkillName);
  },
  ({ systemPrompt }) => checkSystemPrompt(systemPrompt),
  ({ taskBudget }) => {
    if (taskBudget !== undefined) positive("taskBudget.total", taskBudget.total);
  },
  ({ thinking }) => {
    if (thinking === undefined) return;
    if (thinking.type === "enabled") {
      if (thinking.budgetTokens !== undefined) positive("thinking.budgetTokens", thinking.budgetTokens);
    } else if (thinking.type !== "adaptive" && thinking.type !== "disabled") {
      throw new OptionError("thinking.type", 'must be "adaptive", "enabled" or "disabled"');
    }
    if (thinking.type !== "disabled") demand("thinking.display", SHAPES.text, thinking.display);
  },
  ({ toolAliases }) => {
    for (const [name, target] of Object.entries(toolAliases ?? {})) {
      demand(`toolAliases.${name}`, SHAPES.text, target ?? null);
    }
  },
  ({ toolConfig }) => {
    demand("toolConfig.askUserQuestion", SHAPES.object, toolConfig?.askUserQuestion);
    demand(
      "toolConfig.askUserQuestion.previewFormat",
      SHAPES.text,
      toolConfig?.askUserQuestion?.previewFormat,
    );
  },
  ({ tools }) => {
    if (!isJsonObject(tools)) return;
    if (tools.type !== "preset" || tools.preset !== "claude_code") {
      throw new OptionError("tools", 'must be an array of strings or { type: "preset", preset: "claude_code" }');
    }
  },
];

function positive(option: string, value: number): void {
  if (!SHAPES.count.fits(value) || value === 0) throw new OptionError(option, "must be a whole number, 1 or more");
}

function checkHooks(event: string, matchers: unknown): void {
  const option = `hooks.${event}`;
  // A misspelt gate is one that nobody is asked at.
  if (!(HOOK_EVENTS as readonly string[]).includes(event)) {
    throw new OptionError(option, "is not an event of this version");
  }
  if (!Array.isArray(matchers)) throw new OptionError(option, "must be an array");
  [...matchers].forEach((matcher: unknown, index) => {
    const path = `${option}[${index}]`;
    if (!isJsonObject(matcher)) throw new OptionError(path, "must be an object");
    if (matcher.matcher !== null) demand(`${path}.matcher`, SHAPES.text, matcher.matcher);
    if (!Array.isArray(matcher.hooks)) throw new OptionError(`${path}.hooks`, "must be an array of functions");
    [...matcher.hooks].forEach((hook: unknown, at) => demand(`${path}.hooks[${at}]`, SHAPES.callback, hook ?? null));
    if (matcher.timeout !== undefined && !(SHAPES.number.fits(matcher.timeout) && (matcher.timeout as number) > 0)) {
      throw new OptionError(`${path}.timeout`, "must be a number of seconds greater than 0");
    }
    const { onFailure } = matcher;
    if (onFailure !== undefined && onFailure !== "continue" && onFailure !== "block") {
      throw new OptionError(`${path}.onFailure`, 'must be "continue" or "block"');
    }
  });
}

function checkSystemPrompt(prompt: Options["systemPrompt"]): void {
  if (prompt === undefined || !isJsonObject(prompt)) return;
  switch (prompt.type) {
    case "custom":
      if (!SHAPES.text.fits(prompt.prompt) && !SHAPES.texts.fits(prompt.prompt)) {
        throw new OptionError("systemPrompt.prompt", "must be a string or an array of strings");
      }
      return demand("systemPrompt.snapshot", SHAPES.flag, prompt.snapshot);
    case "preset":
      if (prompt.preset !== "claude_code") throw new OptionError("systemPrompt.preset", 'must be "claude_code"');
      demand("systemPrompt.append", SHAPES.text, prompt.append);
      demand("systemPrompt.excludeDynamicSections", SHAPES.flag, prompt.excludeDynamicSections);
      return demand("systemPrompt.snapshot", SHAPES.flag, prompt.snapshot);
    case "file":
      return demand("systemPrompt.path", SHAPES.text, prompt.path ?? null);
    default:
      throw new OptionError("systemPrompt.type", 'must be "custom", "preset" or "file"');
  }
}
