/** What the fuzz suites stand on: a property that does not hold says so, and how to see it again. */
import { assert } from "chai";
import fc from "fast-check";
import { batchSeed, fuzzMode, seedOf } from "../../harness/fuzz/fuzz_mode.ts";
import { type Check, property } from "../../harness/fuzz/property.ts";
import { type RejectionHost, StrayRejections } from "../../harness/fuzz/stray_rejections.ts";
import { rejectsWith } from "../../harness/rejects.ts";
import { type Body, suite } from "../../harness/suite.ts";

/** The body that a property is declared as. */
function bodyOf(check: Check<[number]>, examples: [number][] = []): Body {
  const { bodies } = suite("s", (test) => property(test, "a p'", [fc.nat(1_000)], check, { runs: 100, examples }));
  return bodies[0]!;
}

const context = { cleanup: () => {} };

export default suite("properties", (test) => {
  test("one that does not hold is told with its smallest value and the command that repeats it", async () => {
    const body = bodyOf((_t, n) => assert.isBelow(n, 500));
    const { message } = await rejectsWith(Promise.resolve(body.run(context)), Error);
    assert.match(message, /^ {2}500$/m);
    assert.match(message, /expected 500 to be below 500/);
    assert.match(message, /deno task fuzz --runtime \w+ --only 'a p'\\''' --seed \d+ --path "[\d:]+"/);
  });

  test("one that holds passes; every run has its own clean-ups", async () => {
    let open = 0;
    let runs = 0;
    await bodyOf((t) => {
      runs++;
      assert.strictEqual(open++, 0, "the run before has cleaned up");
      t.cleanup(() => void open--);
    }).run(context);
    assert.strictEqual(runs, 100);
  });

  test("what was found once is asked first", async () => {
    const asked: number[] = [];
    await bodyOf((_t, n) => void asked.push(n), [[4_711]]).run(context);
    assert.strictEqual(asked[0], 4_711);
  });

  test("a rejection that nobody handles is told with the run that it came in, and once", async () => {
    for (const kind of ["process", "events"] as const) {
      const listeners = new Set<(told: never) => void>();
      const on = (_event: string, listener: (told: never) => void): unknown => listeners.add(listener);
      const off = (_event: string, listener: (told: never) => void): unknown => listeners.delete(listener);
      const host: RejectionHost = kind === "process"
        ? { process: { on, off } }
        : { addEventListener: on, removeEventListener: off };
      const strays = new StrayRejections(host);
      strays.begin();
      await strays.check();
      const reason = new Error("astray");
      for (const tell of listeners) tell((kind === "process" ? reason : { reason }) as never);
      const { message } = await rejectsWith(strays.check(), Error);
      assert.match(message, /A rejection that nobody handled: Error: astray/);
      await strays.check();
      strays.end();
      assert.isEmpty(listeners);
    }
  });

  test("the environment says how properties are run", () => {
    assert.deepEqual(fuzzMode({}), { kind: "gate" });
    assert.deepEqual(fuzzMode({ TETHER_FUZZ_MS: "5000", TETHER_FUZZ_SEED: "7", TETHER_TEST_ONLY: "x" }), {
      kind: "night",
      ms: 5_000,
      seed: 7,
      only: "x",
    });
    assert.deepEqual(fuzzMode({ TETHER_FUZZ_SEED: "7", TETHER_FUZZ_PATH: "0:1" }), {
      kind: "repeat",
      seed: 7,
      path: "0:1",
    });
    for (
      const env of [{ TETHER_FUZZ_MS: "5" }, { TETHER_FUZZ_PATH: "0" }, { TETHER_FUZZ_MS: "x", TETHER_FUZZ_SEED: "1" }]
    ) {
      assert.throws(() => fuzzMode(env), /must be a number/);
    }
  });

  test("seeds differ by name and by batch, and the first batch has the seed that was given", () => {
    assert.notStrictEqual(seedOf("a"), seedOf("b"));
    assert.strictEqual(batchSeed(42, 0), 42);
    const seeds = Array.from({ length: 1_000 }, (_, batch) => batchSeed(42, batch));
    assert.strictEqual(new Set(seeds).size, 1_000);
    for (const seed of [...seeds, seedOf("a")]) assert.isTrue(Number.isInteger(seed) && seed >= 0 && seed < 2 ** 31);
  });
});
