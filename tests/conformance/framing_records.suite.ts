/** Lines to records: what is a frame, what is noise, what may wait unparsed, how output ends (D06–D11, D15). */

import { assert } from "chai";
import type { Frame } from "../../src/core/streams/frame.ts";
import { FrameDecoder } from "../../src/core/streams/frame_decoder.ts";
import { chunksOf } from "../harness/chunkings.ts";
import { decode } from "../harness/decoding.ts";
import { ORDINARY } from "../harness/framing_reference.ts";
import { suite } from "../harness/suite.ts";

const encoder = new TextEncoder();

function decodeText(text: string, options: Parameters<typeof decode>[1] = {}): ReturnType<typeof decode> {
  return decode([encoder.encode(text)], options);
}

/** What JSON.parse was asked to read while some work went on. */
function parsedDuring(work: () => void): string[] {
  const real = JSON.parse;
  const texts: string[] = [];
  JSON.parse = (text, reviver) => {
    texts.push(text);
    return real(text, reviver);
  };
  try {
    work();
  } finally {
    JSON.parse = real;
  }
  return texts;
}

export default suite("framing: records", (test) => {
  test("several records in one chunk come in order, one over many chunks comes once (D01, D02, D15)", () => {
    const records = Array.from(
      { length: 20 },
      (_, n) => ({ type: n % 2 ? "assistant" : "system", n, text: "漢😀 ".repeat(n) }),
    );
    const output = encoder.encode(records.map((record) => JSON.stringify(record) + "\n").join(""));
    for (const size of [1, 3, 64, output.length]) {
      assert.deepEqual([...decode(chunksOf(output, size)).records], records);
    }
    const large = { type: "user", content: "x".repeat(150_000) };
    assert.deepEqual([...decode(chunksOf(encoder.encode(JSON.stringify(large) + "\n"), 65_536)).records], [large]);
  });

  test("U+2028 and U+2029 inside a record are text (D06)", () => {
    const record = { type: "assistant", text: "a\u2028b\u2029c\n\r\u0085d" };
    const line = JSON.stringify(record);
    assert.include(line, "\u2028");
    assert.deepEqual([...decodeText(line + "\n").records], [record]);
  });

  test("CRLF, blank lines and lines of spaces are nothing (D07)", () => {
    const { records, diagnostics, halfRecordBytes } = decodeText(
      '\r\n\n{"type":"a"}\r\n  \t\r\n\n{"type":"user"}\r\n\r\n \n',
    );
    assert.deepEqual([...records], [{ type: "a" }, { type: "user" }]);
    assert.deepEqual([...diagnostics], []);
    assert.strictEqual(halfRecordBytes, 0);
  });

  test("noise before, between and after records is skipped and told, without its words (D08)", () => {
    const { records, diagnostics, halfRecordBytes } = decodeText(
      'WARNING: s3cret\n{"type":"user","n":1}\n[SandboxDebug] s3cret\n{"type":"system","n":2}\ns3cret\n',
    );
    assert.deepEqual([...records], [{ type: "user", n: 1 }, { type: "system", n: 2 }]);
    assert.deepEqual([...diagnostics], [
      { kind: "line_skipped", bytes: 15, reason: "not_json" },
      { kind: "line_skipped", bytes: 21, reason: "not_json" },
      { kind: "line_skipped", bytes: 6, reason: "not_json" },
    ]);
    assert.strictEqual(halfRecordBytes, 0);
  });

  test("JSON that is no object is no message: 123, null, a string, a list", () => {
    const { records, diagnostics } = decodeText(
      '123\nnull\n"x"\n[]\ntrue\n[{"type":"user"}]\n{"type":"user"}\n{"type":"result"}\n',
    );
    assert.deepEqual([...records], [{ type: "user" }, { type: "result" }]);
    assert.deepEqual(
      diagnostics.map((event) => event.kind === "line_skipped" && event.reason),
      Array(6).fill("not_an_object"),
    );
  });

  test("objects without a type, or of an unknown one, are records", () => {
    assert.deepEqual([...decodeText('{}\n{"a":1}\n{"type":"brand_new"}\n').records], [{}, { a: 1 }, {
      type: "brand_new",
    }]);
  });

  test("a last record without its newline is delivered (D10)", () => {
    for (const line of ['{"type":"result"}', '{"type":"assistant"}', '{"type":"assistant"}\r']) {
      const { frames, records, halfRecordBytes } = decodeText(`{"type":"user"}\n${line}`);
      assert.deepEqual([...records], [{ type: "user" }, JSON.parse(line)]);
      assert.isTrue(frames[1]?.eager, "the last line of all is looked at");
      assert.strictEqual(halfRecordBytes, 0);
    }
  });

  test("output that ends inside a record says how much of it came, wherever it broke off (D11)", () => {
    const line = '{"type":"assistant","text":"é{\\"}"}';
    const bytes = encoder.encode(line);
    for (let cut = 1; cut < bytes.length; cut++) {
      const { records, diagnostics, halfRecordBytes } = decode([
        encoder.encode('{"type":"user"}\n'),
        bytes.slice(0, cut),
      ]);
      assert.deepEqual([...records], [{ type: "user" }]);
      assert.strictEqual(halfRecordBytes, cut);
      assert.deepEqual([...diagnostics], []);
    }
  });

  test("noise at the very end is no half record", () => {
    for (const tail of ["Segmentation fault", "{nonsense", "12", '"half', "[1,", "   "]) {
      assert.strictEqual(decodeText(`{"type":"user"}\n${tail}`).halfRecordBytes, 0, tail);
    }
  });

  test("every type that steers nothing waits unparsed until it is read", () => {
    for (const type of ORDINARY) {
      const frames: Frame[] = [];
      const line = `{"type":"${type}","n":1}`;
      const decoder = new FrameDecoder({ maxMessageBytes: 1000, onDiagnostic: () => {} });
      const early = parsedDuring(() => decoder.push(encoder.encode(line + "\n"), (frame) => frames.push(frame)));
      assert.deepEqual(early, [], type);
      assert.isFalse(frames[0]?.eager);
      assert.strictEqual(frames[0]?.wireBytes, line.length);
      const late = parsedDuring(() => assert.strictEqual(frames[0]?.read(), frames[0]?.read()));
      assert.deepEqual(late, [line]);
      assert.deepEqual(frames[0]?.read(), { type, n: 1 });
    }
  });

  test("what steers a session is parsed on arrival", () => {
    for (
      const type of [
        "control_request",
        "control_response",
        "control_cancel_request",
        "system",
        "result",
        "keep_alive",
        "command_lifecycle",
        "transcript_mirror",
        "conversation_reset",
        "prompt_suggestion",
        "brand_new",
        "users",
        "use",
      ]
    ) {
      const { frames } = decodeText(`{"type":"${type}"}\n`);
      assert.isTrue(frames[0]?.eager, type);
    }
  });

  test("only a plain sign lets a line wait: type first, a closing brace last", () => {
    const waits = ['{"type":"user"}', '{"type": "user"}', ' { "type" : "assistant" , "n": 1 }', '\t{"type":"user"}'];
    const never = [
      '{"n":1,"type":"user"}',
      '{"type":"user"} ',
      '{"Type":"user"}',
      '{"\\u0074ype":"user"}',
      '{"type":["user"]}',
      '{"x":{"type":"user"}}',
      '{"type":null}',
    ];
    for (const line of waits) assert.isFalse(decodeText(line + "\n").frames[0]?.eager, line);
    for (const line of never) assert.isTrue(decodeText(line + "\n").frames[0]?.eager, line);
  });

  test("bytes of all frames and skipped lines add up to what came, line ends left out", () => {
    const text = '{"type":"user","t":"é"}\nnoise ü\r\n{"type":"system"}\r\n{"a":\n"漢"}\n{"type":"user","t":"😀"}\n';
    const output = encoder.encode(text);
    const content = output.length - 6 - 2;
    for (let size = 1; size <= output.length; size++) {
      const { frames, diagnostics } = decode(chunksOf(output, size));
      const skipped = diagnostics.reduce((sum, event) => sum + ("bytes" in event ? event.bytes : 0), 0);
      assert.strictEqual(frames.reduce((sum, frame) => sum + frame.wireBytes, skipped), content, `chunks of ${size}`);
    }
  });

  test("a listener that throws changes nothing", () => {
    const decoder = new FrameDecoder({
      maxMessageBytes: 1000,
      onDiagnostic: () => {
        throw new Error("mine");
      },
    });
    const records: unknown[] = [];
    decoder.push('noise\n{"type":"system"}\nnoise\n{"type":"result"}\n', (frame) => records.push(frame.read()));
    assert.deepEqual(records, [{ type: "system" }, { type: "result" }]);
  });

  test("keys that mean something to an object are plain fields", () => {
    const [record] = decodeText('{"type":"user","__proto__":{"x":1},"constructor":2}\n').records;
    assert.deepEqual(Object.keys(record ?? {}), ["type", "__proto__", "constructor"]);
    assert.isUndefined((record as { x?: unknown }).x);
  });
});
