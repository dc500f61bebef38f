import type { StreamTransport, Transport } from "../../mod.ts";

/** What a {@linkcode TransportMethods} does otherwise than it should. */
export type Misbehaviour = Partial<
  Pick<Transport, "connect" | "write" | "endInput" | "isReady" | "close" | "waitForExit">
>;

/** The methods of a custom transport over a pair of streams; notes how they are called. */
export class TransportMethods implements Transport {
  /** Names of the methods called, in order; writes with what they wrote. */
  readonly calls: string[] = [];
  /** How many messages have been taken. */
  taken = 0;
  readonly #pipe: StreamTransport;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #instead: Misbehaviour;
  waitForExit?: () => Promise<unknown>;

  constructor(pipe: StreamTransport, instead: Misbehaviour = {}) {
    this.#pipe = pipe;
    this.#writer = pipe.writable.getWriter();
    this.#instead = instead;
    const { waitForExit } = instead;
    if (waitForExit !== undefined) this.waitForExit = () => this.#note("waitForExit", waitForExit);
  }

  connect(): Promise<void> {
    return this.#note("connect", this.#instead.connect);
  }

  write(data: string): Promise<void> {
    const { write } = this.#instead;
    return this.#note(`write ${kindOf(data)}`, write === undefined ? undefined : () => write(data), () => {
      return this.#writer.write(new TextEncoder().encode(data));
    });
  }

  async *readMessages(): AsyncGenerator<unknown, void, void> {
    this.calls.push("readMessages");
    let rest = "";
    const decoder = new TextDecoder();
    const reader = this.#pipe.readable.getReader();
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        const lines = (rest + (typeof value === "string" ? value : decoder.decode(value, { stream: true }))).split(
          "\n",
        );
        rest = lines.pop() ?? "";
        for (const line of lines) {
          this.taken++;
          yield JSON.parse(line);
        }
      }
    } finally {
      reader.cancel().catch(() => {});
    }
  }

  endInput(): Promise<void> {
    return this.#note("endInput", this.#instead.endInput, () => this.#writer.close());
  }

  isReady(): boolean {
    return this.#instead.isReady?.() ?? true;
  }

  close(): Promise<void> {
    return this.#note("close", this.#instead.close, () => this.#pipe.close({ graceMs: 0 }));
  }

  async #note(name: string, ...work: ((() => unknown) | undefined)[]): Promise<void> {
    this.calls.push(name);
    await work.find((candidate) => candidate !== undefined)?.();
  }
}

function kindOf(line: string): string {
  const { type, request } = JSON.parse(line) as {
    readonly type: string;
    readonly request?: { readonly subtype: string };
  };
  return `${request?.subtype ?? type}${
    line.endsWith("\n") && line.indexOf("\n") === line.length - 1 ? "" : " (no line)"
  }`;
}
