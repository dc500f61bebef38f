import type { Diagnostic } from "../../core/diagnostics.ts";
import type { JsonObject, JsonValue } from "../../core/json.ts";

/** How a JSON-RPC request is known to its sender. */
export type RpcId = string | number;

/** One query's end of a {@linkcode ServerLink}. */
export interface McpPeer {
  /** A notification or request that the server sends of its own accord. */
  receive(message: JsonObject): void;
  /** The server has left; nothing more will come. */
  lost(): void;
  /** Hears of faults of the server's tools. */
  report(event: Diagnostic): void;
}

/** The way to a live MCP server. */
export interface ServerLink {
  /** True once it has closed: the server needs a new one to be reached. */
  readonly closed: boolean;
  /** Whatever it answers to the next call can be written as JSON. */
  readonly answersAreJson: boolean;
  /**
   * Makes a request of the server; returns what cancels it. `answered` takes the answer, with the caller's own id, unless it
   * was cancelled before; `done` runs when the server is done with it, whether or not somebody waits.
   */
  call(
    peer: McpPeer,
    request: JsonObject,
    answered: (reply: JsonObject) => void,
    done: () => void,
  ): (reason: string) => void;
  /** Passes a notification to the server. */
  notify(message: JsonObject): void;
  /** Passes on the answer to a request of the server's. */
  answer(response: JsonObject): void;
}

/** An error as JSON-RPC has it. */
export function rpcError(id: JsonValue, code: number, message: string): JsonObject {
  return { jsonrpc: "2.0", id, error: { code, message } };
}

/** JSON-RPC: the connection is gone. */
export const RPC_CLOSED = -32000;

/** JSON-RPC: no such method; also what a server that is not there answers. */
export const METHOD_NOT_FOUND = -32601;

/** JSON-RPC: what is asked makes no sense. */
export const INVALID_PARAMS = -32602;
