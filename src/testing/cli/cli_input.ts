import { isJsonObject, type JsonObject } from "../../core/json.ts";

/** A line the real CLI would not have survived. */
export class FatalLine {
  readonly problem: string;

  /** @param problem What is wrong with it. */
  constructor(problem: string) {
    this.problem = problem;
  }
}

/** Cuts the host's bytes into frames, as strict as CLI 2.1.332: what ends that one is a {@linkcode FatalLine}. */
export class CliInput {
  readonly #decoder: TextDecoder = new TextDecoder("utf-8", { ignoreBOM: true });
  #parts: string[] = [];

  /** Takes a piece of input; gives the frames that it completes. Lines without a meaning are left out, as by the CLI. */
  push(bytes: Uint8Array): (JsonObject | FatalLine)[] {
    const lines = this.#decoder.decode(bytes, { stream: true }).split("\n");
    const last = lines.pop() ?? "";
    const found: (JsonObject | FatalLine)[] = [];
    for (const line of lines) {
      const frame = readLine(this.#parts.join("") + line);
      this.#parts = [];
      if (frame !== undefined) found.push(frame);
    }
    if (last !== "") this.#parts.push(last);
    return found;
  }
}

function readLine(line: string): JsonObject | FatalLine | undefined {
  if (line.trim() === "") return undefined;
  let value: unknown;
  try {
    value = JSON.parse(line.replace(/^\uFEFF/, ""));
  } catch {
    return new FatalLine("a line of input is not JSON");
  }
  if (value === null) return new FatalLine("a line of input is null");
  if (!isJsonObject(value)) return undefined;
  const frame = value as JsonObject;
  if (frame.type === "control_request" && !isJsonObject(frame.request)) {
    return new FatalLine("a control_request has no request");
  }
  if (frame.type === "user" && !(isJsonObject(frame.message) && frame.message.role === "user")) {
    return new FatalLine("a user line has no message with the role user");
  }
  return frame;
}
