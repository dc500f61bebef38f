import { assert } from "chai";
import { type RunningQuery, startQuery } from "../../../src/client/query.ts";
import { ClaudeSDKError, PromptError } from "../../../src/core/errors/mod.ts";
import type { JsonObject } from "../../../src/core/json.ts";
import type { SDKUserMessage } from "../../../src/core/messages/mod.ts";
import type { Options } from "../../../src/core/options/mod.ts";
import { Mailbox } from "../mailbox.ts";
import { settle, VirtualClock } from "../virtual_clock.ts";
import { FuzzCli } from "./fuzz_cli.ts";
import { QueryAsks } from "./query_asks.ts";
import type { QueryStep, QueryTraits } from "./query_steps.ts";
import { quiet, quietUntil } from "./quiet.ts";

type Step<Kind extends QueryStep["kind"]> = Extract<QueryStep, { kind: Kind }>;

/** A promise that must settle once; what it rejects with must be of a documented kind. */
interface Watched {
  readonly what: string;
  settled: number;
}

/** A query, its consumer, its callbacks and its CLI, and what must be true of them whatever they do. */
export class QueryWorld {
  readonly #traits: QueryTraits;
  readonly #clock = new VirtualClock();
  readonly #cli: FuzzCli;
  readonly #query: RunningQuery;
  readonly #asks = new QueryAsks(() => this.#stopped !== undefined);
  readonly #abort = new AbortController();
  readonly #reason = new Error("aborted");
  readonly #prompt = new Mailbox<SDKUserMessage | Error>();
  readonly #watched: Watched[] = [];
  /** Errors of the user's own that may come back as they are. */
  readonly #own: unknown[] = [this.#reason];
  /** What each `next()` gave, in the order of the calls. */
  readonly #taken: ("nothing yet" | "an error" | "the end" | { readonly n: unknown })[] = [];
  /** The numbers of the calls of `next()`, in the order in which they settled. */
  readonly #settled: number[] = [];
  readonly #loopErrors: unknown[] = [];
  /** What was wrong where nothing can be thrown. */
  readonly #faults: unknown[] = [];
  #said = 0;
  #begun = 0;
  #doneSeen = false;
  #stopped: "close" | "abort" | undefined;
  /** Something happened after which a query may end with an error. */
  #troubled: boolean;
  #tick = 0;

