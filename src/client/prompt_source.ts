import { OptionError, PromptError } from "../core/errors/mod.ts";
import { isJsonObject, type JsonObject } from "../core/json.ts";
import type { SDKUserMessage } from "../core/messages/mod.ts";

/** What a query is asked: one text, or user messages that may come over time. */
export type Prompt = string | AsyncIterable<SDKUserMessage> | Iterable<SDKUserMessage> | ReadableStream<SDKUserMessage>;

/** An iterator's two methods that matter here. */
interface Pull {
  next(): Promise<IteratorResult<unknown, unknown>> | IteratorResult<unknown, unknown>;
  stop(): unknown;
}

/**
 * The user lines of a prompt, one at a time on demand.
 *
 * Every message is checked before it goes out: the CLI ends itself at a line it does not understand.
 */
export class PromptSource {
  /** A single text: its line comes at once. */
  readonly isText: boolean;
  readonly #pull: Pull;
  readonly #verbatim: boolean;
  readonly #sessionId: string | undefined;
  #stopped = false;
  #release: (() => void) | undefined;

  /**
   * `sessionId` is put into messages that have none. @throws {OptionError} if `prompt` is nothing that can be read.
   */
  constructor(prompt: Prompt, options: { readonly verbatim: boolean; readonly sessionId?: string | undefined }) {
    this.isText = typeof prompt === "string";
    this.#pull = pullFrom(prompt);
    this.#verbatim = options.verbatim;
    this.#sessionId = options.sessionId;
  }

  /** The next line; done at the end or once stopped. Rejects with what the source threw, or a `PromptError`. */
  async next(): Promise<IteratorResult<JsonObject, void>> {
    if (this.#stopped) return { done: true, value: undefined };
    const pulled = this.#pull.next();
    const item = await this.#unlessStopped(pulled);
    if (item === undefined || item.done === true) return { done: true, value: undefined };
    return { done: false, value: this.#line(item.value) };
  }

  /** Ends the source: what is pending resolves as done, and the user's iterator is told. Never throws. */
  stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#release?.();
    try {
      // Not awaited: a generator that is waiting for something cannot return before that comes.
      Promise.resolve(this.#pull.stop()).catch(() => {});
    } catch {
      // The query is over: a source that fails while being told so has nobody left to tell.
    }
  }

  #unlessStopped<T>(pulled: Promise<T> | T): Promise<T | undefined> {
    return new Promise((resolve, reject) => {
      this.#release = () => resolve(undefined);
      Promise.resolve(pulled).then(resolve, reject);
    });
  }

  #line(message: unknown): JsonObject {
    if (!isJsonObject(message) || message.type !== "user" || !isJsonObject(message.message)) {
      throw new PromptError("invalid_prompt", 'A prompt message must be an object with type "user" and a message');
    }
    if (message.message.role !== "user") {
      throw new PromptError("invalid_prompt", 'The message of a prompt must have the role "user"');
    }
    const line = this.#verbatim ? { ...message, client_composed: true } : message;
    if (this.#sessionId === undefined || (typeof line.session_id === "string" && line.session_id !== "")) return line;
    return { ...line, session_id: this.#sessionId };
  }
}

function pullFrom(prompt: Prompt): Pull {
  if (typeof prompt === "string") return pullIterator(textMessage(prompt)[Symbol.iterator]());
  if (typeof prompt === "object" && prompt !== null) {
    if ("getReader" in prompt && typeof prompt.getReader === "function") return pullStream(prompt);
    if (Symbol.asyncIterator in prompt) return pullIterator(prompt[Symbol.asyncIterator]());
    if (Symbol.iterator in prompt) return pullIterator(prompt[Symbol.iterator]());
  }
  throw new OptionError("prompt", "must be a string, an iterable of user messages or a ReadableStream of them");
}

function pullStream(stream: ReadableStream<SDKUserMessage>): Pull {
  if (stream.locked) throw new OptionError("prompt", "is a ReadableStream that somebody else is reading");
  const reader = stream.getReader();
  return {
    next: async () => {
      const item = await reader.read();
      return item.done ? { done: true, value: undefined } : item;
    },
    stop: () => reader.cancel(),
  };
}

function pullIterator(iterator: Iterator<unknown> | AsyncIterator<unknown>): Pull {
  return { next: () => iterator.next(), stop: () => iterator.return?.() };
}

function textMessage(text: string): JsonObject[] {
  return [{
    type: "user",
    session_id: "",
    message: { role: "user", content: [{ type: "text", text }] },
    parent_tool_use_id: null,
  }];
}
