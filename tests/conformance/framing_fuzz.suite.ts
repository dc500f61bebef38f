/** Anything on the wire: what the decoder makes of chunks, unparsed frames and late readers is what a whole look says. */

import { assert } from "chai";
import fc from "fast-check";
import { CLIJSONDecodeError, MessageTooLargeError } from "../../src/core/errors/mod.ts";
import { encodeFrame } from "../../src/core/streams/encode_frame.ts";
import { recordStream } from "../../src/core/streams/record_stream.ts";
import { chunksOf } from "../harness/chunkings.ts";
import { decode, type Decoded, READING_HABITS, type ReadingHabit } from "../harness/decoding.ts";
import { referenceLines, type ReferenceOutcome, referenceOutcome } from "../harness/framing_reference.ts";
import { property } from "../harness/fuzz/property.ts";
import { concat, delivered, delivery, wireOutput, wireRecord } from "../harness/fuzz/wire_output.ts";
import { suite } from "../harness/suite.ts";
import { countVisits, totalVisits } from "../harness/visit_counter.ts";

const encoder = new TextEncoder();

const habit: fc.Arbitrary<ReadingHabit> = fc.constantFrom(...READING_HABITS);
const chances = fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true }));

/** Sizes are exact but for lines that share a chunk with others and are not ASCII: of those their sum is known. */
function sizesAreExact(chunks: Iterable<Uint8Array | string>): boolean {
  for (const chunk of chunks) {
    const bytes = typeof chunk === "string" ? encoder.encode(chunk) : new Uint8Array(chunk.buffer.slice(
      chunk.byteOffset,
      chunk.byteOffset + chunk.byteLength,
    ));
    const newlines = bytes.filter((byte) => byte === 10).length;
    if (newlines > 1 && bytes.some((byte) => byte >= 0x80)) return false;
  }
  return true;
}

/** The outcome of a decoder beside that of a whole look, each as plain values. */
function assertSame(outcome: Decoded, expected: ReferenceOutcome, exact: boolean, limit = Infinity): void {
  assert.deepEqual([...outcome.records], expected.records);
  for (const { wireBytes } of outcome.frames) assert.isAtMost(wireBytes, limit);
  if (expected.tooLarge) {
    assert.instanceOf(outcome.error, MessageTooLargeError);
    const { bytesSeen, limitBytes } = outcome.error as MessageTooLargeError;
    assert.isAbove(bytesSeen, limit);
    assert.strictEqual(limitBytes, limit);
    return;
  }
  assert.isUndefined(outcome.error);
  const told = outcome.diagnostics.map((event) => Object.values(event).join(" ")).sort();
  if (exact) assert.deepEqual(told, expected.diagnostics);
  else assert.deepEqual(told.map(withoutNumbers).sort(), expected.diagnostics.map(withoutNumbers).sort());
  if (exact) assert.strictEqual(outcome.halfRecordBytes, expected.halfRecordBytes);
  else assert.strictEqual(outcome.halfRecordBytes > 0, expected.halfRecordBytes > 0);
}

function withoutNumbers(told: string): string {
  return told.replace(/ \d+/, "");
}

/** Lines of ASCII, so that each has an exact size. */
const shortLines = fc.array(
  fc.oneof(
    fc.nat(40).map((length) => "x".repeat(length)),
    fc.nat(40).map((length) => `{"a":"${"y".repeat(length)}"}`),
    fc.nat(40).map((length) => `{"type":"user","a":"${"z".repeat(length)}"}`),
    fc.tuple(fc.nat(30), fc.nat(30), fc.constantFrom("\n", "\r\n")).map(([a, b, cut]) =>
      `{"a":"${"v".repeat(a)}${cut}${"w".repeat(b)}"}`
    ),
    fc.constantFrom("", " ", "{", "\r", "x\r", '{"a":1}\r', '{"a":1', '{"type":"user","a":oops}'),
  ),
  { maxLength: 8 },
);

