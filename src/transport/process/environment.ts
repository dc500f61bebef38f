import type { Options } from "../../core/options/options.ts";
import { checkVariables, refuseNul } from "../../core/options/text_checks.ts";
import type { Platform } from "../../core/runtime.ts";

/** The version of the TypeScript SDK that this one is at par with. */
export const PEER_VERSION = "0.3.332";

/**
 * What the CLI (2.1.332) sets for its own children to say whose they are. A host that runs inside a session has them too;
 * its own sessions must not pass for children of that one.
 */
export const NESTED_SESSION_VARIABLES: readonly string[] = [
  "AI_AGENT",
  "CLAUDECODE",
  "CLAUDE_CODE_CHILD_NOTES_DIR",
  "CLAUDE_CODE_CHILD_SESSION",
  "CLAUDE_CODE_EXECPATH",
  "CLAUDE_CODE_LAUNCHED_BY_SESSION_IDS",
  "CLAUDE_CODE_MESSAGING_SOCKET",
  "CLAUDE_CODE_MESSAGING_TOKEN",
  "CLAUDE_CODE_SESSION_ATTENDED",
  "CLAUDE_CODE_SESSION_ID",
  "CLAUDE_EFFORT",
  "CLAUDE_ENV_FILE",
  "CLAUDE_PID",
  "CLAUDE_PROJECT_DIR",
];

/** What {@linkcode buildEnvironment} must know beside the options. */
export interface EnvironmentContext {
  readonly platform: Platform;
  /** Goes before `tether.configDir`: a directory that was made for this session. */
  readonly configDir?: string | undefined;
  /** The trace that the session is part of. */
  readonly trace?: TraceVariables | undefined;
}

/** Variables by which a process takes part in a trace. */
export interface TraceVariables {
  /** By name: `TRACEPARENT`, `TRACESTATE`, `BAGGAGE`, … */
  readonly values: Readonly<Record<string, string>>;
  /** They go on with a trace that was running here: they replace what the host has inherited. */
  readonly continues: boolean;
}

/**
 * The whole environment of the CLI. From weak to strong: the base (`env`, or what the host has), what every session gets,
 * what options ask for, `tether.extraEnv`, the config directory.
 *
 * @param hostEnv Reads the host's environment. Not called when `env` is given: the host then needs no right to read it.
 * @throws {OptionError} for a variable that no environment can hold.
 */
export function buildEnvironment(
  options: Options,
  hostEnv: () => Readonly<Record<string, string>>,
  context: EnvironmentContext,
): Record<string, string> {
  const { env, cwd, tether } = options;
  const variables = new Variables(context.platform);
  if (env !== undefined) {
    checkVariables("env", env);
    variables.lay(env);
  } else {
    variables.lay(inheritable(hostEnv()));
    // The host's own folder would contradict the session's.
    if (cwd !== undefined && variables.has("PWD")) variables.set("PWD", isAbsolute(cwd) ? cwd : undefined);
  }
  variables.set("NODE_OPTIONS", undefined);
  const debug = variables.get("DEBUG_CLAUDE_AGENT_SDK");
  variables.set("DEBUG", debug === undefined || debug === "" || debug === "0" ? undefined : "1");

  // Listings of sessions tell programs' from people's by this name.
  variables.fill("CLAUDE_CODE_ENTRYPOINT", "sdk-ts", { overEmpty: true });
  // A version in `env` was meant; an inherited one is that of a program around us.
  if (env?.CLAUDE_AGENT_SDK_VERSION === undefined) variables.set("CLAUDE_AGENT_SDK_VERSION", PEER_VERSION);
  // Asks for `session_state_changed`: the end of a run hangs on it.
  variables.fill("CLAUDE_CODE_SDK_READS_SESSION_STATE", "1");
  variables.fill("BUN_ENABLE_CRASH_REPORTING", "0");
  if (options.enableFileCheckpointing === true) {
    variables.set("CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING", "true");
  }
  const format = options.toolConfig?.askUserQuestion?.previewFormat;
  if (format !== undefined) {
    refuseNul("toolConfig.askUserQuestion.previewFormat", format);
    variables.set("CLAUDE_CODE_QUESTION_PREVIEW_FORMAT", format);
  }
  if (context.trace !== undefined) joinTrace(variables, context.trace, { ...env, ...tether?.extraEnv });
  if (tether?.extraEnv !== undefined) {
    checkVariables("tether.extraEnv", tether.extraEnv);
    for (const [name, value] of Object.entries(tether.extraEnv)) variables.set(name, value);
  }
  const configDir = context.configDir ?? tether?.configDir;
  if (configDir !== undefined) {
    refuseNul("tether.configDir", configDir);
    variables.set("CLAUDE_CONFIG_DIR", configDir);
  }
  return variables.toRecord();
}

