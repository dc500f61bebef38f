import { assert } from "chai";
import fc from "fast-check";
import { virtualClock } from "../../src/testing/clock/virtual_clock.ts";
import { rejectsWith } from "../harness/rejects.ts";
import { suite } from "../harness/suite.ts";
import { throwsWith } from "../harness/throws.ts";

export default suite("virtual clock", (test) => {
  test("timers fire in the order in which they fall due, and see that time", () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 50 }), { maxLength: 20 }), fc.nat({ max: 60 }), (delays, until) => {
        const clock = virtualClock();
        const fired: (readonly [number, number])[] = [];
        delays.forEach((ms, index) => clock.after(ms, () => fired.push([clock.now(), index])));
        clock.advance(until);
        const due = delays.map((ms, index) => [ms, index] as const).filter(([ms]) => ms <= until);
        assert.deepEqual(fired, due.sort((a, b) => a[0] - b[0] || a[1] - b[1]));
        assert.strictEqual(clock.pending, delays.length - due.length);
        assert.strictEqual(clock.now(), until);
      }),
      { seed: 3, numRuns: 100 },
    );
  });

  test("what is set or taken back on the way counts at once", () => {
    const clock = virtualClock();
    const fired: string[] = [];
    const cancel = clock.after(20, () => fired.push("taken back"));
    clock.after(10, () => {
      fired.push("first");
      cancel();
      clock.after(0, () => fired.push("at once"));
      clock.after(5, () => fired.push("later"));
      clock.after(6, () => fired.push("too late"));
    });
    clock.advance(15);
    assert.deepEqual(fired, ["first", "at once", "later"]);
    assert.strictEqual(clock.pending, 1);
  });

  test("infinity never comes, and no clock runs backwards", () => {
    const clock = virtualClock();
    clock.after(Infinity, () => assert.fail());
    assert.strictEqual(clock.pending, 0);
    clock.after(5, () => clock.advance(100));
    clock.advance(10);
    assert.strictEqual(clock.now(), 105);
    for (const ms of [-1, NaN, Infinity]) throwsWith(() => clock.advance(ms), RangeError);
  });

  test("pass lets promise reactions run between one moment and the next", async () => {
    const clock = virtualClock();
    const seen: string[] = [];
    const wait = (ms: number): Promise<void> => new Promise((resolve) => void clock.after(ms, resolve));
    const work = (async () => {
      for (const name of ["a", "b", "c"]) {
        await wait(10);
        seen.push(`${name} at ${clock.now()}`);
      }
    })();
    clock.advance(30);
    assert.deepEqual(seen, []);
    await clock.pass(0);
    assert.deepEqual(seen, ["a at 30"]);
    await clock.pass(20);
    assert.deepEqual(seen, ["a at 30", "b at 40", "c at 50"]);
    await work;
    await rejectsWith(clock.pass(-1), RangeError);
  });
});
