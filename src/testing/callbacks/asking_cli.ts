import { AbortError, ControlRequestError } from "../../core/errors/mod.ts";
import { isJsonObject, type JsonObject } from "../../core/json.ts";
import { CliInput, FatalLine } from "../cli/cli_input.ts";
import { responseTo } from "../cli/control_reply.ts";
import { defaultReply } from "../cli/default_reply.ts";
import type { MemoryCliEnd } from "../memory_transport_pair.ts";
import { ScriptError } from "../script_error.ts";
import { Watch } from "../watch.ts";

/** How a question is put. */
export interface AskBounds {
  /** Takes the question back. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds; past it nobody waits any longer. */
  readonly timeoutMs: number;
}

/** A question that has been sent. */
interface OpenAsk {
  response: JsonObject | undefined;
}

/** The CLI's end of a connection that only asks: it answers its host as an idle CLI does, and puts questions of its own. */
export class AskingCli {
  readonly #end: MemoryCliEnd;
  readonly #onRequest: (request: JsonObject) => void;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array | string>;
  readonly #watch: Watch = new Watch();
  readonly #open = new Map<string, OpenAsk>();
  #asked = 0;
  #over = false;

  /** @param onRequest Sees what the host asks, before it is answered. */
  constructor(end: MemoryCliEnd, onRequest: (request: JsonObject) => void) {
    this.#end = end;
    this.#onRequest = onRequest;
    this.#writer = end.writable.getWriter();
    end.terminated.addEventListener("abort", () => this.#leave());
    // A forced end does not come from here.
    void end.exited.then(() => this.#leave());
    void this.#read();
  }

  /**
   * Puts a question and waits for the payload of its answer.
   *
   * @throws {ControlRequestError} if the answer is an error.
   * @throws {ScriptError} if none comes in time.
   * @throws {AbortError} if the connection has ended, or the signal's reason.
   */
  async ask(request: JsonObject, bounds: AskBounds): Promise<JsonObject> {
    const { signal, timeoutMs } = bounds;
    signal?.throwIfAborted();
    if (this.#over) throw gone();
    const id = `test_${++this.#asked}`;
    const subtype = String(request.subtype);
    const ask: OpenAsk = { response: undefined };
    this.#open.set(id, ask);
    const look = (): void => this.#watch.changed();
    signal?.addEventListener("abort", look);
    try {
      await this.#send({ type: "control_request", request_id: id, request });
      const answer = await this.#watch.until<"aborted" | JsonObject>(
        () => ask.response ?? (signal?.aborted === true ? "aborted" : undefined),
        timeoutMs,
        () => this.#over ? gone() : late(subtype, timeoutMs),
      );
      if (answer === "aborted") throw signal?.reason;
      return payloadOf(answer, subtype);
    } finally {
      signal?.removeEventListener("abort", look);
      this.#open.delete(id);
      // Whoever does not wait any longer says so, as the CLI does; about servers it says so in their own words.
      if (ask.response === undefined && !this.#over && subtype !== "mcp_message") {
        await this.#send({ type: "control_cancel_request", request_id: id }).catch(() => {});
      }
    }
  }

  async #send(frame: JsonObject): Promise<void> {
    try {
      await this.#writer.write(JSON.stringify(frame) + "\n");
    } catch {
      throw gone();
    }
  }

  async #read(): Promise<void> {
    const reader = this.#end.readable.getReader();
    const input = new CliInput();
    try {
      for (let next = await reader.read(); !next.done; next = await reader.read()) {
        for (const frame of input.push(next.value)) await this.#take(frame);
      }
    } catch {
      // A broken input is an ended one: the host is gone.
    }
    this.#leave();
  }

  async #take(frame: JsonObject | FatalLine): Promise<void> {
    if (frame instanceof FatalLine) return this.#leave();
    if (frame.type === "control_response") return this.#answered(frame);
    if (frame.type !== "control_request" || !isJsonObject(frame.request)) return;
    const { request } = frame;
    this.#onRequest(request);
    // What a server says unasked is taken without a word.
    const reply = request.subtype === "mcp_message" ? {} : defaultReply(request, {});
    await this.#send({ type: "control_response", response: responseTo(frame, reply) });
  }

  #answered({ response }: JsonObject): void {
    if (!isJsonObject(response)) return;
    const ask = this.#open.get(String(response.request_id));
    if (ask === undefined) return;
    ask.response = response;
    this.#watch.changed();
  }

  #leave(): void {
    if (this.#over) return;
    this.#over = true;
    this.#watch.end();
    this.#end.exit();
  }
}

function payloadOf(response: JsonObject, subtype: string): JsonObject {
  if (response.subtype === "error") {
    const { error_code: code } = response;
    throw new ControlRequestError(subtype, String(response.error), typeof code === "string" ? code : undefined);
  }
  return isJsonObject(response.response) ? response.response : {};
}

function gone(): AbortError {
  return new AbortError("The callbacks under test were closed");
}

function late(subtype: string, timeoutMs: number): ScriptError {
  const hint = subtype === "hook_callback" ? "" : "; a callback that returns null leaves its question open";
  return new ScriptError("testCallbacks", [`no answer to ${subtype} within ${timeoutMs} ms${hint}`]);
}
