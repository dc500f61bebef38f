import { assert } from "chai";
import fc from "fast-check";
import type { RecordedEntry } from "../../src/testing/record/recording.ts";
import { RecordingError } from "../../src/testing/record/recording_error.ts";
import { encodeRecording, makeRecording, parseRecording } from "../../src/testing/record/recording_format.ts";
import { LineCutter } from "../../src/testing/record/line_cutter.ts";
import { suite } from "../harness/suite.ts";
import { throwsWith } from "../harness/throws.ts";

const HEADER = { format: "tether-frames/1", redacted: true } as const;
const STARTED: RecordedEntry = { ms: 0, kind: "started" };
const FIRST = '{"format":"tether-frames/1","redacted":true}\n{"ms":0,"kind":"started"}\n';

const entry = fc.record({
  kind: fc.constantFrom("sent", "received"),
  content: fc.oneof(
    fc.record({ frame: fc.dictionary(fc.string(), fc.jsonValue()) }),
    fc.record({ text: fc.string({ unit: "grapheme" }) }),
    fc.record({ base64: fc.uint8Array().map((bytes) => btoa(String.fromCharCode(...bytes))) }),
  ),
  unterminated: fc.boolean(),
}).map(({ kind, content, unterminated }) =>
  ({ ms: 1, kind, ...content, ...unterminated ? { unterminated } : {} }) as unknown as RecordedEntry
);

function faultIn(text: string): RecordingError {
  const error = throwsWith(() => parseRecording(text), RecordingError);
  assert.strictEqual(error.code, "recording_invalid");
  return error;
}

export default suite("recording format", (test) => {
  test("what is written is read again as it was", () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 8 }), (lines) => {
        const entries: RecordedEntry[] = [
          { ms: 0, kind: "started", argv: ["claude", "--model=***"] },
          ...lines,
          { ms: 2, kind: "stderr", text: "oh" },
          { ms: 2, kind: "input_ended" },
          { ms: 2, kind: "output_failed" },
          { ms: 3.5, kind: "exited", code: null, signal: "SIGKILL", stderrTail: "last" },
        ];
        const recording = makeRecording(HEADER, entries);
        const read = parseRecording(encodeRecording(recording));
        assert.deepEqual(read.header, HEADER);
        assert.strictEqual(encodeRecording(read), encodeRecording(recording));
      }),
      { seed: 11, numRuns: 100 },
    );
  });

  test("the version of the CLI is found in its answer to initialize, or in a turn", () => {
    const answer = { type: "control_response", response: { response: { claude_code_version: "2.1.332" } } };
    const init = { type: "system", subtype: "init", claude_code_version: "2.1.0" };
    const version = (...frames: RecordedEntry[]): string | undefined =>
      makeRecording(HEADER, [STARTED, ...frames]).cliVersion;
    assert.strictEqual(
      version({ ms: 0, kind: "received", frame: answer }, { ms: 0, kind: "received", frame: init }),
      "2.1.332",
    );
    assert.strictEqual(version({ ms: 0, kind: "received", frame: init }), "2.1.0");
    assert.strictEqual(version({ ms: 0, kind: "sent", frame: init }), undefined);
  });

  test("a file that is none is refused, with the line", () => {
    const cases: readonly (readonly [text: string, line: number, what: RegExp])[] = [
      ["", 1, /empty/],
      ["[]\n", 1, /no JSON object/],
      ['{"format":"tether-frames/2","redacted":true}\n', 1, /"format" must be "tether-frames\/1"/],
      ['{"redacted":true}\n', 1, /missing/],
      ['{"format":"tether-frames/1"}\n', 1, /needs "redacted"/],
      ['{"format":"tether-frames/1","redacted":true,"by":"me"}\n', 1, /has no "by"/],
      ['{"format":"tether-frames/1","redacted":true}\n', 2, /must be "started"/],
      [`${FIRST}oops\n`, 3, /no JSON/],
      [`${FIRST}\n{"ms":0,"kind":"input_ended"}\n`, 3, /no JSON/],
      [`${FIRST}{"ms":0,"kind":"spoken","text":"x"}\n`, 3, /"kind" must be one of/],
      [`${FIRST}{"ms":0,"kind":"toString","text":"x"}\n`, 3, /"kind" must be one of/],
      [`${FIRST}{"kind":"input_ended"}\n`, 3, /needs "ms"/],
      [`${FIRST}{"ms":-1,"kind":"input_ended"}\n`, 3, /"ms"/],
      [`${FIRST}{"ms":5,"kind":"input_ended"}\n{"ms":4,"kind":"output_ended"}\n`, 4, /less than/],
      [`${FIRST}{"ms":0,"kind":"sent"}\n`, 3, /one of frame, text and base64, not 0/],
      [`${FIRST}{"ms":0,"kind":"sent","text":"a","frame":{}}\n`, 3, /not 2/],
      [`${FIRST}{"ms":0,"kind":"sent","frame":[]}\n`, 3, /"frame" of "sent"/],
      [`${FIRST}{"ms":0,"kind":"received","base64":"*"}\n`, 3, /"base64"/],
      [`${FIRST}{"ms":0,"kind":"received","text":"a","unterminated":false}\n`, 3, /"unterminated"/],
      [`${FIRST}{"ms":0,"kind":"exited","code":"0","signal":null}\n`, 3, /"code"/],
      [`${FIRST}{"ms":0,"kind":"exited","code":0}\n`, 3, /needs "signal"/],
      [`${FIRST}{"ms":0,"kind":"stderr","text":"a","more":1}\n`, 3, /has no "more"/],
    ];
    for (const [text, line, what] of cases) {
      const error = faultIn(text);
      assert.strictEqual(error.line, line, text);
      assert.match(error.message, what);
      assert.include(error.message, `Line ${line}: `);
    }
  });

  test("line ends of Windows and a missing last one are no fault", () => {
    assert.lengthOf(parseRecording(FIRST.replaceAll("\n", "\r\n")).entries, 1);
    assert.lengthOf(parseRecording(FIRST.trimEnd()).entries, 1);
  });

  test("lines are cut as they are, however the bytes come, and no further than the limit", () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ maxLength: 12 }).map((bytes) => bytes.filter((byte) => byte !== 10)), {
          maxLength: 6,
        }),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }),
        (lines, sizes) => {
          const bytes = new Uint8Array(lines.flatMap((line) => [...line, 10]));
          const cutter = new LineCutter(12);
          const got: number[][] = [];
          for (let at = 0, index = 0; at < bytes.length; index++) {
            const size = sizes[index % sizes.length]!;
            for (const line of cutter.push(bytes.subarray(at, at + size)) ?? []) got.push([...line]);
            at += size;
          }
          assert.deepEqual(got, lines.map((line) => [...line]));
          assert.isUndefined(cutter.end());
        },
      ),
      { seed: 12, numRuns: 100 },
    );
    const cutter = new LineCutter(3);
    assert.lengthOf(cutter.push(new Uint8Array([1, 2, 3, 10, 4]))!, 1);
    assert.deepEqual([...cutter.end()!], [4]);
    assert.isUndefined(new LineCutter(3).push(new Uint8Array([1, 2, 3, 4])));
  });
});
