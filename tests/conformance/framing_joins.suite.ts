/** Records that came in pieces: put together where that is certain, and never at the cost of a good one. */

import { assert } from "chai";
import type { Diagnostic } from "../../src/core/diagnostics.ts";
import { MessageTooLargeError } from "../../src/core/errors/mod.ts";
import type { Frame } from "../../src/core/streams/frame.ts";
import { FrameDecoder } from "../../src/core/streams/frame_decoder.ts";
import { decode, READING_HABITS, type ReadingHabit } from "../harness/decoding.ts";
import { suite } from "../harness/suite.ts";
import { throwsWith } from "../harness/throws.ts";

const encoder = new TextEncoder();

function decodeLines(lines: readonly string[], habit: ReadingHabit = "at the end"): ReturnType<typeof decode> {
  return decode(lines.map((line) => encoder.encode(line + "\n")), { habit });
}

/** Checks an output of whole lines under every habit of reading. */
function assertOutcome(
  lines: readonly string[],
  records: unknown[],
  diagnostics: Diagnostic[] = [],
  halfRecordBytes = 0,
): void {
  for (const habit of READING_HABITS) {
    const outcome = decodeLines(lines, habit);
    assert.deepEqual([...outcome.records], records, habit);
    assert.deepEqual([...outcome.diagnostics], diagnostics, habit);
    assert.strictEqual(outcome.halfRecordBytes, halfRecordBytes, habit);
  }
}

function broken(...pieces: string[]): Diagnostic {
  const bytes = pieces.reduce((sum, piece) => sum + encoder.encode(piece).length, 0);
  return { kind: "record_broken", bytes, lines: pieces.length };
}

/** A decoder that notes what it says. */
function observed(maxMessageBytes = 1_000_000): {
  readonly frames: Frame[];
  readonly events: Diagnostic[];
  line(text: string): void;
  end(): number;
} {
  const frames: Frame[] = [];
  const events: Diagnostic[] = [];
  const decoder = new FrameDecoder({ maxMessageBytes, onDiagnostic: (event) => events.push(event) });
  return {
    frames,
    events,
    line: (text) => decoder.push(text + "\n", (frame) => frames.push(frame)),
    end: () => decoder.end((frame) => frames.push(frame)).halfRecordBytes,
  };
}

