import type { Clock } from "../clock.ts";
import type { DiagnosticListener } from "../diagnostics.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import type { ResolvedTimeouts } from "../limits.ts";
import { BackgroundWork } from "./background_work.ts";
import { PausableTimer } from "./pausable_timer.ts";

/** What a {@linkcode RunTracker} needs. */
export interface RunTrackerOptions {
  readonly timeouts: Pick<ResolvedTimeouts, "quietMs" | "backgroundMs">;
  readonly clock: Clock;
  readonly onDiagnostic: DiagnosticListener;
  /** Nothing more can be asked of us: input may end. Called once. */
  onOver(): void;
}

/** Session states as the CLI reports them; undefined until it does. */
type SessionState = "idle" | "running" | "requires_action";

/**
 * Decides when the input of a CLI may end.
 *
 * The CLI asks us things (hooks, permissions, tools) for as long as any turn runs, also turns that finished background
 * work starts long after a first result; once its input has ended those questions fail. So input stays open until every
 * line we sent is settled, a result has come, the session is idle and no background work is left. A CLI that does not
 * report lines or states is over when a result came later than the last line and then nothing is heard for a while.
 */
export class RunTracker {
  readonly #options: RunTrackerOptions;
  readonly #background = new BackgroundWork();
  readonly #quiet: PausableTimer;
  readonly #ceiling: PausableTimer;
  /** Lines the child has taken and not settled, by uuid. */
  readonly #open = new Set<string>();
  /** Those of them that no turn has begun with. */
  readonly #waiting = new Set<string>();
  /** Uuids we made up: frames about them mean nothing to the consumer. */
  readonly #stamps = new Set<string>();
  #lines = 0;
  #cancelled = 0;
  #sourceEnded = false;
  #over = false;
  #state: SessionState | undefined;
  #speaksLifecycle = false;
  /** A result came, and no line was taken since. */
  #resultAfterLastLine = false;
  #results = 0;
  #turnStarts = 0;
  /** A turn has begun, and neither a result has come since nor was the session idle. */
  #turnBegan = false;
  /** A turn has begun since the last result. */
  #turnSinceResult = false;
  /** Background work ended: the turn it starts has not been reported yet. */
  #mayFollowUp = false;

