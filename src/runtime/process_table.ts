import type { Platform, Runtime, Signal } from "../core/runtime.ts";
import { parseProcStat, type ProcStat } from "./proc_stat.ts";
import { isProcessGone, type MarkHost, processMark } from "./process_mark.ts";

/** What a runtime knows of processes by their pid; where there is no `/proc`, little. */
export interface ProcessTable extends Pick<Runtime, "processMark" | "processGone" | "pidIdentity" | "killPid"> {
  /** It has ended and waits to be reaped. */
  isZombie(pid: number): boolean;
}

/** Makes the table; `kill` sends the signal and says whether it went out, and may throw. */
export function processTable(host: MarkHost, kill: (pid: number, signal: Signal) => boolean): ProcessTable {
  const stat = (pid: number): ProcStat | undefined => {
    if (host.platform !== "linux") return undefined;
    const text = host.readText(`/proc/${pid}/stat`);
    return typeof text === "string" ? parseProcStat(text) : undefined;
  };
  return {
    isZombie: (pid) => stat(pid)?.zombie === true,
    processMark: () => processMark(host),
    processGone: (mark) => isProcessGone(host, mark),
    pidIdentity: (pid) => stat(pid)?.startTime,
    killPid(pid, signal, identity) {
      const found = stat(pid);
      if (pid <= 0 || found?.zombie === true || (identity !== undefined && found?.startTime !== identity)) return false;
      try {
        return kill(pid, signal);
      } catch {
        return false; // gone, or a process of somebody else's
      }
    },
  };
}

/** What is used of `node:fs`. It is handed in, so that this file loads everywhere. */
export interface NodeStyleReads {
  /** Reads a whole file. */
  readFileSync(path: string, encoding: "latin1"): string;
  /** Reads where a link points. */
  readlinkSync(path: string): string;
}

/** The host of a {@linkcode processTable} on Node and Bun. */
export function nodeStyleMarkHost(reads: NodeStyleReads, platform: Platform, pid: number): MarkHost {
  return {
    platform,
    pid,
    readText(path) {
      try {
        return reads.readFileSync(path, "latin1");
      } catch (error) {
        return (error as { code?: unknown }).code === "ENOENT" ? null : undefined;
      }
    },
    readLink(path) {
      try {
        return reads.readlinkSync(path);
      } catch {
        return undefined; // no /proc, or not allowed
      }
    },
  };
}
