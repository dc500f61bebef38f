/**
 * What limits of time are multiplied by: `TETHER_TEST_PATIENCE`, which whole runs set because machines are busy then. 1 where
 * there is no environment. Limits find what hangs; no body may pass or fail by them otherwise.
 */
export function patience(): number {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return Number(process?.env?.["TETHER_TEST_PATIENCE"] ?? 1);
}
