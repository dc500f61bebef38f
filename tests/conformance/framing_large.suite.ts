/** Large records: linear work, bounded memory, and a limit that stops a flood early (D12, D15, D16). */

import { assert } from "chai";
import { MessageTooLargeError } from "../../src/core/errors/mod.ts";
import { DEFAULT_LIMITS, LONGEST_STRING } from "../../src/core/limits.ts";
import type { Frame } from "../../src/core/streams/frame.ts";
import { FrameDecoder } from "../../src/core/streams/frame_decoder.ts";
import { FrameReader } from "../../src/core/streams/frame_reader.ts";
import { chunksOf } from "../harness/chunkings.ts";
import { rejectsWith } from "../harness/rejects.ts";
import { suite } from "../harness/suite.ts";
import { throwsWith } from "../harness/throws.ts";
import { countVisits, totalVisits } from "../harness/visit_counter.ts";

const encoder = new TextEncoder();
const MB = 1_000_000;
const CHUNK_BYTES = 65_536;
const CHUNK = new Uint8Array(CHUNK_BYTES).fill(0x61);

function decoderOf(maxMessageBytes: number): FrameDecoder {
  return new FrameDecoder({ maxMessageBytes, onDiagnostic: () => {} });
}

/** How often each byte is looked at while an output is decoded and its frames are read. */
function visitsPerByte(output: Uint8Array, chunkBytes: number): number {
  const chunks = chunksOf(output, chunkBytes);
  const frames: Frame[] = [];
  const visits = countVisits(() => {
    const decoder = decoderOf(64 * MB);
    const emit = (frame: Frame): void => {
      frames.push(frame);
      frame.read();
    };
    for (const chunk of chunks) decoder.push(chunk, emit);
    decoder.end(emit);
  });
  assert.isAbove(frames.filter((frame) => frame.read() !== undefined).length, 0);
  return totalVisits(visits) / output.length;
}

/** Says that the count does not grow while the line grows eightfold. */
function assertLinear(outputOf: (bytes: number) => Uint8Array, chunkBytes: number, unit: number, bound: number): void {
  const counts = [1, 2, 4, 8].map((times) => visitsPerByte(outputOf(times * unit), chunkBytes));
  for (const count of counts) {
    assert.isAtMost(count, bound, `visits per byte: ${counts.join(", ")}`);
    assert.isAtMost(count, counts[0]! + 0.05, `visits per byte: ${counts.join(", ")}`);
  }
}

function record(type: string, bytes: number, filler: string): Uint8Array {
  const text = filler.repeat(Math.ceil(bytes / encoder.encode(filler).length));
  return encoder.encode(`{"type":"${type}","text":"${text}"}\n`);
}

/** A source of chunks that counts what is taken from it. */
function countingSource(chunks: number): { readonly stream: ReadableStream<Uint8Array>; taken(): number } {
  let taken = 0;
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (taken === chunks) return controller.close();
      taken++;
      controller.enqueue(CHUNK);
    },
  }, { highWaterMark: 0 });
  return { stream, taken: () => taken };
}

/** Bytes this process holds, where that can be told. */
function heldBytes(): number | undefined {
  const host = globalThis as {
    process?: { memoryUsage?: () => { rss: number } };
    performance?: { memory?: { usedJSHeapSize: number } };
  };
  return host.process?.memoryUsage?.().rss ?? host.performance?.memory?.usedJSHeapSize;
}

