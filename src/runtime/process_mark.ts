import type { Platform } from "../core/runtime.ts";
import { parseProcStat } from "./proc_stat.ts";

/** What a mark is made of. */
export interface MarkHost {
  readonly platform: Platform;
  readonly pid: number;
  /** The text of a file of `/proc`; null if there is none, undefined if it may not be read. */
  readText(path: string): string | null | undefined;
  /** Where a link of `/proc` points; undefined if that cannot be told. */
  readLink(path: string): string | undefined;
}

/**
 * A word that tells this process from every other: pid, start time, and the space in which these two mean something (this boot of
 * this machine, and the pid namespace: containers that share a folder do not share pids). Undefined where there is no `/proc`.
 */
export function processMark(host: MarkHost): string | undefined {
  const space = pidSpace(host);
  const start = startTime(host, host.pid);
  return space === undefined || typeof start !== "string" ? undefined : `${host.pid}-${start}-${space}`;
}

/** Whether the process of a mark has surely ended. False for one of another space, and for what is no mark. */
export function isProcessGone(host: MarkHost, mark: string): boolean {
  const [, pid, start, space] = /^([1-9]\d*)-(\d+)-([0-9a-f]+)$/.exec(mark) ?? [];
  if (pid === undefined || space !== pidSpace(host)) return false;
  // What may not be looked at may be there.
  const now = startTime(host, Number(pid));
  return now !== undefined && now !== start;
}

/** Null if there is no such process. */
function startTime(host: MarkHost, pid: number): string | null | undefined {
  const text = host.readText(`/proc/${pid}/stat`);
  return typeof text === "string" ? parseProcStat(text)?.startTime : text;
}

function pidSpace(host: MarkHost): string | undefined {
  if (host.platform !== "linux") return undefined;
  const boot = host.readText("/proc/sys/kernel/random/boot_id")?.trim().replaceAll("-", "");
  const namespace = /^pid:\[(\d+)\]$/.exec(host.readLink("/proc/self/ns/pid") ?? "")?.[1];
  if (boot === undefined || !/^[0-9a-f]{32}$/.test(boot) || namespace === undefined) return undefined;
  return boot + Number(namespace).toString(16);
}