export default suite("framing: anything", (test) => {
  property(
    test,
    "whatever bytes come, in whatever chunks, however they are read: what a whole look says",
    [wireOutput, delivery, habit, chances],
    (_t, output, way, habit, chances) => {
      const outcome = decode(delivered(output, way), { habit, chance: () => chances.next().value });
      assertSame(outcome, referenceOutcome(referenceLines(output)), sizesAreExact(delivered(output, way)));
    },
    { runs: 900 },
  );

  property(
    test,
    "text and bytes in turn, halves of surrogate pairs among them: as the bytes they stand for",
    [
      fc.array(
        fc.oneof(
          fc.tuple(wireRecord, fc.nat(), fc.boolean()).map(([record, at, end]) => {
            const text = JSON.stringify(record) + (end ? "\n" : "");
            const place = at % (text.length + 1);
            return [text.slice(0, place), text.slice(place)];
          }),
          fc.constantFrom("", "\n", '{"a":"', '"}\n', "\ud83d", "\ude00", "\ufeff", "é", "\r").map((text) => [text]),
          fc.uint8Array({ maxLength: 4 }).map((bytes) => [bytes]),
          wireRecord.map((record) => chunksOf(encoder.encode(JSON.stringify(record) + "\n"), 7)),
        ),
        { maxLength: 10 },
      ),
      habit,
    ],
    (_t, parts, habit) => {
      const chunks: (string | Uint8Array)[] = parts.flat();
      const outcome = decode(chunks, { habit });
      assertSame(outcome, referenceOutcome(referenceLines(asBytes(chunks))), false);
    },
    { runs: 500 },
  );

  property(
    test,
    "a record of exactly the limit passes, one byte more ends it, at every offset; what came before is delivered",
    [shortLines, fc.constantFrom("\n", "\r\n"), fc.boolean(), fc.integer({ min: 1, max: 60 }), delivery, habit],
    (_t, lines, end, terminated, limit, way, habit) => {
      const output = encoder.encode(lines.join(end) + (terminated ? end : ""));
      const outcome = decode(delivered(output, way), { habit, maxMessageBytes: limit, keepError: true });
      const expected = referenceOutcome(referenceLines(output), limit);
      assertSame(outcome, expected, true, limit);
      if (expected.tooLarge) assert.isAtMost((outcome.error as MessageTooLargeError).bytesSeen, output.length);
    },
    { runs: 1200 },
  );

  property(
    test,
    "any bytes under a limit: past it an error, up to it all that a whole look finds",
    [wireOutput, delivery, fc.integer({ min: 1, max: 400 })],
    (_t, output, way, limit) => {
      const exact = sizesAreExact(delivered(output, way));
      const outcome = decode(delivered(output, way), { maxMessageBytes: limit, keepError: true });
      const expected = referenceOutcome(referenceLines(output), limit);
      // Pieces whose sizes are estimates may pass the limit together when they do not, and the other way round.
      if (!exact && (outcome.error !== undefined) !== expected.tooLarge) return;
      assertSame(outcome, expected, exact, limit);
    },
    { runs: 400 },
  );

  property(
    test,
    "as a stream of records: all of them, then the end, or the error that belongs there; given up, it gives its source up",
    [
      wireOutput,
      delivery,
      fc.integer({ min: 20, max: 4_000 }),
      fc.constantFrom("ends", "ends", "fails", "is cancelled"),
      fc.nat(),
    ],
    async (_t, output, way, limit, end, at) => {
      const chunks = [...delivered(output, { ...way, kind: "fresh" })];
      if (!sizesAreExact(chunks)) return;
      const failAt = end === "fails" ? at % (chunks.length + 1) : Infinity;
      const failure = new Error("the source failed");
      let next = 0;
      let cancelled = false;
      const source = new ReadableStream<Uint8Array>({
        pull(controller) {
          if (next === failAt) controller.error(failure);
          else if (next === chunks.length) controller.close();
          else controller.enqueue(chunks[next++]!);
        },
        cancel() {
          cancelled = true;
        },
      }, { highWaterMark: 0 });
      const expected = referenceOutcome(
        failAt === Infinity ? referenceLines(output) : wholeLines(concat(chunks.slice(0, failAt))),
        limit,
      );
      const reader = recordStream(source, { maxMessageBytes: limit, onDiagnostic: () => {} }).getReader();
      const cancelAt = end === "is cancelled" ? at % (expected.records.length + 1) : Infinity;
      const records: unknown[] = [];
      const finish = async (): Promise<unknown> => {
        for (;;) {
          if (records.length === cancelAt) {
            await reader.cancel(new Error("enough"));
            return "cancelled";
          }
          const { done, value } = await reader.read();
          if (done) return "done";
          records.push(value);
        }
      };
      const finished = await finish().catch((error: unknown) => error);
      if (cancelAt !== Infinity) {
        assert.deepEqual(records, expected.records.slice(0, cancelAt));
        assert.isTrue(cancelled || next === chunks.length, "the source is given up");
        return;
      }
      assert.deepEqual(records, expected.records);
      if (expected.tooLarge) assert.instanceOf(finished, MessageTooLargeError);
      else if (failAt !== Infinity) {
        // The rest of a line may have been too long already.
        if (!(finished instanceof MessageTooLargeError)) assert.strictEqual(finished, failure);
      } else if (expected.halfRecordBytes > 0) assert.instanceOf(finished, CLIJSONDecodeError);
      else assert.strictEqual(finished, "done");
    },
    { runs: 250 },
  );

  property(
    test,
    "what one side writes the other side reads, whole, whatever strings are in it",
    [fc.array(wireRecord, { maxLength: 6 }), delivery],
    (_t, records, way) => {
      const output = concat(records.map((record) => encodeFrame(record)));
      assert.strictEqual(output.filter((byte) => byte === 10).length, records.length, "one line each");
      const outcome = decode(delivered(output, way));
      const sent = records.map((record) => JSON.parse(new TextDecoder().decode(encodeFrame(record))));
      assert.deepEqual([...outcome.records], sent);
      assert.deepEqual(outcome.diagnostics, []);
    },
    { runs: 400 },
  );

  property(
    test,
    "each byte is visited a fixed number of times, however long the line and however it is cut",
    [
      fc.constantFrom("a", "é", "漢", "😀", '\\"'),
      fc.integer({ min: 8_000, max: 60_000 }),
      fc.constantFrom("user", "control_request"),
      fc.integer({ min: 16, max: 9_000 }),
      fc.nat(3),
    ],
    (_t, unit, bytes, type, size, tears) => {
      const filler = unit.repeat(bytes / encoder.encode(unit).length);
      const text = JSON.stringify({ type, filler });
      const piece = Math.ceil(text.length / (tears + 1));
      const torn = Array.from({ length: tears + 1 }, (_, index) => text.slice(index * piece, (index + 1) * piece));
      const output = encoder.encode(torn.join("\n") + "\n");
      const chunks = chunksOf(output, size);
      const visits = countVisits(() => void decode(chunks));
      assert.isAtMost(totalVisits(visits) / output.length, 16, JSON.stringify([...visits]));
    },
    { runs: 40 },
  );
});

/** Only lines that came to their end. */
function wholeLines(output: Uint8Array): ReturnType<typeof referenceLines> {
  return referenceLines(output.slice(0, output.lastIndexOf(10) + 1));
}

/** What mixed chunks stand for: text that follows text is one text. */
function asBytes(chunks: readonly (string | Uint8Array)[]): Uint8Array {
  const parts: Uint8Array[] = [];
  let text = "";
  for (const chunk of chunks) {
    if (typeof chunk === "string") text += chunk;
    else {
      parts.push(encoder.encode(text), chunk);
      text = "";
    }
  }
  return concat([...parts, encoder.encode(text)]);
}
