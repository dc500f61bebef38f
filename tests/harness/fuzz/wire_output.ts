/** What may come over the wire, good or bad, and how it may be cut into chunks. */

import fc from "fast-check";

const encoder = new TextEncoder();

/** Text that is hard on framing: what looks like a line end and is none, what JSON escapes, characters of every length. */
const trickyText: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.string({ maxLength: 12 }) },
  {
    weight: 3,
    arbitrary: fc.array(
      fc.constantFrom(
        ...'\n\r\0\t\u2028\u2029\ufeff\ufffd\u00a0é漢\u0085\\"{}[]',
        "😀",
        "👩‍👩‍👧",
        "\ud83d",
        "\ude00",
        "\\ud83d",
        "\\n",
        '{"type":"user"}',
      ),
      { maxLength: 6 },
    ).map((parts) => parts.join("")),
  },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom("a", "é", "漢", "😀", "\\", " "), fc.nat(3_000)).map(repeated) },
);

function repeated([unit, times]: [string, number]): string {
  return unit.repeat(times);
}

/** Types: what may wait unparsed, and what may not. */
const TYPES = ["assistant", "user", "stream_event", "system", "result", "control_request", "tool_progress", "new"];

/** One record. */
export const wireRecord: fc.Arbitrary<Record<string, unknown>> = fc.tuple(
  fc.constantFrom(...TYPES),
  fc.oneof(fc.jsonValue({ maxDepth: 3 }), trickyText),
  fc.boolean(),
).map(([type, value, typeFirst]) => typeFirst ? { type, value } : { value, type });

/** Lines that are no records. */
const NOISE = [
  "",
  " ",
  "\t \t",
  "\0",
  "\0\0{}",
  "123",
  "null",
  "true",
  '"x"',
  "[]",
  "[{}]",
  "{}",
  "{",
  "}",
  "{}{}",
  '{"a":1}{"a":1}',
  "{foo}",
  "{'a': 1}",
  '{"a":',
  '{"type":"user"',
  '{"type":"user",}',
  "{]",
  "\ufeff{}",
  '\u2028{"a":1}',
  " {} ",
  "WARNING: something",
];

/** The lines of one happening on the wire, as bytes: a good record, a torn or a damaged one, several in one line, noise. */
const happening: fc.Arbitrary<Uint8Array[]> = fc.oneof(
  { weight: 5, arbitrary: wireRecord.map((value) => [bytesOf(JSON.stringify(value))]) },
  {
    weight: 2,
    arbitrary: fc.tuple(wireRecord, fc.array(fc.nat(), { minLength: 1, maxLength: 4 })).map(([value, cuts]) =>
      cutAt(bytesOf(JSON.stringify(value)), cuts)
    ),
  },
  { weight: 1, arbitrary: wireRecord.map((value) => JSON.stringify(value, null, 2).split("\n").map(bytesOf)) },
  {
    weight: 2,
    arbitrary: fc.tuple(
      wireRecord,
      fc.nat(),
      fc.oneof(fc.constantFrom("", "}", '"', "\\", "{", "x}", "]").map(bytesOf), fc.uint8Array({ maxLength: 3 })),
      fc.nat(2),
    ).map(([value, at, insert, drop]) => [damaged(bytesOf(JSON.stringify(value)), at, insert, drop)]),
  },
  {
    weight: 1,
    arbitrary: fc.array(wireRecord, { minLength: 2, maxLength: 3 }).map((values) => [
      bytesOf(values.map((value) => JSON.stringify(value)).join("")),
    ]),
  },
  { weight: 2, arbitrary: fc.constantFrom(...NOISE).map((line) => [bytesOf(line)]) },
  {
    weight: 1,
    arbitrary: fc.string({ maxLength: 10, unit: fc.constantFrom('"', "\\", "{", "}", "[", "]", "a", ":", " ") })
      .map((line) => [bytesOf(line)]),
  },
  // Any bytes: among them line ends, broken UTF-8, parts of a byte order mark.
  {
    weight: 1,
    arbitrary: fc.array(
      fc.oneof(
        fc.nat(255),
        fc.constantFrom(0, 0x0a, 0x0d, 0x22, 0x7b, 0x7d, 0x80, 0xc0, 0xed, 0xa0, 0xef, 0xbb, 0xbf, 0xf0, 0x9f, 0xf8),
      ),
      { maxLength: 12 },
    ).map((bytes) => [new Uint8Array(bytes)]),
  },
);

