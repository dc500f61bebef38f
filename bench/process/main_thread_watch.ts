/** How often the main thread is looked at, in ms. */
const INTERVAL_MS = 5;

/** Looks at the main thread at short intervals; the result is the longest time, in ms, that it was not to be had. */
export function watchMainThread(): () => number {
  let last = performance.now();
  let longest = 0;
  const look = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - last - INTERVAL_MS);
    last = now;
  };
  const timer = setInterval(look, INTERVAL_MS);
  return () => {
    clearInterval(timer);
    look();
    return longest;
  };
}
