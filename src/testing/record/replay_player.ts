import type { Clock } from "../../core/clock.ts";
import { type Deferred, deferred } from "../../core/deferred.ts";
import type { JsonObject } from "../../core/json.ts";
import type { ExitStatus } from "../../core/runtime.ts";
import type { CliPipe } from "../cli/cli_pipe.ts";
import { FAULT_CODE, type Player, type PlayListener } from "../cli/player.ts";
import { fromBase64 } from "../cli/step.ts";
import { ScriptError } from "../script_error.ts";
import { Watch } from "../watch.ts";
import { difference, isSameKind, kindOf, showFrame } from "./host_frames.ts";
import { HostLines } from "./host_lines.ts";
import { LiveIds } from "./live_ids.ts";
import type { LineEntry, RecordedEntry } from "./recording.ts";
import type { ReplayPlan } from "./replay_plan.ts";

/** Names the player in errors. */
export const REPLAY = "replay";
/** So many entries that were not played are told one by one. */
const TOLD = 5;

/** Unwinds a play that has ended. */
class Over extends Error {}

/** An entry, and the line of the file it stands in. */
interface Item {
  readonly entry: RecordedEntry;
  readonly line: number;
}

/** Plays the CLI's side of a recording on a pipe. One play per object. */
export class ReplayPlayer implements Player {
  readonly received: JsonObject[] = [];
  readonly problems: string[] = [];
  readonly #plan: ReplayPlan;
  readonly #clock: Clock;
  readonly #pipe: CliPipe;
  readonly #listener: PlayListener;
  readonly #items: readonly Item[];
  /** What the host has still to say. */
  readonly #expected: Item[];
  readonly #ids = new LiveIds();
  readonly #watch = new Watch();
  readonly #ending: Deferred<ExitStatus> = deferred();
  #at = 0;
  #ended = false;
  #inputEnded = false;

  /** Plays nothing yet. */
  constructor(plan: ReplayPlan, clock: Clock, pipe: CliPipe, listener: PlayListener = {}) {
    this.#plan = plan;
    this.#clock = clock;
    this.#pipe = pipe;
    this.#listener = listener;
    // The header is line 1.
    this.#items = plan.entries.map((entry, index) => ({ entry, line: index + 2 }));
    this.#expected = this.#items.filter(({ entry }) => entry.kind === "sent");
  }

  get unplayed(): readonly string[] {
    const left = this.#items.slice(this.#at).filter(({ entry }) => MATTERS.has(entry.kind));
    const told = left.slice(0, TOLD).map((item) => `line ${item.line} (${describe(item.entry)})`);
    return left.length <= TOLD ? told : [...told, `${left.length - TOLD} more`];
  }

  start(): Promise<ExitStatus> {
    void this.#readInput();
    void this.#playAll();
    return this.#ending.promise;
  }

