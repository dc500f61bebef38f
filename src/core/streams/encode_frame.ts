import { OptionError } from "../errors/option_error.ts";
import { findUnsendable } from "./sendable.ts";

const encoder: TextEncoder = new TextEncoder();

/** How `JSON.stringify` writes half a surrogate pair. A user's own `\ud83d`, typed as text, has its backslash doubled. */
const SURROGATE_ESCAPE: RegExp = /\\u[dD][89a-fA-F]/;

/** Every escape, one by one, so that a doubled backslash never reads as the start of another; whole pairs first. */
const ESCAPE: RegExp = /\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\[^]/g;

/** `\ud83d` has this length; a whole pair has twice as much, other escapes are shorter. */
const UNICODE_ESCAPE_LENGTH = 6;

/**
 * One value as a line of the wire: JSON, a newline, UTF-8.
 *
 * Half a surrogate pair, in a value or a key, becomes U+FFFD: sent as it is, it makes every later request of the
 * conversation fail. A field that is undefined is left out, as usual; whatever else JSON has no word for is refused,
 * because it would arrive as `null` or not at all.
 *
 * @param what Names the value in the error.
 * @throws {OptionError} for undefined, a function, a symbol, a bigint, a number that is not finite, a hole in a list, a
 * cycle, a text longer than a string can be; with what a `toJSON` or a getter threw as its `cause`.
 */
export function encodeFrame(value: unknown, what = "message"): Uint8Array {
  return encoder.encode(encodeLine(value, what));
}

/** The same as text, for a sink that takes text. @throws {OptionError} as {@linkcode encodeFrame} does. */
export function encodeLine(value: unknown, what = "message"): string {
  return wellFormed(stringify(value, what)) + "\n";
}

/** Looks whether a value can be sent. @throws {OptionError} as {@linkcode encodeFrame} does. */
export function checkSendable(value: unknown, what: string): void {
  stringify(value, what);
}

function stringify(value: unknown, what: string): string {
  let json: string | undefined;
  let unsendable: string | undefined;
  try {
    json = JSON.stringify(value);
    unsendable = findUnsendable(value);
  } catch (cause) {
    throw new OptionError(what, "cannot be sent: it has no JSON form", { cause });
  }
  if (unsendable !== undefined) throw new OptionError(what, `cannot be sent: it holds ${unsendable}`);
  if (json === undefined) throw new OptionError(what, "cannot be sent: it is undefined");
  return json;
}

function wellFormed(json: string): string {
  // The first test is a search for one character: fast in any length of text, and enough for most.
  if (!json.includes("\\") || !SURROGATE_ESCAPE.test(json)) return json;
  return json.replace(
    ESCAPE,
    (escape) => escape.length === UNICODE_ESCAPE_LENGTH && SURROGATE_ESCAPE.test(escape) ? "\ufffd" : escape,
  );
}
