import type { SDKControlInitializeResponse } from "../core/control/mod.ts";
import { deferred } from "../core/deferred.ts";
import { AbortError, ClaudeSDKError, ControlTimeoutError } from "../core/errors/mod.ts";
import type { JsonObject } from "../core/json.ts";
import { onAbort } from "../core/on_abort.ts";
import type { Engine, Outcome } from "./engine.ts";
import type { Launch } from "./launch.ts";
import type { PromptFeed } from "./prompt_feed.ts";
import { SessionFacts } from "./session_facts.ts";
import type { TraceEnding } from "./tracing/tracing.ts";

/** A query from its start to its end: launch, initialize, prompts, and the ways out. It starts when it is made. */
export class QueryLife {
  readonly launch: Launch;
  readonly feed: PromptFeed;
  /** What the CLI has said of its session. */
  readonly facts: SessionFacts = new SessionFacts();
  /** The engine, once there is one; undefined if the query ended before. Never rejects. */
  readonly started: Promise<Engine | undefined>;
  /** Settles when everything is over and cleared away. Never rejects. */
  readonly #finished = deferred<Outcome>();
  readonly #forgetAbort: () => void;
  readonly #gate: Promise<void> | undefined;
  #engine: Engine | undefined;
  /** How many wait for the engine to be there. */
  #early = 0;
  #stopped: { readonly outcome: Outcome } | undefined;

  /** With a `gate` no prompt is sent before that has resolved; it must not reject. */
  constructor(launch: Launch, feed: PromptFeed, gate?: Promise<void>) {
    this.launch = launch;
    this.feed = feed;
    this.#gate = gate;
    const signal = launch.options.abortController?.signal;
    this.#forgetAbort = signal === undefined ? () => {} : onAbort(signal, (reason) => void this.#abort(reason));
    this.started = this.#run();
  }

  /** The engine, if it is there already. */
  get engine(): Engine | undefined {
    return this.#engine;
  }

  /** Settles when everything is over and cleared away. Never rejects. */
  get finished(): Promise<Outcome> {
    return this.#finished.promise;
  }

  /** The engine, waiting for it. Rejects like what is asked of a query that is over. */
  async live(): Promise<Engine> {
    // What was asked before there was an engine goes first, also if there is one by now.
    if (this.#engine !== undefined && this.#early === 0) return this.#engine;
    this.#early++;
    const engine = await this.started;
    this.#early--;
    return engine ?? await this.overAndOut();
  }

  /** Asks the CLI something; after its answer to `initialize` if that has to come first. */
  async ask(subtype: string, fields?: JsonObject): Promise<JsonObject | undefined> {
    return await (await this.ready()).request(subtype, fields);
  }

  /** The engine, once the CLI may be asked things. */
  async ready(): Promise<Engine> {
    const engine = await this.live();
    // It takes a part of its own options out of `initialize`: what overtook that would be answered without them.
    if (this.launch.holdsRequests) await this.facts.initialized;
    return engine;
  }

  /** Asks the CLI to initialize once more; questions that it still waits for are served again, unless they are being served. */
  async reinitialize(): Promise<SDKControlInitializeResponse> {
    const { payload, pending } = await this.launch.reinitialize(await this.ready());
    for (const request of pending) this.#engine?.redeliver(request);
    return payload as unknown as SDKControlInitializeResponse;
  }

  /** Waits for the end, and rejects with what it came to. */
  async overAndOut(): Promise<never> {
    const { error } = await this.#finished.promise;
    throw error?.value ?? new AbortError("The query has ended");
  }

  /** Ends the CLI; settles when it is gone. Never rejects. */
  close(): Promise<void> {
    return this.#stop({}, (engine) => engine.close());
  }

  #abort(reason: unknown): Promise<void> {
    return this.#stop({ error: { value: reason } }, (engine) => engine.abort(reason));
  }

  async #run(): Promise<Engine | undefined> {
    let engine: Engine;
    try {
      const started = await this.launch.start({
        stopped: () => this.#stopped !== undefined,
        onFrame: (frame) => this.facts.frame(frame),
      });
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
    const answer = this.launch.initialize(engine);
    answer.then((payload) => this.facts.answered(payload), (error) => {
      if (error instanceof ControlTimeoutError) {
        error.cause ??= new ClaudeSDKError("not_initialized", `The CLI is still starting. ${this.facts.startProgress}`);
      }
      this.facts.end(error);
      // A CLI that refused to initialize has none of our hooks: it must not go on.
      void engine.fail(error);
    });
    try {
      if (this.launch.holdsPrompt) await answer;
    } catch {
      return;
    }
    await this.#gate;
    this.feed.open(engine);
  }

  async #finish(outcome: Outcome): Promise<void> {
    this.#forgetAbort();
    this.feed.stop();
    await this.launch.close();
    this.facts.end(outcome.error?.value ?? new AbortError("The query ended before the CLI had said it"));
    this.launch.tracing.end(this.#ending(outcome));
    this.#finished.resolve(outcome);
  }

  #ending({ error }: Outcome): TraceEnding {
    if (this.#stopped !== undefined) return { how: this.#stopped.outcome.error === undefined ? "closed" : "aborted" };
    return error === undefined ? { how: "completed" } : { how: "failed", error: error.value };
  }

  /** Ends the query: with the engine if there is one, else by not starting it. */
  async #stop(outcome: Outcome, end: (engine: Engine) => Promise<void>): Promise<void> {
    this.#stopped ??= { outcome };
    this.feed.stop();
    const engine = this.#engine ?? await this.started;
    if (engine !== undefined) await end(engine);
    await this.#finished.promise;
  }
}
