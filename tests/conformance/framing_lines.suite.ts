/** Bytes to lines: whatever the chunks, the same lines (D01–D07, D10, D12–D14). */

import { assert } from "chai";
import fc from "fast-check";
import { CLIConnectionError, MessageTooLargeError } from "../../src/core/errors/mod.ts";
import { LineSplitter } from "../../src/core/streams/line_splitter.ts";
import { byteChunks, chunksOf, everyChunking, mixedChunks } from "../harness/chunkings.ts";
import { type ReferenceLine, referenceLines } from "../harness/framing_reference.ts";
import { suite } from "../harness/suite.ts";
import { throwsWith } from "../harness/throws.ts";

const encoder = new TextEncoder();

/** Texts that are easily cut, lost or taken for a line end. */
const TRICKY = [
  "é漢😀",
  "a\u2028b\u2029c\n\u2028\n",
  "\ufeffa\n\ufeffb\n",
  "\ufeff\ufeffa",
  "x\ufeff\ufeff\n\ufeff",
  "a\r\n\r\nb\r",
  "\r\r\n\n\r",
  "\n\n\n",
  "a\u0085b\vc\fd\n",
  "",
];

function split(chunks: readonly (Uint8Array | string)[], maxMessageBytes = 1_000_000): ReferenceLine[] {
  const lines: ReferenceLine[] = [];
  const splitter = new LineSplitter({ maxMessageBytes });
  const emit = (line: string, wireBytes: number): void => {
    lines.push({ line, wireBytes });
  };
  for (const chunk of chunks) splitter.push(chunk, emit);
  splitter.end(emit);
  return lines;
}

function texts(lines: readonly ReferenceLine[]): string[] {
  return lines.map(({ line }) => line);
}

function total(lines: readonly ReferenceLine[]): number {
  return lines.reduce((sum, { wireBytes }) => sum + wireBytes, 0);
}

/** The bytes of a line are exact where it shares no chunk with another; else their sum is. */
function assertSame(chunks: readonly (Uint8Array | string)[], output: Uint8Array): void {
  const expected = referenceLines(output);
  const lines = split(chunks);
  assert.deepEqual(texts(lines), texts(expected));
  assert.strictEqual(total(lines), total(expected));
  if (output.every((byte) => byte < 0x80)) assert.deepEqual(lines, expected);
}

const anyText = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom("\n", "\r\n", "\r", "\n\n") },
    { weight: 3, arbitrary: fc.constantFrom("\u2028", "\u2029", "\ufeff", "\ufffd", "\u00a0", "é", "漢", "😀", "👩‍👩‍👧") },
    { weight: 4, arbitrary: fc.string({ maxLength: 12 }) },
  ),
  { maxLength: 24 },
).map((parts) => parts.join(""));

