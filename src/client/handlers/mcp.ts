import { deferred } from "../../core/deferred.ts";
import { OptionError } from "../../core/errors/mod.ts";
import { isJsonObject, type JsonObject } from "../../core/json.ts";
import type { McpSdkServerConfig, McpServerConfig, McpServerInstance, Options } from "../../core/options/mod.ts";
import { validateOptions } from "../../core/options/validate.ts";
import { ControlAnswerError, type HandlerResult, type InboundRequest } from "../../core/protocol/mod.ts";
import type { ToolSet } from "../tools/tool_set.ts";
import { agentServers, inProcessIdentity } from "./agent_servers.ts";
import type { HandlersContext, InitializeParts } from "./handlers.ts";
import { captureManifest } from "./mcp_manifest.ts";
import { McpSession } from "./mcp_session.ts";
import { InstanceSource, ToolSetSource } from "./mcp_source.ts";
import { METHOD_NOT_FOUND, rpcError } from "./server_link.ts";

/** How long all in-process servers together may take to be asked for their tools before `initialize` goes out. */
export const MANIFEST_BUDGET_MS = 250;

/** How long closing waits for tools that have taken their signal to end. Others are not waited for. */
export const MCP_CLOSE_MS = 5_000;

/** One in-process server of a query. */
interface Hosted {
  /** What it is, whichever copy of its config names it. */
  readonly identity: object;
  settings: McpSdkServerConfig;
  readonly session: McpSession;
}

/** The in-process MCP servers of one query. */
export class McpHandlers {
  readonly #context: HandlersContext;
  readonly #hosted = new Map<string, Hosted>();
  readonly #closing = new Set<Promise<void>>();
  #manifestsTaken = false;
  /** How often servers were set. */
  #changes = 0;
  #closed: Promise<void> | undefined;

