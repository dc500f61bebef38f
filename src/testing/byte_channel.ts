/** Bytes one way, in memory, with the manners of a pipe: bounded, pull-driven, broken when nobody reads. Web APIs only. */
export class ByteChannel {
  /** The reading end. Nothing is taken from the channel before it is asked for. */
  readonly readable: ReadableStream<Uint8Array>;
  /** The writing end. A write settles when there is room for more. */
  readonly writable: WritableStream<Uint8Array | string>;
  readonly #queue: Uint8Array[] = [];
  readonly #capacityBytes: number;
  #queuedBytes = 0;
  #ended = false;
  /** What the reader is told at the end, in place of an end. */
  #fault: { readonly reason: unknown } | undefined;
  #broken: { readonly reason: unknown } | undefined;
  #wake: Set<() => void> = new Set();

  /** @param capacityBytes Bytes it holds before writers wait. Default 64 KiB, as a pipe on Linux. */
  constructor(capacityBytes = 65_536) {
    this.#capacityBytes = capacityBytes;
    this.readable = new ReadableStream<Uint8Array>({
      pull: (controller) => this.#pull(controller),
      cancel: (reason) => this.break(reason ?? new Error("Nobody reads any longer")),
    }, { highWaterMark: 0 });
    this.writable = new WritableStream<Uint8Array | string>({
      write: (chunk) => this.#write(chunk),
      close: () => this.end(),
      abort: (reason) => this.break(reason),
    }, { highWaterMark: 1 });
  }

  /** Ends it: the reader gets what is queued and then the end, or the fault; later writes fail. */
  end(fault?: unknown): void {
    if (!this.#ended && fault !== undefined) this.#fault = { reason: fault };
    this.#ended = true;
    this.#changed();
  }

  /** Breaks it: what is queued is lost, and reads and writes fail with the reason. */
  break(reason: unknown): void {
    this.#broken ??= { reason };
    this.#queue.length = 0;
    this.#queuedBytes = 0;
    this.#changed();
  }

  async #pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    while (this.#queue.length === 0 && !this.#ended && this.#broken === undefined) await this.#change();
    const chunk = this.#queue.shift();
    if (chunk !== undefined) {
      this.#queuedBytes -= chunk.byteLength;
      controller.enqueue(chunk);
      this.#changed();
    } else if (this.#broken !== undefined) controller.error(this.#broken.reason);
    else if (this.#fault !== undefined) controller.error(this.#fault.reason);
    else controller.close();
  }

  async #write(chunk: Uint8Array | string): Promise<void> {
    this.#throwIfOver();
    // A copy: the writer may use its buffer again as soon as the write has settled.
    const bytes = typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk.slice();
    if (bytes.byteLength === 0) return;
    this.#queue.push(bytes);
    this.#queuedBytes += bytes.byteLength;
    this.#changed();
    while (this.#queuedBytes > this.#capacityBytes && !this.#ended && this.#broken === undefined) await this.#change();
    if (this.#broken !== undefined) throw this.#broken.reason;
  }

  #throwIfOver(): void {
    if (this.#broken !== undefined) throw this.#broken.reason;
    if (this.#ended) throw new Error("The other end is gone");
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#wake.add(resolve));
  }

  #changed(): void {
    const wake = this.#wake;
    this.#wake = new Set();
    for (const go of wake) go();
  }
}
