import { assert } from "chai";
import { Shutdown } from "../../../src/transport/process/shutdown.ts";
import { suite } from "../../harness/suite.ts";
import { VirtualClock } from "../../harness/virtual_clock.ts";

function ladder(termMs = 5_000) {
  const clock = new VirtualClock();
  const did: string[] = [];
  const shutdown = new Shutdown(
    { endInput: () => did.push(`end@${clock.now()}`), signal: (signal) => did.push(`${signal}@${clock.now()}`) },
    termMs,
    clock,
  );
  return { clock, did, shutdown };
}

export default suite("shutdown ladder", (test) => {
  test("F05: end of input, grace, SIGTERM, patience, SIGKILL, and then nothing more", () => {
    const { clock, did, shutdown } = ladder();
    shutdown.begin(5_000);
    clock.advance(60_000);
    assert.deepEqual(did, ["end@0", "SIGTERM@5000", "SIGKILL@10000"]);
    assert.isTrue(shutdown.forced);
    assert.strictEqual(clock.pending, 0);
  });

  test("F06: a child that leaves in the grace gets no signal", () => {
    const { clock, did, shutdown } = ladder();
    shutdown.begin(5_000);
    clock.advance(4_999);
    shutdown.childEnded();
    clock.advance(60_000);
    assert.deepEqual(did, ["end@0"]);
    assert.isFalse(shutdown.forced);
    assert.strictEqual(clock.pending, 0);
  });

  test("F07: a child that obeys SIGTERM gets no SIGKILL", () => {
    const { clock, did, shutdown } = ladder();
    shutdown.begin(100);
    clock.advance(200);
    shutdown.childEnded();
    clock.advance(60_000);
    assert.deepEqual(did, ["end@0", "SIGTERM@100"]);
    assert.isTrue(shutdown.forced);
    assert.strictEqual(clock.pending, 0);
  });

  test("F08: a child that is gone already is left alone", () => {
    const { clock, did, shutdown } = ladder();
    shutdown.childEnded();
    shutdown.begin(5_000);
    clock.advance(60_000);
    assert.deepEqual(did, []);
    assert.strictEqual(clock.pending, 0);
  });

  test("F12: beginning again shortens the wait and never lengthens it", () => {
    const { clock, did, shutdown } = ladder();
    shutdown.begin(5_000);
    clock.advance(1_000);
    shutdown.begin(9_000);
    shutdown.begin(2_000);
    shutdown.begin(3_500);
    assert.strictEqual(clock.pending, 1);
    clock.advance(60_000);
    assert.deepEqual(did, ["end@0", "SIGTERM@3000", "SIGKILL@8000"]);
  });

  test("no grace: SIGTERM at once, after the end of input; begun again during it, nothing is repeated", () => {
    const { clock, did, shutdown } = ladder(50);
    shutdown.begin(0);
    assert.deepEqual(did, ["end@0", "SIGTERM@0"]);
    shutdown.begin(0);
    clock.advance(50);
    shutdown.begin(0);
    assert.deepEqual(did, ["end@0", "SIGTERM@0", "SIGKILL@50"]);
  });

  test("an endless grace, or endless patience, waits; a shorter one later still counts", () => {
    const { clock, did, shutdown } = ladder(Infinity);
    shutdown.begin(Infinity);
    clock.advance(1e9);
    assert.deepEqual(did, ["end@0"]);
    shutdown.begin(10);
    clock.advance(1e9);
    assert.deepEqual(did, ["end@0", `SIGTERM@${1e9 + 10}`]);
    assert.strictEqual(clock.pending, 0);
  });
});