/**
 * Makes the session part of a trace. What the caller wrote stays. What was only inherited goes if a trace of here is to go
 * on, state and parent together: the state of one trace says nothing about another.
 */
function joinTrace(
  variables: Variables,
  { values, continues }: TraceVariables,
  written: Readonly<Record<string, string | undefined>>,
): void {
  const has = (name: string): boolean => Object.keys(written).some((key) => key.toUpperCase() === name);
  const parent = values.TRACEPARENT !== undefined && !has("TRACEPARENT") &&
    (continues || !variables.has("TRACEPARENT"));
  if (parent && !has("TRACESTATE")) variables.set("TRACESTATE", undefined);
  for (const [name, value] of Object.entries(values)) {
    if (has(name) || (!parent && (name === "TRACEPARENT" || name === "TRACESTATE"))) continue;
    variables.set(name, value);
  }
}

/** The host's environment without what names the session the host itself runs in. */
function inheritable(host: Readonly<Record<string, string>>): Record<string, string> {
  const nested = host.CLAUDECODE !== undefined || host.CLAUDE_CODE_CHILD_SESSION !== undefined;
  const dropped = new Set(NESTED_SESSION_VARIABLES);
  // Where the host is no session's child, someone has chosen the entry point, and it is kept as in the peer.
  if (nested) dropped.add("CLAUDE_CODE_ENTRYPOINT");
  // Windows keeps names such as `=C:` that no program may set.
  return Object.fromEntries(Object.entries(host).filter(([name]) => !dropped.has(name) && !/^$|[=\0]/.test(name)));
}

function isAbsolute(path: string): boolean {
  return path.startsWith("/") || /^([A-Za-z]:)?[\\/]/.test(path);
}

/** Variables by name; on Windows the case of a name does not count, and the last spelling stands. */
class Variables {
  readonly #values = new Map<string, { readonly name: string; readonly value: string }>();
  readonly #fold: (name: string) => string;

  constructor(platform: Platform) {
    this.#fold = platform === "win32" ? (name) => name.toUpperCase() : (name) => name;
  }

  has(name: string): boolean {
    return this.#values.has(this.#fold(name));
  }

  get(name: string): string | undefined {
    return this.#values.get(this.#fold(name))?.value;
  }

  /** `undefined` takes it away. */
  set(name: string, value: string | undefined): void {
    if (value === undefined) this.#values.delete(this.#fold(name));
    else this.#values.set(this.#fold(name), { name, value });
  }

  /** Sets it where it is not there yet. */
  fill(name: string, value: string, settings: { readonly overEmpty?: boolean } = {}): void {
    const there = this.get(name);
    if (there === undefined || (there === "" && settings.overEmpty === true)) this.set(name, value);
  }

  lay(variables: Readonly<Record<string, string | undefined>>): void {
    for (const [name, value] of Object.entries(variables)) if (value !== undefined) this.set(name, value);
  }

  toRecord(): Record<string, string> {
    return Object.fromEntries([...this.#values.values()].map(({ name, value }) => [name, value]));
  }
}
