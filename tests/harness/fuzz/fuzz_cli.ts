import { isJsonObject, type JsonObject } from "../../../src/core/json.ts";
import type { CloseOptions, StreamTransport, TransportExit } from "../../../src/core/options/custom_transport.ts";
import type { Clock } from "../../../src/core/clock.ts";
import { deferred } from "../../../src/core/deferred.ts";
import { ByteChannel } from "../../../src/testing/byte_channel.ts";

/** What a {@linkcode FuzzCli} does by itself. */
export interface CliTraits {
  /** With `initialize`. */
  readonly initialize: "answers" | "refuses" | "is silent" | "answers rubbish" | "is too old";
  /** Answers the other control requests as they come; else when it is told to. */
  readonly answers: boolean;
  /** Leaves at the end of its input. */
  readonly leavesAtEnd: boolean;
  /** Leaves at SIGTERM. */
  readonly leavesAtTerm: boolean;
}

/** From SIGTERM to the forced end, in milliseconds. */
const TERM_MS = 5_000;

/** A CLI in memory that does what it is told, good or bad, in virtual time; and the transport to it. */
export class FuzzCli {
  /** The host's end. */
  readonly transport: StreamTransport;
  /** What the host wrote. */
  readonly lines: JsonObject[] = [];
  /** Control requests of the host without an answer. */
  readonly open: JsonObject[] = [];
  readonly #traits: CliTraits;
  readonly #clock: Clock;
  readonly #input = new ByteChannel();
  readonly #encoder = new TextEncoder();
  readonly #exited = deferred<TransportExit>();
  #output!: ReadableStreamDefaultController<Uint8Array>;
  #silent = false;
  #unread = "";
  #reading = true;
  #gone = false;
  #cancel: (() => void) | undefined;
  #due = Infinity;
  #terminated = false;

  constructor(traits: CliTraits, clock: Clock) {
    this.#traits = traits;
    this.#clock = clock;
    const readable = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#output = controller;
      },
      cancel: () => {
        this.#silent = true;
      },
    }, { highWaterMark: 0 });
    this.transport = {
      readable,
      writable: this.#input.writable as WritableStream<Uint8Array>,
      exited: this.#exited.promise,
      close: (options) => this.#close(options),
    };
    void this.#read();
  }

  /** It has left. */
  get gone(): boolean {
    return this.#gone;
  }

  /** Its output has ended, or nobody reads it. */
  get silent(): boolean {
    return this.#silent;
  }

  /** Writes one frame. */
  say(frame: JsonObject): void {
    this.sayText(`${JSON.stringify(frame)}\n`);
  }

  /** Writes text as it is: never waits, and says nothing to a host that has hung up. */
  sayText(text: string): void {
    if (!this.#silent) this.#output.enqueue(this.#encoder.encode(text));
  }

  /** Answers a control request. */
  answer(request: JsonObject, reply: JsonObject): void {
    const at = this.open.indexOf(request);
    if (at !== -1) this.open.splice(at, 1);
    this.say({ type: "control_response", response: { request_id: request.request_id, ...reply } });
  }

  /** Leaves. */
  exit(status: Partial<TransportExit> = {}): void {
    if (this.#gone) return;
    this.#gone = true;
    this.#cancel?.();
    this.#cancel = undefined;
    this.#exited.resolve({ code: status.signal === undefined ? 0 : null, signal: null, stderrTail: "", ...status });
    this.closeOutput();
    this.#input.break(new Error("The CLI is gone"));
  }

  /** Ends its output and lives on. */
  closeOutput(): void {
    if (this.#silent) return;
    this.#silent = true;
    this.#output.close();
  }

  /** Its output breaks. */
  breakOutput(error: unknown): void {
    if (this.#silent) return;
    this.#silent = true;
    this.#output.error(error);
  }

  /** Reads no more. */
  stopReading(): void {
    this.#reading = false;
  }

  async #read(): Promise<void> {
    const decoder = new TextDecoder();
    const reader = this.#input.readable.getReader();
    try {
      while (this.#reading) {
        const { done, value } = await reader.read();
        if (done) break;
        this.#unread += decoder.decode(value, { stream: true });
        const lines = this.#unread.split("\n");
        this.#unread = lines.pop()!;
        for (const line of lines) this.#take(JSON.parse(line));
      }
    } catch {
      // The host's end broke: there is nothing more to read.
    }
    if (this.#reading && this.#traits.leavesAtEnd) this.exit();
  }

  #take(line: JsonObject): void {
    this.lines.push(line);
    if (line.type !== "control_request" || !isJsonObject(line.request)) return;
    this.open.push(line);
    if (line.request.subtype !== "initialize") {
      if (this.#traits.answers) this.answer(line, { subtype: "success", response: {} });
      return;
    }
    switch (this.#traits.initialize) {
      case "answers":
        return this.answer(line, {
          subtype: "success",
          response: { commands: [], models: [], hooks_applied: true, hook_on_failure_supported: true },
        });
      case "is too old":
        return this.answer(line, { subtype: "success", response: {} });
      case "refuses":
        return this.answer(line, { subtype: "error", error: "not today" });
      case "answers rubbish":
        return this.answer(line, { subtype: "success", response: [5] });
      case "is silent":
    }
  }

  async #close({ graceMs = TERM_MS }: CloseOptions = {}): Promise<void> {
    this.#input.end();
    const due = this.#clock.now() + graceMs;
    if (!this.#gone && !this.#terminated && due < this.#due) {
      this.#due = due;
      this.#cancel?.();
      this.#cancel = this.#clock.after(graceMs, () => this.#terminate());
    }
    await this.#exited.promise;
  }

  #terminate(): void {
    this.#terminated = true;
    if (this.#traits.leavesAtTerm) return this.exit({ code: 143 });
    this.#cancel = this.#clock.after(TERM_MS, () => this.exit({ signal: "SIGKILL" }));
  }
}
