import type { Clock } from "../../core/clock.ts";
import type { Diagnostic } from "../../core/diagnostics.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../core/json.ts";
import { type McpPeer, RPC_CLOSED, rpcError, type RpcId, type ServerLink } from "./server_link.ts";

/** A request a peer made of the server. */
interface Call {
  readonly peer: McpPeer;
  readonly id: RpcId;
  readonly token: JsonValue | undefined;
  /** Takes the answer; undefined once nobody waits for it any more. */
  answered: ((reply: JsonObject) => void) | undefined;
  /** Runs when the server is done with it, whether or not somebody waits. */
  readonly done: () => void;
}

/**
 * The transport of one live MCP server, shared by every query that uses it: requests get ids and progress tokens of the
 * link's own, so that queries which number alike do not meet, and what the server says is led back to whom it concerns.
 *
 * It is what `@modelcontextprotocol/sdk` calls a `Transport`.
 */
export class McpLink implements ServerLink {
  /** See {@linkcode ServerLink.answersAreJson}: a handler of the user's own may answer with anything. */
  readonly answersAreJson = false;
  /** Set by the server: takes a message. */
  onmessage?: (message: never) => void;
  /** Set by the server: the link has closed. */
  onclose?: () => void;
  /** Set by the server: something went wrong that ends nothing. */
  onerror?: (error: Error) => void;
  /** What the tools of this server are timed by. */
  readonly clock: Clock;
  readonly #peers = new Set<McpPeer>();
  readonly #calls = new Map<number, Call>();
  /** Requests of the server's, and who was asked. */
  readonly #asked = new Map<RpcId, McpPeer>();
  /** Runs of tools, and whether each can be ended. */
  readonly #running = new Map<Promise<unknown>, () => boolean>();
  // From 1: the SDK (1.32) takes a cancel of request 0 for one without an id.
  #nextId = 1;
  #closed = false;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** True once it has closed: the server needs a new one to be reached. */
  get closed(): boolean {
    return this.#closed;
  }

  /** How many queries use the server. */
  get peers(): number {
    return this.#peers.size;
  }

  /** Adds a query. */
  attach(peer: McpPeer): void {
    this.#peers.add(peer);
  }

