import type { Clock } from "../../core/clock.ts";
import { SourceStream } from "../../core/streams/source.ts";
import { DrainingReader } from "./draining_reader.ts";

/** A child's stdout for the consumer. */
export interface ChildOutput {
  /**
   * Pull-driven. Ends when the child's output does, or, if another process still holds the pipe, when the child is gone and
   * everything it wrote was read (after 250 ms of waiting in vain, or 16 MiB more); the pipe is then closed.
   */
  readonly readable: ReadableStream<Uint8Array>;
  /** The child is gone. */
  childEnded(): void;
}

/** Wraps a child's stdout. */
export function childOutput(source: ReadableStream<Uint8Array>, clock: Clock): ChildOutput {
  const reader = new DrainingReader(source, clock);
  const readable = new SourceStream<Uint8Array>({
    async read() {
      const value = await reader.read();
      return value === undefined ? { done: true } : { done: false, value };
    },
    cancel: () => reader.cancel(),
  });
  return { readable, childEnded: () => reader.childEnded() };
}
