import type { ExitStatus } from "../runtime.ts";
import { OptionError } from "../errors/option_error.ts";

/** How a transport came to its end. */
export interface TransportExit extends ExitStatus {
  /** The last bytes of stderr, secrets masked; empty where there is none. */
  readonly stderrTail: string;
}

/** How patient {@linkcode StreamTransport.close} is. */
export interface CloseOptions {
  /** From the end of input to SIGTERM, in milliseconds. 0 goes to SIGTERM at once. */
  readonly graceMs?: number;
}

/**
 * A pipe to one CLI as a pair of Web Streams: bytes of newline-delimited JSON both ways. Unstable: it may grow.
 *
 * Back-pressure, errors and the end come with the streams. A transport that is not a process (socket, port, memory) has no
 * exit code and reports `{ code: null, signal: null }`.
 */
export interface StreamTransport {
  /** What the CLI writes. Pull-driven. Text must have been cut anywhere but inside a character. */
  readonly readable: ReadableStream<Uint8Array | string>;
  /** What the CLI reads; each chunk is one whole line. Closing it is the end of input. */
  readonly writable: WritableStream<Uint8Array>;
  /**
   * Settles when the other end is gone and reaped. Must not reject. Pending for longer than grace and twice `termMs` after
   * `close()`, it is waited for no longer, and the diagnostic `transport_stuck` says so.
   */
  readonly exited: Promise<TransportExit>;
  /**
   * Ends it: end of input → grace → SIGTERM → `termMs` → SIGKILL. Resolves when `exited` has. Idempotent; a later call
   * with a shorter grace shortens the wait.
   */
  close(options?: CloseOptions): Promise<void>;
  /** For error reports: what was started, values masked. */
  readonly description?: { readonly argv: readonly string[]; readonly cwd: string | undefined; readonly pid: number };
}

/**
 * A pipe to one CLI as methods: the shape custom transports have in the official SDKs (in Python with snake_case names).
 * Each method may answer at once or with a promise; promises are awaited.
 */
export interface Transport {
  /** Makes the connection. Called once, before anything else; nothing is read or written until it has settled. */
  connect?(): Promise<void> | void;
  /** Sends one line, its newline included. The next one waits until this has settled. */
  write(data: string): Promise<void> | void;
  /** The CLI's messages, parsed, in order. Called once; asked for the next when the last was taken; ends with the CLI. */
  readMessages(): AsyncIterable<unknown>;
  /** No more lines will come: the CLI's end of input. Called at most once. */
  endInput(): Promise<void> | void;
  /** False: it cannot be written to, and the line at hand fails with that. Asked before every line. */
  isReady(): boolean;
  /**
   * Ends the connection, and with it `readMessages`. Called exactly once, also after a natural end. It must bound itself:
   * it is not waited for longer than `tether.timeouts.termMs`.
   */
  close(): Promise<void> | void;
  /**
   * Settles when the CLI's process is gone. A rejection says that it failed: with the code in the error's `exitCode`, if it
   * is there. Waited for when the messages have ended.
   */
  waitForExit?(): Promise<unknown>;
  /** Not called. It is here for transports written for the TypeScript SDK, which tells by it that a request is on its way. */
  expectControlResponse?(requestId: string): void;
  /** Not called. It is here for transports written for the TypeScript SDK, which tells by it that a message was read. */
  markDelivered?(message: object): void;
  /** Not called: the end is {@linkcode close}. It is here for transports that can be disposed of as well. */
  [Symbol.asyncDispose]?(): PromiseLike<void>;
}

/** What `tether.transport` takes: either shape. */
export type CustomTransport = StreamTransport | Transport;

/** True for the shape with methods. */
export function hasTransportMethods(transport: CustomTransport): transport is Transport {
  return !("readable" in transport);
}

/** @throws {OptionError} for an object that is neither shape. */
export function checkTransport(transport: CustomTransport): void {
  if (hasTransportMethods(transport)) {
    for (const name of ["write", "readMessages", "endInput", "isReady", "close"] as const) {
      has("tether.transport", transport, name);
    }
    return;
  }
  checkStreams(transport, "tether.transport");
}

/** @throws {OptionError} for what `tether.wrapTransport` returned, if it is no pair of streams. */
export function checkWrapped(transport: StreamTransport): void {
  checkStreams(transport ?? {}, "tether.wrapTransport");
}

function checkStreams(transport: StreamTransport, option: string): void {
  has(option, transport.readable, "getReader", "readable");
  has(option, transport.writable, "getWriter", "writable");
  has(option, transport.exited, "then", "exited");
  has(option, transport, "close");
}

function has(option: string, value: unknown, method: string, part: string = method): void {
  if (typeof (value as Record<string, unknown> | undefined | null)?.[method] === "function") return;
  throw new OptionError(option, `has no ${part}, or one that is something else`);
}
