import type { Clock } from "../core/clock.ts";
import { deferred } from "../core/deferred.ts";
import { CLIConnectionError } from "../core/errors/mod.ts";
import {
  type CloseOptions,
  type CustomTransport,
  hasTransportMethods,
  type StreamTransport,
  type Transport,
  type TransportExit,
} from "../core/options/custom_transport.ts";
import type { ResolvedTimeouts } from "../core/limits.ts";

/** What a {@linkcode MethodTransport} measures its patience by. */
export interface MethodTransportContext {
  readonly clock: Clock;
  readonly timeouts: Pick<ResolvedTimeouts, "graceMs" | "termMs">;
}

/** The transport of an option as a pair of streams. */
export function toStreamTransport(transport: CustomTransport, context: MethodTransportContext): StreamTransport {
  return hasTransportMethods(transport) ? new MethodTransport(transport, context) : transport;
}

/**
 * Closes a transport that nothing will run on: it was handed over, so it is ours to close. Rejects if that fails. One that
 * does not end is waited for no longer than its own ladder may take.
 */
export async function closeUnused(
  transport: CustomTransport,
  { clock, timeouts: { graceMs, termMs } }: MethodTransportContext,
): Promise<void> {
  const closing = Promise.resolve(transport.close());
  await within(clock, hasTransportMethods(transport) ? termMs : graceMs + 2 * termMs, closing);
}

/** A transport of methods as a pair of streams. */
export class MethodTransport implements StreamTransport {
  readonly readable: ReadableStream<string>;
  readonly writable: WritableStream<Uint8Array>;
  readonly #methods: Transport;
  readonly #context: MethodTransportContext;
  readonly #connected: Promise<void>;
  readonly #exited = deferred<TransportExit>();
  /** Nothing more will be read: the messages have ended or failed, or nobody wants them. */
  readonly #readingOver = deferred<void>();
  /** The grace of a close has passed. */
  readonly #graceOver = deferred<void>();
  /** What has not been read by now is given up. */
  readonly #cut = deferred<undefined>();
  #messages: AsyncIterator<unknown> | undefined;
  #inputEnded: Promise<void> | undefined;
  #closing = false;
  /** What went wrong at the end, when there is nobody else to tell. */
  #fault: CLIConnectionError | undefined;

  /** Connects at once. */
  constructor(methods: Transport, context: MethodTransportContext) {
    this.#methods = methods;
    this.#context = context;
    this.#connected = this.#connect();
    // Told to whoever reads or writes first.
    this.#connected.catch(() => {});
    this.#exited.promise.catch(() => {});
    this.readable = new ReadableStream<string>({
      pull: (controller) => this.#pull(controller),
      cancel: () => this.#stopReading(),
    }, { highWaterMark: 0 });
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    this.writable = new WritableStream<Uint8Array>({
      write: (line) => this.#write(decoder.decode(line)),
      close: () => this.#endInput(),
    });
    void this.#end();
  }

  /** Rejects, against the rule, if ending failed: that would be told nowhere else. */
  get exited(): Promise<TransportExit> {
    return this.#exited.promise;
  }

  async close({ graceMs = this.#context.timeouts.graceMs }: CloseOptions = {}): Promise<void> {
    // Who writes ends the input, after what is on its way; if nobody does, it is ours to end.
    if (!this.writable.locked) this.#endInput().catch(() => {});
    const cancel = this.#context.clock.after(graceMs, () => this.#graceOver.resolve());
    try {
      await this.exited;
    } finally {
      cancel();
    }
  }

  async #connect(): Promise<void> {
    try {
      await this.#methods.connect?.();
    } catch (cause) {
      throw failure("could not connect", cause);
    }
  }

