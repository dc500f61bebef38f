import type { Clock } from "../core/clock.ts";
import { deferred } from "../core/deferred.ts";
import type { Diagnostic, DiagnosticListener } from "../core/diagnostics.ts";
import { AbortError, CLIConnectionError, ControlTimeoutError } from "../core/errors/mod.ts";
import type { JsonObject } from "../core/json.ts";
import { PausableTimer } from "../core/lifetime/pausable_timer.ts";
import { lineUuid, RunTracker } from "../core/lifetime/run_tracker.ts";
import type { ResolvedLimits, ResolvedTimeouts } from "../core/limits.ts";
import {
  Connection,
  type ConnectionOptions,
  type ControlAnswer,
  type RequestId,
  type RequestOptions,
} from "../core/protocol/mod.ts";
import type { Transport, TransportExit } from "../transport/transport.ts";
import { endError } from "./outcome.ts";

/** What an {@linkcode Engine} runs on. */
export interface EngineOptions {
  readonly transport: Transport;
  /**
   * Somebody else has made the transport: if it has not ended when its own ladder must be over (grace and twice `termMs`
   * after `close()`), it is waited for no longer. Default false.
   */
  readonly foreign?: boolean;
  readonly limits: ResolvedLimits;
  readonly timeouts: ResolvedTimeouts;
  readonly clock: Clock;
  readonly onDiagnostic: DiagnosticListener;
  /** Serves what the CLI asks. */
  readonly onRequest: ConnectionOptions["onRequest"];
  /** Sees every frame that a session may be steered by, in wire order, before the consumer does. */
  readonly onFrame?: ((frame: JsonObject) => void) | undefined;
}

/** How an engine ended: with an error, or well. */
export interface Outcome {
  readonly error?: { readonly value: unknown };
}

/**
 * One CLI at the other end of a transport: its frames, its control channel, and the rules by which its input and finally
 * the process itself come to an end. Knows no options and no callbacks.
 */
export class Engine {
  readonly #options: EngineOptions;
  readonly #connection: Connection;
  readonly #tracker: RunTracker;
  /** After the end of input: how long the child may stay silent before it is ended. */
  readonly #drain: PausableTimer;
  readonly #outcome = deferred<Outcome>();
  /** Its transport was closed and did not end. */
  readonly #stuck = deferred<void>();
  #gaveUp = false;
  /** Those who wait for the next turn to begin. */
  #turnWaiters: (() => void)[] = [];
  #inputEnded = false;
  #outputEnded = false;
  #closed = false;
  #aborted: { readonly reason: unknown } | undefined;
  #failure: { readonly error: unknown } | undefined;
  #prompt: { readonly error: unknown } | undefined;
  #forced = false;
  /** `initialize` was answered. */
  #ready = false;
  /** It was us who ended the input. */
  #endedInput = false;
  /** Background work has had all the time it gets. */
  #ceilingSpent = false;
  #interrupted = false;
  #lastResult: JsonObject | undefined;

