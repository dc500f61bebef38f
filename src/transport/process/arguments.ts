import { OptionError } from "../../core/errors/option_error.ts";
import { isJsonObject, type JsonObject } from "../../core/json.ts";
import { effectiveSettings } from "../../core/options/contradictions.ts";
import type { Options } from "../../core/options/options.ts";
import { joinRules } from "../../core/options/permission_rules.ts";
import { parseObject, readSettings } from "../../core/options/settings_text.ts";
import { refuseNul } from "../../core/options/text_checks.ts";
import type { Platform } from "../../core/runtime.ts";
import { checkCommandLine } from "./command_line.ts";
import { chooseRoute, type DeliveryFacts, LONGEST_ARGUMENT, LONGEST_ON_WINDOWS, type Route } from "./delivery.ts";
import { extraFlags, namesSdkUrl, secretFileFlag } from "./extra_args.ts";
import { checkArgument, FLAGS, type FlagValue } from "./flags.ts";
import { withSandbox } from "./sandbox_settings.ts";

/** What {@linkcode buildArguments} must know beside the options. */
export interface LaunchContext {
  readonly platform: Platform;
  /** The CLI's version, where it is known before the start (its package says it). */
  readonly cliVersion?: string | undefined;
  /** Whether private files can be written. Default true. */
  readonly canWriteFiles?: boolean | undefined;
}

/** A file to be written for the CLI: mode 0600 in a directory of mode 0700, and removed when the CLI is gone. */
export interface PrivateFile {
  /** What to call it. */
  readonly name: string;
  readonly content: string;
}

/** How to start the CLI, and what its `initialize` request must carry because the command line cannot. */
export interface LaunchPlan {
  /** After the program and `executableArgs`. Not complete while there are files: see {@linkcode withFilePaths}. */
  readonly args: readonly string[];
  readonly files: readonly PrivateFile[];
  /** Fields for `initialize`. */
  readonly initialize: JsonObject;
  /** No prompt may be sent before `initialize` was answered and the answer says that these fields were taken. */
  readonly holdsPrompt: boolean;
}

/** These make it a program that talks frames. */
const BASE: readonly string[] = ["--output-format=stream-json", "--verbose", "--input-format=stream-json"];

/** Stands for the path of a file. No value can hold it, and no system takes it as an argument. */
const PLACEHOLDER = "\0file:";

/**
 * Turns options into a command line. Every value is bound to its flag (`--flag=value`), so that none can become a flag of
 * its own; nothing secret and nothing longer than 32 KiB is on it.
 *
 * @throws {OptionError} for a value that cannot travel.
 */
export function buildArguments(options: Options, context: LaunchContext): LaunchPlan {
  return new PlanBuilder(options, context).build();
}

/** Completes a command line once the files are written. @param pathOf Where a file is. */
export function withFilePaths(plan: LaunchPlan, pathOf: (file: PrivateFile) => string): string[] {
  return plan.args.map((argument) => {
    const at = argument.indexOf(PLACEHOLDER);
    if (at === -1) return argument;
    const file = plan.files[Number(argument.slice(at + PLACEHOLDER.length))];
    if (file === undefined) throw new RangeError("The plan names a file it does not have");
    return argument.slice(0, at) + pathOf(file);
  });
}

class PlanBuilder {
  readonly #options: Options;
  readonly #context: LaunchContext;
  readonly #facts: DeliveryFacts;
  readonly #args: string[] = [...BASE];
  readonly #files: PrivateFile[] = [];
  readonly #initialize: JsonObject = {};
  /** Names for `--initialize-fields`. */
  readonly #fields: string[] = [];
  readonly #late: string[] = [];