  constructor(traits: QueryTraits) {
    this.#traits = traits;
    this.#troubled = traits.initialize !== "answers";
    this.#cli = new FuzzCli(traits, this.#clock);
    const options: Options = {
      abortController: this.#abort,
      canUseTool: (_name, input, { requestId, signal }) => this.#asks.decide(input as JsonObject, requestId, signal),
      hooks: {
        PreToolUse: [{
          ...traits.blockOnFailure ? { onFailure: "block" } : {},
          hooks: [(input, _id, { signal }) => this.#asks.hook(input as unknown as JsonObject, signal)],
        }],
        Stop: [{
          timeout: 1,
          hooks: [(input, _id, { signal }) => this.#asks.hook(input as unknown as JsonObject, signal)],
        }],
      },
      tether: {
        transport: this.#cli.transport,
        clock: this.#clock,
        limits: { queueBytes: traits.queueBytes, maxMessageBytes: 5_000 },
        timeouts: { permissionMs: traits.permissionMs },
        onQuestion: (_questions, { requestId, signal }) =>
          this.#asks.answer(Number(requestId.slice("ask-".length)), requestId, signal),
        onDiagnostic: () => {},
      },
    };
    this.#query = startQuery(
      { prompt: this.#promptOf(traits.prompt), options },
      { runtime: () => Promise.reject(new Error("no process is needed")) },
    ) as RunningQuery;
  }

  /** Lets one thing happen. */
  async play(step: QueryStep): Promise<void> {
    const cli = this.#cli;
    switch (step.kind) {
      case "begin":
        return this.#begin();
      case "text": {
        if (cli.silent) return;
        const n = this.#said++;
        return cli.say({
          type: "assistant",
          n,
          message: { role: "assistant", content: [] },
          pad: "x".repeat(step.size),
        });
      }
      case "result":
        return this.#result(step.error);
      case "idle":
        return cli.say({ type: "system", subtype: "session_state_changed", state: "idle", sdk_host_only: true });
      case "tasks":
        return cli.say({
          type: "system",
          subtype: "background_tasks_changed",
          tasks: step.count === 0 ? [] : [{ task_id: "t", task_type: "local_agent", description: "d" }],
        });
      case "permission":
        return cli.say(
          this.#asks.ask("permission", step.decision, step.gated, step.agent ? { agent_id: "sub", title: "T" } : {}),
        );
      case "question":
        return cli.say(this.#asks.ask("question", step.decision, step.gated, {}));
      case "hook":
        return cli.say(this.#asks.ask("hook", step.decision, step.gated, { callback_id: step.id }));
      case "other":
        return cli.say({
          type: "control_request",
          request_id: `other-${this.#tick++}`,
          request: { subtype: step.subtype },
        });
      case "repeat":
        return this.#repeat(step.nth);
      case "take back": {
        const asked = this.#asks.asked[step.nth];
        return cli.say({ type: "control_cancel_request", request_id: asked?.id ?? "unknown" });
      }
      case "CLI answers":
        return this.#cliAnswers(step);
      case "frame":
        this.#troubled = true;
        return cli.say(step.frame);
      case "noise":
        this.#troubled ||= step.text.startsWith("{");
        return cli.sayText(`${step.text}\n`);
      case "next":
        for (let count = 0; count < step.count; count++) void this.#next();
        return;
      case "call":
        return this.#call(step.what);
      case "input":
        return this.#input(step.what);
      case "answer permission":
        return this.#watch(
          "answerPermission",
          this.#query.answerPermission(`ask-${step.nth}`, this.#asks.byHand(step.nth, step.allow)),
        );
      case "open gate":
        return this.#asks.openGate(step.nth);
      case "prompt":
        return this.#feed(step.what);
      case "time":
        await this.#quiet();
        // Past its time an answer is a timeout, and a CLI that is silent after its end of input is ended.
        if (step.ms > 5_000) this.#troubled = true;
        this.#clock.advance(step.ms);
        return await this.#quiet();
      case "turn":
        await this.#quiet();
        return this.#check();
      case "stop":
        return this.#stop(step.how);
      case "death":
        return this.#die(step.how);
    }
  }

  /** The story is over: lets the query end, and looks at everything. */
  async finish(): Promise<void> {
    await this.#quiet();
    this.#check();
    this.#feed("the end");
    switch (this.#traits.ending) {
      case "close":
        this.#stop("close");
        break;
      case "abort":
        this.#stop("abort");
        break;
      case "the CLI leaves":
        this.#cli.exit();
        break;
      case "the CLI falls silent":
        // It lives on and says nothing: it is not waited for without end.
        this.#troubled = true;
        this.#cli.closeOutput();
        break;
      case "both ends at once":
        this.#cli.exit({ code: 1 });
        this.#stop("close");
    }
    this.#asks.openGates();
    await this.#drainLoop();
    // Graces and deadlines: whatever waits for time gets it. What does not wait must have taken its timers back.
    for (let times = 0; times < 4; times++) {
      if (this.#cli.gone && this.#watched.every((one) => one.settled > 0)) break;
      this.#clock.advance(1_000_000);
      await this.#quiet();
      await this.#drainLoop();
    }
    const settled = await quietUntil(() => this.#watched.every((one) => one.settled > 0));
    assert.isTrue(settled, `settled: ${this.#watched.filter((one) => one.settled === 0).map(({ what }) => what)}`);
    for (const { what, settled } of this.#watched) assert.strictEqual(settled, 1, `${what} settles once`);
    assert.isTrue(this.#doneSeen, "the loop is over");
    assert.strictEqual(this.#clock.pending, 0, "timers");
    assert.isTrue(this.#cli.gone, "the CLI is gone");
    this.#check();
    assert.isAtMost(this.#loopErrors.length, 1, "an error is told once");
    if (!this.#troubled) {
      if (this.#stopped === "abort") assert.deepEqual(this.#loopErrors, [this.#reason]);
      if (this.#stopped === "close") assert.deepEqual(this.#loopErrors, []);
      if (this.#stopped === undefined) assert.lengthOf(this.#seen, this.#said, "every message is delivered");
    }
  }

  // -- the CLI --------------------------------------------------------------------------------------------------------

  #begin(): void {
    const line = this.#cli.lines.filter(({ type }) => type === "user")[this.#begun];
    if (line === undefined) return;
    this.#begun++;
    const command_uuid = line.uuid as string;
    this.#cli.say({ type: "command_lifecycle", command_uuid, state: "started" });
    this.#cli.say({ type: "system", subtype: "session_state_changed", state: "running", sdk_host_only: true });
    this.#cli.say({ type: "system", subtype: "init", session_id: `s${this.#begun}`, uuid: command_uuid });
  }

  #result(error: boolean): void {
    const line = this.#cli.lines.filter(({ type }) => type === "user")[this.#begun - 1];
    this.#cli.say({
      type: "result",
      subtype: error ? "error_during_execution" : "success",
      is_error: error,
      errors: ["failed"],
    });
    if (line === undefined) return;
    this.#cli.say({ type: "command_lifecycle", command_uuid: line.uuid as string, state: "completed" });
  }

  #repeat(nth: number): void {
    const asked = this.#asks.asked[nth];
    if (asked === undefined) return;
    const { k, id } = asked;
    const request = { subtype: "can_use_tool", tool_name: "Bash", tool_use_id: `t${k}`, input: { k, repeated: true } };
    this.#cli.say({ type: "control_request", request_id: id, request });
  }

  #cliAnswers({ nth, how }: Step<"CLI answers">): void {
    const request = this.#cli.open[nth];
    if (request === undefined) return;
    if (how === "success") return this.#cli.answer(request, { subtype: "success", response: {} });
    if ((request.request as JsonObject).subtype === "initialize") this.#troubled = true;
    this.#cli.answer(
      request,
      how === "error" ? { subtype: "error", error: "no" } : { subtype: "success", response: [1] },
    );
  }

  #die(how: Step<"death">["how"]): void {
    this.#troubled = true;
    const cli = this.#cli;
    switch (how) {
      case "leaves":
        return cli.exit();
      case "leaves with 1":
        return cli.exit({ code: 1, stderrTail: "oh no" });
      case "is killed":
        return cli.exit({ signal: "SIGKILL" });
      case "ends its output":
        return cli.closeOutput();
      case "breaks its output": {
        // What a transport of the user's own fails with comes through as it is (O07).
        const reset = new Error("reset");
        this.#own.push(reset);
        return cli.breakOutput(reset);
      }
      case "reads no more":
        return cli.stopReading();
      case "leaves in a record":
        cli.sayText('{"type":"assistant","n":');
        return cli.exit();
      case "says too much":
        return cli.sayText(`{"type":"assistant","pad":"${"x".repeat(5_000)}"}\n`);
    }
  }

  // -- the consumer ---------------------------------------------------------------------------------------------------

  /** The numbers of the messages, in the order in which they were asked for. */
  get #seen(): number[] {
    return this.#taken.flatMap((item) => typeof item === "object" && typeof item.n === "number" ? [item.n] : []);
  }

  #next(): Promise<IteratorResult<unknown, void>> {
    const at = this.#taken.push("nothing yet") - 1;
    const taking = this.#query.next();
    const settle = (): unknown => this.#settled.push(at);
    taking.then(settle, settle);
    this.#watch("next", taking, (error) => {
      this.#taken[at] = "an error";
      this.#loopErrors.push(error);
    });
    taking.then((item) => {
      this.#taken[at] = item.done === true ? "the end" : { n: (item.value as unknown as JsonObject).n };
      if (item.done === true) this.#doneSeen = true;
    }, () => {});
    return taking;
  }

  /** Takes until there is nothing more to take. */
  async #drainLoop(): Promise<void> {
    for (let more = true; more && !this.#doneSeen;) {
      const before = this.#seen.length + this.#loopErrors.length;
      const settled = this.#watched.reduce((sum, one) => sum + one.settled, 0);
      void this.#next();
      await this.#quiet();
      const after = this.#watched.reduce((sum, one) => sum + one.settled, 0);
      more = this.#seen.length + this.#loopErrors.length > before || after > settled;
    }
  }

