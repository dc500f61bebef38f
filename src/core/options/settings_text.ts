import { isJsonObject, type JsonObject } from "../json.ts";
import { OptionError } from "../errors/option_error.ts";
import type { Settings } from "./settings.ts";

/** Settings as they were given: named by a path, or here in full. */
export type SettingsSource =
  | { readonly kind: "none" }
  | { readonly kind: "path"; readonly path: string }
  | { readonly kind: "inline"; readonly settings: JsonObject };

/**
 * Tells a path from JSON text, as the CLI does: text that begins with `{` is JSON. An empty string is no settings.
 *
 * @throws {OptionError} for text that begins as an object and is none.
 */
export function readSettings(option: string, given: string | Settings | null | undefined): SettingsSource {
  if (given === undefined || given === null || given === "") return { kind: "none" };
  if (typeof given !== "string") {
    if (!isJsonObject(given)) throw new OptionError(option, "must be a string or an object");
    return { kind: "inline", settings: given };
  }
  if (!given.trimStart().startsWith("{")) return { kind: "path", path: given };
  return { kind: "inline", settings: parseObject(option, given) };
}

/** Parses JSON text that must hold an object. @throws {OptionError} if it does not; the text is not repeated. */
export function parseObject(option: string, text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's own message quotes the text, which may be secret.
    throw new OptionError(option, "begins as JSON and is not");
  }
  if (!isJsonObject(value)) throw new OptionError(option, "must hold a JSON object");
  return value;
}
