import { ClaudeSDKError } from "../../core/errors/mod.ts";
import { isJsonObject, type JsonObject } from "../../core/json.ts";
import { ScriptError } from "../script_error.ts";
import type { AskBounds, AskingCli } from "./asking_cli.ts";

/** A tool as its server lists it. */
export interface ListedTool {
  /** Its name, without that of the server. */
  readonly name: string;
  /** What the model is told of it. */
  readonly description?: string;
  /** JSON Schema of its arguments. */
  readonly inputSchema: JsonObject;
  /** All else that the server says of it: `annotations`, `outputSchema`, `title`, `_meta`. */
  readonly [field: string]: unknown;
}

/** What a tool answered, as the CLI is told. */
export interface ToolReply {
  /** Its texts, joined by newlines; of a refused call the server's words. */
  readonly text: string;
  /** The model is told that the call failed: the handler threw, the arguments do not fit, there is no such tool. */
  readonly isError: boolean;
  /** Its content, piece by piece. */
  readonly content: readonly JsonObject[];
  /** Its answer as data, if it has an output schema. */
  readonly structuredContent: JsonObject | undefined;
  /** Everything the server answered. */
  readonly result: JsonObject;
  /** How far it said it was meanwhile: the parameters of its progress notices. */
  readonly progress: readonly JsonObject[];
}

/** The protocol version in which CLI 2.1.332 speaks to servers. */
const PROTOCOL_VERSION = "2025-11-25";

/** The end of a connection at which the CLI speaks to one server of this program. */
export class ServerSession {
  readonly #cli: AskingCli;
  readonly #name: string;
  readonly #progress = new Map<number, JsonObject[]>();
  #ready: Promise<void> | undefined;
  #nextId = 0;

  constructor(cli: AskingCli, name: string) {
    this.#cli = cli;
    this.#name = name;
  }

  /** What the server says unasked. */
  heard(message: JsonObject): void {
    if (message.method !== "notifications/progress" || !isJsonObject(message.params)) return;
    const { progressToken: token, ...progress } = message.params;
    this.#progress.get(Number(token))?.push(progress);
  }

  /** Every tool it lists. */
  async list(bounds: AskBounds): Promise<ListedTool[]> {
    await this.#handshake(bounds);
    const tools: ListedTool[] = [];
    for (let cursor: unknown, first = true; first || cursor !== undefined; first = false) {
      const result = await this.#request("tools/list", cursor === undefined ? {} : { cursor: String(cursor) }, bounds);
      if (Array.isArray(result.tools)) tools.push(...result.tools as unknown as ListedTool[]);
      cursor = result.nextCursor;
    }
    return tools;
  }

  /** Calls a tool. */
  async call(name: string, args: JsonObject, toolUseId: string, bounds: AskBounds): Promise<ToolReply> {
    await this.#handshake(bounds);
    const id = this.#nextId;
    const progress: JsonObject[] = [];
    this.#progress.set(id, progress);
    try {
      const params = {
        name,
        arguments: args,
        _meta: { "claudecode/toolUseId": toolUseId, progressToken: id },
      };
      return replyOf(await this.#request("tools/call", params, bounds), progress);
    } catch (error) {
      // The model reads what the server refused with, like any failure.
      if (!(error instanceof RpcError)) throw error;
      const content = [{ type: "text", text: error.message }];
      return replyOf({ content, isError: true, error: { code: error.rpcCode, message: error.message } }, progress);
    } finally {
      this.#progress.delete(id);
    }
  }

  /** Any request, its result as it comes. */
  async request(method: string, params: JsonObject, bounds: AskBounds): Promise<JsonObject> {
    await this.#handshake(bounds);
    return await this.#request(method, params, bounds);
  }

  /** As the CLI greets a server that it has no manifest of. */
  #handshake(bounds: AskBounds): Promise<void> {
    if (this.#ready !== undefined) return this.#ready;
    const greeting = this.#greet(bounds);
    // Tried again when it is next asked for something.
    greeting.catch(() => this.#ready = undefined);
    this.#ready = greeting;
    return greeting;
  }

  async #greet(bounds: AskBounds): Promise<void> {
    await this.#request("initialize", {
      protocolVersion: PROTOCOL_VERSION,
      capabilities: {},
      clientInfo: { name: "claude-code", version: "2.1.332" },
    }, bounds);
    await this.#send({ method: "notifications/initialized" }, bounds);
  }

  async #request(method: string, params: JsonObject, bounds: AskBounds): Promise<JsonObject> {
    const id = this.#nextId++;
    const { signal, timeoutMs } = bounds;
    signal?.throwIfAborted();
    // A call is not taken back by the CLI's own word for it, but by that of MCP.
    const cancel = (): void => {
      const params = { requestId: id, reason: "AbortError: remote-cancel" };
      this.#send({ method: "notifications/cancelled", params }, { timeoutMs }).catch(() => {});
    };
    signal?.addEventListener("abort", cancel, { once: true });
    try {
      const { mcp_response: response } = await this.#send({ method, params, id }, bounds);
      if (!isJsonObject(response)) throw new ScriptError(`server "${this.#name}"`, [`no answer to ${method}`]);
      if (isJsonObject(response.error)) throw new RpcError(response.error);
      return isJsonObject(response.result) ? response.result : {};
    } finally {
      signal?.removeEventListener("abort", cancel);
    }
  }

  #send(message: JsonObject, bounds: AskBounds): Promise<JsonObject> {
    const request = { subtype: "mcp_message", server_name: this.#name, message: { jsonrpc: "2.0", ...message } };
    return this.#cli.ask(request, bounds);
  }
}

/** A server's refusal. */
class RpcError extends ClaudeSDKError {
  override readonly name = "RpcError";
  readonly rpcCode: number;

  constructor(error: JsonObject) {
    super("mcp_error", String(error.message));
    this.rpcCode = Number(error.code);
  }
}

function replyOf(result: JsonObject, progress: readonly JsonObject[]): ToolReply {
  const content = Array.isArray(result.content) ? result.content.filter(isJsonObject) : [];
  return {
    text: content.flatMap((part) => typeof part.text === "string" ? [part.text] : []).join("\n"),
    isError: result.isError === true,
    content,
    structuredContent: isJsonObject(result.structuredContent) ? result.structuredContent : undefined,
    result,
    progress,
  };
}
