import { type Deferred, deferred } from "../../core/deferred.ts";
import { isJsonObject, type JsonObject } from "../../core/json.ts";
import type { ExitStatus } from "../../core/runtime.ts";
import { ScriptError } from "../script_error.ts";
import { Watch } from "../watch.ts";
import { CliAsks } from "./cli_asks.ts";
import { CliInput, FatalLine } from "./cli_input.ts";
import type { ResolvedCliOptions } from "./cli_options.ts";
import { CliOutput } from "./cli_output.ts";
import type { CliPipe } from "./cli_pipe.ts";
import type { CliStage } from "./cli_stage.ts";
import { CliTurns } from "./cli_turns.ts";
import { type ControlReply, responseTo } from "./control_reply.ts";
import { defaultReply } from "./default_reply.ts";
import { fitsPattern, type FramePattern } from "./frame_pattern.ts";
import { frame } from "./frame.ts";
import { type AskOptions, type CliScript, type CliStep, flattenScript, fromBase64, type PiecesStep } from "./step.ts";
import { cutPieces } from "./pieces.ts";
import { FAULT_CODE, type Player, type PlayListener } from "./player.ts";
import { StepQueue } from "./step_queue.ts";

/** Unwinds a play that has ended. */
class Over extends Error {}

/** Plays steps on a pipe. One play per object. */
export class CliPlayer implements CliStage, Player {
  readonly received: JsonObject[] = [];
  readonly problems: string[] = [];
  readonly sessionId: string;
  readonly #options: ResolvedCliOptions;
  readonly #pipe: CliPipe;
  readonly #listener: PlayListener;
  readonly #output: CliOutput;
  readonly #queue: StepQueue;
  readonly #turns: CliTurns;
  readonly #asks: CliAsks;
  readonly #watch: Watch = new Watch();
  readonly #ending: Deferred<ExitStatus> = deferred();
  /** Frames no step has taken yet. */
  readonly #pending: JsonObject[] = [];
  #lifetime: ReturnType<typeof setTimeout> | undefined;
  #ended = false;
  #inputEnded = false;
  #reading = true;

  constructor(script: CliScript, options: ResolvedCliOptions, pipe: CliPipe, listener: PlayListener = {}) {
    this.#queue = new StepQueue(flattenScript(script));
    this.#options = options;
    this.#pipe = pipe;
    this.#listener = listener;
    this.sessionId = options.sessionId;
    this.#output = new CliOutput(pipe, this.sessionId);
    this.#turns = new CliTurns(options, (...items) => this.emit(...items));
    this.#asks = new CliAsks(this, this.#turns);
  }

  get inputEnded(): boolean {
    return this.#inputEnded;
  }

  /** What was not begun, one word per step. */
  get unplayed(): readonly string[] {
    return this.#queue.unplayed;
  }

  /** Begins. Settles when the play has ended, whatever still hangs in a write; never rejects. */
  start(): Promise<ExitStatus> {
    const { lifetimeMs } = this.#options;
    this.#lifetime = setTimeout(() => this.#fail(`the play was not over after ${lifetimeMs} ms`), lifetimeMs);
    void this.#readInput();
    void this.#playAll();
    return this.#ending.promise;
  }

