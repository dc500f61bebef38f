import {
  AbortError,
  ClaudeSDKError,
  CLIJSONDecodeError,
  ControlRequestError,
  ControlTimeoutError,
  MessageTooLargeError,
  ProcessError,
  ResultError,
} from "../../../src/core/errors/mod.ts";
import { isJsonObject, type JsonObject } from "../../../src/core/json.ts";
import { type Cell, type CellEnd, describe, type Settled } from "./cell.ts";
import { cutsMessage, type Fault, type Outcome, TOLD } from "./promise_table.ts";

/** What the double saw, and what it should have. */
export interface Seen {
  /** Every frame of the host. */
  readonly received: readonly JsonObject[];
  /** Ids of questions that a callback was still working on. */
  readonly asked: readonly string[];
  /** How the step ends where nothing disturbs it. */
  readonly ending: Outcome;
  /** What it said last, where it said something. */
  readonly lastWords: string;
  /** What an end by our SIGTERM looks like. */
  readonly onTerm: { readonly exitCode: number | null; readonly signal: string | null };
}

/** What is wrong with a cell that is over, measured by its promise. */
export function checkCell(cell: Cell, end: CellEnd, seen: Seen): string[] {
  const problems = [...end.problems];
  const { promise, fault } = cell;
  const outcome = promise === "goes on" ? seen.ending : promise === "waits" ? "over" : promise;
  problems.push(...checkEnd(cell, outcome, end.error, seen));
  for (const name of cell.pending) problems.push(...checkCall(cell, name, outcome, end.error?.value));
  problems.push(...checkCallbacks(cell, seen));
  if (cell.listeners !== 0) problems.push(`${cell.listeners} listeners are left on the abort signal`);
  const told = TOLD[fault];
  const heard = cell.diagnostics.map((event) => event.kind as string);
  if (promise === "goes on" && told !== undefined && !heard.includes(told) && !isTaken(cell)) {
    problems.push(`no diagnostic tells of it; heard: ${heard.join(", ")}`);
  }
  return problems;
}

/** The odd answer was that to a call that waits: it is told by that call. */
function isTaken(cell: Cell): boolean {
  return cell.fault === "odd answer" && cell.pending.length > 0;
}

function checkEnd(
  cell: Cell,
  outcome: Outcome,
  thrown: { readonly value: unknown } | undefined,
  seen: Seen,
): string[] {
  if (outcome === "over") return thrown === undefined ? [] : [`it ended with ${describe(thrown.value)}`];
  if (thrown === undefined) return [`it ended without an error (promised: ${outcome})`];
  const error = thrown.value;
  if (outcome === "reason") return error === cell.abort.signal.reason ? [] : [`it ended with ${describe(error)}`];
  const problems: string[] = [];
  const wrong = wrongWith(outcome, error, cell, seen);
  if (wrong !== undefined) problems.push(`${describe(error)} is not "${outcome}": ${wrong}`);
  const isProcess = error instanceof ProcessError;
  if (isProcess && cutsMessage(cell.fault, cell.moment) && !(error.cause instanceof CLIJSONDecodeError)) {
    problems.push("the half message is not the error's cause");
  }
  return problems;
}

/** What in an error does not fit; undefined if all does. */
function wrongWith(outcome: Outcome, error: unknown, { fault }: Cell, seen: Seen): string | undefined {
  const { exitCode, signal } = endOf(fault, seen);
  const process = (code: string, kind: typeof ProcessError): string | undefined => {
    if (!(error instanceof kind)) return "its class";
    if (error.code !== code) return "its code";
    if (error.exitCode !== exitCode || error.signal !== signal) return `not ${exitCode} and ${signal}`;
    if (exitCode === 1 && fault.endsWith("exit 1") && !error.stderrTail.includes(seen.lastWords)) {
      return "no last words";
    }
    return undefined;
  };
  switch (outcome) {
    case "killed":
      return process("process_killed", ProcessError);
    case "failed":
      return process(signal === null ? "process_failed" : "process_killed", ProcessError);
    case "error result":
      if (!(error instanceof ResultError)) return "its class";
      return error.result.is_error === true && error.result.type === "result" ? undefined : "its result";
    case "no result":
      return process("no_result", ProcessError);
    case "not ready":
      return process("not_ready", ProcessError);
    case "truncated":
      return error instanceof CLIJSONDecodeError && error.bytes > 0 ? undefined : "its class";
    case "too large":
      return error instanceof MessageTooLargeError ? undefined : "its class";
    case "timeout":
      return error instanceof ControlTimeoutError && error.subtype === "initialize" ? undefined : "its class";
    case "malformed":
      return error instanceof ControlRequestError && error.errorCode === "malformed_answer" ? undefined : "its class";
    case "refused":
      return error instanceof ControlRequestError && error.errorCode === "no_thanks" ? undefined : "its class";
    default:
      return "there is no such end";
  }
}

/** How the process ended. One that only stops talking is ended by us. */
function endOf(fault: Fault, { onTerm }: Seen): { readonly exitCode: number | null; readonly signal: string | null } {
  if (fault.endsWith("exit 0")) return { exitCode: 0, signal: null };
  if (fault.endsWith("exit 1")) return { exitCode: 1, signal: null };
  const signal = /SIG\w+$/.exec(fault)?.[0];
  return signal === undefined ? onTerm : { exitCode: null, signal };
}

/** A call that waits gets its answer, or is told why there is none. */
function checkCall(cell: Cell, name: string, outcome: Outcome, ended: unknown): string[] {
  const settled = cell.settled(name);
  if (settled === undefined) return []; // told as something that never came
  const wrong = wrongCall(cell, name, outcome, settled, ended);
  return wrong === undefined ? [] : [`the call ${name} ${wrong}`];
}

function wrongCall(cell: Cell, name: string, outcome: Outcome, settled: Settled, ended: unknown): string | undefined {
  const { promise, fault } = cell;
  if ("value" in settled) return isEnd(name) || promise === "goes on" ? undefined : "was answered by nobody";
  const { error } = settled;
  const told = `was told ${describe(error)}`;
  if (promise === "goes on") {
    const odd = fault === "odd answer" && error instanceof ControlRequestError &&
      error.errorCode === "malformed_answer";
    return odd ? undefined : told;
  }
  if (error === ended && ended !== undefined) return undefined;
  if (outcome !== "over") return `${told}, not what the loop was told`;
  if (promise === "waits" && !(error instanceof ControlTimeoutError)) return told;
  const closed = error instanceof AbortError || error instanceof ControlTimeoutError;
  const late = ClaudeSDKError.isClaudeSDKError(error) && ["input_ended", "write_failed"].includes(error.code);
  return closed || late ? undefined : told;
}

/** What ends the query needs no answer of the CLI's. */
function isEnd(name: string): boolean {
  return name === "close()" || name === "disconnect()";
}

function checkCallbacks(cell: Cell, { received, asked }: Seen): string[] {
  const answers = asked.map((id) =>
    received.filter((frame) =>
      frame.type === "control_response" && isJsonObject(frame.response) && frame.response.request_id === id
    )
  );
  if (cell.promise === "goes on") {
    const missing = answers.filter((list) => list.length !== 1).length;
    return missing === 0 ? [] : [`${missing} questions were not answered exactly once`];
  }
  const problems: string[] = [];
  if (cell.signals.some((signal) => !signal.aborted)) problems.push("a callback's signal was not aborted");
  const given = answers.flat().length;
  if (given > 0) problems.push(`${given} answers were written after the end: ${JSON.stringify(answers.flat())}`);
  return problems;
}
