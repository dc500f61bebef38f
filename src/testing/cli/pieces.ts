import type { PiecesStep } from "./step.ts";

/** The pieces in which the bytes of lines are written. */
export function cutPieces(lines: Uint8Array, step: Pick<PiecesStep, "sizes" | "upTo" | "corrupt">): Uint8Array[] {
  const { sizes, upTo = lines.length, corrupt } = step;
  const bytes = lines.slice();
  if (corrupt !== undefined) {
    // The last byte is the line's end, and that is where counting from the end begins.
    const at = Math.max(0, corrupt.at < 0 ? bytes.length - 1 + corrupt.at : corrupt.at);
    bytes.set(corrupt.bytes.slice(0, Math.max(0, bytes.length - at)), Math.min(at, bytes.length));
  }
  const end = Math.max(0, Math.min(bytes.length, upTo < 0 ? bytes.length + upTo : upTo));
  const pieces: Uint8Array[] = [];
  for (let from = 0, index = 0; from < end; index++) {
    const to = Math.min(end, from + sizes[index % sizes.length]!);
    pieces.push(bytes.subarray(from, to));
    from = to;
  }
  return pieces;
}
