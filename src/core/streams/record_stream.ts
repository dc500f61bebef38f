import { CLIJSONDecodeError } from "../errors/connection_errors.ts";
import type { JsonObject } from "../json.ts";
import type { Frame } from "./frame.ts";
import { FrameDecoder, type FrameDecoderOptions } from "./frame_decoder.ts";
import { FrameReader } from "./frame_reader.ts";

/**
 * The records of a byte stream as a stream of their own, one for each pull; nothing is read ahead of them but the rest
 * of a chunk, which waits unparsed.
 *
 * It fails with {@linkcode MessageTooLargeError} for a record past the limit, with {@linkcode CLIJSONDecodeError} if the
 * source ends inside one, and as the source fails. Failing or cancelled, it cancels the source.
 */
export function recordStream(
  source: ReadableStream<Uint8Array | string>,
  options: FrameDecoderOptions,
): ReadableStream<JsonObject> {
  const reader = new FrameReader(source, new FrameDecoder(options));
  let frames: readonly Frame[] = [];
  let next = 0;
  let cancelled = false;

  async function nextRecord(): Promise<JsonObject | undefined> {
    for (;;) {
      while (next < frames.length) {
        const record = frames[next++]!.read();
        if (record !== undefined) return record;
      }
      const more = await reader.read();
      if (more === undefined) return undefined;
      frames = more;
      next = 0;
    }
  }

  return new ReadableStream<JsonObject>({
    async pull(controller) {
      try {
        const record = await nextRecord();
        if (cancelled) return;
        if (record !== undefined) controller.enqueue(record);
        else if (reader.halfRecordBytes > 0) controller.error(new CLIJSONDecodeError(reader.halfRecordBytes));
        else controller.close();
      } catch (error) {
        // Not waited for: a source that hangs in its cancel must not keep the error back.
        void reader.cancel(error);
        throw error;
      }
    },
    cancel(reason) {
      cancelled = true;
      return reader.cancel(reason);
    },
  }, { highWaterMark: 0 });
}
