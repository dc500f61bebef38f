import { isJsonObject, type JsonObject } from "../../core/json.ts";
import type { CliPipe } from "./cli_pipe.ts";

/** What a double writes: one thing after the other, frames with names, the last words kept. */
export class CliOutput {
  readonly #pipe: CliPipe;
  readonly #sessionId: string;
  #writing: Promise<void> = Promise.resolve();
  #lastText = "";
  #failed = false;

  /** @param sessionId Goes into frames that name none. */
  constructor(pipe: CliPipe, sessionId: string) {
    this.#pipe = pipe;
    this.#sessionId = sessionId;
  }

  /** The last text of an assistant frame. */
  get lastText(): string {
    return this.#lastText;
  }

  /** Whether the last result was an error. */
  get failed(): boolean {
    return this.#failed;
  }

  /** Frames as they are written, without writing them. */
  encode(items: readonly JsonObject[]): Uint8Array {
    return new TextEncoder().encode(items.map((item) => JSON.stringify(this.#named(item)) + "\n").join(""));
  }

  /** Writes frames in one piece, so that nothing that is written meanwhile comes between them. */
  async frames(items: readonly JsonObject[]): Promise<void> {
    if (items.length === 0) return;
    for (const item of items) this.#note(item);
    await this.bytes(this.encode(items));
  }

  /** Writes bytes, in the order of the calls. Rejects when nobody reads. */
  bytes(bytes: Uint8Array): Promise<void> {
    const turn = this.#writing.then(() => this.#pipe.write(bytes));
    this.#writing = turn.catch(() => {});
    return turn;
  }

  /** Settles when everything was written or has failed. */
  flushed(): Promise<void> {
    return this.#writing;
  }

  #named(item: JsonObject): JsonObject {
    if (String(item.type).startsWith("control_") || item.type === "keep_alive") return item;
    const { uuid = crypto.randomUUID(), session_id = this.#sessionId } = item;
    return { ...item, uuid, session_id };
  }

  #note(item: JsonObject): void {
    if (item.type === "result") this.#failed = item.is_error === true;
    if (item.type !== "assistant" || !isJsonObject(item.message) || !Array.isArray(item.message.content)) return;
    for (const part of item.message.content) {
      if (isJsonObject(part) && typeof part.text === "string") this.#lastText = part.text;
    }
  }
}
