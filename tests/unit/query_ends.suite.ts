/** How a query ends its CLI, and how long it waits for one that it has given its end of input: on a double in memory. */
import { assert } from "chai";
import { AbortError, type Diagnostic, ProcessError, query, type SDKMessage, type Timeouts } from "../../mod.ts";
import {
  type CliScript,
  frame,
  type JsonObject,
  scriptedCli,
  type ScriptedCliTransport,
  step,
} from "../../src/testing/mod.ts";
import { rejection } from "../harness/rejects.ts";
import { suite, type TestContext } from "../harness/suite.ts";

interface Playing {
  readonly running: ReturnType<typeof query>;
  readonly cli: ScriptedCliTransport;
  readonly diagnostics: Diagnostic[];
}

function play(t: TestContext, script: CliScript, timeouts: Timeouts): Playing {
  const cli = scriptedCli(script).transport();
  const diagnostics: Diagnostic[] = [];
  const running = query({
    prompt: "hi",
    options: { tether: { transport: cli, timeouts, onDiagnostic: (event) => diagnostics.push(event) } },
  });
  t.cleanup(() => running.close());
  return { running, cli, diagnostics };
}

async function until(running: Playing["running"], type: SDKMessage["type"]): Promise<void> {
  for (let item = await running.next(); item.value?.type !== type; item = await running.next()) {
    assert.isFalse(item.done, `the query ended before a message of type ${type}`);
  }
}

/** Subtypes of the control requests that the CLI was sent. */
function asked(cli: ScriptedCliTransport): unknown[] {
  return cli.received.flatMap((line) => line.type === "control_request" ? [(line.request as JsonObject).subtype] : []);
}

const TASK: JsonObject = { task_id: "t1", task_type: "local_bash", description: "goes on" };

export default suite("query ends", (test) => {
  test("closed in mid-turn the CLI is told to stop before its input ends; when idle it is not", async (t) => {
    const busy = play(t, [step.begin(), step.eof()], { graceMs: 60_000 });
    await until(busy.running, "system");
    await busy.running.close();
    assert.deepEqual(asked(busy.cli), ["initialize", "interrupt"]);
    assert.deepInclude(await busy.cli.exited, { code: 0, signal: null });

    const idle = play(
      t,
      [step.begin(), step.emit(frame.backgroundTasks([TASK])), step.finish(), step.eof()],
      { graceMs: 60_000 },
    );
    await until(idle.running, "result");
    await idle.running.close();
    assert.deepEqual(asked(idle.cli), ["initialize"]);
  });

  test("closed while idle with background work the CLI gets no grace: it would wait for that work", async (t) => {
    const { running, cli } = play(
      t,
      [step.begin(), step.emit(frame.backgroundTasks([TASK])), step.finish(), step.hang()],
      { graceMs: 600_000 },
    );
    await until(running, "result");
    await new Promise((resolve) => setTimeout(resolve, 50)); // the state "idle" follows the result
    await running.close();
    assert.deepInclude(await cli.exited, { code: 143 });
  });

  test("what is asked while a CLI is leaving that has written its last is told how it ended", async (t) => {
    let running!: Playing["running"];
    for (const [code, kind] of [[3, ProcessError], [0, AbortError]] as const) {
      let leave: () => void = () => {};
      const silent = new Promise<void>((heard) => {
        const wait = (): Promise<void> => {
          heard();
          return new Promise((resolve) => leave = resolve);
        };
        const script = [step.turn("ok"), step.eof(), step.closeOutput(), step.run(wait), step.exit(code)];
        running = play(t, script, { graceMs: 60_000 }).running;
      });
      await until(running, "result");
      const end = running.next().then(() => undefined, (error) => error);
      await silent;
      await new Promise((resolve) => setTimeout(resolve, 20)); // the end of the output is read
      const told = [running.setModel("x"), running.interrupt(), running.streamInput("more")].map(rejection);
      await new Promise((resolve) => setTimeout(resolve, 5));
      leave();
      for (const error of await Promise.all(told)) assert.instanceOf(error, kind);
      assert.strictEqual(await end === undefined, code === 0);
    }
  });

  test("ids and reasons that are no text, and cannot become one, change nothing", async (t) => {
    const odd: JsonObject = { toString: null, valueOf: null };
    const { running, cli } = play(t, [
      step.begin(),
      step.emit({ type: "command_lifecycle", command_uuid: odd, state: "started" }),
      step.emit(frame.backgroundTasks([{ ...TASK, task_id: odd }]), frame.backgroundTasks([])),
      step.emit({ type: "control_response", response: { subtype: "success", request_id: odd } }),
      step.request("interrupt"),
      step.finish({ fields: { subtype: "error_during_execution", is_error: true, terminal_reason: odd } }),
      step.eof(),
      step.exit(1),
    ], {});
    await until(running, "system");
    await running.interrupt();
    await until(running, "result");
    assert.isTrue((await running.next()).done);
    cli.verify();
  });

  test("after the end of input each line restarts the grace", async (t) => {
    const late = Array.from({ length: 30 }, (_, n) => [step.sleep(50), step.assistant(`late ${n}`)]);
    const { running, cli, diagnostics } = play(t, [step.turn("ok"), step.eof(), ...late, step.exit(0)], {
      graceMs: 1_000,
    });
    let count = 0;
    for await (const message of running) if (message.type === "assistant") count++;
    assert.strictEqual(count, 31);
    assert.deepInclude(await cli.exited, { code: 0 });
    assert.deepInclude(diagnostics.find((event) => event.kind === "process_exited"), { forced: false });
  });

  test("after the end of input a CLI with live tasks may be silent for the ceiling, one without for the grace", async (t) => {
    const silent = (tasks: readonly JsonObject[]): CliScript => [
      step.turn("ok"),
      step.eof(),
      step.emit(frame.backgroundTasks(tasks)),
      step.sleep(1_000),
      step.assistant("late"),
      step.exit(0),
    ];
    for (const [tasks, forced] of [[[TASK], false], [[], true]] as const) {
      const { running, diagnostics } = play(t, silent(tasks), { graceMs: 200, backgroundMs: 600_000 });
      const texts: string[] = [];
      for await (const message of running) if (message.type === "assistant") texts.push(JSON.stringify(message));
      assert.lengthOf(texts, forced ? 1 : 2);
      assert.deepInclude(diagnostics.find((event) => event.kind === "process_exited"), { forced });
    }
  });
});
