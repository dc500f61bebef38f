import type { JsonObject } from "../../core/json.ts";
import type { ResolvedCliOptions } from "./cli_options.ts";
import { frame } from "./frame.ts";

/** What a session is doing. */
type State = "idle" | "running" | "requires_action";

/** The frames a CLI writes around its turns: which state it is in, and what became of each user line. */
export class CliTurns {
  readonly #options: ResolvedCliOptions;
  readonly #emit: (...frames: JsonObject[]) => Promise<void>;
  readonly #announced: WeakSet<JsonObject> = new WeakSet();
  #state: State = "idle";
  #line: JsonObject | undefined;
  #open = false;

  /** @param emit Writes frames, in the order of the calls. */
  constructor(options: ResolvedCliOptions, emit: (...frames: JsonObject[]) => Promise<void>) {
    this.#options = options;
    this.#emit = emit;
  }

  /** Whether a turn is open. */
  get open(): boolean {
    return this.#open;
  }

  /** A user line has come that a turn will take: the CLI says so at once, also in the middle of another turn. */
  arrived(line: JsonObject): Promise<void> {
    return this.#emit(...this.#arrival(line));
  }

  /** A turn takes a line. */
  begin(line: JsonObject, init: JsonObject | null): Promise<void> {
    const frames = [...this.#arrival(line), ...this.#change("running"), ...this.#lifecycle(line, "started")];
    this.#line = line;
    this.#open = true;
    const uuids = typeof line.uuid === "string" ? { user_message_uuids: [line.uuid] } : {};
    return this.#emit(...frames, ...init === null ? [] : [frame.init({ ...uuids, ...init })]);
  }

  /** The turn has ended with this result. */
  finish(result: JsonObject, idle: boolean): Promise<void> {
    const uuid = this.#line?.uuid;
    const names = typeof uuid === "string" ? { user_message_uuid: uuid, user_message_uuids: [uuid] } : {};
    const completed = this.#line === undefined ? [] : this.#lifecycle(this.#line, "completed");
    this.#line = undefined;
    this.#open = false;
    return this.#emit({ ...names, ...result }, ...completed, ...idle ? this.#change("idle") : []);
  }

  /** Says a state, if it is a new one and the host wants to know. */
  state(state: State): Promise<void> {
    return this.#emit(...this.#change(state));
  }

  #arrival(line: JsonObject): JsonObject[] {
    if (this.#announced.has(line)) return [];
    this.#announced.add(line);
    return [...this.#state === "idle" ? this.#change("running") : [], ...this.#lifecycle(line, "queued")];
  }

  #change(state: State): JsonObject[] {
    if (this.#state === state) return [];
    this.#state = state;
    return this.#options.states ? [frame.state(state)] : [];
  }

  #lifecycle(line: JsonObject, state: "queued" | "started" | "completed"): JsonObject[] {
    if (this.#options.cli === "old" || typeof line.uuid !== "string") return [];
    return [frame.lifecycle(line.uuid, state)];
  }
}
