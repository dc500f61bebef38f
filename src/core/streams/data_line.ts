/** Spaces are for writers other than the CLI, which has none. */
const DATA_LINE: RegExp =
  /[ \t]*\{[ \t]*"type"[ \t]*:[ \t]*"(?:assistant|user|stream_event|tool_progress|tool_use_summary|rate_limit_event)"/y;

/** How nearly every line of the CLI begins: to compare is several times faster than to match. */
const USUAL: readonly string[] = ['{"type":"stream_event"', '{"type":"assistant"', '{"type":"user"'];

const CLOSING_BRACE = 125;

/**
 * True for a line that is plainly ordinary data: an object whose first key is `type`, with a value that nothing in a
 * session steers by. Only such a line may wait unparsed. The order of keys is no promise (`result` has `type` late), so
 * the absence of this sign says nothing. Looks at the last character and the first few; CLI 2.1.332 names the types.
 *
 * The line is the part of `text` from `start` to `end`; all of it, if nothing is said.
 */
export function isDataLine(text: string, start = 0, end: number = text.length): boolean {
  if (text.charCodeAt(end - 1) !== CLOSING_BRACE) return false;
  for (const usual of USUAL) if (text.startsWith(usual, start)) return true;
  DATA_LINE.lastIndex = start;
  return DATA_LINE.test(text);
}