/** A whole output. */
export const wireOutput: fc.Arbitrary<Uint8Array> = fc.tuple(
  fc.constantFrom([], [], [], [0xef, 0xbb, 0xbf], [0xef, 0xbb], [0xef], [0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf]),
  fc.array(happening, { maxLength: 10 }),
  fc.infiniteStream(fc.constantFrom("\n", "\n", "\n", "\r\n", "\n\n", "\r\r\n", "\r")),
  fc.constantFrom("whole", "whole", "unterminated", "cut off"),
  fc.nat(),
).map(([mark, happenings, ends, ending, at]) => {
  const lines = happenings.flat();
  const parts = [
    Uint8Array.from(mark),
    ...lines.flatMap((line, index) => [
      line,
      bytesOf(ending === "unterminated" && index === lines.length - 1 ? "" : ends.next().value),
    ]),
  ];
  const output = concat(parts);
  return ending === "cut off" ? output.slice(0, at % (output.length + 1)) : output;
});

/** How an output is cut, and what becomes of a chunk once it was handed over. */
export interface Delivery {
  /** Where it is cut, modulo its length. */
  readonly cuts: readonly number[];
  /** Instead: chunks of so many bytes, if it is not 0. */
  readonly size: number;
  /** `shared`: every chunk lies in one buffer, which the next one overwrites. `view`: a chunk is no `Uint8Array`. */
  readonly kind: "fresh" | "shared" | "view";
}

/** Any delivery. Cuts that coincide make empty chunks. */
export const delivery: fc.Arbitrary<Delivery> = fc.record({
  cuts: fc.array(fc.nat(), { maxLength: 12 }),
  size: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.integer({ min: 1, max: 9 }) }),
  kind: fc.constantFrom("fresh", "shared", "shared", "view"),
});

/** The chunks of an output, to be taken one after the other. */
export function* delivered(output: Uint8Array, { cuts, size, kind }: Delivery): Generator<Uint8Array> {
  const shared = new Uint8Array(output.length + 8);
  const places = size > 0
    ? Array.from({ length: Math.ceil(output.length / size) }, (_, index) => index * size)
    : [0, ...cuts.map((cut) => cut % (output.length + 1)).sort((a, b) => a - b)];
  for (const [index, from] of places.entries()) {
    const chunk = output.slice(from, places[index + 1] ?? output.length);
    if (kind === "fresh") yield chunk;
    else if (kind === "view") yield new DataView(chunk.buffer) as unknown as Uint8Array;
    else {
      const place = shared.subarray(index % 8, index % 8 + chunk.length);
      place.set(chunk);
      yield place;
      shared.fill(0x7d);
    }
  }
}

/** Bytes one after the other. */
export function concat(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function bytesOf(text: string): Uint8Array {
  return encoder.encode(text);
}

function cutAt(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const sorted = [...new Set(cuts.map((cut) => cut % bytes.length))].sort((a, b) => a - b);
  return [...sorted, bytes.length].map((to, index) => bytes.slice(index === 0 ? 0 : sorted[index - 1], to));
}

function damaged(bytes: Uint8Array, at: number, insert: Uint8Array, drop: number): Uint8Array {
  const place = at % (bytes.length + 1);
  return concat([bytes.slice(0, place), insert, bytes.slice(place + drop)]);
}
