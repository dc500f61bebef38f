import { isJsonObject, type JsonObject } from "../core/json.ts";
import type { RuntimeFs } from "../core/runtime.ts";

/** What a settings file holds. `broken`: it is there, and cannot be used. */
export type FileContent =
  | { readonly kind: "missing" }
  | { readonly kind: "object"; readonly object: JsonObject }
  | { readonly kind: "broken"; readonly message: string };

/** Larger files are not read (CLI 2.1.332). */
export const MAX_SETTINGS_BYTES: number = 2 * 1024 * 1024;

const NULL_DEVICE = "/dev/null";

/**
 * Reads one settings file. A mark at its start says how it is encoded: UTF-8, or UTF-16LE. An empty file holds no settings.
 * Comments are not allowed: the CLI takes a file with one for broken.
 */
export async function readSettingsFile(fs: RuntimeFs, path: string): Promise<FileContent> {
  const facts = await fs.stat(path);
  if (facts === undefined) return { kind: "missing" };
  if (facts.kind === "directory") return { kind: "broken", message: "is a folder" };
  if (facts.kind === "other") {
    // Opened, a pipe that nobody writes to would wait for ever. A link to the null device is an empty file.
    if (await fs.realPath(path) === NULL_DEVICE) return { kind: "object", object: {} };
    return { kind: "broken", message: "is no file" };
  }
  const bytes = await fs.readHead(path, MAX_SETTINGS_BYTES + 1);
  if (bytes === undefined) return { kind: "broken", message: "cannot be read" };
  if (bytes.length > MAX_SETTINGS_BYTES) {
    return { kind: "broken", message: `is larger than ${MAX_SETTINGS_BYTES} bytes` };
  }

  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : "utf-8";
  const text = new TextDecoder(encoding).decode(bytes);
  if (text.trim() === "") return { kind: "object", object: {} };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's own words would quote the file.
    return { kind: "broken", message: "is no JSON" };
  }
  return isJsonObject(value) ? { kind: "object", object: value } : { kind: "broken", message: "holds no JSON object" };
}
