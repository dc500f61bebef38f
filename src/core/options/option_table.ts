import { isJsonObject } from "../json.ts";
import type { Options } from "./options.ts";
import type { TetherOptions } from "./tether_options.ts";

/** What a value must look like, and how to say so. */
export interface Shape {
  /** Follows "must be", as in "a string". */
  readonly expected: string;
  /** Whether a value fits. `undefined` is never asked about: it is an option left out. */
  fits(value: unknown): boolean;
}

/** Makes a {@linkcode Shape}. */
function shape(expected: string, fits: (value: unknown) => boolean): Shape {
  return { expected, fits };
}

const isText = (value: unknown): value is string => typeof value === "string";
const isNumber = (value: unknown): value is number => typeof value === "number" && !Number.isNaN(value);

/**
 * An object that says something by its members. What a promise, a `Map` or bytes hold is not among theirs: read as one of
 * these, settings that forbid something would forbid nothing.
 */
function isRecord(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const { then, [Symbol.iterator]: iterate } = value as {
    readonly then?: unknown;
    readonly [Symbol.iterator]?: unknown;
  };
  return typeof then !== "function" && typeof iterate !== "function";
}

const text: Shape = shape("a string", isText);
const flag: Shape = shape("true or false", (value) => typeof value === "boolean");
const callback: Shape = shape("a function", (value) => typeof value === "function");
const object: Shape = shape("an object", isRecord);
const list: Shape = shape("an array", Array.isArray);
// A copy, for `every` passes over holes.
const texts: Shape = shape("an array of strings", (value) => Array.isArray(value) && [...value].every(isText));
const textOrObject: Shape = shape("a string or an object", (value) => isText(value) || isRecord(value));
const anyNumber: Shape = shape("a number", isNumber);
const count: Shape = shape(
  "a whole number, 0 or more",
  (value) => Number.isSafeInteger(value) && (value as number) >= 0,
);
const milliseconds: Shape = shape("a number of milliseconds, 0 or more", (value) => isNumber(value) && value >= 0);

/** By what is used of one: it may come from another realm, or from a package. */
function isSignal(value: unknown): boolean {
  return isJsonObject(value) && typeof value.aborted === "boolean" &&
    typeof (value as { readonly addEventListener?: unknown }).addEventListener === "function";
}

function oneOf(...words: readonly string[]): Shape {
  return shape(words.map((word) => JSON.stringify(word)).join(" or "), (value) => words.includes(value as string));
}

/**
 * Where an option has its effect: on the command line, in the environment or in the way the process is started (all three
 * need a process that we start), in the `initialize` request, or in this library.
 */
export type OptionCarrier = "argv" | "environment" | "launch" | "initialize" | "host";

/** One row of {@linkcode OPTION_TABLE}. */
export interface OptionRow {
  readonly shape: Shape;
  readonly carrier: OptionCarrier;
}

function row(carrier: OptionCarrier, shape: Shape): OptionRow {
  return { shape, carrier };
}

/** Every option by name: what it looks like and where it has its effect. A name that is not in here is not an option. */
export const OPTION_TABLE: { readonly [Name in keyof Required<Options>]: OptionRow } = {
  abortController: row(
    "host",
    shape("an AbortController", (value) => isJsonObject(value) && isSignal(value.signal)),
  ),
  additionalDirectories: row("argv", texts),
  agent: row("argv", text),
  agentProgressSummaries: row("initialize", flag),
  agents: row("initialize", object),
  allowDangerouslySkipPermissions: row("argv", flag),
  allowedTools: row("argv", texts),
  betas: row("argv", texts),
  canUseTool: row("host", callback),
  continue: row("argv", flag),
  cwd: row("launch", text),
  debug: row("argv", flag),
  debugFile: row("argv", text),
  disallowedTools: row("argv", texts),
  effort: row("argv", text),
  enableFileCheckpointing: row("environment", flag),
  env: row("environment", object),
  executable: row("launch", text),
  executableArgs: row("launch", texts),
  extraArgs: row("argv", object),
  fallbackModel: row("argv", text),
  forkSession: row("argv", flag),
  forwardSubagentText: row("initialize", flag),
  hooks: row("host", object),
  includeHookEvents: row("argv", flag),
  includePartialMessages: row("argv", flag),
  loadTimeoutMs: row("host", milliseconds),
  managedSettings: row("argv", object),
  maxBudgetUsd: row("argv", shape("a number greater than 0", (value) => isNumber(value) && value > 0)),
  maxThinkingTokens: row("argv", count),
  maxTurns: row("argv", count),
  mcpServers: row("host", textOrObject),
  mcpServersDelivery: row("argv", oneOf("argv", "initialize")),
  model: row("argv", text),
  onElicitation: row("host", callback),
  onUserDialog: row("host", callback),
  outputFormat: row("initialize", object),
  pathToClaudeCodeExecutable: row("launch", text),
  permissionMode: row("argv", text),
  permissionPromptToolName: row("argv", text),
  permissionPrompts: row("argv", oneOf("host", "none")),
  perTaskStopAffordance: row("initialize", flag),
  persistSession: row("argv", flag),
  planModeInstructions: row("initialize", text),
  pluginDelivery: row("argv", oneOf("argv", "initialize")),
  plugins: row("argv", list),
  projectConfigRoot: row("argv", text),
  promptSuggestions: row("initialize", flag),
  resume: row("argv", text),
  resumeDropsTurn: row("argv", text),
  resumeSessionAt: row("argv", text),
  sandbox: row("argv", object),
  sessionId: row("argv", text),
  sessionStore: row("host", object),
  sessionStoreFlush: row("host", oneOf("batched", "eager")),
  settings: row("argv", textOrObject),
  settingSources: row("argv", texts),
  skills: row("initialize", shape('an array of strings or "all"', (value) => value === "all" || texts.fits(value))),
  spawnClaudeCodeProcess: row("launch", callback),
  stderr: row("launch", callback),
  strictMcpConfig: row("argv", flag),
  supportedDialogKinds: row("initialize", texts),
  systemPrompt: row(
    "initialize",
    shape("a string, an array of strings or an object", (value) => textOrObject.fits(value) || texts.fits(value)),
  ),
  taskBudget: row("argv", object),
  tether: row("host", object),
  thinking: row("argv", object),
  title: row("initialize", text),
  toolAliases: row("initialize", object),
  toolConfig: row("environment", object),
  tools: row("argv", shape("an array of strings or a preset", (value) => texts.fits(value) || isRecord(value))),
  user: row("launch", text),
  verbatimPrompts: row("host", flag),
};

/** Every name under `tether`. One that is not in here is an error: it is ours, so it can only be a slip. */
export const TETHER_TABLE: { readonly [Name in keyof Required<TetherOptions>]: Shape } = {
  clock: object,
  configDir: text,
  extraEnv: object,
  gateAll: flag,
  isolateConfig: flag,
  limits: object,
  onDiagnostic: callback,
  onQuestion: callback,
  timeouts: object,
  transport: object,
  wrapTransport: callback,
};

/** The shapes that rows and checks share. */
export const SHAPES: Readonly<
  Record<"text" | "texts" | "list" | "object" | "number" | "count" | "milliseconds" | "flag" | "callback", Shape>
> = {
  text,
  texts,
  list,
  object,
  number: anyNumber,
  count,
  milliseconds,
  flag,
  callback,
};
