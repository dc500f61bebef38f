/** What `/proc/<pid>/stat` (Linux) says about a process. */
export interface ProcStat {
  /** It has ended and waits to be reaped. */
  readonly zombie: boolean;
  /** When it was started, in ticks since boot: with the pid, its identity. */
  readonly startTime: string;
}

/** Reads the text of `/proc/<pid>/stat`; undefined if it is none. */
export function parseProcStat(text: string): ProcStat | undefined {
  // pid (comm) state ppid …: the name may hold spaces and parentheses, so count from its end.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [state, startTime] = [fields[0], fields[19]];
  if (state === undefined || startTime === undefined) return undefined;
  return { zombie: state === "Z" || state === "X", startTime };
}
