import { assert } from "chai";
import { runBody } from "../../harness/run_body.ts";
import { type Body, type BodyOptions, suite, type TestContext } from "../../harness/suite.ts";

/** The one body of a suite made for it. */
function bodyOf(run: (t: TestContext) => void | Promise<void>, options?: BodyOptions): Body {
  return suite("made for a test", (test) => test("the body", run, options)).bodies[0]!;
}

export default suite("harness: run body", (test) => {
  test("a body that returns has passed", async () => {
    assert.include(await runBody(bodyOf(() => {})), { outcome: "passed" });
  });

  test("a body that throws or rejects has failed, with message and cause", async () => {
    const thrown = await runBody(bodyOf(() => {
      throw new Error("outer", { cause: new TypeError("inner") });
    }));
    assert.equal(thrown.outcome, "failed");
    assert.match(thrown.error!, /outer[^]*caused by[^]*TypeError: inner/);
    const rejected = await runBody(bodyOf(() => Promise.reject("a bare string")));
    assert.include(rejected.error, "thrown: a bare string");
  });

  test("a body that hangs fails at its limit", async () => {
    const result = await runBody(bodyOf(() => new Promise(() => {}), { timeoutMs: 5 }));
    assert.equal(result.outcome, "failed");
    assert.include(result.error, "longer than 5 ms");
  });

  test("patience multiplies the limit", async () => {
    const result = await runBody(bodyOf(() => new Promise(() => {}), { timeoutMs: 2 }), { patience: 4 });
    assert.include(result.error, "longer than 8 ms");
  });

  test("clean-ups run last first, all of them, also after a failure", async () => {
    const order: string[] = [];
    const result = await runBody(bodyOf((t) => {
      t.cleanup(() => void order.push("first"));
      t.cleanup(() => {
        order.push("second");
        throw new Error("a clean-up broke");
      });
      t.cleanup(async () => {
        await Promise.resolve();
        order.push("third");
      });
      throw new Error("the body broke");
    }));
    assert.deepEqual(order, ["third", "second", "first"]);
    assert.match(result.error!, /the body broke[^]*a clean-up broke/);
  });

  test("a clean-up that hangs fails the body and does not hold up the next", async () => {
    let reached = false;
    const result = await runBody(
      bodyOf((t) => {
        t.cleanup(() => {
          reached = true;
        });
        t.cleanup(() => new Promise(() => {}));
      }),
      { cleanupMs: 5 },
    );
    assert.include(result.error, "a clean-up took longer than 5 ms");
    assert.isTrue(reached);
  });

  test("a clean-up cannot be registered once the body is over", async () => {
    let kept: TestContext | undefined;
    await runBody(bodyOf((t) => {
      kept = t;
    }));
    assert.throws(() => kept!.cleanup(() => {}), /after its body was over/);
  });

  test("two bodies of one suite cannot share a name", () => {
    assert.throws(
      () =>
        suite("twice", (declare) => {
          declare("same", () => {});
          declare("same", () => {});
        }),
      /two bodies are named "same"/,
    );
  });

  test("a probe's leak fails the body unless it goes by itself in time", async () => {
    let asked = 0;
    const probe = (goneAfter: number) => ({
      kind: "things",
      begin: () => void (asked = 0),
      leaked: () => ++asked > goneAfter ? [] : ["a thing"],
      end: () => {},
    });
    const gone = await runBody(bodyOf(() => {}), { probes: [probe(3)], settleMs: 5_000 });
    assert.equal(gone.outcome, "passed");
    assert.equal(asked, 4);
    const stays = await runBody(bodyOf(() => {}), { probes: [probe(Infinity)], settleMs: 5 });
    assert.include(stays.error, "LeakError: things: a thing");
  });

  test("a body that says why it leaks is not watched", async () => {
    let begun = false;
    const probe = { kind: "things", begin: () => void (begun = true), leaked: () => ["a thing"], end: () => {} };
    const result = await runBody(bodyOf(() => {}, { leaks: "shows the switch" }), { probes: [probe], settleMs: 0 });
    assert.equal(result.outcome, "passed");
    assert.isFalse(begun);
  });
});
