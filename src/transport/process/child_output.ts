import type { Clock } from "../../core/clock.ts";
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
  const readable = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const chunk = await reader.read();
      if (chunk === undefined) controller.close();
      else controller.enqueue(chunk);
    },
    cancel: () => reader.cancel(),
  }, { highWaterMark: 0 });
  return { readable, childEnded: () => reader.childEnded() };
}
