import { assert } from "chai";
import fc from "fast-check";
import { LONGEST_STDERR_LINE, StderrLines } from "../../../src/transport/process/stderr_lines.ts";
import { suite } from "../../harness/suite.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

function linesOf(...chunks: Uint8Array[]): string[] {
  const lines: string[] = [];
  const splitter = new StderrLines((line) => lines.push(line));
  for (const chunk of chunks) splitter.push(chunk);
  splitter.end();
  return lines;
}

export default suite("stderr lines", (test) => {
  test("E02: whole lines, blanks at the end taken off, empty lines left out", () => {
    assert.deepEqual(linesOf(encode("one  \r\n\n   \n\ttwo\t\n  three")), ["one", "\ttwo", "  three"]);
  });

  test("E03: a line split over chunks is one line, wherever it is cut", () => {
    const text = "alpha é\u2028漢\n\nbeta 😀 \ngamma";
    const bytes = encode(text);
    const whole = linesOf(bytes);
    assert.deepEqual(whole, ["alpha é\u2028漢", "beta 😀", "gamma"]);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 40 }), (sizes) => {
        const chunks: Uint8Array[] = [];
        for (let at = 0, index = 0; at < bytes.length; index++) {
          const size = sizes[index % sizes.length]!;
          chunks.push(bytes.slice(at, at + size));
          at += size;
        }
        assert.deepEqual(linesOf(...chunks), whole);
      }),
      { seed: 3, numRuns: 200 },
    );
  });

  test("E04: what grows past the longest line is given out in pieces", () => {
    const lines: string[] = [];
    const splitter = new StderrLines((line) => lines.push(line));
    const chunk = encode("x".repeat(300_000));
    for (let index = 0; index < 4; index++) splitter.push(chunk);
    assert.lengthOf(lines, 1);
    assert.isAtLeast(lines[0]!.length, LONGEST_STDERR_LINE);
    splitter.push(encode("y\n"));
    assert.deepEqual(lines.slice(1), ["y"]);
  });

  test("E06: an unfinished last line is a line", () => {
    assert.deepEqual(linesOf(encode("a\nb")), ["a", "b"]);
    assert.deepEqual(linesOf(new Uint8Array([0xc3])), ["\ufffd"]);
    assert.deepEqual(linesOf(), []);
  });
});
