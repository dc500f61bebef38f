import type { Clock } from "../../core/clock.ts";

/** What the ladder does to the child. */
export interface ShutdownSteps {
  /** The first step: the end of its input. */
  endInput(): void;
  /** Called when patience has run out. */
  signal(signal: "SIGTERM" | "SIGKILL"): void;
}

/**
 * The ladder that ends a child: end of input → grace → SIGTERM → `termMs` → SIGKILL. SIGKILL is never first: a killed CLI
 * leaves the tools it has started running.
 */
export class Shutdown {
  readonly #steps: ShutdownSteps;
  readonly #termMs: number;
  readonly #clock: Clock;
  #stage: "open" | "grace" | "term" | "kill" | "over" = "open";
  #termAt = Infinity;
  #stopTimer: () => void = () => {};

  /** Does nothing yet. */
  constructor(steps: ShutdownSteps, termMs: number, clock: Clock) {
    this.#steps = steps;
    this.#termMs = termMs;
    this.#clock = clock;
  }

  /** Whether a signal had to be sent. */
  get forced(): boolean {
    return this.#stage === "term" || this.#stage === "kill";
  }

  /** Begins, or, called again, shortens the grace; a longer one changes nothing. 0 goes to SIGTERM at once. */
  begin(graceMs: number): void {
    if (this.#stage !== "open" && this.#stage !== "grace") return;
    if (this.#stage === "open") this.#steps.endInput();
    this.#stage = "grace";
    const termAt = this.#clock.now() + graceMs;
    if (termAt >= this.#termAt) return;
    this.#termAt = termAt;
    this.#stopTimer();
    if (graceMs <= 0) this.#term();
    else this.#stopTimer = this.#clock.after(graceMs, () => this.#term());
  }

  /** The child is gone: nothing more is sent. */
  childEnded(): void {
    this.#stopTimer();
    if (!this.forced) this.#stage = "over";
  }

  #term(): void {
    this.#stage = "term";
    this.#stopTimer = this.#clock.after(this.#termMs, () => {
      this.#stage = "kill";
      this.#steps.signal("SIGKILL");
    });
    this.#steps.signal("SIGTERM");
  }
}
