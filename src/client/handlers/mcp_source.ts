import type { Clock } from "../../core/clock.ts";
import type { McpServerInstance } from "../../core/options/mod.ts";
import type { ToolSet } from "../tools/tool_set.ts";
import { McpLink, type McpPeer } from "./mcp_link.ts";

/** Where the live server behind a configured one comes from. */
export interface McpSource {
  /** Reaches the server, starting it if need be, and adds a query to it. */
  attach(peer: McpPeer, clock: Clock): Promise<McpLink>;
  /** Takes the query away; the server of nobody is closed, which settles when its running tools have. */
  detach(link: McpLink, peer: McpPeer): Promise<void>;
}

/** A tool set: every query gets a server of its own. */
export class ToolSetSource implements McpSource {
  readonly #set: ToolSet;

  constructor(set: ToolSet) {
    this.#set = set;
  }

  /** See {@linkcode McpSource.attach}. */
  async attach(peer: McpPeer, clock: Clock): Promise<McpLink> {
    const server = await this.#set.createServer();
    const link = new McpLink(clock);
    link.attach(peer);
    await server.connect(link as never);
    this.#set.connected(server);
    return link;
  }

  /** See {@linkcode McpSource.detach}. */
  async detach(link: McpLink, peer: McpPeer): Promise<void> {
    link.detach(peer);
    await link.close();
    await link.idle();
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
  attach(peer: McpPeer, clock: Clock): Promise<McpLink> {
    return this.#inTurn(async () => {
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
  }

  /** See {@linkcode McpSource.detach}. */
  async detach(link: McpLink, peer: McpPeer): Promise<void> {
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
