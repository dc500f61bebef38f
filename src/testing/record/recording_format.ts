import { isJsonObject, type JsonObject, type JsonValue } from "../../core/json.ts";
import type { RecordedEntry, Recording, RecordingHeader } from "./recording.ts";
import { RecordingError } from "./recording_error.ts";

/** The name of the format, and its version. */
export const RECORDING_FORMAT = "tether-frames/1";

/** Puts entries under a header. */
export function makeRecording(header: RecordingHeader, entries: readonly RecordedEntry[]): Recording {
  return { header, entries, cliVersion: versionIn(entries) };
}

/** A recording as the text of a file: JSON lines, the header first. */
export function encodeRecording({ header, entries }: Pick<Recording, "header" | "entries">): string {
  return [header, ...entries].map((line) => `${JSON.stringify(line)}\n`).join("");
}

/**
 * Reads a recording from the text of its file. Strict: what is not known is not passed over.
 *
 * @throws {RecordingError} `recording_invalid`, with the line.
 */
export function parseRecording(text: string): Recording {
  const lines = text.split("\n");
  if (lines.at(-1)?.trim() === "") lines.pop();
  const [first, ...rest] = lines.map((line, index) => parseLine(line, index + 1));
  if (first === undefined) throw invalid(1, "the file is empty; the first line names the format");
  const header = readHeader(first);
  let last = 0;
  const entries = rest.map((value, index) => {
    const line = index + 2;
    const entry = readEntry(value, line);
    if (entry.ms < last) throw invalid(line, `"ms" is ${entry.ms}, less than that of the line before`);
    last = entry.ms;
    return entry;
  });
  if (entries.at(0)?.kind !== "started") throw invalid(2, 'the first entry must be "started"');
  return makeRecording(header, entries);
}

function parseLine(line: string, number: number): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (cause) {
    throw new RecordingError("recording_invalid", "it is no JSON", { line: number, cause });
  }
  if (!isJsonObject(value)) throw invalid(number, "it is no JSON object");
  return value;
}

function readHeader(value: JsonObject): RecordingHeader {
  if (value.format !== RECORDING_FORMAT) {
    throw invalid(1, `"format" must be "${RECORDING_FORMAT}", and is ${JSON.stringify(value.format) ?? "missing"}`);
  }
  check(value, 1, "header", { format: isText, redacted: (flag) => typeof flag === "boolean" }, {});
  return value as unknown as RecordingHeader;
}

type Check = (value: JsonValue) => boolean;
type Fields = Readonly<Record<string, Check>>;

const isText: Check = (value) => typeof value === "string";
const isTextOrNull: Check = (value) => value === null || isText(value);
const LINE: { readonly needed: Fields; readonly optional: Fields } = {
  needed: {},
  optional: {
    frame: (value) => isJsonObject(value),
    text: isText,
    base64: (value) =>
      isText(value) && /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(String(value)),
    unterminated: (value) => value === true,
  },
};
const PIPE: typeof LINE = { needed: {}, optional: {} };

/** Fields of each kind of entry, `ms` and `kind` left out. */
const KINDS: Readonly<Record<RecordedEntry["kind"], typeof LINE>> = {
  started: { needed: {}, optional: { argv: (value) => Array.isArray(value) && value.every(isText) } },
  sent: LINE,
  received: LINE,
  stderr: { needed: { text: isText }, optional: {} },
  input_ended: PIPE,
  output_ended: PIPE,
  input_failed: PIPE,
  output_failed: PIPE,
  exited: {
    needed: { code: (value) => value === null || Number.isSafeInteger(value), signal: isTextOrNull },
    optional: { stderrTail: isText },
  },
};

function readEntry(value: JsonObject, line: number): RecordedEntry {
  const { kind } = value;
  if (typeof kind !== "string" || !Object.hasOwn(KINDS, kind)) {
    throw invalid(
      line,
      `"kind" must be one of ${Object.keys(KINDS).join(", ")}, and is ${JSON.stringify(kind) ?? "missing"}`,
    );
  }
  const { needed, optional } = KINDS[kind as RecordedEntry["kind"]];
  check(value, line, kind, { kind: isText, ms: (ms) => typeof ms === "number" && ms >= 0, ...needed }, optional);
  if (kind === "sent" || kind === "received") {
    const forms = ["frame", "text", "base64"].filter((form) => Object.hasOwn(value, form));
    if (forms.length !== 1) throw invalid(line, `"${kind}" has one of frame, text and base64, not ${forms.length}`);
  }
  return value as unknown as RecordedEntry;
}

function check(value: JsonObject, line: number, what: string, needed: Fields, optional: Fields): void {
  for (const name of Object.keys(needed)) {
    if (!Object.hasOwn(value, name)) throw invalid(line, `"${what}" needs "${name}"`);
  }
  for (const [name, member] of Object.entries(value)) {
    const fits = Object.hasOwn(needed, name)
      ? needed[name]
      : Object.hasOwn(optional, name)
      ? optional[name]
      : undefined;
    if (fits === undefined) throw invalid(line, `"${what}" has no "${name}" in ${RECORDING_FORMAT}`);
    if (!fits(member!)) throw invalid(line, `"${name}" of "${what}" is not what it must be`);
  }
}

function invalid(line: number, problem: string): RecordingError {
  return new RecordingError("recording_invalid", problem, { line });
}

/** The answer to `initialize` tells the version, and so does each turn. */
function versionIn(entries: readonly RecordedEntry[]): string | undefined {
  for (const entry of entries) {
    if (entry.kind !== "received" || entry.frame === undefined) continue;
    const { response } = entry.frame;
    const payload = isJsonObject(response) ? response.response : undefined;
    const version = isJsonObject(payload) ? payload.claude_code_version : entry.frame.claude_code_version;
    if (typeof version === "string") return version;
  }
  return undefined;
}