  /** @throws {OptionError} for an in-process server whose instance is none, and for two of one name. */
  constructor(options: Options, context: HandlersContext) {
    this.#context = context;
    const { mcpServers = {} } = options;
    for (const [name, config] of typeof mcpServers === "string" ? [] : Object.entries(mcpServers)) {
      // It would be missing without a word: the CLI is not told of a server of this program that is none.
      if (this.#host(name, config) === undefined && config.type === "sdk") throw notServed(name);
    }
    for (const [name, { config }] of agentServers(options)) this.#host(name, config);
  }

  /** True if a server may be asked something. */
  get asks(): boolean {
    return this.#hosted.size > 0;
  }

  /** Serves one `mcp_message` request. @throws {ControlAnswerError} if it names no server or carries no message. */
  handle(request: InboundRequest): HandlerResult | Promise<HandlerResult> {
    const { server_name: name, message } = request.fields;
    if (typeof name !== "string") throw new ControlAnswerError("mcp_message came without a server name");
    if (message === undefined) throw new ControlAnswerError("mcp_message came without a message");
    const hosted = this.#hosted.get(name);
    if (hosted !== undefined) {
      const serve = (): HandlerResult | Promise<HandlerResult> => hosted.session.serve(message, request);
      return this.#context.tracing === undefined ? serve() : this.#context.tracing().mcp(request.fields).run(serve);
    }
    const text = `SDK MCP server not found: ${name}`;
    if (!isJsonObject(message) || message.id === undefined) throw new ControlAnswerError(text);
    return { mcp_response: rpcError(message.id, METHOD_NOT_FOUND, text) };
  }

  /**
   * What `initialize` says of the servers. Their tools are included the first time only, and where they could be had in
   * time: the CLI uses them for the connect that follows, and does the handshake itself whenever it connects anew.
   *
   * @throws {OptionError} for a tool whose schema cannot be listed.
   */
  async initializeParts(): Promise<InitializeParts> {
    if (this.#hosted.size === 0) return {};
    const configs: JsonObject = {};
    for (const [name, { settings }] of this.#hosted) {
      const { timeout, tools } = settings;
      const config = {
        ...(timeout === undefined ? {} : { timeout }),
        ...(tools === undefined ? {} : { tools: tools as unknown as JsonObject[] }),
      };
      if (Object.keys(config).length > 0) configs[name] = config;
    }
    const manifests = this.#manifestsTaken ? {} : await this.#manifests();
    return {
      sdkMcpServers: [...this.#hosted.keys()],
      ...(Object.keys(configs).length > 0 ? { sdkMcpServerConfigs: configs } : {}),
      ...(Object.keys(manifests).length > 0 ? { sdkMcpServerManifests: manifests } : {}),
    };
  }

  /**
   * Looks whether servers can be set, and readies the tools of in-process ones. Changes nothing.
   *
   * @throws {OptionError} for a server that is none, and for a tool whose schema cannot be listed.
   */
  async prepare(servers: Readonly<Record<string, McpServerConfig>>): Promise<void> {
    if (!isJsonObject(servers)) throw new OptionError("mcpServers", "must be an object of servers by name");
    validateOptions({ mcpServers: servers });
    for (const [name, config] of Object.entries(servers)) {
      const identity = inProcessIdentity(config);
      if (config.type === "sdk" && identity === undefined) throw notServed(name);
      if (identity !== undefined && isToolSet(identity)) await identity.prepare();
    }
  }

  /**
   * Replaces all servers of this program, those of the options too, as the CLI (2.1.332) does; one that is named again
   * keeps its session. Returns what the CLI is to be told: the settings of in-process servers without their instance,
   * everything else as it is in the options.
   *
   * What was there goes on until `taken` tells that the CLI agreed; if it did not, it stays, and what came goes. Without
   * `taken` it goes at once.
   */
  setServers(servers: Readonly<Record<string, McpServerConfig>>, taken?: Promise<boolean>): JsonObject {
    const before = new Map(this.#hosted);
    const settings = new Map([...before.values()].map((hosted) => [hosted, hosted.settings]));
    const change = ++this.#changes;
    const came = new Map<string, Hosted>();
    const wire: JsonObject = {};
    for (const [name, config] of Object.entries(servers)) {
      const hosted = this.#host(name, config);
      if (hosted !== undefined) came.set(name, hosted);
      wire[name] = (hosted === undefined
        ? whole(config)
        : hostedSettings(name, config as McpSdkServerConfig)) as unknown as JsonObject;
    }
    const settle = (agreed: boolean): void => {
      const [stays, goes] = agreed ? [came, before] : [before, came];
      for (const [name, hosted] of goes) {
        if (stays.get(name) === hosted) continue;
        if (this.#hosted.get(name) === hosted) this.#hosted.delete(name);
        this.#drop(name, hosted);
      }
      // Unless somebody else has set servers meanwhile, or all is over.
      if (agreed || change !== this.#changes || this.#closed !== undefined) return;
      for (const [name, hosted] of before) {
        this.#hosted.set(name, hosted);
        hosted.settings = settings.get(hosted)!;
      }
    };
    if (taken === undefined) settle(true);
    else void taken.then(settle);
    return wire;
  }

  /** Ends every session, all at once, and waits for their tools within {@linkcode MCP_CLOSE_MS}. Never rejects. */
  close(): Promise<void> {
    this.#closed ??= this.#end();
    return this.#closed;
  }

  /**
   * Takes a server in; one that is here already keeps its session and what runs in it. One that it replaces is the
   * caller's to end. Undefined if it is not in-process.
   */
  #host(name: string, config: McpServerConfig): Hosted | undefined {
    const identity = inProcessIdentity(config);
    if (identity === undefined) return undefined;
    const settings = config as McpSdkServerConfig;
    const present = this.#hosted.get(name);
    if (present?.identity === identity) {
      present.settings = settings;
      return present;
    }
    const source = isToolSet(identity)
      ? new ToolSetSource(identity)
      : new InstanceSource(identity as McpServerInstance);
    const session = new McpSession(name, source, {
      clock: this.#context.clock,
      report: this.#context.onDiagnostic,
      send: async (message) => {
        await this.#context.sendControl("mcp_message", { server_name: name, message });
      },
    });
    const hosted = { identity, settings, session };
    this.#hosted.set(name, hosted);
    return hosted;
  }

  #drop(name: string, hosted: Hosted): void {
    const closing: Promise<void> = this.#ended(name, hosted).finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }

  async #ended(name: string, { session }: Hosted): Promise<void> {
    try {
      await session.close();
    } catch (cause) {
      this.#context.onDiagnostic({ kind: "callback_failed", callback: `mcpServers.${name}`, gate: false, cause });
    }
  }

  async #end(): Promise<void> {
    for (const [name, hosted] of this.#hosted) this.#drop(name, hosted);
    this.#hosted.clear();
    if (this.#closing.size > 0) await this.#within(MCP_CLOSE_MS, Promise.all(this.#closing));
  }

  async #manifests(): Promise<JsonObject> {
    this.#manifestsTaken = true;
    // Not within the budget: a program that cannot work should say so, and not by a server that is missing.
    await Promise.all([...this.#hosted.values()].map(({ identity }) => isToolSet(identity) && identity.prepare()));
    const manifests: JsonObject = {};
    let over = false;
    const captures = [...this.#hosted].map(async ([name, { session }]) => {
      const manifest = await captureManifest(session).catch(() => undefined); // The CLI's own handshake tells why.
      if (manifest !== undefined && !over) manifests[name] = manifest;
    });
    await this.#within(MANIFEST_BUDGET_MS, Promise.all(captures));
    over = true;
    return manifests;
  }

  async #within(ms: number, work: Promise<unknown>): Promise<void> {
    const time = deferred<void>();
    const cancel = this.#context.clock.after(ms, () => time.resolve());
    await Promise.race([work, time.promise]);
    cancel();
  }
}

function notServed(name: string): OptionError {
  return new OptionError(`mcpServers.${name}`, "is in this program, and its instance is no MCP server");
}

/** Not `instanceof`: the set may come from another copy of this module. */
function isToolSet(identity: object): identity is ToolSet {
  return "buildServer" in identity;
}

/** Without `args` a program is not started by `mcp_set_servers`, other than by the options (CLI 2.1.332). */
function whole(config: McpServerConfig): McpServerConfig {
  return "command" in config && config.args === undefined ? { ...config, args: [] } : config;
}

function hostedSettings(name: string, config: McpSdkServerConfig): McpSdkServerConfig {
  const { timeout, tools } = config;
  return {
    type: "sdk",
    name,
    ...(timeout === undefined ? {} : { timeout }),
    ...(tools === undefined ? {} : { tools }),
  };
}