  constructor(options: Options, context: LaunchContext) {
    this.#options = options;
    this.#context = context;
    this.#facts = {
      cliVersion: context.cliVersion,
      canWriteFiles: (context.canWriteFiles ?? true) && seesOurFiles(options),
      sdkUrl: namesSdkUrl(options),
      longestArgument: context.platform === "win32" ? LONGEST_ON_WINDOWS : LONGEST_ARGUMENT,
    };
  }

  build(): LaunchPlan {
    for (const { flag, option, value } of FLAGS) {
      this.#add(flag, option, value(this.#options, this.#context.platform));
      if (flag === "--betas") this.#jsonSchema();
      if (flag === "--allowedTools") this.#disallowedTools();
      if (flag === "--tools") this.#mcpServers();
      if (flag === "--add-dir") this.#plugins();
    }
    this.#managedSettings();
    this.#settings();
    const extra = this.#extraArgs();
    if (this.#fields.length > 0) this.#args.push(`--initialize-fields=${this.#fields.join(",")}`);
    const holdsPrompt = Object.keys(this.#initialize).length > 0;
    if (holdsPrompt) this.#args.push("--await-initialize");
    const args = this.#args.concat(extra, this.#late);
    // Once more when the rest of the line and the environment are known.
    checkCommandLine(this.#context.platform, { command: "", args });
    return { args, files: this.#files, initialize: this.#initialize, holdsPrompt };
  }

  #add(flag: string, option: string, value: FlagValue): void {
    if (value === undefined) return;
    if (value === true) {
      this.#args.push(flag);
      return;
    }
    for (const item of typeof value === "string" ? [value] : value) {
      checkArgument(option, item, LONGEST_ARGUMENT);
      this.#args.push(`${flag}=${item}`);
    }
  }

  /** Puts a field into `initialize` that the CLI must read before it begins. */
  #deliver(field: string, value: unknown): void {
    this.#initialize[field] = value as JsonObject;
  }

  #file(flag: string, name: string, content: string): string {
    this.#files.push({ name, content });
    return `${flag}=${PLACEHOLDER}${this.#files.length - 1}`;
  }

  /** The schema goes with `initialize` in any case; see `buildInitialize`. */
  #jsonSchema(): void {
    const { outputFormat } = this.#options;
    if (outputFormat === undefined) return;
    const text = toJson("outputFormat.schema", outputFormat.schema);
    if (this.#route("jsonSchema", text) === "argv") this.#add("--json-schema", "outputFormat.schema", text);
  }

  #disallowedTools(): void {
    const { disallowedTools } = this.#options;
    if (disallowedTools === undefined || disallowedTools.length === 0) return;
    const text = joinRules("disallowedTools", disallowedTools);
    if (this.#route("disallowedTools", text) === "argv") {
      this.#add("--disallowedTools", "disallowedTools", text);
      return;
    }
    this.#fields.push("disallowedTools");
    this.#deliver("disallowedTools", [...disallowedTools]);
  }

  #mcpServers(): void {
    const { mcpServers, mcpServersDelivery } = this.#options;
    if (mcpServers === undefined || mcpServers === "") return;
    if (typeof mcpServers === "string" && !mcpServers.trimStart().startsWith("{")) {
      this.#add("--mcp-config", "mcpServers", mcpServers);
      return;
    }
    const isText = typeof mcpServers === "string";
    const servers = isText ? serversOf("mcpServers", mcpServers) : processServers(mcpServers);
    if (Object.keys(servers).length > 0) this.#args.push(...this.#servers(servers, mcpServersDelivery));
  }

  /** The flags for servers; none if they go with `initialize`. */
  #servers(servers: JsonObject, preferred?: "argv" | "initialize"): string[] {
    const text = toJson("mcpServers", { mcpServers: servers });
    if (this.#route("mcpServers", text, preferred) === "initialize") {
      const { mcpServers } = JSON.parse(text) as { readonly mcpServers: JsonObject };
      this.#deliver("mcpServers", { ...this.#initialize.mcpServers as JsonObject | undefined, ...mcpServers });
      return [];
    }
    return [this.#file("--mcp-config", `mcp_config_${this.#files.length}.json`, text)];
  }

  /** Flags by the user's own names. What is secret elsewhere is secret there. */
  #extraArgs(): string[] {
    return extraFlags(this.#options.extraArgs).flatMap(([flag, value]) => {
      const option = `extraArgs.${flag.slice(2)}`;
      if (flag === "--mcp-config" && value !== true && value.trimStart().startsWith("{")) {
        return this.#servers(serversOf(option, value), this.#options.mcpServersDelivery);
      }
      if (value === true) return [flag];
      const fileFlag = secretFileFlag(flag, value);
      if (fileFlag === undefined) {
        checkArgument(option, value, LONGEST_ARGUMENT);
        return [`${flag}=${value}`];
      }
      if (!this.#facts.canWriteFiles) {
        throw new OptionError(
          option,
          "may hold secrets, and no private file can be written here: use the option for it",
        );
      }
      refuseNul(option, value);
      return [this.#file(fileFlag, `extra_${this.#files.length}.txt`, value)];
    });
  }

  #plugins(): void {
    const { plugins, pluginDelivery } = this.#options;
    if (plugins === undefined || plugins.length === 0) return;
    const line = plugins.map(({ path }) => path).join();
    if (this.#route("plugins", line, pluginDelivery) === "initialize") {
      this.#deliver("plugins", plugins.map((plugin) => ({ ...plugin })));
      return;
    }
    plugins.forEach(({ path, skipMcpDiscovery }, index) =>
      this.#add(skipMcpDiscovery === true ? "--plugin-dir-no-mcp" : "--plugin-dir", `plugins[${index}].path`, path)
    );
  }

  #managedSettings(): void {
    const { managedSettings } = this.#options;
    if (managedSettings === undefined) return;
    const text = toJson("managedSettings", managedSettings);
    this.#route("managedSettings", text);
    this.#args.push("--managed-settings-in-initialize");
    this.#deliver("managedSettings", JSON.parse(text));
  }

  #settings(): void {
    const { sandbox } = this.#options;
    const source = readSettings("settings", effectiveSettings(this.#options));
    if (source.kind === "path") {
      refuseNul("settings", source.path);
      checkArgument("settings", source.path, LONGEST_ARGUMENT);
      this.#late.push(`--settings=${source.path}`);
      return;
    }
    if (source.kind === "none" && sandbox === undefined) return;
    const given = source.kind === "inline" ? source.settings : {};
    const text = toJson("settings", sandbox === undefined ? given : withSandbox(given, sandbox));
    if (this.#route("settings", text) === "initialize") {
      this.#fields.push("settings");
      this.#deliver("settings", JSON.parse(text));
    } else {
      this.#late.push(this.#file("--settings", "settings.json", text));
    }
  }

  #route(option: Parameters<typeof chooseRoute>[0], text: string, preferred?: "argv" | "initialize"): Route {
    return chooseRoute(option, new TextEncoder().encode(text).length, this.#facts, preferred);
  }
}

/** A CLI under another account may not read our files, and one that a custom spawner starts may be on another machine. */
function seesOurFiles({ user, spawnClaudeCodeProcess }: Options): boolean {
  return user === undefined && spawnClaudeCodeProcess === undefined;
}

/** The servers the CLI runs or reaches itself. Those of this program are announced by `initialize`. */
function processServers(servers: Exclude<Options["mcpServers"], string | undefined>): JsonObject {
  return Object.fromEntries(
    Object.entries(servers).filter(([, server]) => server.type !== "sdk"),
  ) as unknown as JsonObject;
}

/** The servers in a configuration's text. */
function serversOf(option: string, text: string): JsonObject {
  const { mcpServers } = parseObject(option, text);
  if (!isJsonObject(mcpServers)) throw new OptionError(option, 'must hold an object "mcpServers"');
  return mcpServers;
}

/** @throws {OptionError} for what cannot be written as JSON. */
function toJson(option: string, value: unknown): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (cause) {
    throw new OptionError(option, "cannot be written as JSON", { cause });
  }
  // By a `toJSON` of its own an object may be anything.
  if (text?.startsWith("{") !== true) throw new OptionError(option, "is no object when it is written as JSON");
  return text;
}
