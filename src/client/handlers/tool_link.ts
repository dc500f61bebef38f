import { AbortSource } from "../../core/abort_source.ts";
import type { Clock } from "../../core/clock.ts";
import { isJsonObject, type JsonObject } from "../../core/json.ts";
import { mcpPackage } from "../tools/mcp_package.ts";
import { callMeta, callTool, type PreparedTool, type ToolCall } from "../tools/tool_call.ts";
import { errorResult } from "../tools/tool_result.ts";
import type { ToolSet } from "../tools/tool_set.ts";
import { McpLink } from "./mcp_link.ts";
import { INVALID_PARAMS, type McpPeer, METHOD_NOT_FOUND, rpcError, type ServerLink } from "./server_link.ts";

/** Versions of the protocol, the latest first: those of `@modelcontextprotocol/sdk` 1.32. */
export const PROTOCOL_VERSIONS: readonly string[] = [
  "2025-11-25",
  "2025-06-18",
  "2025-03-26",
  "2024-11-05",
  "2024-10-07",
];

/** The package's own server. */
type RealServer = ReturnType<ToolSet["buildServer"]>;

/** A notification, as a tool sends it. */
type Notification = Parameters<ToolCall["sendNotification"]>[0];

/** Notifications that take a capability, and what a server of tools alone says to who sends one. */
const REFUSED: ReadonlyMap<string, string> = new Map([
  ["notifications/message", "Server does not support logging"],
  ["notifications/resources/updated", "Server does not support notifying about resources"],
  ["notifications/resources/list_changed", "Server does not support notifying about resources"],
  ["notifications/prompts/list_changed", "Server does not support notifying of prompt list changes"],
]);

/**
 * One query's way to a tool set that is nothing but tools: what the CLI asks of it is answered here, as the package's own
 * server would. That takes no package, which is a tenth of a second to load.
 *
 * Whoever asks for the server itself ({@linkcode ToolLink.server}) gets one that has been through the same handshake, and that
 * serves everything from then on. What runs already is finished here.
 */
export class ToolLink implements ServerLink {
  readonly #set: ToolSet;
  readonly #tools: ReadonlyMap<string, PreparedTool>;
  readonly #clock: Clock;
  #peer: McpPeer | undefined;
  readonly #calls = new Set<Call>();
  /** Those who wait for a call to end. */
  #waiting: (() => void)[] = [];
  /** The handshake, for a server that comes later. */
  #handshake: { readonly request: JsonObject; done: boolean } | undefined;
  #server: RealServer | undefined;
  #serverLink: McpLink | undefined;
  #closed = false;

  /** Stands between a tool set, whose tools are ready, and a query. */
  constructor(set: ToolSet, tools: ReadonlyMap<string, PreparedTool>, peer: McpPeer, clock: Clock) {
    this.#set = set;
    this.#tools = tools;
    this.#peer = peer;
    this.#clock = clock;
  }

  /** See {@linkcode ServerLink.closed}. */
  get closed(): boolean {
    return this.#closed || this.#serverLink?.closed === true;
  }

  /** See {@linkcode ServerLink.answersAreJson}: results of tools are looked at. */
  get answersAreJson(): boolean {
    return this.#serverLink === undefined;
  }