export default suite("framing: lines", (test) => {
  test("every chunking of short multi-byte text gives the same lines (D01, D02, D05)", () => {
    for (const text of TRICKY) {
      const output = encoder.encode(text);
      for (const chunks of everyChunking(output)) assertSame(chunks, output);
    }
  });

  test("every chunking of bytes that are no UTF-8 gives the same lines, with U+FFFD for what is broken", () => {
    const broken = [
      [0xf0, 0x9f, 0x98, 0x0a, 0x61],
      [0xff, 0x61, 0xc3, 0x0a, 0xa9, 0x0a],
      [0xe2, 0x28, 0xa1, 0xf0, 0x80, 0x80, 0x80, 0x0a],
      [0xed, 0xa0, 0x80, 0x0a, 0xf4, 0x90, 0x80, 0x80],
      [0xf0, 0x90, 0xf0, 0x9f, 0x98, 0x80, 0xe2, 0x80],
      [0xef, 0xbb, 0x0a, 0xef, 0xbb, 0xbf, 0x0a],
      [0xef, 0xef, 0xbb, 0xbf],
      [0xef],
      [0xef, 0xbb],
      [0xc0, 0x80, 0xc1, 0xbf, 0xf5, 0x80, 0x80, 0x80],
    ];
    for (const bytes of broken) {
      const output = new Uint8Array(bytes);
      for (const chunks of everyChunking(output)) assertSame(chunks, output);
    }
  });

  test("any text, in any chunks of bytes", () => {
    const cut = anyText.chain((text) => {
      const output = encoder.encode(text);
      return byteChunks(output).map((chunks) => ({ chunks, output }));
    });
    fc.assert(fc.property(cut, ({ chunks, output }) => assertSame(chunks, output)), { seed: 11, numRuns: 1500 });
  });

  test("any bytes at all, in any chunks", () => {
    const byte = fc.oneof(fc.nat({ max: 255 }), fc.constantFrom(0x0a, 0x0d, 0xef, 0xbb, 0xbf, 0xf0, 0x9f, 0xe2, 0x80));
    const cut = fc.array(byte, { maxLength: 60 }).map((bytes) => new Uint8Array(bytes))
      .chain((output) => byteChunks(output).map((chunks) => ({ chunks, output })));
    fc.assert(fc.property(cut, ({ chunks, output }) => assertSame(chunks, output)), { seed: 12, numRuns: 1500 });
  });

  test("text chunks count as bytes do, cut inside a surrogate pair and mixed with bytes", () => {
    const cut = anyText.chain((text) => mixedChunks(text).map((chunks) => ({ chunks, output: encoder.encode(text) })));
    fc.assert(fc.property(cut, ({ chunks, output }) => assertSame(chunks, output)), { seed: 13, numRuns: 1500 });
  });

  test("half a surrogate pair whose other half never comes is U+FFFD", () => {
    assert.deepEqual(texts(split(["a\ud83d", "b\n"])), ["a\ufffdb"]);
    assert.deepEqual(texts(split(["a\ud83d", encoder.encode("\nb")])), ["a\ufffd", "b"]);
    assert.deepEqual(texts(split(["a\ud83d"])), ["a\ufffd"]);
    assert.deepEqual(texts(split(["\ud83d", "", "\ude00\n"])), ["😀"]);
  });

  test("a byte order mark goes at the start of the output only, however it is cut", () => {
    const output = encoder.encode("\ufeff{}\n\ufeff{}\n");
    for (const chunks of everyChunking(output)) assert.deepEqual(texts(split(chunks)), ["{}", "\ufeff{}"]);
    assert.deepEqual(split(["\ufeff", "a\n"]), [{ line: "a", wireBytes: 1 }]);
  });

  test("U+FEFF at the start of any chunk is text", () => {
    const output = encoder.encode("x" + "\ufeff漢".repeat(40));
    for (let size = 1; size <= output.length; size++) {
      assert.deepEqual(texts(split(chunksOf(output, size))), ["x" + "\ufeff漢".repeat(40)]);
    }
  });

  test("spaces at chunk boundaries stay: 300 kB of them around 64 KiB (D03, D04)", () => {
    const spaces = " \u00a0\u2009\u3000";
    const text = `{"a":"${spaces.repeat(40_000)}"}`;
    const output = encoder.encode(text + "\n");
    for (const size of [65_535, 65_536, 65_537, 4096]) {
      assert.isTrue(split(chunksOf(output, size))[0]?.line === text, `chunks of ${size}`);
    }
  });

  test("an unterminated last line is delivered, and an empty one is not invented (D10)", () => {
    assert.deepEqual(texts(split([encoder.encode("a\nb")])), ["a", "b"]);
    assert.deepEqual(texts(split([encoder.encode("a\n")])), ["a"]);
    assert.deepEqual(split([]), []);
    assert.deepEqual(split([encoder.encode("a\r")]), [{ line: "a", wireBytes: 1 }]);
  });

  test("the bytes of a line that shares its chunk with no other are exact, also if it is not ASCII", () => {
    const line = "é漢😀".repeat(50);
    const output = encoder.encode(`${line}\r\n${line}\r\n`);
    const wireBytes = encoder.encode(line).length;
    for (let size = 1; size <= wireBytes; size += 7) {
      assert.deepEqual(split(chunksOf(output, size)), [{ line, wireBytes }, { line, wireBytes }]);
    }
  });

  test("a limit reached exactly is accepted, one byte more is not (D12, D13, D14)", () => {
    for (const end of ["\n", "\r\n", "", "\r"]) {
      for (const unit of ["a", "é", "漢"]) {
        const line = unit.repeat(12);
        const output = encoder.encode(line + end);
        const bytes = encoder.encode(line).length;
        for (let size = 1; size <= output.length; size++) {
          assert.deepEqual(split(chunksOf(output, size), bytes), [{ line, wireBytes: bytes }]);
          const error = throwsWith(() => split(chunksOf(output, size), bytes - 1), MessageTooLargeError);
          assert.strictEqual(error.limitBytes, bytes - 1);
          assert.isAtLeast(error.bytesSeen, bytes);
          assert.isAtMost(error.bytesSeen, output.length);
          assert.include(error.message, "tether.limits.maxMessageBytes");
        }
      }
    }
  });

  test("the limit counts the line alone: no byte order mark, no line end, no neighbour", () => {
    const output = encoder.encode("\ufeffab\r\nab\nab");
    for (const chunks of everyChunking(output)) assert.deepEqual(texts(split(chunks, 2)), ["ab", "ab", "ab"]);
  });

  test("a return that turns out not to end the line counts", () => {
    for (const text of ["abcd\rx\n", "abcd\r\r\n", "abcd\r\r"]) {
      for (const chunks of everyChunking(encoder.encode(text))) {
        throwsWith(() => split(chunks, 4), MessageTooLargeError);
      }
    }
  });

  test("the limit holds for every chunking: what a whole look allows passes, and nothing else", () => {
    const cut = fc.tuple(anyText, fc.integer({ min: 1, max: 12 })).chain(([text, limit]) => {
      const output = encoder.encode(text);
      return byteChunks(output).map((chunks) => ({ chunks, output, limit }));
    });
    fc.assert(
      fc.property(cut, ({ chunks, output, limit }) => {
        const expected = referenceLines(output);
        const over = expected.findIndex(({ wireBytes }) => wireBytes > limit);
        const lines: string[] = [];
        const splitter = new LineSplitter({ maxMessageBytes: limit });
        const run = (): void => {
          for (const chunk of chunks) splitter.push(chunk, (line) => lines.push(line));
          splitter.end((line) => lines.push(line));
        };
        if (over === -1) run();
        else throwsWith(run, MessageTooLargeError);
        assert.deepEqual(lines, texts(over === -1 ? expected : expected.slice(0, over)));
      }),
      { seed: 14, numRuns: 1500 },
    );
  });

  test("lines before the one that is too long are delivered, and nothing after it", () => {
    const lines: string[] = [];
    const splitter = new LineSplitter({ maxMessageBytes: 5 });
    const push = (text: string): void => splitter.push(encoder.encode(text), (line) => lines.push(line));
    throwsWith(() => push("one\ntwo\nfar too long\nfour\n"), MessageTooLargeError);
    assert.deepEqual(lines, ["one", "two"]);
    throwsWith(() => push("five\n"), MessageTooLargeError);
    throwsWith(() => splitter.end((line) => lines.push(line)), MessageTooLargeError);
    assert.deepEqual(lines, ["one", "two"]);
  });

  test("the count starts anew with each line: 2000 of 10 kB under a limit of 16 kB", () => {
    const one = encoder.encode("x".repeat(10_000) + "\n");
    let lines = 0;
    const splitter = new LineSplitter({ maxMessageBytes: 16_000 });
    for (let i = 0; i < 2000; i++) splitter.push(one, () => lines++);
    assert.strictEqual(lines, 2000);
  });

  test("a source may use its buffer again: nothing of a chunk is kept", () => {
    const output = encoder.encode("añb漢c😀d\n".repeat(30));
    const lines: string[] = [];
    const splitter = new LineSplitter({ maxMessageBytes: 1000 });
    const buffer = new Uint8Array(5);
    for (const chunk of chunksOf(output, 5)) {
      buffer.set(chunk);
      splitter.push(buffer.subarray(0, chunk.length), (line) => lines.push(line));
      buffer.fill(0x3f);
    }
    assert.deepEqual(lines, Array(30).fill("añb漢c😀d"));
  });

  test("other views of bytes are taken as bytes; anything else is refused by a typed error", () => {
    const bytes = encoder.encode("ab\n");
    const view = new DataView(bytes.buffer) as unknown as Uint8Array;
    assert.deepEqual(texts(split([view])), ["ab"]);
    for (const wrong of [42, null, {}, [1], undefined]) {
      const error = throwsWith(() => split([wrong as unknown as Uint8Array]), CLIConnectionError);
      assert.strictEqual(error.code, "bad_chunk");
    }
  });
});
