import type { Readable, Writable } from "node:stream";
import { type Sink, SinkStream } from "../../core/streams/sink.ts";

/**
 * A Node readable as a Web stream that reads only when asked to. `Readable.toWeb` would read ahead of its queue.
 *
 * The `readable` listener stays for good: when a child ends, Node sets streams that nobody listens to flowing, and what was
 * in them is lost.
 */
export function pullReadable(source: Readable): ReadableStream<Uint8Array> {
  let wake: (() => void) | undefined;
  let over = false;
  let failure: { readonly error: unknown } | undefined;
  const woken = (): void => {
    wake?.();
    wake = undefined;
  };
  const ended = (): void => {
    over = true;
    woken();
  };
  source.on("readable", woken);
  source.on("end", ended);
  source.on("close", ended);
  source.on("error", (error) => {
    failure ??= { error };
    woken();
  });
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      for (;;) {
        const chunk = source.read() as Uint8Array | null;
        if (chunk !== null) {
          controller.enqueue(new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength));
          return;
        }
        if (failure !== undefined) return controller.error(failure.error);
        if (over) return controller.close();
        await new Promise<void>((resolve) => wake = resolve);
      }
    },
    cancel() {
      source.destroy();
    },
  }, { highWaterMark: 0 });
}

/** A Node writable as a Web stream whose writes settle when the pipe has taken them, and reject when it is broken. */
export function pushWritable(target: Writable): WritableStream<Uint8Array> {
  return new SinkStream(new NodeSink(target));
}

class NodeSink implements Sink {
  readonly linewise = false;
  /** Never: what breaks between two writes is told by the next. */
  readonly broken: Promise<unknown> = new Promise(() => {});
  readonly #target: Writable;

  constructor(target: Writable) {
    this.#target = target;
    // Every failure also comes through a callback; without a listener it would end the host.
    target.on("error", () => {});
  }

  write(data: Uint8Array | string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#target.write(data, (error) => error ? reject(error) : resolve());
    });
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      // The end of input of a child that is gone already is no failure.
      this.#target.end(() => resolve());
      if (this.#target.destroyed) resolve();
    });
  }

  abort(): Promise<void> {
    this.#target.destroy();
    return Promise.resolve();
  }
}