  constructor(options: RunTrackerOptions) {
    this.#options = options;
    this.#quiet = new PausableTimer(options.clock, () => {
      this.#mayFollowUp = false;
      this.#finish();
    });
    this.#ceiling = new PausableTimer(options.clock, () => {
      const { onDiagnostic, timeouts } = options;
      onDiagnostic({ kind: "background_ceiling", tasks: this.#background.size, afterMs: timeouts.backgroundMs });
      this.#finish();
    });
  }

  /** User lines handed to the child so far. */
  get lines(): number {
    return this.#lines;
  }

  /** Results seen so far. */
  get results(): number {
    return this.#results;
  }

  /** True while a line was sent whose turn has not begun: what would be done to that turn has nothing to be done to yet. */
  get turnDue(): boolean {
    if (this.#lines === 0) return false;
    if (this.#turnStarts === 0) return this.#results === 0 && (!this.#speaksLifecycle || this.#open.size > 0);
    // Later turns: only a CLI that tells of lines and states shows that one is due.
    return this.#speaksLifecycle && this.#state !== undefined && this.#open.size > 0 && !this.#turnBegan;
  }

  /** True while something that was asked has no result: a turn that runs, a line that waits for its turn. */
  get unanswered(): boolean {
    if (this.#lines === 0) return false;
    if (this.#turnBegan) return true;
    return this.#speaksLifecycle ? this.#waiting.size > 0 : !this.#resultAfterLastLine;
  }

  /** True if a turn has begun since the last result: that one says nothing of how things stand. */
  get turnSinceResult(): boolean {
    return this.#turnSinceResult;
  }

  /** True while the CLI has work in hand that it could be interrupted in. */
  get busy(): boolean {
    if (this.#state !== undefined) return this.#state !== "idle" || this.#open.size > 0;
    return this.#lines > 0 && !this.#resultAfterLastLine;
  }

  /** True while background work is reported alive. */
  get hasBackgroundWork(): boolean {
    return this.#background.size > 0;
  }

  /** A user line is about to be written. `stamped` says that its uuid is ours, not the user's. */
  line(uuid: string, stamped: boolean): void {
    this.#lines++;
    this.#open.add(uuid);
    this.#waiting.add(uuid);
    if (stamped) this.#stamps.add(uuid);
    this.#resultAfterLastLine = false;
    this.#evaluate();
  }

  /** The prompt has ended; no further line will come, unless it is resumed. */
  sourceEnded(): void {
    this.#sourceEnded = true;
    this.#evaluate();
  }

  /** Lines will come after all. What was being waited out is forgotten. False if it is too late. */
  sourceResumed(): boolean {
    if (this.#over) return false;
    this.#sourceEnded = false;
    this.#quiet.stop();
    this.#ceiling.stop();
    return true;
  }

  /** Something was heard of the CLI: a pause in which it was silent starts anew. */
  heard(): void {
    if (this.#quiet.running) this.#quiet.start(this.#options.timeouts.quietMs);
  }

  /** Reading stands still (our consumer's doing, not the CLI's): so do the clocks. */
  pause(paused: boolean): void {
    this.#quiet.pause(paused);
    this.#ceiling.pause(paused);
  }

  /** Takes note of a frame; says whether the consumer gets it. */
  frame(frame: JsonObject): "deliver" | "hide" {
    let verdict: "deliver" | "hide" = "deliver";
    if (frame.type === "command_lifecycle") verdict = this.#lifecycle(frame);
    else if (frame.type === "result") this.#result();
    else if (frame.type === "system") verdict = this.#system(frame);
    else return verdict;
    this.#evaluate();
    return verdict;
  }

  /** No more is to be decided: the query is closing, or the child is gone. */
  stop(): void {
    this.#over = true;
    this.#quiet.stop();
    this.#ceiling.stop();
  }

  #lifecycle(frame: JsonObject): "deliver" | "hide" {
    // What is no text is in neither set. To make it one could fail.
    const uuid = frame.command_uuid as string;
    this.#speaksLifecycle = true;
    if (frame.state !== "queued") this.#waiting.delete(uuid);
    if (frame.state === "started") this.#began();
    if (frame.state === "completed" || frame.state === "cancelled") {
      if (this.#open.delete(uuid) && frame.state === "cancelled") this.#cancelled++;
    }
    return this.#stamps.has(uuid) ? "hide" : "deliver";
  }

  #began(): void {
    this.#turnStarts++;
    this.#turnBegan = true;
    this.#turnSinceResult = true;
  }

  #result(): void {
    this.#results++;
    this.#turnBegan = false;
    this.#turnSinceResult = false;
    this.#resultAfterLastLine = true;
  }

  #system(frame: JsonObject): "deliver" | "hide" {
    switch (frame.subtype) {
      case "session_state_changed": {
        const before = this.#state;
        this.#state = frame.state as SessionState;
        if (this.#state === "idle") this.#turnBegan = false;
        else this.#quiet.stop();
        // A turn that begins is the follow-up that was waited for; one that goes on is not.
        if (this.#state !== "idle" && (before === "idle" || before === undefined)) this.#mayFollowUp = false;
        return frame.sdk_host_only === true ? "hide" : "deliver";
      }
      case "init":
        this.#began();
        return "deliver";
      case "background_tasks_changed": {
        const before = this.#background.size;
        this.#background.replace(frame.tasks);
        if (before > 0 && this.#background.size === 0) this.#mayFollowUp = true;
        return "deliver";
      }
      case "task_started":
      case "task_updated":
      case "task_notification":
        this.#background.note(frame);
        return "deliver";
      default:
        return "deliver";
    }
  }

  /** Everything we know says that no turn runs and none is due. */
  get #settled(): boolean {
    if (this.#speaksLifecycle) {
      if (this.#open.size > 0) return false;
      if (this.#results === 0 && this.#cancelled < this.#lines) return false;
    } else if (!this.#resultAfterLastLine) return false;
    return this.#state === undefined || this.#state === "idle";
  }

  #evaluate(): void {
    if (this.#over || !this.#sourceEnded) return;
    if (this.#lines === 0) return this.#finish();
    if (!this.#settled) {
      this.#quiet.stop();
      this.#ceiling.stop();
      return;
    }
    const reports = this.#speaksLifecycle && this.#state !== undefined;
    if (this.#background.size > 0 || (!reports && this.#background.inFlight > 0)) {
      this.#quiet.stop();
      this.#ceiling.ensure(this.#options.timeouts.backgroundMs);
      return;
    }
    this.#ceiling.stop();
    if (reports && !this.#mayFollowUp) return this.#finish();
    this.#quiet.ensure(this.#options.timeouts.quietMs);
  }

  #finish(): void {
    if (this.#over) return;
    this.stop();
    this.#options.onOver();
  }
}

/** The uuid a user line carries, if it is one the CLI can echo. */
export function lineUuid(line: JsonObject): string | undefined {
  return isJsonObject(line) && typeof line.uuid === "string" && line.uuid !== "" ? line.uuid : undefined;
}
