/** Several prompts in one query: `streamInput`, and a query that is held open. On a double of the CLI in memory. */
import { assert } from "chai";
import {
  AbortError,
  CLIConnectionError,
  OptionError,
  ProcessError,
  PromptError,
  type Query,
  query,
  type SDKUserMessage,
} from "../../mod.ts";
import { Launch } from "../../src/client/launch.ts";
import { type QueryStart, RunningQuery } from "../../src/client/query.ts";
import {
  type CliScript,
  type JsonObject,
  scriptedCli,
  type ScriptedCliTransport,
  step,
} from "../../src/testing/mod.ts";
import { rejection, rejectsWith } from "../harness/rejects.ts";
import { suite, type TestContext } from "../harness/suite.ts";
import { until } from "../harness/until.ts";

function user(content: string): SDKUserMessage {
  return { type: "user", message: { role: "user", content }, parent_tool_use_id: null, session_id: "" };
}

/** Messages that are given one by one, and what the reader did. */
class Source implements AsyncIterableIterator<SDKUserMessage> {
  asked = 0;
  told = 0;
  #wake: ((item: IteratorResult<SDKUserMessage>) => void) | undefined;
  #fail: ((error: unknown) => void) | undefined;

  next(): Promise<IteratorResult<SDKUserMessage>> {
    this.asked++;
    return new Promise((resolve, reject) => {
      this.#wake = resolve;
      this.#fail = reject;
    });
  }

  return(): Promise<IteratorResult<SDKUserMessage>> {
    this.told++;
    return Promise.resolve({ done: true, value: undefined });
  }

  /** Gives a message; settles when the next is asked for, so when the CLI has taken it. */
  async give(message: SDKUserMessage): Promise<void> {
    await until(() => this.asked > 0);
    const { asked } = this;
    this.#wake?.({ done: false, value: message });
    await until(() => this.asked > asked);
  }

  end(): void {
    this.#wake?.({ done: true, value: undefined });
  }

