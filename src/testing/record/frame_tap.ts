import type { StreamTransport, TransportExit } from "../../core/options/custom_transport.ts";

/** Told what passes through a {@linkcode tapTransport}. What it returns is waited for before the chunk goes on. */
export interface TapListener {
  /** A chunk for the CLI, before it is written. */
  sent(chunk: Uint8Array): Promise<void> | void;
  /** A chunk of the CLI's, before it is handed on. */
  received(chunk: Uint8Array): Promise<void> | void;
  /** A pipe has ended. `output_cancelled`: nobody wants the rest. */
  ended(pipe: "input_ended" | "output_ended" | "input_failed" | "output_failed" | "output_cancelled"): void;
  /** The other end is gone. */
  exited(exit: TransportExit): void;
}

/**
 * The same transport, seen by a listener. Nothing is read before it is asked for, nothing is kept, each write settles when
 * the inner one has; errors, ends and cancellation pass through as they are.
 */
export function tapTransport(transport: StreamTransport, listener: TapListener): StreamTransport {
  transport.exited.then(
    (exit) => listener.exited(exit),
    () => listener.exited({ code: null, signal: null, stderrTail: "" }), // against the rule; told to whoever awaits it
  );
  const { description } = transport;
  return {
    readable: tapReadable(transport.readable, listener),
    writable: tapWritable(transport.writable, listener),
    exited: transport.exited,
    close: (options) => transport.close(options),
    ...description === undefined ? {} : { description },
  };
}

function tapReadable(source: StreamTransport["readable"], listener: TapListener): StreamTransport["readable"] {
  const reader = source.getReader();
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array | string>({
    pull: async (controller) => {
      try {
        const { done, value } = await reader.read();
        if (done) {
          listener.ended("output_ended");
          return controller.close();
        }
        await listener.received(typeof value === "string" ? encoder.encode(value) : value);
        controller.enqueue(value);
      } catch (error) {
        listener.ended("output_failed");
        controller.error(error);
      }
    },
    cancel: async (reason) => {
      listener.ended("output_cancelled");
      await reader.cancel(reason);
    },
  }, { highWaterMark: 0 });
}

function tapWritable(sink: WritableStream<Uint8Array>, listener: TapListener): WritableStream<Uint8Array> {
  const writer = sink.getWriter();
  return new WritableStream<Uint8Array>({
    start: (controller) => {
      // One that breaks while nothing is written must be seen as broken here too.
      writer.closed.catch((error) => {
        listener.ended("input_failed");
        controller.error(error);
      });
    },
    write: async (chunk) => {
      await listener.sent(chunk);
      await writer.write(chunk);
    },
    close: async () => {
      listener.ended("input_ended");
      await writer.close();
    },
    abort: async (reason) => {
      listener.ended("input_failed");
      await writer.abort(reason);
    },
  });
}
