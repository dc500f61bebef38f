/** Waits until something holds, looking again after each turn of the event loop. The body's time limit ends a vain wait. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 0));
}
