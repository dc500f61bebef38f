/** How each fault is played by a real process, in the words of `sh`. */
import { LAST_WORDS } from "./memory_faults.ts";
import { type Fault, FAULTS } from "./promise_table.ts";

/** Longest message that the cells let pass, in bytes. */
export const LONGEST_MESSAGE = 100_000;

const HALF = `printf '%s' '{"type":"assistant","message":{"content":"half of i'`;
const BAD_END = `echo '${LAST_WORDS}' >&2; exit 1`;
/** Lives until it is killed. */
const LINGER = "while :; do sleep 0.05; done";

/** `$mark` is on the command line of each helper, so that it can be found. */
const HELPER = `sh -c '${LINGER}' "$mark"`;

const PLAYS: Readonly<Partial<Record<Fault, string>>> = {
  "SIGKILL": `${HELPER} >/dev/null 2>&1 & kill -KILL $$`,
  "SIGTERM": "trap - TERM; kill -TERM $$",
  "SIGSEGV": "ulimit -c 0; kill -SEGV $$",
  "exit 0": "exit 0",
  "exit 1": BAD_END,
  "held pipe, exit 1": `${HELPER} & ${BAD_END}`,
  "half, exit 0": `${HALF}; exit 0`,
  "half, exit 1": `${HALF}; ${BAD_END}`,
  "half, SIGKILL": `${HALF}; kill -KILL $$`,
  "output closed": `exec >&-; ${LINGER}`,
  "input closed": `exec <&-; struck; ${LINGER}`,
  "stall": `${HELPER} >/dev/null 2>&1 & ${LINGER}`,
  "deaf stall": `trap '' TERM; ${HELPER} >/dev/null 2>&1 & ${LINGER}`,
  "too long": `head -c ${LONGEST_MESSAGE + 1} /dev/zero | tr '\\0' x; echo; ${LINGER}`,
  "bad UTF-8": `printf '{"type":"assistant","bad":"\\377\\303"}\\n'`,
  "NULs": `printf '\\0\\0\\0\\n'`,
  "not JSON": "echo 'npm warn this is no message'",
  "stderr flood": "head -c 1000000 /dev/zero | tr '\\0' e >&2",
};

/** Whether something in the process's group was left behind without its will: it has to go as well. */
export function leavesHelper(fault: Fault): boolean {
  return fault === "SIGKILL" || fault.endsWith("stall");
}

/** The faults that a process plays. */
export const SHELL_FAULTS: readonly Fault[] = FAULTS.filter((fault) => fault in PLAYS);

/** What the process does. The file that says so is written first, or where its turn is. */
export function shellFault(fault: Fault): string {
  const play = PLAYS[fault];
  if (play === undefined) throw new Error(`Nobody knows how to play "${fault}" in a process`);
  return play.includes("struck") ? play : `struck; ${play}`;
}