export default suite("framing: joins", (test) => {
  test("a record cut by newlines comes as one frame, with the bytes of its pieces", () => {
    const lines = ['{"type":"assistant","text":"a', "b\\", '"c","list":[1', ",2", "]}"];
    for (const habit of READING_HABITS) {
      const { frames, records, diagnostics } = decodeLines(lines, habit);
      assert.deepEqual([...records], [{ type: "assistant", text: 'ab"c', list: [1, 2] }]);
      assert.strictEqual(frames.at(-1)?.wireBytes, lines.join("").length);
      assert.isTrue(frames.at(-1)?.eager);
      assert.deepEqual([...diagnostics], []);
    }
  });

  test("a record cut at any place comes whole", () => {
    const value = { type: "assistant", text: 'a"{}[]\\n\\\\"', n: [1, { b: null, c: "漢😀" }], e: {} };
    const text = JSON.stringify(value);
    for (let cut = 1; cut < text.length; cut++) {
      const lines = [text.slice(0, cut), text.slice(cut)];
      // Half of a pair is no text: on the wire a newline cannot stand there.
      if (/[\ud800-\udbff]$/.test(lines[0]!)) continue;
      assertOutcome([...lines, '{"type":"result"}'], [value, { type: "result" }]);
    }
  });

  test("a pretty-printed record is put together", () => {
    const value = { type: "user", list: [1, "x", [null]], nested: { a: { b: "c" } } };
    assertOutcome(JSON.stringify(value, null, 2).split("\n"), [value]);
  });

  test("pieces that are JSON of their own, but no objects, are pieces", () => {
    assertOutcome(['{"a":', "123", ',"b":', "null", ',"c":', '"x"', ',"d":', "[1]", "}"], [{
      a: 123,
      b: null,
      c: "x",
      d: [1],
    }]);
  });

  test("a piece that begins like an object and is none alone is a piece", () => {
    assertOutcome(['{"a":', '{"b":', "1}}"], [{ a: { b: 1 } }]);
    assertOutcome(['{"a":', '{"type":"user","b":{}', "}}"], [{ a: { type: "user", b: {} } }]);
  });

  test("a good record after a fragment is delivered, the fragment told (D09)", () => {
    const half = '{"broken": ';
    assertOutcome([half, '{"type":"user","n":1}', '{"type":"result"}'], [{ type: "user", n: 1 }, { type: "result" }], [
      broken(half),
    ]);
    assertOutcome([half, "more", '{"type":"system"}'], [{ type: "system" }], [broken(half, "more")]);
  });

  test("a good record is delivered even where it would fit into the fragment", () => {
    assertOutcome(['{"a":', '{"type":"user"}', "}"], [{ type: "user" }], [
      broken('{"a":'),
      { kind: "line_skipped", bytes: 1, reason: "not_json" },
    ]);
  });

  test("a line that closes and yet is no record is told at once and takes nothing with it (D09)", () => {
    for (const line of ["{not json}", '{"a":1}{"b":2}', '{"a":1}}', '{"a":1,}', '{"a" 1}', '{"type":"user",}']) {
      assertOutcome([line, "noise", '{"type":"user"}'], [{ type: "user" }], [
        broken(line),
        { kind: "line_skipped", bytes: 5, reason: "not_json" },
      ]);
    }
  });

  test("what begins with a brace and cannot become a record does not wait", () => {
    for (const line of ["{foo", "{'a': ", "{ 12", "{{", "{["]) {
      assertOutcome([line, '"x"'], [], [broken(line), { kind: "line_skipped", bytes: 3, reason: "not_an_object" }]);
    }
  });

  test("a join that closes and does not parse is told, with all its lines", () => {
    assertOutcome(['{"a":', "what", "}", '{"type":"user"}'], [{ type: "user" }], [broken('{"a":', "what", "}")]);
  });

  test("blank lines do not touch a fragment, spaces in a string of it stay", () => {
    assertOutcome(['{"a":"x', "", "\r", "   ", 'y"}'], [{ a: "x   y" }]);
  });

  test("a fragment that never ends is the half record, with every byte of it (D11)", () => {
    assertOutcome(['{"type":"user"}', '{"a":"é', "b"], [{ type: "user" }], [], 9);
  });

  test("a waiting frame that is broken goes on with the next line, if that is no record", () => {
    const o = observed();
    o.line('{"type":"assistant","text":"see {x}');
    assert.isFalse(o.frames[0]?.eager);
    o.line('and {y}"}');
    assert.lengthOf(o.frames, 2);
    assert.isUndefined(o.frames[0]?.read());
    assert.deepEqual(o.frames[1]?.read(), { type: "assistant", text: "see {x}and {y}" });
    assert.isUndefined(o.frames[0]?.read());
    assert.deepEqual(o.events, []);
    assert.strictEqual(o.end(), 0);
  });

  test("a waiting frame that is read, and broken, and the newest, waits for its rest; nothing is told yet", () => {
    const o = observed();
    o.line('{"type":"assistant","text":"see {x}');
    assert.isUndefined(o.frames[0]?.read());
    assert.deepEqual(o.events, []);
    o.line('and {y}"}');
    assert.deepEqual(o.frames[1]?.read(), { type: "assistant", text: "see {x}and {y}" });
  });

  test("a waiting frame that is broken, with another after it, is told when it is read", () => {
    const first = '{"type":"assistant","text":"see {x}';
    for (const next of ['{"type":"user"}', '{"type":"system"}']) {
      const o = observed();
      o.line(first);
      o.line(next);
      assert.deepEqual(o.events, []);
      assert.isUndefined(o.frames[0]?.read());
      assert.deepEqual(o.events, [broken(first)]);
      assert.deepEqual(o.frames[1]?.read(), JSON.parse(next));
      assert.strictEqual(o.end(), 0);
    }
  });

  test("a waiting frame that is good stays what it was when noise follows", () => {
    const o = observed();
    o.line('{"type":"assistant","n":1}');
    o.line("noise");
    o.line("");
    o.line("  ");
    assert.deepEqual(o.events, [{ kind: "line_skipped", bytes: 5, reason: "not_json" }]);
    assert.deepEqual(o.frames[0]?.read(), { type: "assistant", n: 1 });
  });

  test("a waiting frame that is broken and the last of all is the half record, read or not", () => {
    for (const read of [true, false]) {
      const o = observed();
      o.line('{"type":"user"}');
      o.line('{"type":"assistant","text":"see {x}');
      if (read) o.frames[1]?.read();
      assert.strictEqual(o.end(), 35);
      assert.isUndefined(o.frames[1]?.read());
      assert.deepEqual(o.events, []);
    }
  });

  test("nothing waits unparsed while a fragment does", () => {
    const o = observed();
    o.line('{"a":');
    o.line('{"type":"user"}');
    o.line('{"type":"user"}');
    assert.deepEqual(o.frames.map((frame) => frame.eager), [true, false]);
  });

  test("broken ordinary lines in a row are told one by one, whenever they are read", () => {
    const one = '{"type":"user","t":"{x}';
    assertOutcome([one, one, '{"type":"user"}'], [{ type: "user" }], [broken(one), broken(one)]);
    assertOutcome([one, one, '"}'], [{ type: "user", t: "{x}" }], [broken(one)]);
  });

  test("the limit holds over a whole join: reached exactly it is fine, past it the error has both numbers", () => {
    const pieces = ['{"a":"', "x".repeat(50), "y".repeat(42), '"}'];
    const exact = observed(100);
    for (const piece of pieces) exact.line(piece);
    assert.strictEqual(exact.frames[0]?.wireBytes, 100);
    const over = observed(99);
    const error = throwsWith(() => pieces.forEach((piece) => over.line(piece)), MessageTooLargeError);
    assert.deepEqual([error.bytesSeen, error.limitBytes], [100, 99]);
    throwsWith(() => over.line("{}"), MessageTooLargeError);
    throwsWith(() => over.end(), MessageTooLargeError);
    assert.deepEqual(over.frames, []);
  });
});