  #call(what: Step<"call">["what"]): void {
    const query = this.#query;
    const calls: Record<Step<"call">["what"], () => Promise<unknown>> = {
      interrupt: () => query.interrupt(),
      setModel: () => query.setModel("m"),
      setPermissionMode: () => query.setPermissionMode("plan"),
      mcpServerStatus: () => query.mcpServerStatus(),
      readFile: () => query.readFile("f"),
      stopTask: () => query.stopTask("t"),
      sessionId: () => query.sessionId,
      initializationResult: () => query.initializationResult(),
      supportedCommands: () => query.supportedCommands(),
      reinitialize: () => query.reinitialize(),
      setMcpServers: () => query.setMcpServers({ s: { type: "http", url: "http://127.0.0.1" } }),
    };
    this.#watch(what, calls[what]());
  }

  #input(what: Step<"input">["what"]): void {
    // An `async` wrapper: what is nothing to read is refused before there is a promise.
    const send = async (): Promise<void> => await this.#query.streamInput(this.#source(what));
    this.#watch(`streamInput of ${what}`, send());
  }

  #source(what: Step<"input">["what"]): string | AsyncIterable<SDKUserMessage> | Iterable<SDKUserMessage> {
    switch (what) {
      case "a text":
        return "more";
      case "a list":
        return [message("one"), message("two")];
      case "nothing":
        return [];
      case "rubbish":
        return [{ type: "user" } as never];
      case "a source that hangs":
        return new Mailbox<SDKUserMessage>();
      case "a source that throws":
        return (async function* () {
          yield message("first");
          await undefined;
          throw new Error("the source");
        })();
    }
  }

  #feed(what: Step<"prompt">["what"]): void {
    if (what === "a line") return this.#prompt.put(message("again"));
    if (what === "the end") return this.#prompt.end();
    if (this.#traits.prompt === "a source") this.#troubled = true;
    this.#prompt.put(new Error("the prompt"));
  }

  #promptOf(prompt: QueryTraits["prompt"]): string | AsyncIterable<SDKUserMessage> | Iterable<SDKUserMessage> {
    if (prompt === "a text") return "hi";
    if (prompt === "nothing") return [];
    const box = this.#prompt;
    return (async function* () {
      for await (const item of box) {
        if (item instanceof Error) throw item;
        yield item;
      }
    })();
  }

  #stop(how: Step<"stop">["how"]): void {
    const query = this.#query;
    if (how !== "break") this.#stopping(how === "abort" ? "abort" : "close");
    switch (how) {
      case "abort":
        return this.#abort.abort(this.#reason);
      case "close twice":
        this.#watch("close", query.close());
        return this.#watch("close again", query.close());
      case "close":
        return this.#watch("close", query.close());
      case "return":
        return this.#watch("return", query.return());
      case "dispose":
        return this.#watch("dispose", query[Symbol.asyncDispose]());
      case "throw": {
        const own = new Error("thrown in");
        this.#own.push(own);
        return this.#watch("throw", query.throw(own));
      }
      case "break":
        // Leaving the loop at its first message; the loop's own errors are those of `next`.
        return this.#watch("loop", this.#loop());
    }
  }

  #stopping(how: "close" | "abort"): void {
    if (this.#stopped !== undefined) return;
    this.#stopped = how;
    // One that has left ended the query by itself, or is just about to.
    if (this.#cli.gone) this.#troubled = true;
  }

  async #loop(): Promise<void> {
    const query = this.#query;
    const counted = { next: () => this.#next(), return: () => query.return() };
    for await (const _ of { [Symbol.asyncIterator]: () => counted }) {
      this.#stopping("close");
      break;
    }
  }

  /** Nothing more happens by itself; a reader may give its consumer a turn of the event loop. */
  async #quiet(): Promise<void> {
    await quiet();
    await settle();
    await quiet();
  }

  // -- what must be true ----------------------------------------------------------------------------------------------

  #check(): void {
    const fault = [...this.#faults, ...this.#asks.faults][0];
    if (fault !== undefined) throw fault;
    this.#asks.check(this.#cli.lines);
    assert.deepEqual(this.#seen, this.#seen.map((_, n) => n), "messages come in order, without loss");
    assert.deepEqual(this.#settled, this.#settled.toSorted((a, b) => a - b), "who asks first hears first");
    const kinds = this.#taken.map((item) =>
      typeof item === "object" ? 0 : 1 + ["an error", "the end", "nothing yet"].indexOf(item)
    );
    assert.deepEqual(kinds, kinds.toSorted(), "who asks first is served first, and nothing comes after the end");
  }

  /** Errors are of Tether's own kinds, with a word to branch on; or the user's own, as they were given. */
  #checkError(what: string, error: unknown): void {
    if (this.#own.includes(error)) return;
    assert.isTrue(ClaudeSDKError.isClaudeSDKError(error), `${what} rejects with ${describe(error)}`);
    const { code, cause } = error as ClaudeSDKError;
    assert.match(code, /^[a-z][a-z_]*$/, what);
    if (error instanceof PromptError && code === "prompt_failed") assert.instanceOf(cause, Error, "the cause is kept");
  }

  #watch(what: string, promise: Promise<unknown>, onError?: (error: unknown) => void): void {
    const watched: Watched = { what, settled: 0 };
    this.#watched.push(watched);
    promise.then(() => {
      watched.settled++;
    }, (error) => {
      watched.settled++;
      onError?.(error);
      try {
        this.#checkError(what, error);
      } catch (fault) {
        this.#faults.push(fault);
      }
    });
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? error.stack ?? String(error) : String(error);
}

function message(content: string): SDKUserMessage {
  return { type: "user", message: { role: "user", content }, parent_tool_use_id: null, session_id: "" };
}
