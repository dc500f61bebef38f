import { isJsonObject, type JsonObject } from "../../src/core/json.ts";

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** Waits for a line that fits. */
interface Waiter {
  readonly fits: (line: JsonObject) => boolean;
  readonly found: (line: JsonObject) => void;
}

/**
 * The other end of a connection, played by a test: says what it is told to, chunk by chunk and only when it is read,
 * and keeps what it hears. Its input can stand still and break.
 */
export class ScriptedPeer {
  /** What the peer says. */
  readonly readable: ReadableStream<Uint8Array>;
  /** What the peer hears. */
  readonly writable: WritableStream<Uint8Array>;
  /** Every line heard, in order. */
  readonly lines: JsonObject[] = [];
  /** Every chunk heard, in order. */
  readonly chunks: Uint8Array[] = [];
  /** Called for each line heard. */
  onLine: ((line: JsonObject) => void) | undefined;
  /** The peer's input was closed. */
  inputEnded = false;
  /** The peer's input was given up, with this reason. */
  inputAborted: { readonly reason: unknown } | undefined;
  /** The peer's output was given up, with this reason. */
  cancelled: { readonly reason: unknown } | undefined;
  /** Chunks that were taken from the peer. */
  chunksTaken = 0;
  readonly #chunks: Uint8Array[] = [];
  #wake: (() => void) | undefined;
  #ended = false;
  #failure: { readonly error: unknown } | undefined;
  #blocked: { readonly promise: Promise<void>; readonly open: () => void } | undefined;
  #inputFailure: { readonly error: unknown } | undefined;
  #breakWrite: ((error: unknown) => void) | undefined;
  #controller: WritableStreamDefaultController | undefined;
  #waiters: Waiter[] = [];

  constructor() {
    this.readable = new ReadableStream<Uint8Array>({
      pull: (controller) => this.#pull(controller),
      cancel: (reason) => {
        this.cancelled = { reason };
        this.#stir();
      },
    }, { highWaterMark: 0 });
    this.writable = new WritableStream<Uint8Array>({
      start: (controller) => {
        this.#controller = controller;
      },
      write: (chunk) => this.#hear(chunk),
      close: () => {
        if (this.#inputFailure !== undefined) throw this.#inputFailure.error;
        this.inputEnded = true;
      },
      abort: (reason) => {
        this.inputAborted = { reason };
      },
    });
  }

  /** Says frames, all in one chunk. */
  say(...frames: unknown[]): void {
    this.sayText(frames.map((frame) => `${JSON.stringify(frame)}\n`).join(""));
  }

  /** Says text as it is, in one chunk. */
  sayText(text: string): void {
    this.#chunks.push(encoder.encode(text));
    this.#stir();
  }

  /** Asks for something. */
  ask(requestId: unknown, request: unknown): void {
    this.say({ type: "control_request", request_id: requestId, request });
  }

  /** Takes a request back. */
  takeBack(requestId: unknown): void {
    this.say({ type: "control_cancel_request", request_id: requestId });
  }

  /** Answers a request with success. */
  answer(requestId: unknown, payload?: unknown, extras: Record<string, unknown> = {}): void {
    this.say({
      type: "control_response",
      response: { subtype: "success", request_id: requestId, response: payload, ...extras },
    });
  }

  /** Answers a request with an error. */
  answerError(requestId: unknown, error: unknown, extras: Record<string, unknown> = {}): void {
    this.say({ type: "control_response", response: { subtype: "error", request_id: requestId, error, ...extras } });
  }

  /** Says no more. */
  end(): void {
    this.#ended = true;
    this.#stir();
  }

  /** Its output breaks, after what it has said. */
  break(error: unknown): void {
    this.#failure = { error };
    this.#stir();
  }

  /** Takes no more lines, for now. */
  blockInput(): void {
    let open = (): void => {};
    const promise = new Promise<void>((resolve) => open = resolve);
    this.#blocked = { promise, open };
  }

  /** Takes lines again. */
  unblockInput(): void {
    this.#blocked?.open();
    this.#blocked = undefined;
  }

  /** The next write fails, and the one that is under way. */
  breakInput(error: unknown): void {
    this.#inputFailure = { error };
    this.#breakWrite?.(error);
    this.unblockInput();
  }

  /** The sink finds out by itself, with no write under way. */
  breakIdleInput(error: unknown): void {
    this.#inputFailure = { error };
    this.#controller?.error(error);
  }

  /** The first line heard, ever or from now on, that fits. */
  heard(fits: (line: JsonObject) => boolean): Promise<JsonObject> {
    const known = this.lines.find(fits);
    if (known !== undefined) return Promise.resolve(known);
    return new Promise((found) => this.#waiters.push({ fits, found }));
  }

  /** The request heard that has this subtype. */
  async heardRequest(subtype: string): Promise<{ readonly id: string; readonly request: JsonObject }> {
    const line = await this.heard((line) => isJsonObject(line.request) && line.request.subtype === subtype);
    return { id: String(line.request_id), request: line.request as JsonObject };
  }

  /** The `response` objects of all answers heard for an id. */
  answersTo(requestId: unknown): JsonObject[] {
    return this.lines.flatMap(({ type, response }) =>
      type === "control_response" && isJsonObject(response) && response.request_id === requestId ? [response] : []
    );
  }

  /** The ids of all requests that were taken back. */
  get takenBack(): unknown[] {
    return this.lines.filter(({ type }) => type === "control_cancel_request").map(({ request_id }) => request_id);
  }

  async #pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    for (;;) {
      const chunk = this.#chunks.shift();
      if (chunk !== undefined) {
        this.chunksTaken++;
        return controller.enqueue(chunk);
      }
      if (this.cancelled !== undefined) return;
      if (this.#failure !== undefined) return controller.error(this.#failure.error);
      if (this.#ended) return controller.close();
      await new Promise<void>((resolve) => this.#wake = resolve);
    }
  }

  async #hear(chunk: Uint8Array): Promise<void> {
    if (this.#blocked !== undefined) {
      await Promise.race([
        this.#blocked.promise,
        new Promise((_, reject) => this.#breakWrite = reject),
      ]);
    }
    if (this.#inputFailure !== undefined) throw this.#inputFailure.error;
    this.chunks.push(chunk);
    for (const text of decoder.decode(chunk).split("\n")) {
      if (text === "") continue;
      const line = JSON.parse(text);
      this.lines.push(line);
      this.#waiters = this.#waiters.filter(({ fits, found }) => {
        if (!fits(line)) return true;
        found(line);
        return false;
      });
      this.onLine?.(line);
    }
  }

  #stir(): void {
    this.#wake?.();
    this.#wake = undefined;
  }
}
