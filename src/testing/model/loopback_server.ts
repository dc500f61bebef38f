import type { IncomingMessage, Server, ServerResponse } from "node:http";

/** One HTTP exchange: the request as a whole, and what can be answered. */
export interface Exchange {
  /** HTTP method. */
  readonly method: string;
  /** Path with query. */
  readonly path: string;
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text. */
  readonly body: string;
  /** Aborted when the client has hung up or the server closes. */
  readonly gone: AbortSignal;
  /** Sends status and headers. */
  head(status: number, headers: Readonly<Record<string, string>>): void;
  /** Sends a part of the body; settles when there is room for more, or nobody listens any longer. */
  write(text: string): Promise<void>;
  /** Ends the response. */
  end(text?: string): void;
  /** Destroys the connection. */
  drop(): void;
}

/** A server on 127.0.0.1. */
export interface LoopbackServer {
  /** Where it listens, without a trailing slash. */
  readonly url: string;
  /** Stops listening and destroys every connection; settles when all are gone. */
  close(): Promise<void>;
}

/**
 * Serves on 127.0.0.1, a free port. `node:http` is what Deno, Bun and Node have in common, and in all three it streams,
 * pushes back and can destroy a connection; it is loaded here, so that importing the testing kit loads no server.
 */
export async function startLoopbackServer(serve: (exchange: Exchange) => Promise<void>): Promise<LoopbackServer> {
  const http = await import("node:http");
  const closing = new AbortController();
  const server = http.createServer((request, response) => {
    void answer(request, response, closing.signal, serve);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      server.off("error", reject);
      resolve();
    });
  });
  let closed: Promise<void> | undefined;
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    close: () => closed ??= closeServer(server, closing),
  };
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new TypeError("The server has no port");
  return address.port;
}

function closeServer(server: Server, closing: AbortController): Promise<void> {
  closing.abort();
  return new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  closing: AbortSignal,
  serve: (exchange: Exchange) => Promise<void>,
): Promise<void> {
  const gone = new AbortController();
  const leave = () => gone.abort();
  closing.addEventListener("abort", leave);
  response.once("close", leave);
  // A client that hangs up is no fault of the script: `gone` says so.
  response.on("error", leave);
  request.on("error", leave);
  try {
    const body = await readBody(request);
    if (gone.signal.aborted) return;
    await serve(exchangeOf(request, response, body, gone.signal));
  } catch {
    // Only the reading of the body can end here: `serve` reports its own faults. Whoever asked is gone.
    destroy(request, response);
  } finally {
    closing.removeEventListener("abort", leave);
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const parts: string[] = [];
  for await (const chunk of request) parts.push(decoder.decode(chunk as Uint8Array, { stream: true }));
  parts.push(decoder.decode());
  return parts.join("");
}

function exchangeOf(request: IncomingMessage, response: ServerResponse, body: string, gone: AbortSignal): Exchange {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return {
    method: request.method ?? "",
    path: request.url ?? "",
    headers,
    body,
    gone,
    head: (status, fields) => {
      // A client may send a request again by itself when a connection it kept is destroyed (Bun does); on a fresh one
      // it reports that, as a script that drops connections wants.
      response.writeHead(status, { connection: "close", ...fields });
      // Otherwise a stall right after the head would hold the head back too.
      response.flushHeaders();
    },
    write: (text) => gone.aborted || response.write(text) ? Promise.resolve() : drained(response, gone),
    end: (text = "") => {
      if (!gone.aborted) response.end(text);
    },
    drop: () => destroy(request, response),
  };
}

/** The socket first: on Bun 1.4 a response that is destroyed unsent goes out as an empty 200. */
function destroy(request: IncomingMessage, response: ServerResponse): void {
  request.socket.destroy();
  response.destroy();
}

function drained(response: ServerResponse, gone: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off("drain", done);
      gone.removeEventListener("abort", done);
      resolve();
    };
    response.once("drain", done);
    gone.addEventListener("abort", done);
    if (gone.aborted) done();
  });
}
