/** Values to lines: valid UTF-8 and JSON whatever is sent, and never a silent null. */

import { assert } from "chai";
import fc from "fast-check";
import { OptionError } from "../../src/core/errors/mod.ts";
import { encodeFrame } from "../../src/core/streams/encode_frame.ts";
import { suite } from "../harness/suite.ts";
import { throwsWith } from "../harness/throws.ts";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true, fatal: true });

/** The one line a value becomes. */
function line(value: unknown): string {
  const text = decoder.decode(encodeFrame(value));
  assert.strictEqual(text.indexOf("\n"), text.length - 1);
  return text.slice(0, -1);
}

/** Half pairs replaced, one character at a time. */
function replaced(text: string): string {
  let result = "";
  for (const character of text) {
    const code = character.codePointAt(0)!;
    result += code >= 0xd800 && code <= 0xdfff ? "\ufffd" : character;
  }
  return result;
}

function replacedDeep(value: unknown): unknown {
  if (typeof value === "string") return replaced(value);
  if (Array.isArray(value)) return value.map(replacedDeep);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [replaced(key), replacedDeep(inner)]));
}

/** Texts of code units that are easily taken for each other. */
const treacherous = fc.array(
  fc.constantFrom(
    "\\",
    "\\u",
    "d83d",
    "\\ud83d",
    "\\\\ud83d",
    "\ud83d",
    "\ude00",
    "\udbff",
    "\udc00",
    "😀",
    '"',
    "\n",
    "a",
    "/",
    "\u2028",
    "\0",
  ),
  { maxLength: 12 },
).map((parts) => parts.join(""));

export default suite("framing: encode", (test) => {
  test("a value becomes one line of JSON", () => {
    const value = { type: "user", text: 'a\nb\r\u2028"\\ é漢😀', n: 1.5, ok: true, none: null, list: [1, "x", []] };
    assert.strictEqual(line(value), JSON.stringify(value));
    assert.strictEqual(line("x"), '"x"');
    assert.strictEqual(line(null), "null");
  });

  test("half a surrogate pair becomes U+FFFD, in values and in keys; whole pairs stay", () => {
    assert.strictEqual(line("a\ud83d"), '"a\ufffd"');
    assert.strictEqual(line("\ude00\ud83d😀\ud83d"), '"\ufffd\ufffd😀\ufffd"');
    assert.strictEqual(line({ "k\ud83d": ["\udfff"] }), '{"k\ufffd":["\ufffd"]}');
    assert.notInclude(line({ text: "x".repeat(100_000) + "\ud83d" }), "\\ud");
  });

  test("a backslash-u that a user typed stays what it was", () => {
    for (const text of ["\\ud83d", "\\\\ud83d", "C:\\users\\udon", '\\"\\ud83d\\ude00"', "\\uD83D\ud83d", "\\\ud83d"]) {
      assert.strictEqual(JSON.parse(line(text)), replaced(text));
    }
  });

  test("any text arrives as it was, half pairs aside", () => {
    fc.assert(
      fc.property(fc.oneof(treacherous, fc.string({ unit: "binary" })), (text) => {
        assert.deepEqual(JSON.parse(line({ [text]: text })), { [replaced(text)]: replaced(text) });
      }),
      { seed: 31, numRuns: 2000 },
    );
  });

  test("any JSON value arrives as it was", () => {
    // Minus zero is the one number that JSON changes.
    const value = fc.jsonValue({ noUnicodeString: false }).map((v) => JSON.parse(JSON.stringify(v)));
    fc.assert(
      fc.property(value, (v) => assert.deepEqual(JSON.parse(line(v)), replacedDeep(v))),
      { seed: 32, numRuns: 500 },
    );
  });

  test("a field that is undefined is left out", () => {
    assert.strictEqual(line({ a: undefined, b: 1 }), '{"b":1}');
  });

  test("what writes itself is written so", () => {
    assert.strictEqual(line({ at: new Date(0) }), '{"at":"1970-01-01T00:00:00.000Z"}');
    assert.strictEqual(line({ url: new URL("https://a.example/b") }), '{"url":"https://a.example/b"}');
    assert.strictEqual(line({ x: { toJSON: () => ({ y: 1 }) } }), '{"x":{"y":1}}');
  });

  test("a pair that is written as two escapes stays one, where a value may write itself as raw JSON", () => {
    const { rawJSON = (text: string): unknown => JSON.parse(text) } = JSON as { rawJSON?: (text: string) => unknown };
    const value = [rawJSON('"\\ud83d\\ude00"'), rawJSON('"\\uD83D\\uDE00"'), "\ud83d"];
    assert.deepEqual(JSON.parse(line(value)), ["😀", "😀", "\ufffd"]);
  });

  test("what JSON has no word for is refused, and told what it is", () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = [cycle];
    const hole: unknown[] = [1];
    hole[2] = 3;
    const cases: [unknown, string][] = [
      [undefined, "undefined"],
      [() => 1, "a function"],
      [Symbol("x"), "a symbol"],
      [{ a: { b: () => 1 } }, "a function"],
      [{ a: Symbol("x") }, "a symbol"],
      [{ list: [1, undefined] }, "undefined in a list"],
      [hole, "undefined in a list"],
      [[[() => 1]], "a function"],
      [{ n: NaN }, "not finite"],
      [{ n: [-Infinity] }, "not finite"],
      [{ x: { toJSON: () => ({ n: NaN }) } }, "not finite"],
      [{ x: { toJSON: () => undefined }, y: [{ toJSON: () => undefined }] }, "undefined in a list"],
      [{ toJSON: () => undefined }, "undefined"],
      [1n, "no JSON form"],
      [{ n: 1n }, "no JSON form"],
      [cycle, "no JSON form"],
    ];
    for (const [value, said] of cases) {
      const error = throwsWith(() => encodeFrame(value, "prompt"), OptionError);
      assert.strictEqual(error.option, "prompt");
      assert.include(error.message, said);
    }
  });

  test("what a value throws while it is written is the cause; no word of the value is told", () => {
    const cause = new Error("mine");
    const throwing = {
      toJSON(): never {
        throw cause;
      },
    };
    assert.strictEqual(throwsWith(() => encodeFrame({ x: throwing }), OptionError).cause, cause);
    const secret = throwsWith(() => encodeFrame({ s3cret: { s3cret: "s3cret", f: () => 1 } }), OptionError);
    assert.notInclude(secret.message, "s3cret");
  });

  test("a line may be as deep as the stack bears; deeper is an error, not the end", () => {
    let deep: unknown = 1;
    for (let i = 0; i < 1000; i++) deep = [deep];
    assert.strictEqual(line(deep), "[".repeat(1000) + "1" + "]".repeat(1000));
    for (let i = 0; i < 300_000; i++) deep = { deep };
    throwsWith(() => encodeFrame(deep), OptionError);
  });
});
