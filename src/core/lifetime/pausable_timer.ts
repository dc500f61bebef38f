import type { Clock } from "../clock.ts";

/**
 * One deadline that can be put off and can stand still.
 *
 * Putting it off is cheap (a number is stored): the running timer notices when it fires that it is early and sets itself
 * again, so a flood of lines does not set a flood of timers.
 */
export class PausableTimer {
  readonly #clock: Clock;
  readonly #onFire: () => void;
  /** How long is left, as seen at `#since`; undefined when the timer is off. */
  #left: number | undefined;
  #since = 0;
  #paused = false;
  #cancel: (() => void) | undefined;
  /** When the timer that is set will fire. */
  #armedFor = Infinity;

  constructor(clock: Clock, onFire: () => void) {
    this.#clock = clock;
    this.#onFire = onFire;
  }

  /** True between `start` and firing or `stop`. */
  get running(): boolean {
    return this.#left !== undefined;
  }

  /** Fires after `ms` from now, whatever was set before. */
  start(ms: number): void {
    this.#left = ms;
    this.#since = this.#clock.now();
    if (this.#cancel !== undefined && this.#since + ms >= this.#armedFor) return;
    this.#disarm();
    this.#arm();
  }

  /** Starts only if it is not running. */
  ensure(ms: number): void {
    if (this.#left === undefined) this.start(ms);
  }

  /** Never fires, until started again. */
  stop(): void {
    this.#left = undefined;
    this.#disarm();
  }

  /** Lets time stand still, or go on. */
  pause(paused: boolean): void {
    if (paused === this.#paused) return;
    this.#paused = paused;
    if (this.#left === undefined) return;
    if (paused) {
      this.#left = Math.max(0, this.#left - (this.#clock.now() - this.#since));
      this.#disarm();
    } else {
      this.#since = this.#clock.now();
      this.#arm();
    }
  }

  #arm(): void {
    if (this.#paused || this.#left === undefined) return;
    const now = this.#clock.now();
    const wait = Math.max(0, this.#since + this.#left - now);
    this.#armedFor = now + wait;
    this.#cancel = this.#clock.after(wait, () => {
      this.#cancel = undefined;
      if (this.#left === undefined) return;
      // Timers may fire a fraction early: less than half a millisecond counts as due.
      if (this.#since + this.#left - this.#clock.now() > 0.5) return this.#arm();
      this.#left = undefined;
      this.#onFire();
    });
  }

  #disarm(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
