import { assert } from "chai";
import { AbortSource, signalOf } from "../../src/core/abort_source.ts";
import { suite } from "../harness/suite.ts";

/** Counts the controllers that are made while it runs. */
function countControllers(work: () => void): number {
  const Original = globalThis.AbortController;
  let made = 0;
  globalThis.AbortController = class extends Original {
    constructor() {
      super();
      made++;
    }
  };
  try {
    work();
  } finally {
    globalThis.AbortController = Original;
  }
  return made;
}

export default suite("abort source", (test) => {
  test("a signal that nobody reads costs no controller; one that is read costs one", () => {
    assert.strictEqual(
      countControllers(() => {
        const source = new AbortSource();
        const given = signalOf(source);
        assert.isTrue("signal" in given);
        source.onAbort(() => {})();
        source.abort("gone");
      }),
      0,
    );
    assert.strictEqual(
      countControllers(() => {
        const source = new AbortSource();
        assert.strictEqual(signalOf(source).signal, source.signal);
      }),
      1,
    );
  });

  test("a signal that was read aborts with the reason, and only once", () => {
    const source = new AbortSource();
    const { signal } = signalOf(source);
    const heard: unknown[] = [];
    signal.addEventListener("abort", () => heard.push(signal.reason));
    assert.isFalse(signal.aborted);
    const reason = new Error("gone");
    source.abort(reason);
    source.abort(new Error("again"));
    assert.deepEqual(heard, [reason]);
    assert.strictEqual(source.reason, reason);
  });

  test("a signal that is read after the abort has aborted, with the reason", () => {
    const source = new AbortSource();
    const given = signalOf(source);
    source.abort("gone");
    assert.isTrue(given.signal.aborted);
    assert.strictEqual(given.signal.reason, "gone");
  });

  test("what is spread or copied has the signal too", () => {
    const source = new AbortSource();
    const { signal } = { ...signalOf(source) };
    source.abort("gone");
    assert.isTrue(signal.aborted);
  });

  test("who waits is told once, at once if it is too late; who has left is not", () => {
    const source = new AbortSource();
    const heard: string[] = [];
    const leave = source.onAbort(() => heard.push("left"));
    source.onAbort((reason) => heard.push(`first ${String(reason)}`));
    source.onAbort(() => heard.push("second"));
    leave();
    leave();
    source.abort("gone");
    source.onAbort((reason) => heard.push(`late ${String(reason)}`))();
    assert.deepEqual(heard, ["first gone", "second", "late gone"]);
  });
});