  end(status: ExitStatus): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#watch.end();
    this.#ending.resolve(status);
  }

  signalled(signal: "SIGTERM" | "SIGINT"): void {
    this.end({ code: signal === "SIGTERM" ? 143 : 0, signal: null });
  }

  async #playAll(): Promise<void> {
    try {
      let last = 0;
      for (const item of this.#items) {
        if (this.#ended) return;
        const { ms, kind } = item.entry;
        if (this.#plan.recordedPace && kind !== "sent" && kind !== "input_ended") await this.#sleep(ms - last);
        last = ms;
        await this.#play(item);
        this.#at++;
      }
      // The recording says nothing of the end: an idle CLI, which goes when its input ends.
      await this.#watch.until(() => this.#inputEnded ? true : undefined, Infinity, () => new Over());
      this.end({ code: 0, signal: null });
    } catch (error) {
      if (error instanceof ScriptError) this.#fail(error.problems.join("; "));
      else if (!(error instanceof Over)) this.#fail(error instanceof Error ? error.message : String(error));
    }
  }

  async #play(item: Item): Promise<void> {
    const { entry } = item;
    switch (entry.kind) {
      case "received":
        return await this.#write(this.#bytes(entry));
      case "sent":
        return await this.#wait(
          item,
          () => this.#expected.includes(item) ? this.#inputEnded ? null : undefined : true,
        );
      case "input_ended":
        // After the end of its output the CLI was on its way out, whatever its input did.
        if (this.#items.slice(0, this.#at).some((before) => before.entry.kind === "output_ended")) return;
        return await this.#wait(item, () => this.#inputEnded ? true : undefined);
      case "stderr":
        return this.#pipe.stderr(`${entry.text}\n`);
      case "output_ended":
        // A CLI that only goes closes it by going.
        if (this.#items.slice(this.#at).some((later) => later.entry.kind === "sent")) await this.#pipe.closeOutput();
        return;
      case "exited":
        if (entry.stderrTail !== undefined) this.#pipe.stderr(entry.stderrTail);
        this.#at++;
        return this.end({ code: entry.code, signal: entry.signal });
      case "started":
      case "input_failed":
      case "output_failed":
        return;
    }
  }

  #bytes(entry: LineEntry): Uint8Array {
    const end = entry.unterminated === true ? "" : "\n";
    if (entry.base64 !== undefined) {
      return Uint8Array.from([...fromBase64(entry.base64), ...new TextEncoder().encode(end)]);
    }
    const text = entry.frame === undefined ? entry.text ?? "" : JSON.stringify(this.#ids.rewrite(entry.frame));
    return new TextEncoder().encode(text + end);
  }

  async #write(bytes: Uint8Array): Promise<void> {
    try {
      await this.#pipe.write(bytes);
    } catch {
      // The host has hung up: there is nobody left to talk to.
      this.end({ code: 1, signal: null });
      throw new Over();
    }
  }

  /** Waits for the host; `null` says that it will not come any more. */
  async #wait(item: Item, look: () => true | null | undefined): Promise<void> {
    const { deadlineMs } = this.#plan;
    const what = `line ${item.line}, ${showEntry(item.entry)}`;
    const found = await this.#watch.until(
      look,
      deadlineMs,
      () => this.#ended ? new Over() : fault(`expected ${what}; the host said nothing for ${deadlineMs} ms`),
    );
    if (found === null) throw fault(`expected ${what}; the host ended its input`);
  }

  async #readInput(): Promise<void> {
    const lines = new HostLines();
    try {
      while (!this.#ended) {
        const bytes = await this.#pipe.read();
        if (bytes === undefined) break;
        for (const line of lines.push(bytes)) this.#take(line);
        this.#watch.changed();
      }
    } catch {
      // A broken input is an ended one: the host is gone.
    }
    this.#inputEnded = true;
    this.#watch.changed();
  }

  #take(got: JsonObject | string): void {
    if (this.#ended) return;
    if (typeof got !== "string") {
      this.received.push(got);
      this.#listener.received?.(got);
    }
    const index = this.#expected.findIndex(({ entry }) => isMeant(entry as LineEntry, got, this.#ids));
    const item = this.#expected[index];
    if (item === undefined) return this.#unexpected(got);
    const { frame } = item.entry as LineEntry;
    if (frame !== undefined && typeof got !== "string") {
      const problem = difference(frame, got, this.#plan.compare, this.#ids);
      if (problem !== undefined) {
        return this.#fail(`line ${item.line}: ${problem}; expected ${showFrame(frame)}, got ${showFrame(got)}`);
      }
      this.#ids.learn(frame, got);
    }
    this.#expected.splice(index, 1);
  }

  #unexpected(got: JsonObject | string): void {
    const next = this.#expected[0];
    const expected = next === undefined ? "nothing more" : `line ${next.line}, ${showEntry(next.entry)}`;
    this.#fail(`expected ${expected}; got ${showFrame(got)}`);
  }

  #sleep(ms: number): Promise<void> {
    if (ms <= 0) return Promise.resolve();
    return new Promise((resolve) => {
      const cancel = this.#clock.after(ms, resolve);
      void this.#ending.promise.then(() => {
        cancel();
        resolve();
      });
    });
  }

  #fail(text: string): void {
    if (this.#ended) return;
    this.problems.push(text);
    this.#listener.problem?.(text);
    this.#pipe.stderr(`${REPLAY}: ${text}\n`);
    this.end({ code: FAULT_CODE, signal: null });
  }
}

/** Entries whose absence is told. */
const MATTERS: ReadonlySet<RecordedEntry["kind"]> = new Set(["sent", "received", "stderr", "input_ended", "exited"]);

function isMeant(entry: LineEntry, got: JsonObject | string, ids: LiveIds): boolean {
  if (typeof got === "string") return entry.frame === undefined;
  return entry.frame !== undefined && isSameKind(entry.frame, got, ids);
}

function describe(entry: RecordedEntry): string {
  if (entry.kind !== "sent" && entry.kind !== "received") return entry.kind.replace("_", " ");
  return `${entry.kind} ${entry.frame === undefined ? "text" : kindOf(entry.frame)}`;
}

function showEntry(entry: RecordedEntry): string {
  return entry.kind === "sent" ? showFrame(entry.frame ?? entry.text) : "the end of its input";
}

function fault(problem: string): ScriptError {
  return new ScriptError(REPLAY, [problem]);
}
