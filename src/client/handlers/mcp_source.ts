import type { Clock } from "../../core/clock.ts";
import type { McpServerInstance } from "../../core/options/mod.ts";
import type { ToolSet } from "../tools/tool_set.ts";
import { McpLink } from "./mcp_link.ts";
import type { McpPeer, ServerLink } from "./server_link.ts";
import { ToolLink } from "./tool_link.ts";

/** Where the live server behind a configured one comes from. */
export interface McpSource {
  /** Reaches the server, starting it if need be, and adds a query to it; returns what takes the query away again. */
  attach(peer: McpPeer, clock: Clock): Promise<AttachedServer>;
}

/** A server that a query has been added to. */
export interface AttachedServer {
  readonly link: ServerLink;
  /** Takes the query away; the server of nobody is closed, which settles when its running tools have. */
  detach(): Promise<void>;
}

/** A tool set: every query has one for itself. */
export class ToolSetSource implements McpSource {
  readonly #set: ToolSet;

  constructor(set: ToolSet) {
    this.#set = set;
  }

  /** See {@linkcode McpSource.attach}. */
  async attach(peer: McpPeer, clock: Clock): Promise<AttachedServer> {
    const link = new ToolLink(this.#set, await this.#set.prepare(), peer, clock);
    this.#set.connected(link);
    return {
      link,
      detach: () => {
        link.close();
        return link.idle();
      },
    };
  }
}

/** The link of each server object the user built, while it is connected. Changes of one server come one after the other. */
interface Connection {
  link: McpLink | undefined;
  turn: Promise<unknown>;
}

const CONNECTIONS = new WeakMap<McpServerInstance, Connection>();

/** A server the user built: one object, which all queries share while any of them lasts. */
export class InstanceSource implements McpSource {
  readonly #instance: McpServerInstance;
  readonly #connection: Connection;

  constructor(instance: McpServerInstance) {
    this.#instance = instance;
    let connection = CONNECTIONS.get(instance);
    if (connection === undefined) CONNECTIONS.set(instance, connection = { link: undefined, turn: Promise.resolve() });
    this.#connection = connection;
  }

  /** See {@linkcode McpSource.attach}. */
  async attach(peer: McpPeer, clock: Clock): Promise<AttachedServer> {
    const link = await this.#inTurn(async () => {
      const { link } = this.#connection;
      if (link !== undefined && !link.closed) {
        link.attach(peer);
        return link;
      }
      const fresh = new McpLink(clock);
      fresh.attach(peer);
      await this.#instance.connect(fresh as never);
      this.#connection.link = fresh;
      return fresh;
    });
    return { link, detach: () => this.#detach(link, peer) };
  }

  async #detach(link: McpLink, peer: McpPeer): Promise<void> {
    link.detach(peer);
    await this.#inTurn(async () => {
      if (link.peers > 0 || link.closed) return;
      // Through the server, so that its own teardown runs; the link follows, also if the server forgets it.
      await this.#instance.close();
      await link.close();
    });
    await link.idle();
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#connection.turn.then(work);
    this.#connection.turn = result.catch(() => {});
    return result;
  }
}
