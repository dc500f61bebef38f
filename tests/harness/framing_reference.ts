/**
 * What framing must come to, written as plainly as can be: everything is looked at whole, as often as needed. The real
 * one sees chunks, and each byte a fixed number of times.
 */

/** A line, as the reference sees it. */
export interface ReferenceLine {
  readonly line: string;
  readonly wireBytes: number;
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The lines of a whole output. */
export function referenceLines(output: Uint8Array): ReferenceLine[] {
  const lines: ReferenceLine[] = [];
  const marked = output[0] === 0xef && output[1] === 0xbb && output[2] === 0xbf;
  let rest = Array.from(output.slice(marked ? 3 : 0));
  while (rest.length > 0) {
    const newline = rest.indexOf(10);
    const bytes = newline === -1 ? rest : rest.slice(0, newline);
    rest = newline === -1 ? [] : rest.slice(newline + 1);
    if (bytes.at(-1) === 13) bytes.pop();
    lines.push({ line: decoder.decode(new Uint8Array(bytes)), wireBytes: bytes.length });
  }
  return lines;
}

/** What a whole output must come to. */
export interface ReferenceOutcome {
  readonly records: unknown[];
  /** Kind and numbers of each diagnostic, as text, sorted: laziness may change when one is reported. */
  readonly diagnostics: string[];
  readonly halfRecordBytes: number;
  /** A record passed the limit: nothing after it counts, and what was to be told of the lines before it need not be. */
  readonly tooLarge: boolean;
}

/** The records of lines, each parsed at once. With a limit, of those before the first record that is longer. */
export function referenceOutcome(lines: readonly ReferenceLine[], maxBytes = Infinity): ReferenceOutcome {
  const records: unknown[] = [];
  const diagnostics: string[] = [];
  let waiting: ReferenceLine[] = [];
  const giveUp = (): void => {
    if (waiting.length > 0) diagnostics.push(`record_broken ${bytesOf(waiting)} ${waiting.length}`);
    waiting = [];
  };
  for (const entry of lines) {
    const { line, wireBytes } = entry;
    if (wireBytes > maxBytes) return { records, diagnostics, halfRecordBytes: 0, tooLarge: true };
    if (line === "") continue;
    const value = parsed(line);
    if (isRecord(value)) {
      giveUp();
      records.push(value);
      continue;
    }
    const before = waiting.map((piece) => piece.line).join("");
    const lacksItsKey = /^[ \t\r]*\{[ \t\r]*$/.test(before);
    if (lacksItsKey && /^[ \t\r]*[^ \t\r"}]/.test(line)) giveUp();
    if (before.endsWith("}") && looksLikeData(line)) giveUp();
    if (waiting.length > 0 || (value === undefined && /^[ \t\r]*\{/.test(line))) {
      waiting.push(entry);
      if (bytesOf(waiting) > maxBytes) return { records, diagnostics, halfRecordBytes: 0, tooLarge: true };
      const joined = waiting.map((piece) => piece.line).join("");
      const record = parsed(joined);
      if (isRecord(record)) {
        records.push(record);
        waiting = [];
      } else if (isHopeless(joined)) giveUp();
    } else if (line.trim() !== "") {
      diagnostics.push(`line_skipped ${wireBytes} ${value === undefined ? "not_json" : "not_an_object"}`);
    }
  }
  return { records, diagnostics: diagnostics.sort(), halfRecordBytes: bytesOf(waiting), tooLarge: false };
}

function bytesOf(lines: readonly ReferenceLine[]): number {
  return lines.reduce((sum, { wireBytes }) => sum + wireBytes, 0);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function looksLikeData(line: string): boolean {
  const type = /^[ \t]*\{[ \t]*"type"[ \t]*:[ \t]*"([a-z_]+)".*\}$/s.exec(line)?.[1];
  return type !== undefined && ORDINARY.has(type);
}

/** Types that nothing in a session steers by. */
export const ORDINARY: ReadonlySet<string> = new Set([
  "assistant",
  "user",
  "stream_event",
  "tool_progress",
  "tool_use_summary",
  "rate_limit_event",
]);

/** True if no further text can make an object of this: its first brace is closed, or what follows that is no key. */
function isHopeless(text: string): boolean {
  const outside = text.replace(/"(?:[^"\\]|\\[^])*("|\\?$)/g, (_, end) => end === '"' ? '""' : "");
  let depth = 0;
  for (const character of outside) {
    if (character === "{" || character === "[") depth++;
    if ((character === "}" || character === "]") && --depth === 0) return true;
  }
  return !/^[ \t\r]*\{[ \t\r]*(["}]|$)/.test(text);
}
