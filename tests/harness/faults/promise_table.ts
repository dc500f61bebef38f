/**
 * What a query promises when its CLI dies, stalls or talks nonsense: for every moment and every fault. This page is the
 * specification (docs/guide/lifetimes.md tells users the same); what plays the cells is beside it.
 */

/**
 * When a fault happens.
 *
 * `starting`: the prompt was handed over and `initialize` has no answer. `warming`: the same without a prompt (`startup()`,
 * `connect()`). `unasked`: ready, and nothing was asked yet. `turn`: a line was accepted, and its result has not come.
 * `between`: everything asked so far has its result, and more may be asked. `failed`: the last result was an error.
 * `draining`: after the end of its input.
 */
export type Phase = "starting" | "warming" | "unasked" | "turn" | "between" | "failed" | "draining";

/** When nothing that the CLI does counts any more: what the query ends with has been decided before. */
export type DecidedPhase = "closing" | "aborting" | "refused";

/** What happens to the query, or to the call that waits for it. */
export type Outcome =
  /** `ProcessError` `process_killed`, with the signal. */
  | "killed"
  /** `ProcessError` `process_failed`, with the code, and what it said last. */
  | "failed"
  /** `ResultError` `error_result`, with the result, which was delivered before. */
  | "error result"
  /** `ProcessError` `no_result`: it left before everything it was asked had its result. */
  | "no result"
  /** `ProcessError` `not_ready`: it left before it was ready, and nobody had asked anything. */
  | "not ready"
  /** `CLIJSONDecodeError`: output ended inside of a message, and that is the only thing wrong. */
  | "truncated"
  /** `MessageTooLargeError`. */
  | "too large"
  /** `ControlTimeoutError` for `initialize`, after `tether.timeouts.initializeMs`. */
  | "timeout"
  /** `ControlRequestError` `malformed_answer` for `initialize`. */
  | "malformed"
  /** The loop ends, without an error. */
  | "over"
  /** Nothing: a turn may take as long as it likes. `close()` ends it, within grace and patience. */
  | "waits"
  /** Nothing at all. Everything that follows arrives, what was asked is answered, and the end is the usual one. */
  | "goes on"
  /** `ControlRequestError` with what the CLI said to `initialize`. */
  | "refused"
  /** The reason of the abort, itself. */
  | "reason";

/** The faults, in the words of the table. */
export const FAULTS = [
  "SIGKILL",
  "SIGTERM",
  "SIGSEGV",
  "exit 0",
  "exit 1",
  "held pipe, exit 1",
  "half, exit 0",
  "half, exit 1",
  "half, SIGKILL",
  "output closed",
  "input closed",
  "stall",
  "deaf stall",
  "not JSON",
  "broken record",
  "too long",
  "bad UTF-8",
  "NULs",
  "unknown answer",
  "second answer",
  "odd answer",
  "unknown request",
  "odd request",
  "unknown cancel",
  "stderr flood",
] as const;

/** One of {@linkcode FAULTS}. */
export type Fault = typeof FAULTS[number];

/**
 * The promises. What ends with a signal, a code or a held process tells so. `held pipe`: another process holds its output.
 * `closed`: that pipe is closed, and the process stays and says nothing more; of a closed input the next line of ours
 * tells. `deaf`: it ignores the end of its input and SIGTERM. `half`: half a message, then its end. `odd`: without the parts
 * it must have.
 *
 * A step may also have left its output inside of a message: see {@linkcode promiseOf}.
 */
