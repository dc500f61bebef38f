import { deferred } from "../core/deferred.ts";
import { CLIConnectionError } from "../core/errors/mod.ts";
import type { JsonObject } from "../core/json.ts";
import type { PromptSource } from "./prompt_source.ts";

/** Where the lines go. */
export interface PromptSink {
  /** Sends one line; settles to true when it was taken, to false if it will not be. Rejects for what is no JSON. */
  send(line: JsonObject): Promise<boolean>;
  /** No further line will come. With a failure, that is what the query ends with. */
  promptEnded(failure?: { readonly error: unknown }): void;
  /** Further lines will come after all. False if it is too late: input has ended. */
  promptResumed(): boolean;
  /** Nothing is heard of the child any more: how it ended says more than that it was too late. */
  readonly outputEnded: boolean;
}

/** How one source came out. */
export type FeedEnd =
  /** Each of its lines was taken. */
  | { readonly kind: "taken" }
  /** The query ended before. */
  | { readonly kind: "cut" }
  /** It threw, or gave something that is no user message; nothing more of it is sent. */
  | { readonly kind: "failed"; readonly error: unknown };

/** One source while it lasts. */
interface Feeding {
  readonly source: PromptSource;
  /** It is the query's own: its failure is the query's. */
  readonly isPrompt: boolean;
  /** Resolves when its first line was handed over, or never will be. */
  readonly begun: { readonly promise: Promise<void>; resolve(): void };
  readonly over: { readonly promise: Promise<FeedEnd>; resolve(end: FeedEnd): void };
}

/**
 * Everything that a query is told, from any number of sources at once. Each is asked for its next line when the child has
 * taken its last. The prompt as a whole has ended when every source has and nothing holds it open; a source that comes
 * later opens it again for as long as the CLI's input has not ended.
 */
export class PromptFeed {
  readonly #running = new Set<Feeding>();
  #sink: PromptSink | undefined;
  #held: boolean;
  #ended = false;
  #stopped = false;
  #failure: { readonly error: unknown } | undefined;

  /** With `held` it stays open, sources or not, until {@linkcode PromptFeed.release}. */
  constructor(options: { readonly held: boolean }) {
    this.#held = options.held;
  }

  /**
   * Adds a source. With `isPrompt` it is the query's own: if it fails, that is what the query ends with. Never rejects.
   *
   * @throws {CLIConnectionError} `input_ended` if it is too late; the source was not asked for anything.
   */
  add(source: PromptSource, options: { readonly isPrompt: boolean }): Promise<FeedEnd> {
    if (this.#stopped) {
      source.stop();
      return Promise.resolve({ kind: "cut" });
    }
    if (this.#ended && this.#sink?.promptResumed() === false) {
      source.stop();
      if (this.#sink.outputEnded) return Promise.resolve({ kind: "cut" });
      throw new CLIConnectionError("The input of the CLI has ended: nothing more can be sent", { code: "input_ended" });
    }
    this.#ended = false;
    const feeding = { source, isPrompt: options.isPrompt, begun: deferred<void>(), over: deferred<FeedEnd>() };
    this.#running.add(feeding);
    if (this.#sink !== undefined) void this.#pump(feeding, this.#sink);
    return feeding.over.promise;
  }

  /** Lets go: from now on the prompt ends with its last source. */
  release(): void {
    this.#held = false;
    this.#settle();
  }

  /** The lines may go out. */
  open(sink: PromptSink): void {
    if (this.#stopped) return;
    this.#sink = sink;
    // A copy: what a source adds while it is first asked is pumped by `add`.
    for (const feeding of [...this.#running]) void this.#pump(feeding, sink);
    this.#settle();
  }

  /** Ends every source; what is pending is cut. */
  stop(): void {
    this.#stopped = true;
    for (const feeding of [...this.#running]) {
      feeding.source.stop();
      // Nobody pumps before there is a sink.
      if (this.#sink === undefined) this.#finish(feeding, { kind: "cut" });
    }
  }

  /** Settles when each text added so far was handed over, or never will be. Other sources may never have a first line. */
  async textsBegun(): Promise<void> {
    await Promise.all([...this.#running].filter(({ source }) => source.isText).map(({ begun }) => begun.promise));
  }

  async #pump(feeding: Feeding, sink: PromptSink): Promise<void> {
    const { source } = feeding;
    try {
      for (;;) {
        const item = await source.next();
        if (item.done === true) break;
        const sent = sink.send(item.value);
        feeding.begun.resolve();
        if (!await sent) return this.#finish(feeding, { kind: "cut" });
      }
      this.#finish(feeding, { kind: this.#stopped ? "cut" : "taken" });
    } catch (error) {
      this.#finish(feeding, { kind: "failed", error });
    }
  }

  #finish(feeding: Feeding, end: FeedEnd): void {
    this.#running.delete(feeding);
    if (end.kind !== "taken") feeding.source.stop();
    if (end.kind === "failed" && feeding.isPrompt) {
      this.#failure ??= { error: end.error };
      // What the query ends with must be told, whoever would still hold it open.
      this.#held = false;
    }
    feeding.begun.resolve();
    feeding.over.resolve(end);
    this.#settle();
  }

  #settle(): void {
    if (this.#sink === undefined || this.#held || this.#ended || this.#stopped || this.#running.size > 0) return;
    this.#ended = true;
    this.#sink.promptEnded(this.#failure);
  }
}
