/** The two plain ways from pieces of output to values: split bytes and decode each line, or decode and split text. */

/** A line, parsed. */
export type Value = { readonly type?: string; readonly subtype?: string; readonly [name: string]: unknown };

/** How lines are found. */
export type Split = "bytes" | "text";

/** Takes pieces of output and hands over a value per line. */
export function lineParser(split: Split, take: (value: Value) => void): (piece: Uint8Array) => void {
  return split === "bytes" ? splitBytes(take) : splitText(take);
}

function splitBytes(take: (value: Value) => void): (piece: Uint8Array) => void {
  const decoder = new TextDecoder();
  let parts: Uint8Array[] = [];
  return (piece) => {
    let start = 0;
    for (let end = piece.indexOf(10); end >= 0; end = piece.indexOf(10, start)) {
      let text: string;
      if (parts.length > 0) {
        parts.push(piece.subarray(start, end));
        text = decoder.decode(joined(parts));
        parts = [];
      } else {
        // A Buffer's own decoder is the quicker one on Node.
        text = typeof Buffer !== "undefined" && Buffer.isBuffer(piece)
          ? piece.toString("utf8", start, end)
          : decoder.decode(piece.subarray(start, end));
      }
      take(JSON.parse(text) as Value);
      start = end + 1;
    }
    if (start < piece.length) parts.push(piece.subarray(start));
  };
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function splitText(take: (value: Value) => void): (piece: Uint8Array) => void {
  const decoder = new TextDecoder();
  let rest = "";
  return (piece) => {
    const text = decoder.decode(piece, { stream: true });
    let start = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
      const line = text.slice(start, end);
      take(JSON.parse(rest === "" ? line : rest + line) as Value);
      rest = "";
      start = end + 1;
    }
    if (start < text.length) rest += text.slice(start);
  };
}
