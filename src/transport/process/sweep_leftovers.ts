import type { Runtime } from "../../core/runtime.ts";
import { PRIVATE_FOLDER_PREFIX } from "./private_folder.ts";

/** What a sweep needs of the machine. */
export type SweepHost = Pick<Runtime, "fs" | "processGone">;

/** How many folders one sweep looks at, and how many it removes: it must never be noticed. */
const MOST_SEEN = 100;
const MOST_REMOVED = 20;

/**
 * Removes the private folders of hosts that were killed together with their watchdogs: they may hold secrets. Only folders of
 * this account and of mode 700, no links, whose name tells a process that has surely ended; so never one of a query that
 * runs, here or in another process. Never rejects: what cannot be removed stays.
 */
export async function sweepLeftovers(host: SweepHost): Promise<void> {
  let removed = 0;
  try {
    for (const path of await host.fs.ownTempDirs(PRIVATE_FOLDER_PREFIX, MOST_SEEN)) {
      const mark = markIn(path);
      if (mark === undefined || !host.processGone(mark)) continue;
      await host.fs.remove(path);
      if (++removed === MOST_REMOVED) return;
    }
  } catch {
    // Another sweep may be at the same folder, or rights may be missing. The next start tries again.
  }
}

const swept = new WeakMap<object, Promise<void>>();

/** The same, once for each host process; later calls wait for the first. */
export function sweepOnce(host: SweepHost): Promise<void> {
  let sweep = swept.get(host);
  if (sweep === undefined) swept.set(host, sweep = sweepLeftovers(host));
  return sweep;
}

function markIn(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf(PRIVATE_FOLDER_PREFIX) + PRIVATE_FOLDER_PREFIX.length);
  const end = name.indexOf(".");
  return end === -1 ? undefined : name.slice(0, end);
}
