/** The time a part sees: the machine's own, or a virtual one under test. */
export interface Clock {
  /** Milliseconds on a clock that never runs backwards. */
  now(): number;
  /** Calls back once after `ms`; returns what takes it back. A delay of `Infinity` never fires. */
  after(ms: number, callback: () => void): () => void;
}

/** The longest delay a timer takes; a longer one would fire at once. */
const LONGEST_TIMER_MS = 2_147_483_647;

/** The clock of the machine. A delay of `Infinity` never fires. */
export const systemClock: Clock = {
  now: () => performance.now(),
  after(ms, callback) {
    if (ms === Infinity) return () => {};
    const timer = setTimeout(callback, Math.min(ms, LONGEST_TIMER_MS));
    return () => clearTimeout(timer);
  },
};