  /** The server itself, from now on in our place. @throws {ClaudeSDKError} `mcp_package_missing`. */
  server(): RealServer {
    if (this.#server !== undefined) return this.#server;
    const server = this.#server = this.#set.buildServer(mcpPackage());
    const peer = this.#peer;
    if (peer === undefined) return server;
    const link = this.#serverLink = new McpLink(this.#clock);
    link.attach(peer);
    // It is connected when this returns; what it promises is that the link has started, and that has no start.
    void server.connect(link as never);
    if (this.#handshake !== undefined) {
      link.call(peer, this.#handshake.request, () => {}, () => {});
      if (this.#handshake.done) link.notify({ method: "notifications/initialized" });
    }
    return server;
  }

  /** See {@linkcode ServerLink.call}. */
  call(
    peer: McpPeer,
    request: JsonObject,
    answered: (reply: JsonObject) => void,
    done: () => void,
  ): (reason: string) => void {
    if (this.#serverLink !== undefined) return this.#serverLink.call(peer, request, answered, done);
    if (request.method === "tools/call" && this.#tools.size > 0) {
      const params = isJsonObject(request.params) ? request.params : {};
      const tool = this.#tools.get(String(params.name));
      if (tool !== undefined) return this.#run(new Call(this, tool, request, params, answered, done));
    }
    const { id = null } = request;
    const reply = this.#reply(request);
    answered(typeof reply === "string" ? rpcError(id, METHOD_NOT_FOUND, reply) : { jsonrpc: "2.0", id, ...reply });
    done();
    return () => {};
  }

  /** See {@linkcode ServerLink.notify}. */
  notify(message: JsonObject): void {
    if (this.#serverLink !== undefined) this.#serverLink.notify(message);
    else if (message.method === "notifications/initialized" && this.#handshake !== undefined) {
      this.#handshake.done = true;
    }
  }

  /** See {@linkcode ServerLink.answer}: nothing is asked here. */
  answer(response: JsonObject): void {
    this.#serverLink?.answer(response);
  }

  /** Takes the query away: what it still has running is cancelled, and the link is closed. */
  close(): void {
    const peer = this.#peer;
    this.#peer = undefined;
    this.#closed = true;
    for (const call of [...this.#calls]) call.cancel("the query was closed");
    if (peer === undefined || this.#serverLink === undefined) return;
    this.#serverLink.detach(peer);
    void this.#serverLink.close();
  }

  /** Settles when no tool is left running that has taken its signal. Never rejects. */
  async idle(): Promise<void> {
    while ([...this.#calls].some(({ isListening }) => isListening)) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    await this.#serverLink?.idle();
  }

  /** For {@linkcode Call}: what its tool is timed by. */
  get clock(): Clock {
    return this.#clock;
  }

  /** For {@linkcode Call}: a fault of its tool. */
  failed(name: string, cause: unknown): void {
    this.#peer?.report({ kind: "callback_failed", callback: `tool ${name}`, gate: false, cause });
  }

  /** For {@linkcode Call}: a notification of its tool. */
  announce(notification: Notification): void {
    if (this.#peer === undefined) throw new Error("Not connected");
    this.#peer.receive({ ...notification, jsonrpc: "2.0" } as JsonObject);
  }

  /** For {@linkcode Call}: why a notification is not sent, as the package words it; undefined if it is. */
  refusal(method: string): string | undefined {
    if (method !== "notifications/elicitation/complete") return REFUSED.get(method);
    const params = this.#handshake?.request.params as JsonObject | undefined;
    const { elicitation } = (params?.capabilities ?? {}) as JsonObject;
    return isJsonObject(elicitation) && elicitation.url ? undefined : "Client does not support URL elicitation";
  }

  #run(call: Call): (reason: string) => void {
    this.#calls.add(call);
    void call.run().then(() => {
      this.#calls.delete(call);
      if (this.#waiting.length === 0) return;
      const waiting = this.#waiting;
      this.#waiting = [];
      for (const wake of waiting) wake();
    });
    return (reason) => call.cancel(reason);
  }

  /** `result` or `error` of what is no call of a tool that is there; a text where there is no such method. */
  #reply(request: JsonObject): JsonObject | string {
    const hasTools = this.#tools.size > 0;
    switch (request.method) {
      case "initialize":
        return this.#initialize(request);
      case "ping":
        return { result: {} };
      case "tools/list":
        return hasTools ? { result: { tools: this.#set.list(this.#tools) } } : "Method not found";
      case "tools/call": {
        const name = isJsonObject(request.params) ? request.params.name : undefined;
        return hasTools ? { result: errorResult(`Unknown tool: ${String(name)}`) as JsonObject } : "Method not found";
      }
      default:
        return "Method not found";
    }
  }

  #initialize(request: JsonObject): JsonObject {
    const { protocolVersion: asked, capabilities, clientInfo } = isJsonObject(request.params) ? request.params : {};
    if (typeof asked !== "string" || !isJsonObject(capabilities) || !isJsonObject(clientInfo)) {
      return { error: { code: INVALID_PARAMS, message: "Invalid parameters of initialize" } };
    }
    this.#handshake = { request, done: false };
    return {
      result: {
        protocolVersion: PROTOCOL_VERSIONS.includes(asked) ? asked : PROTOCOL_VERSIONS[0]!,
        capabilities: this.#tools.size > 0 ? { tools: { listChanged: true } } : {},
        ...this.#set.identity,
      },
    };
  }
}

/** One call of a tool. */
class Call implements ToolCall {
  readonly by: AbortSource = new AbortSource();
  readonly args: unknown;
  readonly meta: JsonObject | undefined;
  readonly clock: Clock;
  /** The handler has taken its signal. */
  isListening = false;
  readonly #link: ToolLink;
  readonly #tool: PreparedTool;
  readonly #id: JsonObject["id"];
  /** Undefined once nobody waits for the answer any more. */
  #answered: ((reply: JsonObject) => void) | undefined;
  readonly #done: () => void;
  #run: Promise<unknown> | undefined;

  constructor(
    link: ToolLink,
    tool: PreparedTool,
    request: JsonObject,
    params: JsonObject,
    answered: (reply: JsonObject) => void,
    done: () => void,
  ) {
    this.#link = link;
    this.#tool = tool;
    this.#id = request.id;
    this.args = params.arguments;
    this.meta = callMeta(params);
    this.clock = link.clock;
    this.#answered = answered;
    this.#done = done;
  }

  /** Settles when the handler has as well, which nobody may have waited for. Never rejects. */
  async run(): Promise<void> {
    let result: JsonObject | undefined;
    try {
      result = await callTool(this.#tool, this) as JsonObject;
    } catch {
      // It was taken back: nobody waits for an answer.
    }
    const answered = result === undefined ? undefined : this.#answered;
    this.#answered = undefined;
    if (answered !== undefined) {
      answered({ jsonrpc: "2.0", id: this.#id, result });
      this.#done();
    }
    try {
      await this.#run;
    } catch {
      // What it failed with in time is in the answer.
    }
    if (answered === undefined) this.#done();
  }

  cancel(reason: string): void {
    this.#answered = undefined;
    this.by.abort(reason);
  }

  failed(cause: unknown): void {
    this.#link.failed(this.#tool.definition.name, cause);
  }

  began(run: Promise<unknown>): void {
    this.#run = run;
  }

  listens(): void {
    this.isListening = true;
  }

  // deno-lint-ignore require-await -- whatever is wrong with it is told by the promise
  async sendNotification(notification: Notification): Promise<void> {
    if (this.by.aborted) return;
    const refused = this.#link.refusal(notification.method);
    if (refused !== undefined) throw new Error(`${refused} (required for ${notification.method})`);
    if (notification.method === "notifications/progress") {
      const isOurs = notification.params?.progressToken === this.meta?.progressToken;
      if (this.#answered === undefined || !isOurs) return;
    }
    this.#link.announce(notification);
  }
}
