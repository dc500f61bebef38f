import type { Clock } from "../clock.ts";
import { PausableTimer } from "../lifetime/pausable_timer.ts";

/** The deadline of one request: progress restarts it, and it stands still while hooks run, up to an allowance. */
export class Deadline {
  readonly #clock: Clock;
  readonly #timer: PausableTimer;
  readonly #ms: number;
  #allowanceMs: number;
  #stillSince: number | undefined;
  #endStill: (() => void) | undefined;

  constructor(clock: Clock, ms: number, allowanceMs: number, onPassed: () => void) {
    this.#clock = clock;
    this.#ms = ms;
    this.#allowanceMs = allowanceMs;
    this.#timer = new PausableTimer(clock, onPassed);
    this.#timer.start(ms);
  }

  /** The whole time again: the other end is at work. */
  restart(): void {
    this.#timer.start(this.#ms);
  }

  /** Says whether a hook runs. Standing still for longer than the allowance, it goes on. */
  hooksRunning(running: boolean): void {
    if (running && this.#stillSince === undefined && this.#allowanceMs > 0) {
      this.#stillSince = this.#clock.now();
      this.#timer.pause(true);
      this.#endStill = this.#clock.after(this.#allowanceMs, () => this.#goOn());
    } else if (!running) {
      this.#goOn();
    }
  }

  /** Takes every timer back. */
  stop(): void {
    this.#endStill?.();
    this.#endStill = undefined;
    this.#timer.stop();
  }

  #goOn(): void {
    if (this.#stillSince === undefined) return;
    this.#allowanceMs = Math.max(0, this.#allowanceMs - (this.#clock.now() - this.#stillSince));
    this.#stillSince = undefined;
    this.#endStill?.();
    this.#endStill = undefined;
    this.#timer.pause(false);
  }
}
