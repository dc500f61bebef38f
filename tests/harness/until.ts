import { patience } from "./patience.ts";

/** Longer than anything that is waited for takes, shorter than a body may. */
const PATIENCE_MS = 15_000 * patience();

/** Turns of the event loop that are looked at one by one. What takes longer is asked for less often: asking costs too. */
const EAGER_TURNS = 50;

/** Waits until something holds, looking again and again. @throws if it never does. */
export async function until(holds: () => boolean): Promise<void> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  for (let turn = 0; !holds(); turn++) {
    if (performance.now() > giveUpAt) throw new Error(`It never came to hold: ${holds}`);
    await new Promise((resolve) => setTimeout(resolve, turn < EAGER_TURNS ? 0 : 10));
  }
}
