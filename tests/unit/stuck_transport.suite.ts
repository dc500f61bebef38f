/** A transport of the user's that does not keep its word: it is closed, and does not end. */
import { assert } from "chai";
import { type Diagnostic, ProcessError, query, type StreamTransport } from "../../mod.ts";
import { type CliScript, scriptedCli, step } from "../../src/testing/mod.ts";
import { rejection, rejectsWith } from "../harness/rejects.ts";
import { suite, type TestContext } from "../harness/suite.ts";

const TIMEOUTS = { graceMs: 20, termMs: 20 };
const NEVER = new Promise<never>(() => {});

interface Stuck {
  readonly running: ReturnType<typeof query>;
  readonly diagnostics: Diagnostic[];
  readonly abort: AbortController;
}

/** A query on a transport whose `exited` stays pending, and its `close()` as well if it waits for that. */
function start(t: TestContext, script: CliScript, close: (real: StreamTransport) => Promise<void>): Stuck {
  const real = scriptedCli(script).transport({ termMs: 20 });
  const diagnostics: Diagnostic[] = [];
  const abort = new AbortController();
  const running = query({
    prompt: "hi",
    options: {
      abortController: abort,
      tether: {
        transport: { readable: real.readable, writable: real.writable, exited: NEVER, close: () => close(real) },
        timeouts: TIMEOUTS,
        onDiagnostic: (event) => diagnostics.push(event),
      },
    },
  });
  t.cleanup(() => real.close({ graceMs: 0 }));
  return { running, diagnostics, abort };
}

const stuck = ({ diagnostics }: Stuck): Diagnostic[] => diagnostics.filter(({ kind }) => kind === "transport_stuck");

export default suite("a stuck transport", (test) => {
  for (
    const [what, close] of [
      ["close() settles, exited does not", (real: StreamTransport) => real.close({ graceMs: 0 })],
      ["neither settles, and the output stays open", () => NEVER],
    ] as const
  ) {
    test(`${what}: close() is bounded, and the loop ends`, async (t) => {
      const scene = start(t, [step.begin(), step.hang()], close);
      assert.strictEqual((await scene.running.next()).value?.type, "system");
      const next = scene.running.next();
      await Promise.all([scene.running.close(), scene.running.close()]);
      assert.isTrue((await next).done);
      assert.deepEqual(stuck(scene), [{ kind: "transport_stuck", afterMs: 60 }]);
      await scene.running.close();
    });
  }

  test("an abort still rejects with its reason", async (t) => {
    const scene = start(t, [step.begin(), step.hang()], () => NEVER);
    await scene.running.next();
    const next = rejection(scene.running.next());
    const reason = new Error("mine");
    scene.abort.abort(reason);
    assert.strictEqual(await next, reason);
    assert.lengthOf(stuck(scene), 1);
  });

  test("one that ends its output and never says how it ended: after its time the loop ends as far as is known", async (t) => {
    const good = start(t, [step.turn("ok"), step.eof(), step.exit(0)], () => NEVER);
    let last = "";
    for await (const message of good.running) last = message.type;
    assert.strictEqual(last, "result");
    assert.deepEqual(stuck(good), [{ kind: "transport_stuck", afterMs: 40 }]);
    const bad = start(t, [step.begin(), step.exit(0)], () => NEVER);
    await bad.running.next();
    const error = await rejectsWith(bad.running.next(), ProcessError);
    assert.strictEqual(error.code, "no_result");
  });

  test("handed over to a query that never started it is closed, and not waited for without end", async (t) => {
    const abort = new AbortController();
    abort.abort(new Error("too late"));
    const real = scriptedCli([]).transport();
    t.cleanup(() => real.close({ graceMs: 0 }));
    let closes = 0;
    const running = query({
      prompt: "hi",
      options: {
        abortController: abort,
        tether: {
          transport: {
            ...real,
            readable: real.readable,
            writable: real.writable,
            exited: NEVER,
            close: () => (closes++, NEVER),
          },
          timeouts: TIMEOUTS,
        },
      },
    });
    assert.strictEqual(await rejection(running.next()), abort.signal.reason);
    assert.strictEqual(closes, 1);
  });
});
