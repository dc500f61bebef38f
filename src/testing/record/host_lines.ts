import { isJsonObject, type JsonObject } from "../../core/json.ts";

/** Cuts the host's bytes into lines: frames where they are JSON objects, text where they are not. Empty ones are left out. */
export class HostLines {
  readonly #decoder: TextDecoder = new TextDecoder("utf-8", { ignoreBOM: true });
  #parts: string[] = [];

  /** The lines that these bytes complete. */
  push(bytes: Uint8Array): (JsonObject | string)[] {
    const lines = this.#decoder.decode(bytes, { stream: true }).split("\n");
    const last = lines.pop() ?? "";
    const whole = lines.map((line, index) => index === 0 ? this.#parts.join("") + line : line);
    if (lines.length > 0) this.#parts = [];
    if (last !== "") this.#parts.push(last);
    return whole.filter((line) => line.trim() !== "").map(readLine);
  }
}

function readLine(line: string): JsonObject | string {
  try {
    const value: unknown = JSON.parse(line);
    return isJsonObject(value) ? value : line;
  } catch {
    return line;
  }
}
