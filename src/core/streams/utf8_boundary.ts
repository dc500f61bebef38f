/** How long the UTF-8 sequence is that a byte leads. Bytes that lead none by right may be kept back like any other. */
function sequenceLength(lead: number): number {
  if (lead < 0xc0) return 1;
  return lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

/** How many bytes at the end begin a character without completing it: 0 to 3. */
export function incompleteTail(bytes: Uint8Array): number {
  const longest = Math.min(3, bytes.length);
  for (let back = 1; back <= longest; back++) {
    const byte = bytes[bytes.length - back]!;
    if ((byte & 0xc0) !== 0x80) return sequenceLength(byte) > back ? back : 0;
  }
  return 0;
}

/** How many bytes a sequence that {@linkcode incompleteTail} has found still lacks. */
export function missingBytes(partial: Uint8Array): number {
  return sequenceLength(partial[0]!) - partial.length;
}
