/** A conversation of several turns on the real CLI: each prompt is said when the turn before is over. */
import type { Options, SDKMessage, SDKUserMessage } from "../../mod.ts";
import type { ModelScript, ScriptLines } from "../../src/testing/mod.ts";
import type { TestContext } from "../harness/suite.ts";
import { Scene, userMessage } from "./real_query.ts";

/** Prompts that are handed over one by one. */
class PromptQueue implements AsyncIterable<SDKUserMessage> {
  readonly #waiting: SDKUserMessage[] = [];
  #wake: () => void = () => {};
  #over = false;

  push(message: SDKUserMessage): void {
    this.#waiting.push(message);
    this.#wake();
  }

  end(): void {
    this.#over = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<SDKUserMessage, void, void> {
    for (;;) {
      const next = this.#waiting.shift();
      if (next !== undefined) yield next;
      else if (this.#over) return;
      else await new Promise<void>((resolve) => this.#wake = resolve);
    }
  }
}

/** What a talk is made of. */
export interface TalkOptions {
  readonly script: ScriptLines | ModelScript;
  readonly options?: Options | ((scene: Scene) => Options);
}

/** A scene whose prompts are said one after the other. */
export class Talk {
  readonly scene: Scene;
  readonly #prompts: PromptQueue;

  private constructor(scene: Scene, prompts: PromptQueue) {
    this.scene = scene;
    this.#prompts = prompts;
  }

  /** Starts the model and the query; both are gone when the body is over. */
  static async start(t: TestContext, { script, options = {} }: TalkOptions): Promise<Talk> {
    const prompts = new PromptQueue();
    // Registered first, so it runs last: a query that is closed no longer asks for a prompt.
    t.cleanup(() => prompts.end());
    return new Talk(await Scene.start(t, { script, options, prompt: () => prompts }), prompts);
  }

  /** Hands a prompt over. */
  push(prompt: string | SDKUserMessage): void {
    this.#prompts.push(typeof prompt === "string" ? userMessage(prompt) : prompt);
  }

  /** Says something and reads to the result of its turn. Returns what came since the read before, that result last. */
  say(prompt: string | SDKUserMessage): Promise<SDKMessage[]> {
    this.push(prompt);
    return this.readTo((message) => message.type === "result");
  }

  /** Reads until a message fits. Returns what came since the read before, that message last. */
  async readTo(fits: (message: SDKMessage) => boolean): Promise<SDKMessage[]> {
    const from = this.scene.messages.length;
    await this.scene.until(fits);
    return this.scene.messages.slice(from);
  }

  /** Waits for an MCP server. A turn waits for one too, but on a busy machine not for long enough. */
  async connected(name: string): Promise<void> {
    for (;;) {
      const server = (await this.scene.query.mcpServerStatus()).find((server) => server.name === name);
      if (server?.status === "connected") return;
      if (server?.status === "failed") throw new Error(`${name}: ${server.error}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** Ends the input and reads to the end. Returns what still came. */
  async end(): Promise<SDKMessage[]> {
    const from = this.scene.messages.length;
    this.#prompts.end();
    await this.scene.drain();
    return this.scene.messages.slice(from);
  }
}

/** The only one of its kind in a list. @throws unless there is exactly one. */
export function only<T>(items: readonly T[]): T {
  if (items.length !== 1) throw new Error(`There should be one, and there are ${items.length}`);
  return items[0] as T;
}
