/** What waits for each signal: one listener a signal, however many queries share it (runtimes warn of many listeners). */
const waiting = new WeakMap<AbortSignal, Set<(reason: unknown) => void>>();

/** Calls back once when the signal aborts, at once if it has; returns what takes it back and leaves nothing behind. */
export function onAbort(signal: AbortSignal, callback: (reason: unknown) => void): () => void {
  if (signal.aborted) {
    callback(signal.reason);
    return () => {};
  }
  let callbacks = waiting.get(signal);
  if (callbacks === undefined) {
    callbacks = new Set();
    waiting.set(signal, callbacks);
    signal.addEventListener("abort", fire, { once: true });
  }
  const entry = (reason: unknown): void => callback(reason);
  callbacks.add(entry);
  return () => {
    const left = waiting.get(signal);
    if (left === undefined || !left.delete(entry) || left.size > 0) return;
    waiting.delete(signal);
    signal.removeEventListener("abort", fire);
  };
}

function fire(event: Event): void {
  const signal = event.target as AbortSignal;
  const callbacks = waiting.get(signal);
  waiting.delete(signal);
  for (const callback of callbacks ?? []) callback(signal.reason);
}
