import type { Abortable } from "../../core/abort_source.ts";
import type { Clock } from "../../core/clock.ts";
import type { Diagnostic } from "../../core/diagnostics.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../core/json.ts";
import { ControlAnswerError, type HandlerResult, NEVER_ANSWERED } from "../../core/protocol/mod.ts";
import { unsendablePlace } from "../tools/unsendable_place.ts";
import { failureText } from "./failure_text.ts";
import type { AttachedServer, McpSource } from "./mcp_source.ts";
import { type McpPeer, METHOD_NOT_FOUND, RPC_CLOSED, rpcError, type RpcId, type ServerLink } from "./server_link.ts";

/** What the CLI takes for the receipt of a message that has no answer of its own. */
const RECEIPT: JsonObject = { mcp_response: { jsonrpc: "2.0", result: {}, id: 0 } };

const INVALID_REQUEST = -32600;
const INTERNAL_ERROR = -32603;

/** A request on its way. */
class OpenCall {
  /** Settles with what is answered. */
  readonly answer: Promise<HandlerResult>;
  /** The server is done with it: its id is free again. */
  readonly done: () => void;
  /** Cancels it; undefined until the server has it. */
  cancel: ((reason: string) => void) | undefined;
  readonly #id: RpcId;
  readonly #stopListening: () => void;
  #resolve!: (result: HandlerResult) => void;
  #settled = false;

