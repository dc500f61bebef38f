/** Byte streams in memory: two ends that face each other. Web APIs only. */

/** One end of a pair. */
export interface MemoryEnd {
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<Uint8Array>;
}

/** Two ends: what one writes the other reads. A write is accepted when the other end has taken it. */
export function memoryPair(): readonly [MemoryEnd, MemoryEnd] {
  const there = memoryPipe();
  const back = memoryPipe();
  return [
    { readable: back.readable, writable: there.writable },
    { readable: there.readable, writable: back.writable },
  ];
}

/** One direction: nothing is kept between its ends. Giving up the readable breaks the writable, as with a pipe. */
export function memoryPipe(): MemoryEnd {
  let offer:
    | { readonly chunk: Uint8Array; readonly taken: () => void; readonly refused: (reason: unknown) => void }
    | undefined;
  let wake: (() => void) | undefined;
  let ended = false;
  let broken: { readonly reason: unknown } | undefined;
  const stir = (): void => {
    wake?.();
    wake = undefined;
  };
  const readable = new ReadableStream<Uint8Array>({
    async pull(controller) {
      while (offer === undefined && !ended && broken === undefined) {
        await new Promise<void>((resolve) => wake = resolve);
      }
      if (offer !== undefined) {
        const { chunk, taken } = offer;
        offer = undefined;
        controller.enqueue(chunk);
        taken();
      } else if (broken !== undefined) controller.error(broken.reason);
      else controller.close();
    },
    cancel(reason) {
      broken = { reason: reason ?? new Error("nobody reads") };
      offer?.refused(broken.reason);
      offer = undefined;
      stir();
    },
  }, { highWaterMark: 0 });
  const writable = new WritableStream<Uint8Array>({
    write(chunk) {
      if (broken !== undefined) throw broken.reason;
      return new Promise<void>((taken, refused) => {
        offer = { chunk, taken, refused };
        stir();
      });
    },
    close() {
      ended = true;
      stir();
    },
    abort(reason) {
      broken = { reason };
      offer = undefined;
      stir();
    },
  }, { highWaterMark: 1 });
  return { readable, writable };
}
