import { type Clock, systemClock } from "../../core/clock.ts";
import { deferred } from "../../core/deferred.ts";
import type { Diagnostic } from "../../core/diagnostics.ts";
import { OptionError } from "../../core/errors/mod.ts";
import { isJsonObject, type JsonObject } from "../../core/json.ts";
import type {
  ClarifyingQuestion,
  ElicitationResult,
  HookEvent,
  Options,
  PermissionResult,
  UserDialogResult,
} from "../../core/options/mod.ts";
import { checkSendable } from "../../core/streams/encode_frame.ts";
import { startQuery } from "../../client/query.ts";
import type { Query } from "../../client/query_interface.ts";
import { type Check, checkFields, gotKind, isMilliseconds, isName, must } from "../checks.ts";
import { SCRIPTED_MODEL } from "../cli/frame.ts";
import { memoryTransportPair } from "../memory_transport_pair.ts";
import { ScriptError } from "../script_error.ts";
import { askHooks } from "./ask_hooks.ts";
import { type AskBounds, AskingCli } from "./asking_cli.ts";
import {
  type AskCallbackOptions,
  type ElicitationAsk,
  elicitationRequest,
  type PermissionAskOptions,
  permissionRequest,
  questionInput,
  type QuestionReply,
  questionReply,
  type ToolCallOptions,
} from "./callback_asks.ts";
import { type HookFields, hookInput, hookToolUseId, isHookEvent, serverOf, withServer } from "./hook_fields.ts";
import { matcherFits, matchersOf } from "./hook_matcher.ts";
import type { HookVerdict } from "./hook_verdict.ts";
import { type ListedTool, ServerSession, type ToolReply } from "./server_session.ts";
import type { TestedCallbacks } from "./tested_callbacks.ts";

/** How long a test waits for a callback that says nothing. */
const PATIENCE_MS = 30_000;

const SESSION_ID = "00000000-0000-4000-8000-000000000001";

const isWait: Check = (value, path) => value === Infinity ? undefined : isMilliseconds(value, path);
const isSignal: Check = must("an AbortSignal", (value) => isJsonObject(value) && "aborted" in value);
const ASK: Readonly<Record<string, Check>> = { signal: isSignal, timeoutMs: isWait };
const anything: Check = () => {};
const PERMISSION_ASK: Readonly<Record<string, Check>> = {
  ...ASK,
  suggestions: anything,
  blockedPath: anything,
  decisionReason: anything,
  decisionReasonType: anything,
  title: anything,
  displayName: anything,
  description: anything,
  defaultToNo: anything,
  suppressAlwaysAllowRule: anything,
  toolUseID: isName,
  agentID: anything,
  mcpServer: anything,
  matchedAskRule: anything,
};

/**
 * Puts options under test without a CLI, a model or a process: they are those of a real query, whose other end asks
 * whatever the test wants asked. Matchers, time limits, failures that deny and the checks of schemas are the real ones;
 * what is answered is what the CLI would be answered. No permission is needed.
 *
 * Options that start a process have no effect; `tether.transport`, `spawnClaudeCodeProcess` and `tether.isolateConfig` are
 * left out.
 *
 * @example
 * ```ts
 * import { testCallbacks } from "@tether/agent/testing";
 *
 * const callbacks = await testCallbacks({
 *   canUseTool: (tool) =>
 *     Promise.resolve(tool === "Read" ? { behavior: "allow" } : { behavior: "deny", message: "Only reading." }),
 * });
 * const answer = await callbacks.permission("Bash", { command: "rm -r build" });
 * console.log(answer.behavior); // deny
 * await callbacks.close();
 * ```
 *
 * @throws {OptionError} for options that no query takes, and for tools that cannot be listed.
 */
export async function testCallbacks(options: Options = {}): Promise<TestedCallbacks> {
  if (!isJsonObject(options)) throw new OptionError("options", `must be an object; it is ${gotKind(options)}`);
  const tested = new AskedCallbacks(options);
  try {
    await tested.query.initializationResult();
  } catch (error) {
    await tested.close();
    throw error;
  }
  return tested;
}

