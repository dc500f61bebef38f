/** So many cells run side by side. */
const AT_ONCE = 8;

/** Runs the cells of a step, several at once. @throws with all that is wrong with them, a line for each, its fault in front. */
export async function runCells<F extends string>(
  faults: readonly F[],
  run: (fault: F) => Promise<readonly string[]>,
  atOnce = AT_ONCE,
): Promise<void> {
  const found = new Map<F, readonly string[]>();
  const left = [...faults];
  const work = async (): Promise<void> => {
    for (let fault = left.shift(); fault !== undefined; fault = left.shift()) found.set(fault, await run(fault));
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  const lines = faults.flatMap((fault) =>
    (found.get(fault) ?? ["was not run"]).map((problem) => `${fault}: ${problem}`)
  );
  if (lines.length > 0) throw new Error(`${lines.length} promises are broken\n${lines.join("\n")}`);
}