  fail(error: unknown): void {
    this.#fail?.(error);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

function play(
  t: TestContext,
  script: CliScript,
  prompt: Parameters<typeof query>[0]["prompt"],
  verbatimPrompts = false,
): [Query, ScriptedCliTransport] {
  const cli = scriptedCli(script).transport();
  const running = query({ prompt, options: { verbatimPrompts, tether: { transport: cli } } });
  t.cleanup(() => running.close());
  return [running, cli];
}

function start(t: TestContext, script: CliScript, given: QueryStart): [RunningQuery, ScriptedCliTransport] {
  const cli = scriptedCli(script).transport();
  const runtime = (): Promise<never> => Promise.reject(new Error("no process is to be started"));
  const running = new RunningQuery(new Launch({ tether: { transport: cli } }, { runtime }), given);
  t.cleanup(() => running.close());
  return [running, cli];
}

/** The texts of the user lines that the CLI got. */
function sent(cli: ScriptedCliTransport): unknown[] {
  return cli.received.filter((line) => line.type === "user").map((line) => {
    const { content } = line.message as JsonObject;
    return typeof content === "string" ? content : ((content as JsonObject[])[0] as JsonObject).text;
  });
}

async function untilResult(running: Query): Promise<void> {
  for (;;) {
    const item = await running.next();
    if (item.done) throw new Error("The query ended before a result came");
    if (item.value.type === "result") return;
  }
}

async function rest(running: Query): Promise<string[]> {
  const kinds: string[] = [];
  for await (const message of running) kinds.push(message.type);
  return kinds;
}

/** A double of the CLI that has seen the end of its input says so. */
function endSeen(cli: ScriptedCliTransport): { readonly seen: boolean } {
  const end = { seen: false };
  void cli.exited.then(() => end.seen = true);
  return end;
}

export default suite("query stream input", (test) => {
  test("sources run side by side in one conversation; it ends when each of them has", async (t) => {
    const prompt = new Source();
    const [running, cli] = play(t, ["1", "2", "3", "4"].map((text) => step.turn(text)), prompt);
    const end = endSeen(cli);
    const stream = new Source();
    const text = running.streamInput("a text");
    const streaming = running.streamInput(stream);
    await text;
    await stream.give(user("a stream"));
    await untilResult(running);
    await untilResult(running);
    await prompt.give(user("the prompt"));
    await untilResult(running);
    prompt.end();
    await stream.give(user("after the prompt's end"));
    await untilResult(running);
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.isFalse(end.seen, "a source is still open");
    stream.end();
    await streaming;
    assert.deepEqual(await rest(running), []);
    assert.deepEqual(sent(cli), ["a text", "a stream", "the prompt", "after the prompt's end"]);
    cli.verify();
  });

  test("a source that comes after the prompt's end keeps input open while it runs", async (t) => {
    let finish: () => void = () => {};
    const turnMayEnd = new Promise<void>((resolve) => finish = resolve);
    const [running, cli] = play(t, [step.begin(), step.run(() => turnMayEnd), step.finish(), step.turn("two")], "one");
    const end = endSeen(cli);
    await running.next();
    const late = new Source();
    const streaming = running.streamInput(late);
    finish();
    await untilResult(running);
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.isFalse(end.seen);
    await late.give(user("two"));
    late.end();
    await streaming;
    await rest(running);
    assert.deepEqual(sent(cli), ["one", "two"]);
    cli.verify();
  });

  test("each source is asked for its next message when the CLI has taken its last, and told when the query ends", async (t) => {
    const [running] = play(t, [step.user(), step.stopReading(), step.sleep(100), step.exit(0)], new Source());
    const counts = [{ pulled: 0, told: 0 }, { pulled: 0, told: 0 }];
    const streams = counts.map((count) => {
      const endless = new Source();
      endless.next = () => {
        count.pulled++;
        return Promise.resolve({ done: false, value: user("x".repeat(1_000_000)) });
      };
      endless.return = () => {
        count.told++;
        return Promise.resolve({ done: true, value: undefined });
      };
      return rejection(running.streamInput(endless));
    });
    const error = await rejectsWith(rest(running), ProcessError);
    assert.deepEqual(await Promise.all(streams), [error, error]);
    for (const { pulled, told } of counts) {
      assert.isAtMost(pulled, 6, "a child that does not read is not overrun");
      assert.strictEqual(told, 1);
    }
  });

  test("what a prompt streams in while it is first asked is asked one message at a time", async (t) => {
    const inner = new Source();
    let streaming: Promise<void> | undefined;
    async function* prompt(): AsyncGenerator<SDKUserMessage> {
      // Runs when the prompt is first asked: in the middle of its opening.
      streaming = running.streamInput(inner);
      yield user("one");
    }
    const [running, cli] = play(t, [step.turn("one"), step.turn("two")], prompt());
    await untilResult(running);
    assert.strictEqual(inner.asked, 1);
    await inner.give(user("two"));
    assert.strictEqual(inner.asked, 2);
    inner.end();
    await streaming;
    await rest(running);
    assert.deepEqual(sent(cli), ["one", "two"]);
    cli.verify();
  });

  test("a source that throws rejects its own call with the error as cause; the query goes on", async (t) => {
    const prompt = new Source();
    const [running, cli] = play(t, [step.turn("one"), step.turn("two")], prompt);
    const fault = new Error("mine");
    const failing = new Source();
    const failed = rejectsWith(running.streamInput(failing), PromptError);
    await failing.give(user("one"));
    failing.fail(fault);
    const error = await failed;
    assert.strictEqual(error.code, "prompt_failed");
    assert.strictEqual(error.cause, fault);
    const rubbish = await rejectsWith(running.streamInput([{ type: "user" } as never]), PromptError);
    assert.strictEqual(rubbish.code, "invalid_prompt");
    const unencodable = await rejectsWith(running.streamInput([user(1n as never)]), PromptError);
    assert.propertyVal(unencodable.cause, "code", "unencodable_frame");
    await prompt.give(user("two"));
    prompt.end();
    await rest(running);
    assert.deepEqual(sent(cli), ["one", "two"]);
    cli.verify();
  });

  test("the prompt's own failure is the query's, once what else is sent has been completed", async (t) => {
    const prompt = new Source();
    const [running, cli] = play(t, [step.turn("one")], prompt);
    const other = new Source();
    const streaming = running.streamInput(other);
    await until(() => prompt.asked === 1);
    const fault = new Error("mine");
    prompt.fail(fault);
    await other.give(user("one"));
    await untilResult(running);
    other.end();
    await streaming;
    const error = await rejectsWith(rest(running), PromptError);
    assert.strictEqual(error.cause, fault);
    cli.verify();
  });

  test("once input has ended nothing more is taken: a typed error, and nothing is written", async (t) => {
    let leave: () => void = () => {};
    const mayLeave = new Promise<void>((resolve) => leave = resolve);
    const [running, cli] = play(t, [step.turn("one"), step.eof(), step.run(() => mayLeave), step.exit(0)], "one");
    await untilResult(running);
    await until(() => cli.received.length > 0);
    await new Promise((resolve) => setTimeout(resolve, 20));
    const late = new Source();
    const error = await rejectsWith(running.streamInput(late), CLIConnectionError);
    assert.strictEqual(error.code, "input_ended");
    assert.strictEqual(late.asked, 0);
    assert.strictEqual(late.told, 1);
    leave();
    await rest(running);
    assert.instanceOf(await rejection(running.streamInput("more")), AbortError, "over");
    assert.deepEqual(sent(cli), ["one"]);
  });

  test("a query that ends with an error rejects what is being streamed with it", async (t) => {
    const [running] = play(t, [step.user(), step.exit(3)], new Source());
    const streaming = rejection(running.streamInput((async function* () {
      yield user("one");
      await new Promise(() => {});
    })()));
    const error = await rejectsWith(rest(running), ProcessError);
    assert.strictEqual(await streaming, error);
    assert.strictEqual(await rejection(running.streamInput("more")), error);
  });

  test("what cannot be a prompt is refused, by an OptionError; verbatim prompts are marked here too", async (t) => {
    const [running, cli] = play(t, [step.turn("one")], new Source(), true);
    for (const rubbish of [undefined, null, 5, {}]) {
      await rejectsWith(running.streamInput(rubbish as never), OptionError);
    }
    await running.streamInput("one");
    await untilResult(running);
    await running.close();
    assert.deepInclude(cli.received.find((line) => line.type === "user"), { client_composed: true });
  });

  test("streams are accepted and cancelled; messages wait for a held initialize like the prompt", async () => {
    let cancelled: unknown;
    const stream = new ReadableStream<SDKUserMessage>({
      start: (controller) => controller.enqueue(user("two")),
      cancel: (reason) => void (cancelled = reason ?? "cancelled"),
    });
    const cli = scriptedCli([
      step.expect({ request: { subtype: "initialize" } }),
      step.run((): void => assert.deepEqual(sent(cli), [], "held")),
      step.exit(0),
    ]).transport();
    const options = { hooks: { PreToolUse: [{ onFailure: "block" as const, hooks: [] }] }, tether: { transport: cli } };
    const running = query({ prompt: "one", options });
    const streaming = rejection(running.streamInput(stream));
    const error = await rejection(rest(running));
    assert.strictEqual(await streaming, error);
    assert.strictEqual(cancelled, "cancelled");
    cli.verify();
  });

  test("an interrupt right after a text that is streamed waits for it", async (t) => {
    const [running, cli] = play(
      t,
      [step.begin(), step.request("interrupt", { response: { still_queued: [] } }), step.finish()],
      new Source(),
    );
    const streaming = running.streamInput("one");
    assert.deepEqual(await running.interrupt(), { still_queued: [] });
    await streaming;
    await running.close();
    const kinds = cli.received.map((line) => line.type === "user" ? "user" : (line.request as JsonObject).subtype);
    assert.deepEqual(kinds.slice(0, 3), ["initialize", "user", "interrupt"]);
  });

  test("held open, a query waits with nothing to say; released, it ends when what it was fed has", async (t) => {
    const [running, cli] = start(t, [step.turn("one"), step.turn("two")], { held: true });
    const end = endSeen(cli);
    assert.isObject(await running.initializationResult());
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.isFalse(end.seen, "nothing was said, and input is open");
    running.feed("one");
    await untilResult(running);
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.isFalse(end.seen, "held");
    running.feed([user("two")]);
    running.release();
    running.release();
    await rest(running);
    assert.throws(() => running.feed(5 as never), OptionError);
    running.feed("never asked");
    assert.deepEqual(sent(cli), ["one", "two"]);
    cli.verify();
  });

  test("a prompt fed later that fails is what the query ends with; nothing fed at all ends well", async (t) => {
    const [failing] = start(t, [step.eof()], { held: true });
    const source = new Source();
    failing.feed(source);
    failing.release();
    await until(() => source.asked === 1);
    source.fail("mine");
    assert.propertyVal(await rejectsWith(rest(failing), PromptError), "cause", "mine");

    const [silent, cli] = start(t, [step.eof()], { held: true });
    silent.release();
    assert.deepEqual(await rest(silent), []);
    assert.deepEqual(sent(cli), []);
  });
});
