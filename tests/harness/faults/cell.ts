import { ClaudeSDKError } from "../../../src/core/errors/mod.ts";
import type { Diagnostic } from "../../../src/core/diagnostics.ts";
import { type Deferred, deferred } from "../../../src/core/deferred.ts";
import type { JsonObject } from "../../../src/core/json.ts";
import type { SDKMessage, SDKUserMessage } from "../../../src/core/messages/mod.ts";
import { Mailbox } from "../mailbox.ts";
import { patience } from "../patience.ts";
import { type Fault, type Moment, type Outcome, promiseOf } from "./promise_table.ts";

/** What a fault happens to: something that gives messages and can be ended. */
export interface Subject {
  next(): Promise<IteratorResult<SDKMessage, void>>;
  close(): Promise<void>;
  /** Writes something to the CLI, so that a broken input is noticed. */
  nudge?(): Promise<unknown>;
  /** What the host does once the fault was survived, beside letting its callbacks answer. */
  goOn?(): void;
  /** What it tries when all is over: false, or a typed error. */
  afterwards?(): Promise<unknown>;
}

/** How a call came out. */
export type Settled = { readonly value: unknown } | { readonly error: unknown };

/** Longer than any cell takes. */
const CELL_MS = 12_000;
/** `close()` of what is over already takes no longer. */
const CLOSED_MS = 1_000;
/** So long nothing must happen where the promise is that nothing does. */
const STILL_MS = 25;

/** Who reads to the end need not close: in these cells nothing may wait for that. */
const LEFT_ALONE: ReadonlySet<Fault> = new Set(["SIGTERM", "exit 0", "half, exit 1", "not JSON"]);

/** One cell while it runs: what the host did, what it was told, and what is still open. */
export class Cell {
  readonly fault: Fault;
  readonly moment: Moment;
  readonly promise: Outcome;
  readonly diagnostics: Diagnostic[] = [];
  readonly messages: SDKMessage[] = [];
  readonly prompts: Mailbox<SDKUserMessage> = new Mailbox();
  readonly abort: AbortController = new AbortController();
  /** The fault may happen: the host is where the step wants it. */
  readonly ready: Deferred<void> = deferred();
  /** The fault happens. */
  readonly struck: Deferred<void> = deferred();
  /** It has happened, and the CLI goes on. */
  readonly played: Deferred<void> = deferred();
  /** Signals of the callbacks that run. */
  readonly signals: AbortSignal[] = [];
  readonly #release: Deferred<void> = deferred();
  readonly #open = new Map<string, Promise<Settled>>();
  readonly #settled = new Map<string, Settled>();
  #listeners = 0;