const TABLE = `
                  | starting  | warming   | unasked   | turn      | between   | failed       | draining
SIGKILL           | killed    | killed    | killed    | killed    | killed    | error result | killed
SIGTERM           | killed    | killed    | killed    | killed    | killed    | error result | killed
SIGSEGV           | killed    | killed    | killed    | killed    | killed    | error result | killed
exit 0            | no result | not ready | no result | no result | over      | over         | over
exit 1            | failed    | failed    | failed    | failed    | failed    | error result | failed
held pipe, exit 1 | failed    | failed    | failed    | failed    | failed    | error result | failed
half, exit 0      | truncated | truncated | truncated | truncated | truncated | truncated    | truncated
half, exit 1      | failed    | failed    | failed    | failed    | failed    | error result | failed
half, SIGKILL     | killed    | killed    | killed    | killed    | killed    | error result | killed
output closed     | failed    | failed    | failed    | failed    | over      | over         | over
input closed      | failed    | failed    | failed    | failed    | over      | over         | over
stall             | timeout   | timeout   | waits     | waits     | waits     | waits        | over
deaf stall        | timeout   | timeout   | waits     | waits     | waits     | waits        | over
not JSON          | goes on   | goes on   | goes on   | goes on   | goes on   | goes on      | goes on
broken record     | goes on   | goes on   | goes on   | goes on   | goes on   | goes on      | goes on
too long          | too large | too large | too large | too large | too large | too large    | too large
bad UTF-8         | goes on   | goes on   | goes on   | goes on   | goes on   | goes on      | goes on
NULs              | goes on   | goes on   | goes on   | goes on   | goes on   | goes on      | goes on
unknown answer    | goes on   | goes on   | goes on   | goes on   | goes on   | goes on      | goes on
second answer     | goes on   | goes on   | goes on   | goes on   | goes on   | goes on      | goes on
odd answer        | malformed | malformed | goes on   | goes on   | goes on   | goes on      | goes on
unknown request   | goes on   | goes on   | goes on   | goes on   | goes on   | goes on      | goes on
odd request       | goes on   | goes on   | goes on   | goes on   | goes on   | goes on      | goes on
unknown cancel    | goes on   | goes on   | goes on   | goes on   | goes on   | goes on      | goes on
stderr flood      | goes on   | goes on   | goes on   | goes on   | goes on   | goes on      | goes on
`;

/** What the query ends with, whatever the CLI does. */
const DECIDED: Readonly<Record<DecidedPhase, Outcome>> = { closing: "over", aborting: "reason", refused: "refused" };

const PROMISES = readTable(TABLE);

/** The moment of a fault. */
export interface Moment {
  readonly phase: Phase | DecidedPhase;
  /** Output had stopped inside of a message before. */
  readonly cut?: boolean;
}

/**
 * The promise of one cell. Where output stopped inside of a message, that is the error if there is no other
 * (`truncated`), and the `cause` of a {@linkcode ProcessError} or {@linkcode ResultError} else.
 */
export function promiseOf(fault: Fault, { phase, cut = false }: Moment): Outcome {
  if (phase in DECIDED) return DECIDED[phase as DecidedPhase];
  const promise = PROMISES.get(fault)?.get(phase);
  if (promise === undefined) throw new Error(`The table has no row "${fault}" with a column "${phase}"`);
  return cut && (promise === "no result" || promise === "not ready") ? "truncated" : promise;
}

/** True if output stops, or had stopped, inside of a message. */
export function cutsMessage(fault: Fault, { cut = false }: Moment): boolean {
  return cut || fault.startsWith("half");
}

/** What can happen while output is inside of a message: other bytes would be a part of it. */
export function fitsMoment(fault: Fault, { cut = false }: Moment): boolean {
  return !cut || !(fault.startsWith("half") || (fault in TOLD) || fault === "bad UTF-8" || fault === "unknown cancel");
}

/** The diagnostic that tells of bad data; undefined where there is nothing to tell. */
export const TOLD: Readonly<Partial<Record<Fault, string>>> = {
  "not JSON": "line_skipped",
  "broken record": "record_broken",
  "NULs": "line_skipped",
  "unknown answer": "answer_unmatched",
  "second answer": "answer_unmatched",
  "odd answer": "answer_unmatched",
  "unknown request": "request_failed",
  "odd request": "request_failed",
};

function readTable(text: string): Map<string, Map<string, Outcome>> {
  const [head = [], ...rows] = text.trim().split("\n").map((line) => line.split("|").map((cell) => cell.trim()));
  // The first cell is empty, and was trimmed away with its line.
  const phases = head[0] === "" ? head.slice(1) : head;
  return new Map(
    rows.map(([fault = "", ...cells]) => [fault, new Map(cells.map((cell, n) => [phases[n] ?? "", cell as Outcome]))]),
  );
}
