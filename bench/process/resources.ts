/** What this process uses, as Linux tells it. */

import { readdirSync, readFileSync } from "node:fs";
import process from "node:process";

/** Resident memory now, in MB. */
export function memoryMb(): number {
  return statusMb("VmRSS");
}

/** The largest resident memory so far, in MB. */
export function largestMemoryMb(): number {
  return statusMb("VmHWM");
}

/** Processor time of all threads so far, in ms. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Open descriptors. */
export function openDescriptors(): number {
  return readdirSync("/proc/self/fd").length;
}

/** Children that run or wait to be reaped. */
export function children(): number {
  let count = 0;
  for (const thread of readdirSync("/proc/self/task")) {
    count += readFileSync(`/proc/self/task/${thread}/children`, "latin1").split(" ").filter((pid) => pid !== "").length;
  }
  return count;
}

/** Live objects in MB, after a collection. Needs a runtime started with `gc` exposed; Bun has it always. */
export function heapMb(): number {
  const { gc, Bun } = globalThis as { gc?: () => void; Bun?: { gc(full: boolean): void } };
  if (gc !== undefined) gc();
  else Bun?.gc(true);
  return process.memoryUsage().heapUsed / 2 ** 20;
}

function statusMb(field: string): number {
  const status = readFileSync("/proc/self/status", "latin1");
  return Number(new RegExp(`^${field}:\\s+(\\d+)`, "m").exec(status)![1]) / 1024;
}