  constructor(fault: Fault, moment: Moment) {
    this.fault = fault;
    this.moment = moment;
    this.promise = promiseOf(fault, moment);
    const { signal } = this.abort;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>): void => {
      this.#listeners++;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>): void => {
      this.#listeners--;
      remove(...args);
    };
  }

  /** Listeners on the abort signal; those of an abort that came are gone by themselves. */
  get listeners(): number {
    return this.abort.signal.aborted ? 0 : this.#listeners;
  }

  /** Called for each message that was taken. */
  onMessage: (message: SDKMessage) => void = () => {};
  /** The consumer takes no further message while this is pending. */
  hold: () => Promise<void> | void = () => {};

  /** Something that waits for the CLI. It must come to an end. */
  pend(name: string, call: Promise<unknown>): void {
    const settled = call.then((value) => ({ value }), (error) => ({ error }));
    this.#open.set(name, settled);
    void settled.then((result) => this.#settled.set(name, result));
  }

  /** The calls that wait, by name. */
  get pending(): readonly string[] {
    return [...this.#open.keys()];
  }

  /** How a call came out; undefined while it waits. */
  settled(name: string): Settled | undefined {
    return this.#settled.get(name);
  }

  /** What a callback is doing: its answer comes when it is released, or, too late, when it is aborted. */
  async asked<T>(signal: AbortSignal, answer: T): Promise<T> {
    this.signals.push(signal);
    this.ready.resolve();
    const aborted = deferred<void>();
    signal.addEventListener("abort", () => aborted.resolve(), { once: true });
    await Promise.race([this.#release.promise, aborted.promise]);
    return answer;
  }

  /** Lets callbacks answer. */
  release(): void {
    this.#release.resolve();
  }

  /** Waits for all calls. */
  allSettled(): Promise<unknown> {
    return Promise.all(this.#open.values());
  }
}

/** How a cell ended. */
export interface CellEnd {
  /** What the loop rejected with. */
  readonly error?: { readonly value: unknown };
  /** What is wrong, one sentence each. */
  readonly problems: string[];
}

/** Runs the host's side of a cell to its end. Never rejects. */
export async function runHost(cell: Cell, subject: Subject): Promise<CellEnd> {
  const problems: string[] = [];
  const end = deferred<{ readonly error?: { readonly value: unknown } }>();
  let over = false;
  void drain(cell, subject).then((result) => {
    over = true;
    end.resolve(result);
  });
  await within(cell, "the fault", cell.struck.promise, problems);
  if (problems.length > 0) return await forceEnd(subject, end.promise, problems);
  if (cell.fault === "input closed" && subject.nudge !== undefined) cell.pend("nudge", subject.nudge());
  if (cell.promise === "goes on") {
    await within(cell, "the rest of the play", Promise.race([cell.played.promise, end.promise]), problems);
    cell.release();
    subject.goOn?.();
  } else if (cell.promise === "waits") {
    await within(cell, "the calls that wait", cell.allSettled(), problems);
    await pause(STILL_MS);
    if (over) problems.push("it ended, where nothing should happen");
    const closing = subject.close();
    await pause(0);
    // At once, not when the CLI is gone: that may take its grace.
    if (cell.signals.some((signal) => !signal.aborted)) problems.push("a callback was not told of the close() at once");
    await within(cell, "close()", closing, problems);
  }
  await within(cell, "the end of the messages", end.promise, problems);
  if (!over) return await forceEnd(subject, end.promise, problems);
  await within(cell, "the calls that wait", cell.allSettled(), problems);
  for (let time = 0; time < 2; time++) {
    const again = await settle(subject.next());
    if (!("value" in again) || (again.value as IteratorResult<unknown>).done !== true) {
      problems.push("after its end the loop gave something more");
    }
  }
  const late = subject.afterwards === undefined ? { value: false } : await settle(subject.afterwards());
  if ("value" in late ? late.value !== false : !ClaudeSDKError.isClaudeSDKError(late.error)) {
    problems.push("what came too late was taken");
  }
  if (!LEFT_ALONE.has(cell.fault)) await closeAgain(cell, subject, problems);
  return { ...await end.promise, problems };
}

async function closeAgain(cell: Cell, subject: Subject, problems: string[]): Promise<void> {
  const closedAt = performance.now();
  await within(cell, "close() after the end", Promise.all([subject.close(), subject.close()]), problems);
  await within(cell, "close() once more", subject.close(), problems);
  if (performance.now() - closedAt > CLOSED_MS * patience()) problems.push("close() after the end was slow");
}

async function drain(cell: Cell, subject: Subject): Promise<{ readonly error?: { readonly value: unknown } }> {
  try {
    for (;;) {
      const item = await subject.next();
      if (item.done === true) return {};
      cell.messages.push(item.value);
      cell.onMessage(item.value);
      await cell.hold();
    }
  } catch (value) {
    return { error: { value } };
  }
}

async function forceEnd(
  subject: Subject,
  end: Promise<{ readonly error?: { readonly value: unknown } }>,
  problems: string[],
): Promise<CellEnd> {
  await Promise.race([subject.close(), pause(CELL_MS)]);
  return { ...await Promise.race([end, Promise.resolve({})]), problems };
}

/** Waits with a limit: what hangs is a problem by name. */
async function within(cell: Cell, what: string, work: Promise<unknown>, problems: string[]): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(what), CELL_MS * patience());
  });
  try {
    if (await Promise.race([work.then(() => undefined), late]) !== undefined) {
      const open = cell.pending.filter((name) => cell.settled(name) === undefined);
      problems.push(`${what} never came${open.length === 0 ? "" : ` (open: ${open.join(", ")})`}`);
    }
  } catch (error) {
    problems.push(`${what} failed: ${String(error)}`);
  } finally {
    clearTimeout(timer);
  }
}

/** How a call comes out. */
export function settle(call: Promise<unknown>): Promise<Settled> {
  return call.then((value) => ({ value }), (error) => ({ error }));
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** An error in short. */
export function describe(error: unknown): string {
  if (!ClaudeSDKError.isClaudeSDKError(error)) return `a stranger's error: ${String(error)}`;
  const { exitCode, signal, errorCode } = error as unknown as JsonObject;
  const facts = [exitCode, signal, errorCode].filter((fact) => fact !== undefined && fact !== null).join(" ");
  return `${(error as Error).name} ${(error as ClaudeSDKError).code}${facts === "" ? "" : ` (${facts})`}`;
}