  constructor(options: EngineOptions) {
    this.#options = options;
    const { transport, limits, timeouts, clock } = options;
    const onDiagnostic = (event: Diagnostic): void => {
      if (event.kind === "background_ceiling") this.#ceilingSpent = true;
      options.onDiagnostic(event);
    };
    this.#tracker = new RunTracker({ timeouts, clock, onDiagnostic, onOver: () => this.#endInput() });
    this.#drain = new PausableTimer(clock, () => {
      this.#forced = true;
      void this.#closeTransport(0);
    });
    this.#connection = new Connection({
      readable: transport.readable,
      writable: transport.writable,
      limits,
      timeouts,
      clock,
      onDiagnostic,
      onRequest: options.onRequest,
      onFrame: (frame) => this.#frame(frame),
      onActivity: () => this.#activity(),
      onReadingPaused: (paused) => this.#paused(paused),
      onInputError: () => this.#inputBroke(),
      explainEnd: () => this.#howItEnded(),
    });
  }

  /** Begins to read. */
  start(): void {
    this.#connection.start();
    void this.#watch();
  }

  /** Settles when the child is gone and everything it wrote has been read. Never rejects. */
  get outcome(): Promise<Outcome> {
    return this.#outcome.promise;
  }

  /** True once no further line can be sent. */
  get inputEnded(): boolean {
    return this.#inputEnded;
  }

  /** The next message, in order; done when there is none left. */
  next(): Promise<IteratorResult<JsonObject, void>> {
    return this.#connection.next();
  }

  /** The next message, if one is here. */
  take(): JsonObject | undefined {
    return this.#connection.take();
  }

  /** True once everything the CLI wrote has been read: it is on its way out, if not gone. */
  get outputEnded(): boolean {
    return this.#outputEnded;
  }

  /** Asks the CLI something. */
  async request(subtype: string, fields?: JsonObject, options?: RequestOptions): Promise<JsonObject | undefined> {
    return (await this.requestWithEnvelope(subtype, fields, options)).payload;
  }

  /** The same, with what stands beside the payload. */
  async requestWithEnvelope(subtype: string, fields?: JsonObject, options?: RequestOptions): Promise<ControlAnswer> {
    try {
      const answer = await this.#connection.requestWithEnvelope(subtype, fields, options);
      if (subtype === "initialize") this.#ready = true;
      return answer;
    } catch (error) {
      // Input breaks, or ends, because the CLI ended, as a rule: how it ended says more.
      if (this.#connection.inputError === error) throw (await this.#outcome.promise).error?.value ?? error;
      if (this.#outputEnded && hasInputEnded(error)) throw await this.#howItEnded();
      throw error;
    }
  }

  /** Serves a request of the CLI's that came by another way, unless it is or was served already. */
  redeliver(request: JsonObject): void {
    this.#connection.redeliver(request);
  }

  /** Answers a request that its handler left open. */
  respond(requestId: RequestId, payload: JsonObject): Promise<boolean> {
    return this.#connection.respond(requestId, payload);
  }

  /**
   * Stops the running turn. A line that was sent but not begun yet is waited for: an interrupt that overtakes its turn
   * would be answered and do nothing.
   */
  async interrupt(fields?: JsonObject): Promise<JsonObject | undefined> {
    while (this.#tracker.turnDue && !this.#inputEnded) await this.#turnStart();
    this.interruptAsked();
    return await this.request("interrupt", fields);
  }

  /** The running turn is stopped because we said so, be it in an answer: its result is no error of the query. */
  interruptAsked(): void {
    this.#interrupted = true;
  }

  /**
   * Sends one user line; settles to true when the child has taken it, to false if its input has ended. A line without a
   * uuid is given one. @throws {ClaudeSDKError} `unencodable_frame` for a line that is no JSON; none was sent then.
   */
  async send(line: JsonObject): Promise<boolean> {
    const given = lineUuid(line);
    const uuid = given ?? crypto.randomUUID();
    // A line that cannot be sent would be waited for in vain.
    const onEncoded = (): void => this.#tracker.line(uuid, given === undefined);
    try {
      await this.#connection.send(given === undefined ? { ...line, uuid } : line, onEncoded);
      return true;
    } catch (error) {
      // How the CLI ended says why nobody took it; that is the query's error.
      if (this.#connection.inputEnded) return false;
      throw error;
    }
  }

  /** No more lines will come. With an error, that is what the query ends with once the running turn is over. */
  promptEnded(failure?: { readonly error: unknown }): void {
    this.#prompt = failure;
    this.#tracker.sourceEnded();
  }

  /** Lines will come after all. False if it is too late: input has ended. */
  promptResumed(): boolean {
    return !this.#inputEnded && this.#tracker.sourceResumed();
  }

  /** Gives up because the session cannot go on (a refused initialize, say). Does nothing once the CLI is ending anyway. */
  async fail(error: unknown): Promise<void> {
    if (this.#inputEnded) return;
    this.#failure ??= { error };
    await this.#shut(error);
  }

  /** Ends the CLI; settles when it is gone. Idempotent, never rejects. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#shut(new AbortError("The query was closed"));
  }

  /** We are ending it: the transport's own ladder runs. */
  get #shutting(): boolean {
    return this.#closed || this.#aborted !== undefined || this.#failure !== undefined;
  }

  /** Ends the CLI because of an abort; the outcome is the reason itself. */
  async abort(reason: unknown): Promise<void> {
    if (!this.#closed) this.#aborted ??= { reason };
    await this.#shut(reason);
  }

  async #shut(reason: unknown): Promise<void> {
    const { busy, hasBackgroundWork } = this.#tracker;
    this.#tracker.stop();
    this.#drain.stop();
    this.#wakeTurnWaiters();
    // A CLI in mid-turn does not leave at the end of its input. Asked to stop first, it saves and goes at once.
    const farewell = busy && !this.#inputEnded ? { subtype: "interrupt" } : undefined;
    this.#inputEnded = true;
    this.#connection.drain(reason, farewell);
    // An idle CLI with background work has saved everything and would wait for that work: no grace helps.
    const graceMs = hasBackgroundWork && !busy ? 0 : this.#options.timeouts.graceMs;
    await this.#closeTransport(graceMs);
    await this.#outcome.promise;
  }

  /** A transport that somebody else made may reject here, against its word; the query ends by `exited` all the same. */
  async #closeTransport(graceMs: number): Promise<void> {
    const { transport, foreign, clock, timeouts } = this.#options;
    if (foreign === true) {
      const afterMs = graceMs + 2 * timeouts.termMs;
      const cancel = clock.after(afterMs, () => this.#giveUp(afterMs));
      void this.#outcome.promise.then(cancel);
    }
    try {
      await Promise.race([transport.close({ graceMs }), this.#stuck.promise]);
    } catch (error) {
      this.#failure ??= { error };
    }
  }

  #giveUp(afterMs: number): void {
    if (this.#gaveUp) return;
    this.#gaveUp = true;
    this.#options.onDiagnostic({ kind: "transport_stuck", afterMs });
    this.#stuck.resolve();
    this.#connection.fail(
      new CLIConnectionError("The transport was closed, and did not end", { code: "transport_failed" }),
    );
  }

  async #exited(): Promise<TransportExit> {
    const gone = { code: null, signal: null, stderrTail: "" };
    try {
      return await Promise.race([this.#options.transport.exited, this.#stuck.promise]) ?? gone;
    } catch (error) {
      this.#failure ??= { error };
      return gone;
    }
  }

  #frame(frame: JsonObject): "deliver" | "hide" {
    const verdict = this.#tracker.frame(frame);
    this.#options.onFrame?.(frame);
    if (frame.type === "result") this.#lastResult = frame;
    if (this.#turnWaiters.length > 0 && !this.#tracker.turnDue) this.#wakeTurnWaiters();
    if (this.#drain.running) this.#restartDrain();
    return verdict;
  }

  #activity(): void {
    this.#tracker.heard();
    if (this.#drain.running) this.#restartDrain();
  }

  #paused(paused: boolean): void {
    this.#tracker.pause(paused);
    this.#drain.pause(paused);
  }

  /** @throws {ControlTimeoutError} if none begins: a CLI that hangs at its start is not waited for without end. */
  #turnStart(): Promise<void> {
    const { clock, timeouts: { controlMs } } = this.#options;
    return new Promise((resolve, reject) => {
      const cancel = clock.after(controlMs, () => reject(new ControlTimeoutError("interrupt", controlMs)));
      this.#turnWaiters.push(() => {
        cancel();
        resolve();
      });
    });
  }

  #wakeTurnWaiters(): void {
    const waiters = this.#turnWaiters;
    this.#turnWaiters = [];
    for (const wake of waiters) wake();
  }

  /** The CLI no longer reads, so it is about to be gone; it is given its grace for that. */
  #inputBroke(): void {
    if (this.#inputEnded) return;
    this.#inputEnded = true;
    this.#tracker.stop();
    this.#restartDrain();
  }

  #endInput(): void {
    if (this.#inputEnded) return;
    this.#inputEnded = true;
    this.#endedInput = true;
    this.#restartDrain();
    void this.#connection.endInput();
  }

  #restartDrain(): void {
    if (this.#shutting) return;
    const { graceMs, backgroundMs } = this.#options.timeouts;
    // After the end of its input the CLI itself still waits for background work.
    const working = this.#tracker.hasBackgroundWork && !this.#ceilingSpent;
    this.#drain.start(working ? backgroundMs : graceMs);
  }

  /** What a request is told that can no longer be answered. */
  async #howItEnded(): Promise<unknown> {
    return (await this.#outcome.promise).error?.value ?? new AbortError("The query has ended");
  }

  /** Waits for both ends of the end: output read to its end, child gone. */
  async #watch(): Promise<void> {
    const { transport } = this.#options;
    const end = await this.#connection.ended;
    this.#outputEnded = true;
    if (end.error !== undefined) this.#failure ??= { error: end.error };
    this.#tracker.stop();
    this.#drain.stop();
    this.#wakeTurnWaiters();
    // Output is over: whatever still runs has nothing more to say to us.
    this.#inputEnded = true;
    if (end.error !== undefined) void this.#closeTransport(0);
    else {
      void this.#connection.endInput();
      this.#drain.pause(false);
      if (!this.#shutting) this.#drain.start(this.#options.timeouts.graceMs);
    }
    const exit = await this.#exited();
    this.#drain.stop();
    this.#connection.abandonInput();
    this.#options.onDiagnostic({
      kind: "process_exited",
      pid: transport.description?.pid,
      code: exit.code,
      signal: exit.signal,
      forced: this.#forced,
    });
    const value = endError({
      closed: this.#closed,
      aborted: this.#aborted,
      failure: this.#failure,
      prompt: this.#prompt,
      exit,
      description: transport.description,
      forced: this.#forced,
      halfRecordBytes: end.halfRecordBytes,
      ready: this.#ready || this.#endedInput,
      inputLost: end.unsentLines > 0 ? { error: end.inputError } : undefined,
      // What goes on after the end of input (follow-ups of background work) is not waited for.
      unanswered: this.#tracker.lines > 0 &&
        (this.#tracker.results === 0 || (!this.#endedInput && this.#tracker.unanswered)),
      unasked: this.#tracker.lines === 0 && !this.#endedInput,
      results: this.#tracker.results,
      finalResult: this.#tracker.turnSinceResult ? undefined : this.#lastResult,
      interrupted: this.#interrupted,
    });
    this.#outcome.resolve(value === undefined ? {} : { error: { value } });
  }
}

function hasInputEnded(error: unknown): boolean {
  return error instanceof CLIConnectionError && error.code === "input_ended";
}