  async #pull(controller: ReadableStreamDefaultController<string>): Promise<void> {
    try {
      const item = await Promise.race([this.#next(), this.#cut.promise]);
      if (item !== undefined && item.done !== true) return controller.enqueue(toLine(item.value));
      if (item !== undefined) this.#messages = undefined;
      controller.close();
    } catch (cause) {
      controller.error(cause instanceof CLIConnectionError ? cause : failure("failed while it was read", cause));
    }
    this.#stopReading();
  }

  async #next(): Promise<IteratorResult<unknown, unknown> | undefined> {
    await this.#connected;
    if (this.#closing) return undefined;
    // Any method may answer with a promise, also those whose types do not say so: `async` is easily written.
    const messages = this.#messages ?? (await this.#methods.readMessages())[Symbol.asyncIterator]();
    if (this.#messages === undefined && this.#closing) return undefined;
    this.#messages = messages;
    return await messages.next();
  }

  /** Nobody takes what is left, or nothing is. */
  #stopReading(): void {
    this.#readingOver.resolve();
    const messages = this.#messages;
    this.#messages = undefined;
    try {
      // Not awaited: a generator that is waiting for something cannot return before that comes.
      Promise.resolve(messages?.return?.()).catch(() => {});
    } catch {
      // It was given up: how it takes that is of no interest.
    }
  }

  async #write(line: string): Promise<void> {
    await this.#connected;
    if (!await this.#methods.isReady()) throw failure("is not ready to be written to");
    await this.#methods.write(line);
  }

  #endInput(): Promise<void> {
    this.#inputEnded ??= this.#tellEndOfInput();
    return this.#inputEnded;
  }

  async #tellEndOfInput(): Promise<void> {
    await this.#connected;
    try {
      await this.#methods.endInput();
    } catch (cause) {
      const fault = failure("could not end its input", cause);
      // The other end may be gone by now, and a pipe that nobody reads needs no end.
      if (this.#messages !== undefined) this.#fault ??= fault;
      throw fault;
    }
  }

  /** Waits for the end, natural or asked for, and makes it whole. */
  async #end(): Promise<void> {
    const { clock, timeouts: { termMs } } = this.#context;
    const exit = this.#exit();
    await Promise.race([exit, this.#graceOver.promise]);
    this.#closing = true;
    await within(clock, termMs, this.#close());
    // What it had still to say when it was closed.
    await within(clock, termMs, this.#readingOver.promise);
    this.#cut.resolve(undefined);
    this.#stopReading();
    const status = await within(clock, termMs, exit);
    if (this.#fault !== undefined) this.#exited.reject(this.#fault);
    else this.#exited.resolve(status ?? NO_EXIT);
  }

  /** Never rejects. */
  async #close(): Promise<void> {
    try {
      await this.#methods.close();
    } catch (cause) {
      this.#fault ??= failure("could not be closed", cause);
    }
  }

  async #exit(): Promise<TransportExit> {
    await this.#readingOver.promise;
    try {
      await this.#methods.waitForExit?.();
      return NO_EXIT;
    } catch (error) {
      const { exitCode, message } = (error ?? {}) as { readonly exitCode?: unknown; readonly message?: unknown };
      const code = typeof exitCode === "number" ? exitCode : 1;
      return { code, signal: null, stderrTail: typeof message === "string" ? message : "" };
    }
  }
}

/** What the work comes to; undefined if it takes longer. */
async function within<T>(clock: Clock, ms: number, work: Promise<T>): Promise<T | undefined> {
  const timeUp = deferred<undefined>();
  const cancel = clock.after(ms, () => timeUp.resolve(undefined));
  try {
    return await Promise.race([work, timeUp.promise]);
  } finally {
    cancel();
  }
}

const NO_EXIT: TransportExit = { code: null, signal: null, stderrTail: "" };

function toLine(message: unknown): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(message);
  } catch (cause) {
    throw failure("gave a message that cannot be written as JSON", cause);
  }
  if (text === undefined) throw failure("gave a message that cannot be written as JSON");
  return `${text}\n`;
}

function failure(problem: string, cause?: unknown): CLIConnectionError {
  return new CLIConnectionError(`The transport ${problem}`, { code: "transport_failed", cause });
}
