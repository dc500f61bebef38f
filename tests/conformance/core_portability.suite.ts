/** What the smallest parts of the core promise, on every runtime the core claims to run on. */

import { assert } from "chai";
import fc from "fast-check";
import { abortSafely } from "../../src/core/abort_safely.ts";
import { systemClock } from "../../src/core/clock.ts";
import { deferred } from "../../src/core/deferred.ts";
import { type Diagnostic, guardedListener } from "../../src/core/diagnostics.ts";
import { OptionError } from "../../src/core/errors/mod.ts";
import { isJsonObject } from "../../src/core/json.ts";
import {
  DEFAULT_LIMITS,
  DEFAULT_TIMEOUTS,
  LONGEST_STRING,
  resolveLimits,
  resolveTimeouts,
} from "../../src/core/limits.ts";
import { suite } from "../harness/suite.ts";

export default suite("core portability", (test) => {
  test("limits are the defaults where nothing is said, and what is said otherwise", () => {
    assert.deepEqual(resolveLimits(), DEFAULT_LIMITS);
    const none = { queueBytes: undefined } as unknown as { queueBytes?: number };
    assert.deepEqual(resolveLimits(none), DEFAULT_LIMITS);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: LONGEST_STRING }), (bytes) => {
        assert.deepEqual(resolveLimits({ maxMessageBytes: bytes }), { ...DEFAULT_LIMITS, maxMessageBytes: bytes });
      }),
      { seed: 1, numRuns: 50 },
    );
  });

  test("a limit that is no positive whole number is refused by its full name", () => {
    const wrong = fc.oneof(
      fc.constantFrom<unknown>(0, -1, 0.5, NaN, Infinity, -Infinity, 2 ** 53, "1", null, true, 1n),
      fc.integer({ max: 0 }),
    );
    fc.assert(
      fc.property(fc.constantFrom("maxMessageBytes", "queueBytes", "stderrTailBytes"), wrong, (name, value) => {
        const error = thrownBy(() => resolveLimits({ [name]: value as number }));
        assert.instanceOf(error, OptionError);
        assert.strictEqual((error as OptionError).option, `tether.limits.${name}`);
      }),
      { seed: 2, numRuns: 100 },
    );
  });

  test("a frame may be as long as the longest string, and no longer", () => {
    assert.strictEqual(resolveLimits({ maxMessageBytes: LONGEST_STRING }).maxMessageBytes, LONGEST_STRING);
    const error = thrownBy(() => resolveLimits({ maxMessageBytes: LONGEST_STRING + 1 }));
    assert.strictEqual((error as OptionError).option, "tether.limits.maxMessageBytes");
    assert.strictEqual(resolveLimits({ queueBytes: LONGEST_STRING + 1 }).queueBytes, LONGEST_STRING + 1);
  });

  test("the runtime can hold a string as long as the longest frame", () => {
    // Doubling joins without copying, so that this costs no memory to speak of.
    let text = "";
    for (let piece = "x", bits = LONGEST_STRING; bits > 0; bits = Math.floor(bits / 2)) {
      if (bits % 2 === 1) text += piece;
      if (bits > 1) piece += piece;
    }
    assert.strictEqual(text.length, LONGEST_STRING);
  });

  test("timeouts take 0 and Infinity, and refuse what is negative or no number", () => {
    assert.deepEqual(resolveTimeouts(), DEFAULT_TIMEOUTS);
    assert.strictEqual(resolveTimeouts({ graceMs: 0 }).graceMs, 0);
    assert.strictEqual(resolveTimeouts({ controlMs: Infinity }).controlMs, Infinity);
    for (const value of [-1, -Infinity, NaN, "5", null]) {
      const error = thrownBy(() => resolveTimeouts({ quietMs: value as number }));
      assert.strictEqual((error as OptionError).option, "tether.timeouts.quietMs");
    }
  });

  test("a name that is none of ours is refused, also one that every object inherits", () => {
    for (const name of ["queuebytes", "constructor", "toString", "__proto__"]) {
      const given = JSON.parse(`{"${name}":1}`);
      assert.instanceOf(thrownBy(() => resolveLimits(given)), OptionError, name);
      assert.instanceOf(thrownBy(() => resolveTimeouts(given)), OptionError, name);
    }
  });

  test("the defaults cannot be changed through what is handed out", () => {
    const limits = resolveLimits() as { queueBytes: number };
    limits.queueBytes = 1;
    assert.strictEqual(resolveLimits().queueBytes, 32 * 1024 * 1024);
  });

  test("the clock never runs backwards, and runs while a timer does", async () => {
    const readings = [systemClock.now(), systemClock.now()];
    await new Promise<void>((resolve) => systemClock.after(20, resolve));
    readings.push(systemClock.now(), systemClock.now());
    assert.deepEqual(readings, [...readings].sort((a, b) => a - b));
    assert.isAbove(readings[2]!, readings[1]!);
  });

  test("the clock calls back once, and not at all when taken back", async () => {
    const calls: string[] = [];
    const takeBack = systemClock.after(1, () => calls.push("taken back"));
    takeBack();
    takeBack();
    await new Promise<void>((resolve) => {
      const takeBackLate = systemClock.after(5, () => {
        calls.push("fired");
        takeBackLate();
        resolve();
      });
    });
    await new Promise<void>((resolve) => systemClock.after(15, resolve));
    assert.deepEqual(calls, ["fired"]);
  });

  test("a delay of Infinity, or past what a timer takes, does not fire at once", async () => {
    let fired = 0;
    const takeBacks = [Infinity, 2 ** 31, 2 ** 40, Number.MAX_VALUE].map((ms) => systemClock.after(ms, () => fired++));
    await new Promise<void>((resolve) => systemClock.after(25, resolve));
    for (const takeBack of takeBacks) takeBack();
    assert.strictEqual(fired, 0);
  });

  test("a deferred settles once, by whichever end is used first", async () => {
    const { promise, resolve, reject } = deferred<number>();
    resolve(1);
    resolve(2);
    reject(new Error("too late"));
    assert.strictEqual(await promise, 1);

    const second = deferred<number>();
    const reason = new Error("the reason");
    second.reject(reason);
    second.resolve(1);
    assert.strictEqual(await second.promise.catch((error: unknown) => error), reason);

    const third = deferred<number>();
    const inner = deferred<number>();
    third.resolve(inner.promise);
    inner.resolve(3);
    assert.strictEqual(await third.promise, 3);
  });

  test("an abort passes on its reason; an exception it lets out does not reach who aborts", () => {
    const reason = new Error("the reason");
    const controller = new AbortController();
    const heard: unknown[] = [];
    controller.signal.addEventListener("abort", () => heard.push(controller.signal.reason));
    abortSafely(controller, reason);
    abortSafely(controller, new Error("too late"));
    assert.deepEqual(heard, [reason]);

    // What workerd's own controller does when a listener throws.
    const told: unknown[] = [];
    const fault = new Error("a listener's fault");
    const throwing = {
      abort(): void {
        throw fault;
      },
    };
    abortSafely(throwing, reason, (error) => told.push(error));
    assert.deepEqual(told, [fault]);
  });

  test("a JSON object is told from every other JSON value", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        assert.strictEqual(isJsonObject(JSON.parse(text)), text.startsWith("{"));
      }),
      { seed: 3, numRuns: 200 },
    );
    for (const value of [undefined, null, [], "{}", 1, true, () => {}, Symbol("object")]) {
      assert.isFalse(isJsonObject(value));
    }
    assert.isTrue(isJsonObject(Object.create(null)));
  });

  test("a listener gets every diagnostic until it throws, and none after that", () => {
    const event: Diagnostic = { kind: "line_skipped", bytes: 3, reason: "not_json" };
    const seen: Diagnostic[] = [];
    const listener = guardedListener((given) => {
      seen.push(given);
      if (seen.length === 3) throw new Error("the listener's own fault");
    });
    for (let i = 0; i < 5; i++) listener(event);
    assert.deepEqual(seen, [event, event, event]);
  });

  test("no listener is a listener that does nothing", () => {
    assert.isUndefined(guardedListener(undefined)({ kind: "answer_unmatched", requestId: "1" }));
  });
});

/** What a call throws. @throws if it does not. */
function thrownBy(call: () => unknown): unknown {
  try {
    call();
  } catch (error) {
    return error;
  }
  throw new Error("Nothing was thrown");
}
