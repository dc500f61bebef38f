import type { JsonObject } from "../../core/json.ts";
import type { ResolvedCliOptions } from "./cli_options.ts";
import { frame } from "./frame.ts";

/** The frames a CLI writes around its turns: which state it is in, and what became of each user line. */
export class CliTurns {
  readonly #options: ResolvedCliOptions;
  readonly #emit: (frame: JsonObject) => Promise<void>;
  readonly #announced: WeakSet<JsonObject> = new WeakSet();
  #state: "idle" | "running" | "requires_action" = "idle";
  #line: JsonObject | undefined;
  #open = false;

  /** @param emit Writes one frame. */
  constructor(options: ResolvedCliOptions, emit: (frame: JsonObject) => Promise<void>) {
    this.#options = options;
    this.#emit = emit;
  }

  /** Whether a turn is open. */
  get open(): boolean {
    return this.#open;
  }

  /** A user line has come that a turn will take: the CLI says so at once, also in the middle of another turn. */
  async arrived(line: JsonObject): Promise<void> {
    if (this.#announced.has(line)) return;
    this.#announced.add(line);
    if (this.#state === "idle") await this.state("running");
    await this.#lifecycle(line, "queued");
  }

  /** A turn takes a line. */
  async begin(line: JsonObject, init: JsonObject | null): Promise<void> {
    await this.arrived(line);
    this.#line = line;
    this.#open = true;
    await this.state("running");
    await this.#lifecycle(line, "started");
    if (init === null) return;
    const uuids = typeof line.uuid === "string" ? { user_message_uuids: [line.uuid] } : {};
    await this.#emit(frame.init({ ...uuids, ...init }));
  }

  /** The turn has ended with this result. */
  async finish(result: JsonObject, idle: boolean): Promise<void> {
    const uuid = this.#line?.uuid;
    await this.#emit({
      ...(typeof uuid === "string" ? { user_message_uuid: uuid, user_message_uuids: [uuid] } : {}),
      ...result,
    });
    if (this.#line !== undefined) await this.#lifecycle(this.#line, "completed");
    this.#line = undefined;
    this.#open = false;
    if (idle) await this.state("idle");
  }

  /** Says a state, if it is a new one and the host wants to know. */
  async state(state: "idle" | "running" | "requires_action"): Promise<void> {
    if (this.#state === state) return;
    this.#state = state;
    if (this.#options.states) await this.#emit(frame.state(state));
  }

  async #lifecycle(line: JsonObject, state: "queued" | "started" | "completed"): Promise<void> {
    if (this.#options.cli === "current" && typeof line.uuid === "string") {
      await this.#emit(frame.lifecycle(line.uuid, state));
    }
  }
}
