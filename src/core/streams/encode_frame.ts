import { OptionError } from "../errors/option_error.ts";

const encoder: TextEncoder = new TextEncoder();

/**
 * One value as a line of the wire: JSON, a newline, UTF-8.
 *
 * @param what Names the value in the error, e.g. `prompt`.
 * @throws {OptionError} for what JSON cannot carry.
 */
export function encodeFrame(value: unknown, what = "message"): Uint8Array {
  const json = JSON.stringify(value);
  if (json === undefined) throw new OptionError(what, "cannot be written as JSON");
  return encoder.encode(json + "\n");
}
