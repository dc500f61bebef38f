/** Finds processes that outlived a run of the suites. Linux only: elsewhere there is nothing to ask. */

/**
 * Live processes that name `marker` (the run's own folder) in their environment, their arguments or as their working
 * folder, one line each. A zombie is gone.
 */
export async function survivorsOf(marker: string): Promise<{ readonly pid: number; readonly text: string }[]> {
  const found: { pid: number; text: string }[] = [];
  let entries: Deno.DirEntry[];
  try {
    entries = await Array.fromAsync(Deno.readDir("/proc"));
  } catch {
    return []; // no /proc on this system
  }
  for (const { name } of entries) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === Deno.pid) continue;
    const stat = await read(`/proc/${pid}/stat`);
    if (stat === undefined || /\) [ZX] /.test(stat)) continue;
    const command = (await read(`/proc/${pid}/cmdline`) ?? "").replaceAll("\0", " ").trim();
    const folder = await Deno.readLink(`/proc/${pid}/cwd`).catch(() => "");
    const environment = await read(`/proc/${pid}/environ`) ?? "";
    if ([command, folder, environment].some((text) => text.includes(marker))) {
      found.push({ pid, text: `pid ${pid}, ${command.slice(0, 200)}` });
    }
  }
  return found;
}

/** Gives what outlived a run a moment to go by itself; ends what does not, and tells it. */
export async function endSurvivors(marker: string, patienceMs = 5_000): Promise<string[]> {
  const giveUpAt = performance.now() + patienceMs;
  for (;;) {
    const found = await survivorsOf(marker);
    if (found.length === 0) return [];
    if (performance.now() > giveUpAt) {
      for (const { pid } of found) kill(pid);
      return found.map(({ text }) => text);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function read(path: string): Promise<string | undefined> {
  return await Deno.readTextFile(path).catch(() => undefined); // gone meanwhile, or another user's
}

function kill(pid: number): void {
  try {
    Deno.kill(pid, "SIGKILL");
  } catch {
    // gone meanwhile
  }
}
