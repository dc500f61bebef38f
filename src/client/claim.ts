import { ControlRequestError, OptionError } from "../core/errors/mod.ts";
import { isJsonObject, type JsonObject } from "../core/json.ts";
import type { AgentDefinition, Options, PermissionMode, Settings } from "../core/options/mod.ts";
import { OPTION_TABLE, type Shape, SHAPES } from "../core/options/option_table.ts";
import type { Engine } from "./engine.ts";

/**
 * What a spare becomes a session with. Everything else is settled when it is started: options of `prewarm()` that are not in
 * here cannot be changed by a claim.
 */
export interface ClaimOptions {
  /** The session's folder, which must be there. A relative one is seen from the host's; not so with `tether.transport`. */
  cwd: string;
  /** More folders the tools may use. */
  additionalDirectories?: string[] | undefined;
  /** Subagents, beside those of `prewarm()`. They can use servers of `prewarm()` by name. */
  agents?: Record<string, AgentDefinition> | undefined;
  /** What is put behind the system prompt. */
  appendSystemPrompt?: string | undefined;
  /**
   * Variables for the session. The CLI refuses those it has read when it started (`env_key_not_claimable`); for
   * CLI 2.1.332 that is every one that was tried, so give them to `prewarm()`.
   */
  env?: Record<string, string> | undefined;
  /** How many tokens the model may think; 0 for none, `null` for the default. */
  maxThinkingTokens?: number | null | undefined;
  /** The model: an alias or a full id. */
  model?: string | undefined;
  /** Who is asked before a tool runs. `bypassPermissions` needs a spare that was allowed to. */
  permissionMode?: PermissionMode | undefined;
  /** Settings laid over those of `prewarm()`. One that is wrong makes the whole claim fail. */
  settings?: Settings | undefined;
  /** The session's title. */
  title?: string | undefined;
}

/** What the CLI said to a claim. */
export interface SpareClaim {
  /** The session's folder, links resolved. */
  readonly cwd: string;
  /** The session's id. */
  readonly sessionId: string;
  /** How long it had waited, in milliseconds. */
  readonly parkedMs: number;
  /** Whether the servers of this program were connected by then. */
  readonly sdkMcpSettled: boolean;
}

const COUNT = OPTION_TABLE.maxThinkingTokens.shape;

const CLAIMABLE: Readonly<Record<keyof ClaimOptions, Shape>> = {
  cwd: OPTION_TABLE.cwd.shape,
  additionalDirectories: OPTION_TABLE.additionalDirectories.shape,
  agents: OPTION_TABLE.agents.shape,
  appendSystemPrompt: SHAPES.text,
  env: OPTION_TABLE.env.shape,
  maxThinkingTokens: {
    expected: `${COUNT.expected}, or null`,
    fits: (value) => value === null || COUNT.fits(value),
  },
  model: OPTION_TABLE.model.shape,
  permissionMode: OPTION_TABLE.permissionMode.shape,
  settings: SHAPES.object,
  title: OPTION_TABLE.title.shape,
};

/** @throws {OptionError} for what cannot be claimed with: dropped in silence it would be missed when it is too late. */
export function checkClaim(options: ClaimOptions): void {
  if (!isJsonObject(options)) throw new OptionError("options", "must be an object with a cwd");
  for (const [name, value] of Object.entries(options) as [keyof ClaimOptions, unknown][]) {
    if (value === undefined) continue;
    const shape = Object.hasOwn(CLAIMABLE, name) ? CLAIMABLE[name] : undefined;
    if (shape === undefined) throw new OptionError(name, "cannot be set by a claim; give it to prewarm()");
    if (!shape.fits(value)) throw new OptionError(name, `must be ${shape.expected}`);
  }
  if (options.cwd === undefined) throw new OptionError("cwd", "must be given: a spare has no folder of its own");
  for (const [name, agent] of Object.entries(options.agents ?? {})) {
    const servers = agent.mcpServers?.flatMap((server) => typeof server === "string" ? [] : Object.values(server));
    if (servers?.some((server) => (server as { readonly type?: unknown }).type === "sdk")) {
      throw new OptionError(
        `agents.${name}.mcpServers`,
        "holds a server of this program; give it to prewarm(), and its name here",
      );
    }
  }
}

/** @throws {OptionError} for options that describe a session: a spare has none. */
export function checkSpare(options: Options): void {
  for (const name of ["resume", "continue", "forkSession"] as const) {
    if (options[name] === undefined || options[name] === false) continue;
    throw new OptionError(name, "describes a session, and a spare has none; use query() or startup()");
  }
}

/** What a claim came to. */
export interface ClaimAnswer {
  readonly claim: SpareClaim;
  /** What `initialize` would have said in the session's folder. */
  readonly initialize: JsonObject | undefined;
}

/**
 * Claims a spare. Everything is on its way when this returns, in this order: settings (wrong ones make the CLI refuse the claim),
 * the claim, model and thinking, which a CLI that is not claimed refuses (CLI 2.1.332).
 */
export async function sendClaim(
  engine: Engine,
  options: ClaimOptions,
  sdkMcpServers: readonly string[],
): Promise<ClaimAnswer> {
  const { settings, model, maxThinkingTokens } = options;
  const send = (subtype: string, fields: object): Promise<JsonObject | undefined> =>
    engine.request(subtype, fields as JsonObject);
  const before = settings === undefined ? [] : [send("apply_flag_settings", { settings })];
  const claim = send("claim_session", claimFields(options, sdkMcpServers)).catch((error) => {
    throw named(error);
  });
  const after = [
    ...model === undefined ? [] : [send("set_model", { model })],
    ...maxThinkingTokens === undefined
      ? []
      : [send("set_max_thinking_tokens", { max_thinking_tokens: maxThinkingTokens })],
  ];
  const [answer = {}] = await Promise.all([claim, ...before, ...after]);
  return {
    claim: {
      cwd: String(answer.cwd ?? options.cwd),
      sessionId: String(answer.session_id ?? ""),
      parkedMs: Number(answer.parked_ms ?? 0),
      sdkMcpSettled: answer.sdk_mcp_settled !== false,
    },
    initialize: isJsonObject(answer.initialize) ? answer.initialize : undefined,
  };
}

function claimFields(options: ClaimOptions, sdkMcpServers: readonly string[]): object {
  return {
    cwd: options.cwd,
    permission_mode: options.permissionMode,
    env: options.env,
    additional_directories: options.additionalDirectories,
    append_system_prompt: options.appendSystemPrompt,
    title: options.title,
    agents: options.agents,
    sdk_mcp_servers: sdkMcpServers,
    include_initialize: true,
  };
}

/** The CLI (2.1.332) puts its word for a refusal in front of the text, and nowhere else. */
function named(error: unknown): unknown {
  if (!(error instanceof ControlRequestError) || error.errorCode !== undefined) return error;
  const code = /^([a-z][a-z0-9_]{0,63}): /.exec(error.message)?.[1];
  return new ControlRequestError(error.subtype, error.message, code);
}
