import { deferred } from "../core/deferred.ts";
import { AbortError, OptionError } from "../core/errors/mod.ts";
import type { JsonObject } from "../core/json.ts";
import { onAbort } from "../core/on_abort.ts";
import type { SDKMessage } from "../core/messages/mod.ts";
import type { Options, PermissionMode, PermissionResult } from "../core/options/mod.ts";
import type { Engine, Outcome } from "./engine.ts";
import { type Host, Launch } from "./launch.ts";
import { promptError } from "./outcome.ts";
import { PromptFeed } from "./prompt_feed.ts";
import { type Prompt, PromptSource } from "./prompt_source.ts";
import type { InterruptReceipt, Query } from "./query_interface.ts";

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
}

/** Who takes the messages. */
type Consumer = "none" | "iterator" | "stream";

/** A query from its start to its end. It starts when it is made; the entry points decide what it is started with. */
export class RunningQuery implements Query {
  readonly #launch: Launch;
  readonly #feed: PromptFeed;
  /** Settles when everything is over and cleared away. Never rejects. */
  readonly #finished = deferred<Outcome>();
  /** The engine, once there is one; undefined if the query ended before. Never rejects. */
  readonly #started: Promise<Engine | undefined>;
  readonly #initialized = deferred<JsonObject>();
  readonly #forgetAbort: () => void;
  #engine: Engine | undefined;
  #stopped: { readonly outcome: Outcome } | undefined;
  #consumer: Consumer = "none";
  #stream: ReadableStream<SDKMessage> | undefined;
  #told = false;

  /** @throws {OptionError} for a prompt that is nothing to read. */
  constructor(launch: Launch, start: QueryStart) {
    this.#launch = launch;
    this.#feed = new PromptFeed({ held: start.held === true });
    // One that was given and is nothing is a mistake, not a wish for none.
    if ("prompt" in start) this.feed(start.prompt as Prompt);
    // Nobody has to ask for it: the loop tells the same.
    this.#initialized.promise.catch(() => {});
    const signal = launch.options.abortController?.signal;
    this.#forgetAbort = signal === undefined ? () => {} : onAbort(signal, (reason) => void this.#abort(reason));
    this.#started = this.#run();
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

  // -- requests -------------------------------------------------------------------------------------------------------

  async interrupt(): Promise<InterruptReceipt | undefined> {
    const engine = await this.#live();
    // A text is certain to be sent: an interrupt that comes before it is meant for it.
    await this.#feed.textsBegun();
    return await engine.interrupt() as InterruptReceipt | undefined;
  }

  async setPermissionMode(mode: PermissionMode): Promise<void> {
    await this.#request("set_permission_mode", { mode });
  }

  async setModel(model?: string): Promise<void> {
    await this.#request("set_model", model === undefined ? {} : { model });
  }

  initializationResult(): Promise<JsonObject> {
    return this.#initialized.promise;
  }

  async streamInput(prompt: Prompt): Promise<void> {
    const end = await this.#feed.add(this.#source(prompt), { isPrompt: false });
    if (end.kind === "cut") return await this.#overAndOut();
    if (end.kind === "failed") {
      throw promptError(end.error, { message: "The messages could not all be sent; the query goes on" });
    }
  }

  async answerPermission(requestId: string, result: PermissionResult): Promise<boolean> {
    await this.#live();
    return await this.#launch.handlers.answerPermission(requestId, result);
  }

  async close(): Promise<void> {
    await this.#stop({}, (engine) => engine.close());
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  // -- what the entry points start and feed it with -------------------------------------------------------------------

  /**
   * Adds a prompt as though the query had been started with it: its failure is the query's.
   *
   * @throws {OptionError} for a prompt that is nothing to read.
   * @throws {CLIConnectionError} `input_ended` if it is too late. Once the query is over it is simply not asked.
   */
  feed(prompt: Prompt): void {
    // Never rejects; what became of it is seen at the end of the query.
    void this.#feed.add(this.#source(prompt), { isPrompt: true });
  }

  /** Ends the hold: input ends when every prompt has and nothing more can be asked of us. Does nothing if not held. */
  release(): void {
    this.#feed.release();
  }

  // -- life -----------------------------------------------------------------------------------------------------------

  async #run(): Promise<Engine | undefined> {
    let engine: Engine;
    try {
      const started = await this.#launch.start(() => this.#stopped !== undefined);
      if (started === undefined) {
        void this.#finish(this.#stopped?.outcome ?? {});
        return undefined;
      }
      engine = started;
    } catch (error) {
      void this.#finish(this.#stopped?.outcome ?? { error: { value: error } });
      return undefined;
    }
    this.#engine = engine;
    void engine.outcome.then((outcome) => this.#finish(outcome));
    void this.#initialize(engine);
    return engine;
  }

  async #initialize(engine: Engine): Promise<void> {
    const answer = this.#launch.initialize(engine);
    answer.then(this.#initialized.resolve, (error) => {
      this.#initialized.reject(error);
      // A CLI that refused to initialize has none of our hooks: it must not go on.
      void engine.fail(error);
    });
    try {
      if (this.#launch.holdsPrompt) await answer;
    } catch {
      return;
    }
    this.#feed.open(engine);
  }

  #source(prompt: Prompt): PromptSource {
    return new PromptSource(prompt, { verbatim: this.#launch.options.verbatimPrompts === true });
  }

  async #finish(outcome: Outcome): Promise<void> {
    this.#forgetAbort();
    this.#feed.stop();
    await this.#launch.close();
    this.#initialized.reject(outcome.error?.value ?? new AbortError("The query ended before the CLI had answered"));
    this.#finished.resolve(outcome);
  }

  #abort(reason: unknown): Promise<void> {
    return this.#stop({ error: { value: reason } }, (engine) => engine.abort(reason));
  }

  /** Ends the query: with the engine if there is one, else by not starting it. */
  async #stop(outcome: Outcome, end: (engine: Engine) => Promise<void>): Promise<void> {
    this.#stopped ??= { outcome };
    this.#feed.stop();
    const engine = this.#engine ?? await this.#started;
    if (engine !== undefined) await end(engine);
    await this.#finished.promise;
  }

  #pull(): Promise<IteratorResult<SDKMessage, void>> {
    const engine = this.#engine;
    if (engine !== undefined) return this.#pullFrom(engine);
    return this.#started.then((later) => later === undefined ? this.#end() : this.#pullFrom(later));
  }

  #pullFrom(engine: Engine): Promise<IteratorResult<SDKMessage, void>> {
    return engine.next().then((item) =>
      item.done === true ? this.#end() : item as unknown as IteratorResult<SDKMessage, void>
    );
  }

  /** The end of the messages: the error is told once, then there is nothing more. */
  async #end(): Promise<IteratorResult<SDKMessage, void>> {
    const { error } = await this.#finished.promise;
    if (error !== undefined && !this.#told) {
      this.#told = true;
      throw error.value;
    }
    return { done: true, value: undefined };
  }

  async #request(subtype: string, fields: JsonObject): Promise<JsonObject | undefined> {
    const engine = await this.#live();
    return await engine.request(subtype, fields);
  }

  async #live(): Promise<Engine> {
    const engine = this.#engine ?? await this.#started;
    return engine ?? await this.#overAndOut();
  }

  /** Waits for the end, and rejects with what it came to. */
  async #overAndOut(): Promise<never> {
    const { error } = await this.#finished.promise;
    throw error?.value ?? new AbortError("The query has ended");
  }
}
