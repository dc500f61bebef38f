import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";

/** Task kinds whose end starts a new turn, in a CLI that reports no whole set (behaviours G05, G07). */
const FOLLOWED_UP: ReadonlySet<unknown> = new Set(["local_agent", "local_workflow"]);

/** Statuses after which a task is no more (behaviour G06). */
const TERMINAL: ReadonlySet<unknown> = new Set(["completed", "failed", "stopped", "killed"]);

/** What is known of work that goes on beside the turns. */
export class BackgroundWork {
  /** The last whole set the CLI reported; ambient tasks are no work. */
  #set: ReadonlySet<unknown> = new Set();
  /** Tasks that were reported one by one, and not their end. */
  readonly #started = new Set<string>();

  /** Members of the last reported set. */
  get size(): number {
    return this.#set.size;
  }

  /** Agents and workflows that were reported started and not ended. */
  get inFlight(): number {
    return this.#started.size;
  }

  /** The CLI reported the whole set anew. */
  replace(tasks: JsonValue | undefined): void {
    const rows = Array.isArray(tasks) ? tasks.filter(isJsonObject) : [];
    this.#set = new Set(rows.filter((row) => row.ambient !== true).map((row) => row.task_id));
  }

  /** A task started, changed or ended. Frames that are not whole are ignored (behaviour G10). */
  note(frame: JsonObject): void {
    const id = frame.task_id;
    if (typeof id !== "string") return;
    if (frame.subtype === "task_started") {
      if (FOLLOWED_UP.has(frame.task_type) && frame.ambient !== true) this.#started.add(id);
    } else if (frame.subtype === "task_notification") {
      this.#started.delete(id);
    } else if (isJsonObject(frame.patch) && TERMINAL.has(frame.patch.status)) {
      this.#started.delete(id);
    }
  }
}