  /** Takes a query away: what it still has running is cancelled. */
  detach(peer: McpPeer): void {
    this.#peers.delete(peer);
    for (const [ourId, call] of [...this.#calls]) if (call.peer === peer) this.#cancel(ourId, "the query was closed");
    for (const [id, asked] of [...this.#asked]) if (asked === peer) this.#refuse(id);
  }

  /** See {@linkcode ServerLink.call}. */
  call(
    peer: McpPeer,
    request: JsonObject,
    answered: (reply: JsonObject) => void,
    done: () => void,
  ): (reason: string) => void {
    const ourId = this.#nextId++;
    const params = isJsonObject(request.params) ? request.params : undefined;
    const meta = isJsonObject(params?._meta) ? params._meta : undefined;
    const token = meta?.progressToken;
    this.#calls.set(ourId, { peer, id: request.id as RpcId, token, answered, done });
    const own = token === undefined ? params : { ...params, _meta: { ...meta, progressToken: ourId } };
    this.#deliver({ id: ourId, ...messageOf(request.method, own) });
    return (reason) => this.#cancel(ourId, reason);
  }

  /** Tells the server that a request is not wanted any more. Its answer, if one comes, is dropped. */
  #cancel(ourId: number, reason: string): void {
    const call = this.#calls.get(ourId);
    if (call?.answered === undefined) return;
    call.answered = undefined;
    this.notify({ method: "notifications/cancelled", params: { requestId: ourId, reason } });
  }

  /** Passes a notification to the server. */
  notify(message: JsonObject): void {
    this.#deliver(messageOf(message.method, message.params));
  }

  /** Passes on the answer to a request of the server's. */
  answer(response: JsonObject): void {
    if (this.#asked.delete(response.id as RpcId)) this.#deliver(response);
  }

  /**
   * Keeps a tool's run in view: its call is over only when it has settled. The link is idle when it has, or when it does
   * not listen to its signal: nothing can end it then, and it may be waiting for us, having closed the query itself.
   */
  track(ourId: number, run: Promise<unknown>, listens: () => boolean): void {
    const settled = run.then(() => {}, () => {}).then(() => {
      this.#running.delete(settled);
      // An answer ends the call otherwise; a cancelled one gets none.
      if (this.#calls.get(ourId)?.answered === undefined) this.#finish(ourId);
    });
    this.#running.set(settled, listens);
  }

  /** Settles when no tracked run is left that listens. Never rejects. */
  async idle(): Promise<void> {
    for (;;) {
      const awaited = [...this.#running].filter(([, listens]) => listens()).map(([settled]) => settled);
      if (awaited.length === 0) return;
      await Promise.all(awaited);
    }
  }

  /** Tells the query whose call this is of a fault. */
  report(ourId: number, event: Diagnostic): void {
    this.#calls.get(ourId)?.peer.report(event);
  }

  /** Called by the server when it connects. */
  start(): Promise<void> {
    return Promise.resolve();
  }

  /** Called by the server: an answer, a notification or a request. */
  send(message: object, options?: { readonly relatedRequestId?: RpcId | undefined }): Promise<void> {
    if (this.#closed) return Promise.resolve();
    const sent = message as JsonObject;
    if (sent.method === undefined) this.#finish(Number(sent.id), sent);
    else if (sent.id !== undefined) this.#forward(sent, sent.id as RpcId, options?.relatedRequestId);
    else this.#announce(sent, options?.relatedRequestId);
    return Promise.resolve();
  }

  /** Called by the server when it closes, and by us when the last query has left. Idempotent, also when re-entered. */
  close(): Promise<void> {
    if (this.#closed) return Promise.resolve();
    this.#closed = true;
    const calls = [...this.#calls.values()];
    this.#calls.clear();
    this.#asked.clear();
    for (const { id, answered, done } of calls) {
      answered?.(rpcError(id, RPC_CLOSED, "Connection closed"));
      done();
    }
    for (const peer of [...this.#peers]) peer.lost();
    this.#peers.clear();
    this.onclose?.();
    return Promise.resolve();
  }

  #deliver(message: JsonObject): void {
    if (!this.#closed) this.onmessage?.(message as never);
  }

  #finish(ourId: number, reply?: JsonObject): void {
    const call = this.#calls.get(ourId);
    if (call === undefined) return;
    this.#calls.delete(ourId);
    if (reply !== undefined) call.answered?.({ ...reply, id: call.id });
    call.done();
  }

  #forward(request: JsonObject, id: RpcId, related: RpcId | undefined): void {
    const peer = this.#calls.get(Number(related))?.peer ?? [...this.#peers][0];
    if (peer === undefined) return this.#refuse(id);
    this.#asked.set(id, peer);
    peer.receive(request);
  }

  /** Settles a request of the server's that nobody will answer. */
  #refuse(id: RpcId): void {
    this.#asked.delete(id);
    this.#deliver(rpcError(id, RPC_CLOSED, "No client is there to answer"));
  }

  #announce(notification: JsonObject, related: RpcId | undefined): void {
    if (notification.method === "notifications/progress" && isJsonObject(notification.params)) {
      const call = this.#calls.get(Number(notification.params.progressToken));
      if (call?.answered === undefined) return;
      const params = { ...notification.params, progressToken: call.token };
      return call.peer.receive({ ...notification, params });
    }
    const peer = related === undefined ? undefined : this.#calls.get(Number(related))?.peer;
    // What belongs to a call that is over concerns nobody else; with one query alone there is nobody else.
    const heard = peer !== undefined ? [peer] : related === undefined || this.#peers.size === 1 ? [...this.#peers] : [];
    for (const each of heard) each.receive(notification);
  }
}

/** Nothing but what belongs there: a server passes over a message that has more fields, and a request is never answered. */
function messageOf(method: JsonValue | undefined, params: JsonValue | undefined): JsonObject {
  return { jsonrpc: "2.0", method, ...(params === undefined ? {} : { params }) };
}
