import { sleep } from "./process/sleep.ts";

/** Below this share of processor time in use the machine counts as quiet. */
const QUIET = 0.15;

/**
 * Waits until the rest of the machine is mostly idle, or until the patience is at an end.
 *
 * @returns how busy it was when last looked at, from 0 to 1.
 */
export async function waitForQuiet(patienceMs: number): Promise<number> {
  const until = performance.now() + patienceMs;
  for (let before = processorTimes();;) {
    await sleep(100);
    const now = processorTimes();
    const busy = 1 - (now.idle - before.idle) / Math.max(1, now.all - before.all);
    if (busy < QUIET || performance.now() >= until) return busy;
    before = now;
  }
}

function processorTimes(): { readonly idle: number; readonly all: number } {
  const [line] = Deno.readTextFileSync("/proc/stat").split("\n");
  const times = line!.trim().split(/\s+/).slice(1).map(Number);
  return { idle: times[3]! + times[4]!, all: times.reduce((sum, time) => sum + time, 0) };
}
