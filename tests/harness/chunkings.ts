import fc from "fast-check";

const encoder = new TextEncoder();

/** Every way to cut bytes into chunks: 2^(n−1) of them. */
export function* everyChunking(bytes: Uint8Array): Generator<Uint8Array[]> {
  const gaps = Math.max(0, bytes.length - 1);
  for (let mask = 0; mask < 2 ** gaps; mask++) {
    const chunks: Uint8Array[] = [];
    let start = 0;
    for (let gap = 0; gap < gaps; gap++) {
      if ((mask & (1 << gap)) === 0) continue;
      chunks.push(bytes.slice(start, gap + 1));
      start = gap + 1;
    }
    chunks.push(bytes.slice(start));
    yield chunks;
  }
}

/** Chunks of a fixed size. */
export function chunksOf(bytes: Uint8Array, size: number): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  for (let start = 0; start < bytes.length; start += size) chunks.push(bytes.slice(start, start + size));
  return chunks;
}

/** Ways to cut bytes into chunks, empty ones among them. */
export function byteChunks(bytes: Uint8Array): fc.Arbitrary<Uint8Array[]> {
  return cutsOf(bytes.length).map((cuts) => between(cuts, bytes.length).map(([from, to]) => bytes.slice(from, to)));
}

/** Ways to cut text into chunks, also inside a surrogate pair; whole parts of it come as bytes, cut anywhere. */
export function mixedChunks(text: string): fc.Arbitrary<(Uint8Array | string)[]> {
  const characters = Array.from(text);
  return cutsOf(characters.length).chain((cuts) =>
    fc.tuple(
      ...between(cuts, characters.length).map(([from, to]) => {
        const part = characters.slice(from, to).join("");
        return fc.boolean().chain((asText): fc.Arbitrary<(Uint8Array | string)[]> =>
          asText
            ? cutsOf(part.length).map((inner) => between(inner, part.length).map(([a, b]) => part.slice(a, b)))
            : byteChunks(encoder.encode(part))
        );
      }),
    )
  ).map((parts) => parts.flat());
}

function cutsOf(length: number): fc.Arbitrary<number[]> {
  return fc.array(fc.nat({ max: length }), { maxLength: 12 }).map((cuts) => cuts.sort((a, b) => a - b));
}

function between(cuts: readonly number[], length: number): [number, number][] {
  return [...cuts, length].map((to, index) => [index === 0 ? 0 : cuts[index - 1]!, to]);
}
