import { OptionError } from "../core/errors/mod.ts";
import type { JsonObject } from "../core/json.ts";
import type { SDKMessage } from "../core/messages/mod.ts";
import type { Options } from "../core/options/mod.ts";
import type { Engine } from "./engine.ts";
import { type Host, Launch } from "./launch.ts";
import { promptError } from "./outcome.ts";
import { PromptFeed } from "./prompt_feed.ts";
import { type Prompt, PromptSource } from "./prompt_source.ts";
import type { Query } from "./query_interface.ts";
import { QueryLife } from "./query_life.ts";
import { QueryRequests } from "./query_requests.ts";

/** What {@linkcode query} is given. */
export interface QueryParams {
  /**
   * A text, or user messages over time. Input stays open until the source has ended and the CLI can ask nothing more. A
   * source is asked for the next message when the CLI has taken the last.
   */
  readonly prompt: Prompt;
  /** Everything else; see {@linkcode Options}. Never changed. */
  readonly options?: Options;
}

/** Starts a conversation in a given place; the entry points bind the place. */
export function startQuery(params: QueryParams, host: Host): Query {
  if (typeof params !== "object" || params === null) throw new OptionError("prompt", "must be given, in an object");
  const launch = new Launch(params.options ?? {}, host);
  return new RunningQuery(launch, { prompt: params.prompt });
}

/** How a query begins. */
export interface QueryStart {
  /** Its prompt; one may be added later with {@linkcode RunningQuery.feed}. Without one, and not held, input ends at once. */
  readonly prompt?: Prompt;
  /** Input stays open, whatever has ended, until {@linkcode RunningQuery.release}. */
  readonly held?: boolean;
  /** No prompt is sent before this has resolved; it must not reject. */
  readonly gate?: Promise<void>;
}

/** Who takes the messages. */
type Consumer = "none" | "iterator" | "stream";

/** A running query: its messages, and what it is told. It starts when it is made; the entry points say with what. */
export class RunningQuery extends QueryRequests implements Query {
  /** For the entry points. */
  readonly life: QueryLife;
  #consumer: Consumer = "none";
  #stream: ReadableStream<SDKMessage> | undefined;
  #told = false;
  /** What the last one waits for that asked before it was here. */
  #waiting: Promise<IteratorResult<SDKMessage, void>> | undefined;

  /** @throws {OptionError} for a prompt that is nothing to read. */
  constructor(launch: Launch, start: QueryStart) {
    const feed = new PromptFeed({ held: start.held === true });
    // One that was given and is nothing is a mistake, not a wish for none.
    if ("prompt" in start) void feed.add(sourceOf(start.prompt as Prompt, launch), { isPrompt: true });
    const life = new QueryLife(launch, feed, start.gate);
    super(life);
    this.life = life;
  }

  // -- messages -------------------------------------------------------------------------------------------------------

  next(): Promise<IteratorResult<SDKMessage, void>> {
    if (this.#consumer === "stream") {
      return Promise.reject(new TypeError("The messages of this query are taken by its ReadableStream"));
    }
    this.#consumer = "iterator";
    return this.#pull();
  }

  async return(): Promise<IteratorResult<SDKMessage, void>> {
    await this.close();
    return { done: true, value: undefined };
  }

  async throw(error: unknown): Promise<IteratorResult<SDKMessage, void>> {
    await this.close();
    throw error;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  get readable(): ReadableStream<SDKMessage> {
    if (this.#consumer === "iterator") throw new TypeError("The messages of this query are being iterated");
    this.#consumer = "stream";
    this.#stream ??= new ReadableStream<SDKMessage>({
      pull: async (controller) => {
        const item = await this.#pull();
        if (item.done === true) controller.close();
        else controller.enqueue(item.value);
      },
      cancel: () => this.close(),
    }, { highWaterMark: 0 });
    return this.#stream;
  }

  /** The end of the messages: the error is told once, then there is nothing more. */
  async #end(): Promise<IteratorResult<SDKMessage, void>> {
    const { error } = await this.life.finished;
    if (error !== undefined && !this.#told) {
      this.#told = true;
      throw error.value;
    }
    return { done: true, value: undefined };
  }

  #pull(): Promise<IteratorResult<SDKMessage, void>> {
    const before = this.#waiting;
    if (before !== undefined) return this.#queued(before.then(() => this.#wait(), () => this.#wait()));
    // Most messages are here when they are asked for: they need one promise, not a chain of them.
    const message = this.life.engine?.take();
    return message === undefined ? this.#queued(this.#wait()) : Promise.resolve(this.#taken(message));
  }

  /** Who asks meanwhile is served after this one, as by any generator. */
  #queued(item: Promise<IteratorResult<SDKMessage, void>>): Promise<IteratorResult<SDKMessage, void>> {
    this.#waiting = item;
    const served = (): void => {
      if (this.#waiting === item) this.#waiting = undefined;
    };
    item.then(served, served);
    return item;
  }

  #wait(): Promise<IteratorResult<SDKMessage, void>> {
    const { engine, started } = this.life;
    if (engine !== undefined) return this.#waitFor(engine);
    return started.then((later) => later === undefined ? this.#end() : this.#waitFor(later));
  }

  #waitFor(engine: Engine): Promise<IteratorResult<SDKMessage, void>> {
    return engine.next().then((item) => item.done === true ? this.#end() : this.#taken(item.value));
  }

  #taken(message: JsonObject): IteratorResult<SDKMessage, void> {
    this.life.launch.tracing.taken(message);
    return { done: false, value: message as unknown as SDKMessage };
  }

  // -- what it is told ------------------------------------------------------------------------------------------------

  streamInput(prompt: Prompt): Promise<void> {
    return this.send(prompt);
  }

  /** The same, with an id for messages that have none. For the entry points. */
  async send(prompt: Prompt, sessionId?: string): Promise<void> {
    const end = await this.life.feed.add(sourceOf(prompt, this.life.launch, sessionId), { isPrompt: false });
    if (end.kind === "cut") return await this.life.overAndOut();
    if (end.kind === "failed") {
      throw promptError(end.error, { message: "The messages could not all be sent; the query goes on" });
    }
  }

  /**
   * Adds a prompt as though the query had been started with it: its failure is the query's. For the entry points.
   *
   * @throws {OptionError} for a prompt that is nothing to read.
   * @throws {CLIConnectionError} `input_ended` if it is too late. Once the query is over it is simply not asked.
   */
  feed(prompt: Prompt): void {
    // Never rejects; what became of it is seen at the end of the query.
    void this.life.feed.add(sourceOf(prompt, this.life.launch), { isPrompt: true });
  }

  /**
   * Ends the hold: input ends when every prompt has and nothing more can be asked of us. Does nothing if not held. For the
   * entry points.
   */
  release(): void {
    this.life.feed.release();
  }

  // -- the way out ----------------------------------------------------------------------------------------------------

  close(): Promise<void> {
    return this.life.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

function sourceOf(prompt: Prompt, { options }: Launch, sessionId?: string): PromptSource {
  return new PromptSource(prompt, { verbatim: options.verbatimPrompts === true, sessionId });
}