class AskedCallbacks implements TestedCallbacks {
  readonly diagnostics: Diagnostic[] = [];
  readonly query: Query;
  readonly #options: Options;
  readonly #cli: AskingCli;
  readonly #clock: Clock;
  readonly #servers = new Map<string, ServerSession>();
  #hooks: JsonObject = {};
  /** A prompt that says nothing and does not end: input stays open until this is closed. */
  readonly #silence = deferred<IteratorResult<never, undefined>>();
  #toolUses = 0;

  constructor(options: Options) {
    this.#options = options;
    this.#clock = (options.tether as { readonly clock?: Clock } | undefined)?.clock ?? systemClock;
    const pair = memoryTransportPair();
    this.#cli = new AskingCli(pair.cli, (request) => this.#heard(request));
    const { spawnClaudeCodeProcess: _spawner, ...rest } = options;
    const { isolateConfig: _isolated, ...tether } = rest.tether ?? {};
    const onDiagnostic = (event: Diagnostic): void => {
      // That nothing is started is what this is for.
      if (event.kind === "option_warning" && event.code === "not_carried") return;
      this.diagnostics.push(event);
      tether.onDiagnostic?.(event);
    };
    const given: Options = { ...rest, tether: { ...tether, transport: pair.transport, onDiagnostic } };
    try {
      this.query = startQuery({
        prompt: { [Symbol.asyncIterator]: () => ({ next: () => this.#silence.promise }) },
        options: given,
      }, {
        runtime: () => Promise.reject(new ScriptError("testCallbacks", ["no process is started"])),
      });
    } catch (error) {
      pair.cli.exit();
      throw error;
    }
  }

  get servers(): readonly string[] {
    return [...this.#servers.keys()];
  }

  async hook<Event extends HookEvent>(
    event: Event,
    fields: HookFields<Event> = {},
    options: AskCallbackOptions = {},
  ): Promise<HookVerdict> {
    const bounds = boundsOf(options, "hook", ASK);
    if (!isHookEvent(event)) throw new ScriptError("testCallbacks", [`there is no event "${String(event)}"`]);
    checkSendable(fields, "fields");
    const registered = matchersOf(this.#hooks, event);
    if (registered.length === 0) {
      const others = Object.keys(this.#hooks).join(", ");
      throw new ScriptError("testCallbacks", [`the options have no hook for ${event}; they have: ${others || "none"}`]);
    }
    const given = withServer({ ...fields } as JsonObject, this.servers);
    const input = hookInput(event, given, this.#session(), this.#nextToolUseId());
    const fitting = registered.filter(({ matcher }) => matcherFits(matcher, event, input));
    const asked = { input, tool_use_id: hookToolUseId(event, input) };
    return await askHooks({ cli: this.#cli, clock: this.#clock, bounds }, event, fitting, asked);
  }

  async permission(
    toolName: string,
    input: Record<string, unknown> = {},
    options: PermissionAskOptions = {},
  ): Promise<PermissionResult> {
    const bounds = boundsOf(options, "permission", PERMISSION_ASK);
    isName(toolName, "toolName");
    checkSendable(input, "input");
    const { canUseTool, permissionPrompts, tether } = this.#options;
    if (canUseTool === undefined && tether?.onQuestion === undefined) {
      throw new ScriptError("testCallbacks", ["the options have neither canUseTool nor tether.onQuestion"]);
    }
    if (permissionPrompts === "none") {
      throw new ScriptError("testCallbacks", ['with permissionPrompts "none" the CLI asks nobody']);
    }
    const server = serverOf(toolName, this.servers);
    const request = permissionRequest(toolName, input as JsonObject, this.#nextToolUseId(), server, options);
    checkSendable(request, "options");
    return await this.#cli.ask(request, bounds) as unknown as PermissionResult;
  }

  async question(
    questions: ClarifyingQuestion | readonly ClarifyingQuestion[],
    options: PermissionAskOptions = {},
  ): Promise<QuestionReply> {
    const list = (Array.isArray(questions) ? questions : [questions]) as readonly ClarifyingQuestion[];
    return questionReply(await this.permission("AskUserQuestion", questionInput(list), options));
  }

  async elicit(asked: ElicitationAsk, options: AskCallbackOptions = {}): Promise<ElicitationResult> {
    const bounds = boundsOf(options, "elicit", ASK);
    const request = elicitationRequest(asked);
    checkSendable(request, "asked");
    return await this.#cli.ask(request, bounds) as unknown as ElicitationResult;
  }

  async dialog(
    kind: string,
    payload: Record<string, unknown> = {},
    options: AskCallbackOptions = {},
  ): Promise<UserDialogResult> {
    const bounds = boundsOf(options, "dialog", ASK);
    checkSendable(payload, "payload");
    if (this.#options.onUserDialog === undefined) {
      throw new ScriptError("testCallbacks", ["the options have no onUserDialog"]);
    }
    const request = { subtype: "request_user_dialog", dialog_kind: kind, payload: payload as JsonObject };
    return await this.#cli.ask(request, bounds) as unknown as UserDialogResult;
  }

  async tools(server: string, options: AskCallbackOptions = {}): Promise<ListedTool[]> {
    const bounds = boundsOf(options, "tools", ASK);
    return await this.#server(server).list(bounds);
  }

  async tool(
    server: string,
    name: string,
    args: Record<string, unknown> = {},
    options: ToolCallOptions = {},
  ): Promise<ToolReply> {
    const bounds = boundsOf(options, "tool", { ...ASK, toolUseId: isName });
    checkSendable(args, "args");
    const id = options.toolUseId ?? this.#nextToolUseId();
    return await this.#server(server).call(name, args as JsonObject, id, bounds);
  }

  async mcp(
    server: string,
    method: string,
    params: Record<string, unknown> = {},
    options: AskCallbackOptions = {},
  ): Promise<JsonObject> {
    const bounds = boundsOf(options, "mcp", ASK);
    checkSendable(params, "params");
    return await this.#server(server).request(method, params as JsonObject, bounds);
  }

  async close(): Promise<void> {
    this.#silence.resolve({ done: true, value: undefined });
    await this.query.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #heard(request: JsonObject): void {
    switch (request.subtype) {
      case "initialize":
        this.#hooks = isJsonObject(request.hooks) ? request.hooks : {};
        return this.#setServers(Array.isArray(request.sdkMcpServers) ? request.sdkMcpServers.map(String) : []);
      case "mcp_set_servers": {
        const servers = isJsonObject(request.servers) ? Object.entries(request.servers) : [];
        return this.#setServers(
          servers.flatMap(([name, config]) => isJsonObject(config) && config.type === "sdk" ? [name] : []),
        );
      }
      case "mcp_message":
        if (isJsonObject(request.message)) this.#servers.get(String(request.server_name))?.heard(request.message);
        return;
    }
  }

  #setServers(names: readonly string[]): void {
    this.#servers.clear();
    for (const name of names) this.#servers.set(name, new ServerSession(this.#cli, name));
  }

  #server(name: string): ServerSession {
    const server = this.#servers.get(name);
    if (server !== undefined) return server;
    const known = this.servers.join(", ");
    throw new ScriptError("testCallbacks", [
      `there is no server "${name}" in this program; there are: ${known || "none"}`,
    ]);
  }

  #session() {
    const { cwd = "/project", permissionMode = "default", model = SCRIPTED_MODEL } = this.#options;
    return { sessionId: SESSION_ID, cwd, permissionMode, model };
  }

  #nextToolUseId(): string {
    return `toolu_test_${++this.#toolUses}`;
  }
}

function boundsOf(options: AskCallbackOptions, path: string, checks: Readonly<Record<string, Check>>): AskBounds {
  checkFields(options, `${path}.options`, checks);
  return { signal: options.signal, timeoutMs: options.timeoutMs ?? PATIENCE_MS };
}