export default suite("framing: large records", (test) => {
  test("each byte of a line is visited a fixed number of times, however long the line", () => {
    assertLinear((bytes) => record("assistant", bytes, "abcdefgh"), CHUNK_BYTES, MB, 6);
    assertLinear((bytes) => record("control_request", bytes, "abcdefgh"), CHUNK_BYTES, MB, 6);
  });

  test("so is each byte of a line that is not ASCII", () => {
    assertLinear((bytes) => record("assistant", bytes, "Grüße 漢😀 "), CHUNK_BYTES, MB, 6);
  });

  test("so is each byte of a line that comes in tiny chunks", () => {
    assertLinear((bytes) => record("assistant", bytes, "Grüße 漢😀 "), 7, 100_000, 8);
  });

  test("so is each byte of many short lines", () => {
    const line = '{"type":"user","text":"é0123456789"}\n{"type":"system"}\r\n';
    assertLinear((bytes) => encoder.encode(line.repeat(bytes / 50)), CHUNK_BYTES, MB / 4, 7);
  });

  test("so is each byte of a record that is put together from many pieces", () => {
    assertLinear(
      (bytes) => encoder.encode(`{"text":"${"\n{0123456789".repeat(bytes / 11)}"}\n`),
      CHUNK_BYTES,
      50_000,
      12,
    );
  });

  test("so is each byte of a record that is broken", () => {
    assertLinear(
      (bytes) => encoder.encode(`{"text":"${"x".repeat(bytes)}\n{"type":"result"}\n`),
      CHUNK_BYTES,
      MB / 10,
      8,
    );
  });

  test("a line of 100 MB comes whole", () => {
    const head = encoder.encode('{"type":"assistant","text":"é');
    const tail = encoder.encode('漢"}\n');
    const chunks = 1526;
    const frames: Frame[] = [];
    const decoder = decoderOf(128 * MB);
    const push = (chunk: Uint8Array): void => decoder.push(chunk, (frame) => frames.push(frame));
    push(head);
    for (let i = 0; i < chunks; i++) push(CHUNK);
    assert.lengthOf(frames, 0);
    push(tail);
    assert.lengthOf(frames, 1);
    assert.strictEqual(frames[0]?.wireBytes, head.length + chunks * CHUNK_BYTES + tail.length - 1);
    const text = frames[0]?.read()?.text as string;
    assert.strictEqual(text.length, chunks * CHUNK_BYTES + 2);
    assert.strictEqual(text[0], "é");
    assert.strictEqual(text.at(-1), "漢");
    assert.strictEqual(text.indexOf("b"), -1);
  }, { timeoutMs: 60_000 });

  test("of a line of 600 MB no more is taken than the limit and one chunk", async () => {
    const limit = DEFAULT_LIMITS.maxMessageBytes;
    const source = countingSource(Math.ceil((600 * MB) / CHUNK_BYTES));
    const reader = new FrameReader(source.stream, decoderOf(limit));
    const error = await rejectsWith(reader.read(), MessageTooLargeError);
    assert.strictEqual(error.limitBytes, limit);
    assert.strictEqual(error.bytesSeen, limit + CHUNK_BYTES);
    assert.strictEqual(source.taken(), limit / CHUNK_BYTES + 1);
    await rejectsWith(reader.read(), MessageTooLargeError);
    assert.strictEqual(source.taken(), limit / CHUNK_BYTES + 1);
    await reader.cancel();
  }, { timeoutMs: 60_000 });

  test("with the limit at the longest string, a line of 600 MB is a typed error in bounded memory", () => {
    const before = heldBytes();
    let highest = before ?? 0;
    let pushed = 0;
    const decoder = decoderOf(LONGEST_STRING);
    const error = throwsWith(() => {
      while (pushed < 600 * MB) {
        decoder.push(CHUNK, () => {});
        pushed += CHUNK_BYTES;
        if (pushed % (512 * CHUNK_BYTES) === 0) highest = Math.max(highest, heldBytes() ?? 0);
      }
    }, MessageTooLargeError);
    assert.strictEqual(error.limitBytes, LONGEST_STRING);
    assert.isAbove(error.bytesSeen, LONGEST_STRING);
    assert.isAtMost(error.bytesSeen, LONGEST_STRING + CHUNK_BYTES);
    if (before !== undefined) assert.isBelow(highest - before, 2.5 * LONGEST_STRING);
  }, { timeoutMs: 120_000 });
});
