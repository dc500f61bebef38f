import type { SDKControlInitializeResponse } from "../core/control/mod.ts";
import { type Deferred, deferred } from "../core/deferred.ts";
import type { JsonObject } from "../core/json.ts";
import type { SlashCommand } from "../core/messages/mod.ts";

/** What the CLI has said of its session so far. */
export class SessionFacts {
  #initialized: Deferred<SDKControlInitializeResponse> = deferred();
  #isInitialized = false;
  #id: Deferred<string> = deferred();
  #idKnown = false;
  #commands: SlashCommand[] | undefined;
  /** The last step of its start that the CLI has named. */
  #startupMark: string | undefined;
  /** Names of hooks that run while it starts, by id. */
  readonly #startupHooks = new Map<unknown, unknown>();

  constructor() {
    // Nobody has to ask: the loop tells the same.
    this.#initialized.promise.catch(() => {});
    this.#id.promise.catch(() => {});
  }

  /** The answer to the first `initialize`. Rejects if none came. */
  get initialized(): Promise<SDKControlInitializeResponse> {
    return this.#initialized.promise;
  }

  /** The session's id as it is now; pending until there is one. Rejects if the query ended without. */
  get id(): Promise<string> {
    return this.#id.promise;
  }

  /** The commands of `initialize`, or those that replaced them. Rejects if there was no answer. */
  async commands(): Promise<SlashCommand[]> {
    const { commands } = await this.initialized;
    return this.#commands ?? commands ?? [];
  }

  /** Takes note of a frame. */
  frame(frame: JsonObject): void {
    // Its `new_conversation_id` is no session id: that comes with the `init` after it (CLI 2.1.332).
    if (frame.type === "conversation_reset") this.#forgetId();
    else if (frame.type === "keep_alive") this.#startupMark = frame.startup_mark as string;
    else if (frame.type !== "system") return;
    else if (frame.subtype === "init") this.#isNow(frame.session_id);
    else if (frame.subtype === "commands_changed" && Array.isArray(frame.commands)) {
      this.#commands = frame.commands as unknown as SlashCommand[];
    } else if (!this.#isInitialized) {
      if (frame.subtype === "hook_started") this.#startupHooks.set(frame.hook_id, frame.hook_name);
      else if (frame.subtype === "hook_response") this.#startupHooks.delete(frame.hook_id);
    }
  }

  /** `initialize` was answered. */
  answered(answer: JsonObject): void {
    this.#isInitialized = true;
    this.#initialized.resolve(answer as unknown as SDKControlInitializeResponse);
  }

  /** A further answer to `initialize` is on its way, and will count instead of the first. */
  awaitAnother(): void {
    this.#initialized = deferred();
    this.#initialized.promise.catch(() => {});
  }

  /** The session is known before its first turn. */
  sessionIs(id: unknown): void {
    this.#isNow(id);
  }

  /** How far a start has come that is not over, as far as the CLI tells. */
  get startProgress(): string {
    const mark = this.#startupMark === undefined
      ? "It has not said how far it has come"
      : `It has come to ${this.#startupMark}`;
    const hooks = [...this.#startupHooks.values()].filter((name) => typeof name === "string");
    return `${mark}; ${hooks.length === 0 ? "no hook runs" : `hooks that run: ${hooks.join(", ")}`}`;
  }

  /** The query is over: what is still unknown never comes. */
  end(reason: unknown): void {
    this.#initialized.reject(reason);
    this.#id.reject(reason);
  }

  #isNow(id: unknown): void {
    if (typeof id !== "string" || id === "") return;
    this.#forgetId();
    this.#idKnown = true;
    this.#id.resolve(id);
  }

  /** Those who ask from now on wait for the next; those who wait already go on waiting. */
  #forgetId(): void {
    if (!this.#idKnown) return;
    this.#idKnown = false;
    this.#id = deferred();
    this.#id.promise.catch(() => {});
  }
}