  /** Ends the play; only the first call counts. */
  end(status: ExitStatus): void {
    if (this.#ended) return;
    this.#ended = true;
    clearTimeout(this.#lifetime);
    this.#watch.end();
    this.#ending.resolve(status);
  }

  /** A signal from outside. CLI 2.1.332 leaves with a code: 143 for SIGTERM, 0 for SIGINT. */
  signalled(signal: "SIGTERM" | "SIGINT"): void {
    if (signal === "SIGINT") this.end({ code: 0, signal: null });
    else if (this.#options.sigterm === "exit") this.end({ code: 143, signal: null });
  }

  async play(script: CliScript): Promise<void> {
    for (const item of flattenScript(script)) await this.#playStep(item);
  }

  emit(...frames: JsonObject[]): Promise<void> {
    return this.#write(() => this.#output.frames(frames));
  }

  raw(data: string | Uint8Array): Promise<void> {
    return this.#write(() => this.#output.bytes(typeof data === "string" ? new TextEncoder().encode(data) : data));
  }

  async #write(write: () => Promise<void>): Promise<void> {
    if (this.#ended) throw new Over();
    try {
      await write();
    } catch {
      // The host has hung up: there is nobody left to talk to.
      this.end({ code: 1, signal: null });
      throw new Over();
    }
  }

  async expect(pattern: FramePattern, what = "a frame"): Promise<JsonObject> {
    const found = await this.#wait(what, () => {
      const index = this.#pending.findIndex((item) => fitsPattern(pattern, item));
      if (index >= 0) return this.#pending.splice(index, 1)[0];
      return this.#inputEnded ? null : undefined;
    });
    if (found === null) throw fault(`input ended while it waited for ${what}${this.#otherFrames()}`);
    this.#queue.served();
    return found;
  }

  async reply(request: JsonObject, reply: ControlReply): Promise<void> {
    if (reply.silent === true) return;
    await this.emit({ type: "control_response", response: responseTo(request, reply) });
  }

  ask(request: JsonObject, options: AskOptions = {}): Promise<JsonObject> {
    return this.#asks.ask(request, options);
  }

  async #playAll(): Promise<void> {
    try {
      while (!this.#ended) {
        const item = this.#queue.next();
        if (item === undefined) break;
        await this.#playStep(item);
      }
      // From here on it is an idle CLI, which answers until its input ends.
      await this.#watch.until(
        () => this.#inputEnded && this.#options.eof === "exit" ? true : undefined,
        Infinity,
        () => new Over(),
      );
      await this.#output.flushed();
      const lines = this.#pending.filter((item) => item.type === "user").length;
      if (lines > 0) this.#problem(`${lines} user lines came that no step took`);
      this.#leave();
    } catch (error) {
      if (!(error instanceof Over)) this.#fail(problemIn(error));
    }
  }

  async #playStep(item: CliStep): Promise<void> {
    if (this.#ended) throw new Over();
    const leave = this.#queue.enter(item);
    try {
      await this.#playKind(item);
    } finally {
      leave();
    }
  }

  async #playKind(item: CliStep): Promise<void> {
    switch (item.kind) {
      case "expect": {
        const found = await this.expect(item.pattern, item.what);
        if (item.reply === undefined) return;
        const request = isJsonObject(found.request) ? found.request as JsonObject : {};
        return await this.reply(found, typeof item.reply === "function" ? item.reply(request) : item.reply);
      }
      case "begin":
        return await this.#turns.begin(await this.expect(item.pattern, "a user line"), item.init);
      case "finish": {
        const result = item.result ?? frame.result(this.#output.lastText);
        const waits = this.#pending.some((left) => left.type === "user");
        return await this.#turns.finish({ ...result, ...item.fields }, item.idle && !waits);
      }
      case "emit":
        return await this.emit(...item.frames);
      case "raw":
        return await this.raw(fromBase64(item.base64));
      case "pieces":
        return await this.#pieces(item);
      case "ask":
        return void await this.ask(item.request, item.options);
      case "answered":
        return await this.#asks.answered(item.as, item.check);
      case "cancel":
        return await this.#asks.cancel(item.as);
      case "sleep":
        return await this.#sleep(item.ms);
      case "stderr":
        return this.#pipe.stderr(item.text);
      case "eof":
        return void await this.#wait("the end of input", () => this.#inputEnded ? true : undefined);
      case "closeOutput":
        return await this.#pipe.closeOutput();
      case "closeInput":
        this.#reading = false;
        return await this.#pipe.closeInput();
      case "stopReading":
        this.#reading = false;
        return;
      case "hang":
        return void await this.#ending.promise;
      case "exit":
        return this.end({ code: item.code, signal: null });
      case "kill":
        return this.end({ code: null, signal: item.signal });
      case "run":
        return await item.run(this);
    }
  }

  async #readInput(): Promise<void> {
    const input = new CliInput();
    try {
      while (this.#reading && !this.#ended) {
        const bytes = await this.#pipe.read();
        // A read that was under way when reading was given up took what nobody reads.
        if (bytes === undefined || !this.#reading) break;
        for (const item of input.push(bytes)) this.#take(item);
        this.#watch.changed();
      }
    } catch {
      // A broken input is an ended one: the host is gone.
    }
    if (!this.#reading) return;
    this.#inputEnded = true;
    this.#watch.changed();
  }

  #take(item: JsonObject | FatalLine): void {
    if (this.#ended) return;
    if (item instanceof FatalLine) {
      this.#pipe.stderr(`Error parsing streaming input line: ${item.problem}\n`);
      this.#problem(item.problem);
      return this.end({ code: 1, signal: null });
    }
    this.received.push(item);
    this.#listener.received?.(item);
    const earlier = this.#pending.filter((other) => kindOf(other) === kindOf(item)).length;
    const taker = this.#queue.takerOf(item, earlier);
    if (item.type === "control_request" && taker === undefined) return this.#aside(this.#replyByDefault(item));
    // The CLI is silent about its lines until it has answered initialize.
    const starting = this.#pending.some((other) => kindOf(other) === "control_request initialize");
    this.#pending.push(item);
    if (item.type === "user" && taker?.kind === "begin" && !starting) this.#aside(this.#turns.arrived(item));
  }

  async #replyByDefault(item: JsonObject): Promise<void> {
    const request = item.request as JsonObject;
    await this.reply(item, defaultReply(request, this.#options.answers));
    if (request.subtype === "end_session") this.#leave();
  }

  /** Leaves as the CLI does: with 1 if the last result was an error. */
  #leave(): void {
    this.end({ code: this.#output.failed ? 1 : 0, signal: null });
  }

  /** Lets something go on beside the steps; if it fails the play has ended, and says so itself. */
  #aside(work: Promise<void>): void {
    work.catch(() => {});
  }

  #wait<T>(what: string, read: () => T | undefined): Promise<T> {
    const { deadlineMs } = this.#options;
    return this.#watch.until(
      read,
      deadlineMs,
      () => this.#ended ? new Over() : fault(`waited ${deadlineMs} ms for ${what} in vain${this.#otherFrames()}`),
    );
  }

  /** What came and waits for a step, in words: often what was expected under another name. */
  #otherFrames(): string {
    const others = new Set(this.#pending.map((item) => kindOf(item).trim()));
    return others.size === 0 ? "" : `; what came instead: ${[...others].join(", ")}`;
  }

  async #pieces(item: PiecesStep): Promise<void> {
    const pieces = cutPieces(this.#output.encode(item.frames), item);
    for (const [index, piece] of pieces.entries()) {
      if (index > 0 && item.pauseMs > 0) await this.#sleep(item.pauseMs);
      await this.raw(piece);
    }
  }

  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#options.clock.after(ms, resolve);
      void this.#ending.promise.then(() => {
        cancel();
        resolve();
      });
    });
  }

  #problem(text: string): void {
    this.problems.push(text);
    this.#listener.problem?.(text);
  }

  #fail(text: string): void {
    if (this.#ended) return;
    this.#problem(text);
    this.#pipe.stderr(`scriptedCli: ${text}\n`);
    this.end({ code: FAULT_CODE, signal: null });
  }
}

function fault(problem: string): ScriptError {
  return new ScriptError("scriptedCli", [problem]);
}

function problemIn(error: unknown): string {
  if (error instanceof ScriptError) return error.problems.join("; ");
  return error instanceof Error ? error.message : String(error);
}

/** Frames of one kind are taken by like steps, in the order they came. */
function kindOf(item: JsonObject): string {
  return `${item.type} ${isJsonObject(item.request) ? item.request.subtype : ""}`;
}
