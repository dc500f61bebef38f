/** Longer than anything that is waited for takes, shorter than a body may. */
const PATIENCE_MS = 15_000;

/** Waits until something holds, looking again after each turn of the event loop. @throws if it never does. */
export async function until(holds: () => boolean): Promise<void> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  while (!holds()) {
    if (performance.now() > giveUpAt) throw new Error(`It never came to hold: ${holds}`);
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
}
