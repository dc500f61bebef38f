/** Anything on the wire: what the decoder makes of chunks, unparsed frames and late readers is what a whole look says. */

import { assert } from "chai";
import fc from "fast-check";
import { byteChunks } from "../harness/chunkings.ts";
import { decode, READING_HABITS } from "../harness/decoding.ts";
import { referenceLines, referenceOutcome } from "../harness/framing_reference.ts";
import { suite } from "../harness/suite.ts";

const encoder = new TextEncoder();

const json = fc.jsonValue({ maxDepth: 3 });
const record = fc.tuple(
  fc.constantFrom("assistant", "user", "stream_event", "system", "result", "control_request"),
  json,
  fc.boolean(),
).map(([type, value, typeFirst]) => typeFirst ? { type, value } : { value, type });

/** Lines of one happening on the wire: a good record, a damaged one, a scattered one, noise. */
const happening: fc.Arbitrary<string[]> = fc.oneof(
  { weight: 4, arbitrary: record.map((value) => [JSON.stringify(value)]) },
  {
    weight: 2,
    arbitrary: record.chain((value) => {
      const text = JSON.stringify(value);
      return fc.array(fc.integer({ min: 1, max: text.length - 1 }), { minLength: 1, maxLength: 4 })
        .map((cuts) => cutAt(text, cuts));
    }),
  },
  { weight: 1, arbitrary: record.map((value) => JSON.stringify(value, null, 2).split("\n")) },
  {
    weight: 2,
    arbitrary: record.chain((value) => {
      const text = JSON.stringify(value);
      return fc.tuple(fc.nat({ max: text.length }), fc.constantFrom("", "}", '"', "\\", "{", "x}", "]"))
        .map(([at, insert]) => [text.slice(0, at) + insert + text.slice(at + 1)]);
    }),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      "123",
      "null",
      '"x"',
      "[]",
      "[{}]",
      "",
      "  ",
      "noise",
      "{",
      "}",
      "{foo}",
      "{'a': 1}",
      '{"a":',
    )
      .map((line) => [line]),
  },
  {
    weight: 1,
    arbitrary: fc.string({ maxLength: 10, unit: fc.constantFrom('"', "\\", "{", "}", "[", "]", "a", ":", " ") }).map((
      line,
    ) => [line]),
  },
);

function cutAt(text: string, cuts: readonly number[]): string[] {
  const sorted = [...new Set(cuts)].sort((a, b) => a - b);
  return [...sorted, text.length].map((to, index) => text.slice(index === 0 ? 0 : sorted[index - 1], to));
}

export default suite("framing: anything", (test) => {
  test("whatever comes, in whatever chunks, however it is read: what a whole look says", () => {
    const cut = fc.tuple(
      fc.array(happening, { maxLength: 10 }),
      fc.constantFrom("\n", "\r\n"),
      fc.boolean(),
      fc.constantFrom(...READING_HABITS),
      fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
    ).chain(([happenings, lineEnd, terminated, habit, chances]) => {
      const text = happenings.flat().join(lineEnd) + (terminated ? lineEnd : "");
      const output = encoder.encode(text);
      return byteChunks(output).map((chunks) => ({ text, output, chunks, habit, chances }));
    });
    fc.assert(
      fc.property(cut, ({ output, chunks, habit, chances }) => {
        const chance = (): number => chances.next().value;
        const outcome = decode(chunks, { habit, chance });
        // Bytes of lines that share a chunk are exact in sum only: the reference is asked about ASCII alone.
        const expected = referenceOutcome(referenceLines(output));
        const told = outcome.diagnostics.map((event) => Object.values(event).join(" ")).sort();
        const ascii = output.every((byte) => byte < 0x80);
        assert.deepEqual([...outcome.records], expected.records);
        if (ascii) assert.deepEqual(told, expected.diagnostics);
        else assert.strictEqual(told.length, expected.diagnostics.length);
        if (ascii) assert.strictEqual(outcome.halfRecordBytes, expected.halfRecordBytes);
        else assert.strictEqual(outcome.halfRecordBytes > 0, expected.halfRecordBytes > 0);
      }),
      { seed: 21, numRuns: 1500 },
    );
  });
});