  constructor(id: RpcId, by: Abortable, done: () => void) {
    this.#id = id;
    this.done = done;
    this.answer = new Promise((resolve) => this.#resolve = resolve);
    this.#stopListening = by.onAbort(() => this.abandon("the request was cancelled"));
  }

  /** Nobody waits for its answer any more. */
  get settled(): boolean {
    return this.#settled;
  }

  /** The answer; the first one counts. */
  settle(result: HandlerResult): void {
    this.#settled = true;
    this.#stopListening();
    this.#resolve(result);
  }

  /** Nobody waits any more: no answer goes out, and the id stays taken until the server is done. */
  abandon(reason: string): void {
    if (this.#settled) return;
    if (this.cancel === undefined) this.done();
    else this.cancel(reason);
    this.settle(NEVER_ANSWERED);
  }

  /** It came to nothing: the caller is told. */
  fail(text: string, code: number = RPC_CLOSED): void {
    this.done();
    this.settle(answered(rpcError(this.#id, code, text)));
  }
}

/** What a session needs around it. */
export interface McpSessionContext {
  /** What the tools of the server are timed by. */
  readonly clock: Clock;
  /** Sends a message of the server's to the CLI. */
  send(message: JsonObject): Promise<void>;
  /** Takes what the server's tools have to report. */
  report(event: Diagnostic): void;
}

/** One query's session with one in-process MCP server. */
export class McpSession implements McpPeer {
  readonly #name: string;
  readonly #source: McpSource;
  readonly #context: McpSessionContext;
  #server: Promise<AttachedServer> | undefined;
  /** The link to it, once it is there. */
  #link: ServerLink | undefined;
  #stopped: string | undefined;
  #closing: Promise<void> | undefined;
  #muted = false;
  #saidListChanged = false;
  /** By type and value of the CLI's id, since its last `initialize`: after that its ids start anew. */
  #open = new Map<string, OpenCall>();
  /** Those of before as well. */
  readonly #all = new Set<OpenCall>();

  constructor(name: string, source: McpSource, context: McpSessionContext) {
    this.#name = name;
    this.#source = source;
    this.#context = context;
  }

  /** Serves one message of the CLI. @throws {ControlAnswerError} once closed. */
  serve(message: unknown, by: Abortable): HandlerResult | Promise<HandlerResult> {
    if (this.#closing !== undefined) throw new ControlAnswerError(this.#says("is closed"));
    if (!isJsonObject(message)) return answered(rpcError(null, INTERNAL_ERROR, "The message is not an object"));
    if (typeof message.method === "string") {
      // The package passes over what it takes for no message of its own: a request like that would wait for ever.
      if (!isSound(message)) {
        return answered(rpcError(message.id ?? null, INTERNAL_ERROR, "The message is not JSON-RPC"));
      }
      if (message.id === undefined) return this.#notice(message);
      if (typeof message.id === "string" || typeof message.id === "number") return this.#request(message, by);
    } else if (message.id !== undefined && (message.result !== undefined || message.error !== undefined)) {
      return this.#answered(message);
    }
    return answered(
      rpcError(message.id ?? null, INTERNAL_ERROR, "The message is neither request, notification nor answer"),
    );
  }

  /** A request of our own, in the CLI's name, before the CLI is there. Rejects if the server answers with an error. */
  async ask(method: string, params: JsonObject): Promise<JsonObject> {
    const link = await this.#start();
    return await new Promise((resolve, reject) => {
      const take = (reply: JsonObject): void => {
        if (isJsonObject(reply.result)) resolve(reply.result);
        else reject(new Error(this.#says(`refused ${method}`)));
      };
      link.call(this, { jsonrpc: "2.0", id: `tether-${method}`, method, params }, take, () => {});
    });
  }

  /** A notification of our own, in the CLI's name. */
  async tell(method: string): Promise<void> {
    (await this.#start()).notify({ method });
  }

  /**
   * Runs work during which the server's own messages are held back: the CLI does not know the server yet.
   * Tells whether its list of tools changed meanwhile.
   */
  async muted<T>(work: () => Promise<T>): Promise<{ readonly value: T; readonly listChanged: boolean }> {
    this.#muted = true;
    try {
      const value = await work();
      return { value, listChanged: this.#saidListChanged };
    } finally {
      this.#muted = false;
    }
  }

  /** Ends the session: what runs is aborted, what waits is failed. Settles when the server's tools have ended. */
  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  /** See {@linkcode McpPeer.receive}. */
  receive(message: JsonObject): void {
    if (message.method === "notifications/tools/list_changed") this.#saidListChanged = true;
    if (this.#closing !== undefined) return;
    if (this.#muted) {
      if (message.id !== undefined) this.#refuse(message.id, METHOD_NOT_FOUND, "Method not found");
      return;
    }
    this.#context.send(message).catch((cause) => {
      if (this.#closing !== undefined) return;
      if (message.id !== undefined) this.#refuse(message.id, RPC_CLOSED, failureText(cause));
      else this.report({ kind: "request_failed", subtype: "mcp_message", requestId: "", cause });
    });
  }

  /** See {@linkcode McpPeer.lost}. */
  lost(): void {
    this.#stopped ??= this.#says("has stopped");
    for (const call of [...this.#all]) call.fail(this.#stopped);
  }

  /** See {@linkcode McpPeer.report}. */
  report(event: Diagnostic): void {
    this.#context.report(event);
  }

  #answered(message: JsonObject): JsonObject {
    if (this.#stopped === undefined) this.#link?.answer(message);
    return RECEIPT;
  }

  async #notice(message: JsonObject): Promise<JsonObject> {
    if (message.method === "notifications/cancelled") {
      const params = isJsonObject(message.params) ? message.params : {};
      this.#open.get(keyOf(params.requestId))?.abandon(String(params.reason ?? "cancelled"));
      return RECEIPT;
    }
    // A server that does not start, or has stopped, says so when it is asked something.
    if (this.#stopped === undefined) await this.#start().then((link) => link.notify(message), () => {});
    return RECEIPT;
  }

  #request(message: JsonObject, by: Abortable): HandlerResult | Promise<HandlerResult> {
    const id = message.id as RpcId;
    if (by.aborted) return NEVER_ANSWERED;
    if (message.method === "initialize") this.#begin();
    if (this.#stopped !== undefined) return answered(rpcError(id, RPC_CLOSED, this.#stopped));
    const open = this.#open;
    const key = keyOf(id);
    if (open.has(key)) return answered(rpcError(id, INVALID_REQUEST, "A request of this id is still running"));
    const call: OpenCall = new OpenCall(id, by, () => {
      this.#all.delete(call);
      open.delete(key);
    });
    open.set(key, call);
    this.#all.add(call);
    if (this.#link !== undefined) this.#put(this.#link, message, call);
    else {
      this.#start().then(
        (link) => this.#put(link, message, call),
        (error) => call.fail(this.#says(`could not start: ${failureText(error)}`), INTERNAL_ERROR),
      );
    }
    return call.answer;
  }

  #put(link: ServerLink, message: JsonObject, call: OpenCall): void {
    if (call.settled) return;
    const isJson = link.answersAreJson;
    const take = (reply: JsonObject): void => call.settle(answered(isJson ? reply : this.#encodable(reply)));
    call.cancel = link.call(this, message, take, call.done);
  }

  /** What a server of the user's own answers may hold what JSON has no word for; the model is told where. */
  #encodable(reply: JsonObject): JsonObject {
    const unsendable = unsendablePlace(reply.result, "result");
    if (unsendable === undefined) return reply;
    const cause = new TypeError(`What it answered cannot be sent: ${unsendable}`);
    this.report({ kind: "callback_failed", callback: `mcpServers.${this.#name}`, gate: false, cause });
    return rpcError(reply.id ?? null, INTERNAL_ERROR, cause.message);
  }

  /** The CLI connects, for the first time or anew: its ids start over, and a server that had stopped starts again. */
  #begin(): void {
    this.#open = new Map();
    if (this.#stopped === undefined) return;
    this.#stopped = undefined;
    this.#server = undefined;
    this.#link = undefined;
  }

  async #start(): Promise<ServerLink> {
    return this.#link ?? (await this.#attached()).link;
  }

  #attached(): Promise<AttachedServer> {
    if (this.#server !== undefined) return this.#server;
    const starting = this.#source.attach(this, this.#context.clock).then((server) => {
      this.#link = server.link;
      if (server.link.closed) this.lost();
      return server;
    });
    starting.catch((cause) => {
      // Tried again when it is next asked for; the CLI itself initializes it anew when a turn starts.
      if (this.#server === starting) this.#server = undefined;
      this.report({ kind: "callback_failed", callback: `mcpServers.${this.#name}`, gate: false, cause });
    });
    this.#server = starting;
    return starting;
  }

  /** Answers a request of the server's in the CLI's place. */
  #refuse(id: JsonValue, code: number, text: string): void {
    this.#server?.then(({ link }) => link.answer(rpcError(id, code, text)), () => {});
  }

  async #end(): Promise<void> {
    const starting = this.#server;
    for (const call of [...this.#all]) call.fail(this.#says("is closed"));
    if (starting === undefined) return;
    let server: AttachedServer;
    try {
      server = await starting;
    } catch {
      return; // Reported when it failed; there is nothing to end.
    }
    await server.detach();
  }

  #says(what: string): string {
    return `MCP server "${this.#name}" ${what}`;
  }
}

/** The one field of `_meta` that the package looks at in every message. */
const RELATED_TASK = "io.modelcontextprotocol/related-task";

/** What JSON-RPC and MCP say of every request and notification, whatever its method. */
function isSound({ jsonrpc, params }: JsonObject): boolean {
  if (jsonrpc !== "2.0") return false;
  if (params === undefined) return true;
  if (!isJsonObject(params)) return false;
  const { _meta: meta } = params;
  if (meta === undefined) return true;
  if (!isJsonObject(meta)) return false;
  const related = meta[RELATED_TASK];
  return related === undefined || (isJsonObject(related) && typeof related.taskId === "string");
}

function answered(reply: JsonObject): JsonObject {
  return { mcp_response: reply };
}

function keyOf(id: JsonValue | undefined): string {
  return `${typeof id}:${String(id)}`;
}
