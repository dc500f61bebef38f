import { settle } from "../virtual_clock.ts";

/** More than any chain of promises in the core is long. */
const MICROTASKS = 300;

/** Streams of workerd need turns of the event loop; elsewhere promises do all the work. */
const QUICK: boolean = globalThis.navigator?.userAgent !== "Cloudflare-Workers";

/** Waits until the promise reactions that are due, and those they lead to, have run. No timers: a thousand cost little. */
export async function quiet(): Promise<void> {
  if (!QUICK) return await settle();
  for (let turn = 0; turn < MICROTASKS; turn++) await undefined;
}

/** Lets everything go on until something holds; false if it does not, however often the event loop turns. */
export async function quietUntil(holds: () => boolean): Promise<boolean> {
  for (let turn = 0; turn < 60; turn++) {
    await quiet();
    if (holds()) return true;
    if (turn > 3) await settle();
  }
  return false;
}
