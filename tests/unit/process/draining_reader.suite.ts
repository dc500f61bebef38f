import { assert } from "chai";
import { deferred } from "../../../src/core/deferred.ts";
import { childOutput } from "../../../src/transport/process/child_output.ts";
import { DrainingReader } from "../../../src/transport/process/draining_reader.ts";
import { rejection } from "../../harness/rejects.ts";
import { suite } from "../../harness/suite.ts";
import { VirtualClock } from "../../harness/virtual_clock.ts";

/** A pipe that gives a chunk when told to, counts what is asked of it, and knows whether it was let go. */
class Pipe {
  readonly stream: ReadableStream<Uint8Array>;
  pulls = 0;
  cancelled = false;
  #controller!: ReadableStreamDefaultController<Uint8Array>;

  constructor(onPull: (pipe: Pipe) => void = () => {}) {
    this.stream = new ReadableStream<Uint8Array>({
      start: (controller) => void (this.#controller = controller),
      pull: () => {
        this.pulls++;
        onPull(this);
      },
      cancel: () => void (this.cancelled = true),
    }, { highWaterMark: 0 });
  }

  give(bytes: number): void {
    this.#controller.enqueue(new Uint8Array(bytes));
  }

  close(): void {
    this.#controller.close();
  }

  break(error: unknown): void {
    this.#controller.error(error);
  }
}

export default suite("draining reader", (test) => {
  test("reads to the end of the stream, and no further than asked", async () => {
    const pipe = new Pipe((self) => self.pulls < 3 ? self.give(self.pulls) : self.close());
    const reader = new DrainingReader(pipe.stream, new VirtualClock());
    assert.strictEqual(pipe.pulls, 0);
    assert.lengthOf((await reader.read())!, 1);
    assert.strictEqual(pipe.pulls, 1);
    assert.lengthOf((await reader.read())!, 2);
    assert.isUndefined(await reader.read());
    assert.isUndefined(await reader.read());
  });

  test("while the child lives a read waits for ever, without a timer", async () => {
    const clock = new VirtualClock();
    const pipe = new Pipe();
    const reader = new DrainingReader(pipe.stream, clock);
    const read = reader.read();
    await clock.pass(1e9);
    assert.strictEqual(clock.pending, 0);
    pipe.give(4);
    assert.lengthOf((await read)!, 4);
  });

  test("after the child's end a read that gets nothing is the end, and the pipe is let go", async () => {
    const clock = new VirtualClock();
    const pipe = new Pipe();
    const reader = new DrainingReader(pipe.stream, clock);
    const read = reader.read();
    reader.childEnded();
    await clock.pass(1_000);
    assert.isUndefined(await read);
    assert.isTrue(pipe.cancelled);
    assert.isUndefined(await reader.read());
    assert.strictEqual(clock.pending, 0);
  });

  test("what the child left in the pipe is delivered, however slowly it is asked for", async () => {
    const clock = new VirtualClock();
    const pipe = new Pipe((self) => self.pulls <= 20 ? self.give(100) : undefined);
    const reader = new DrainingReader(pipe.stream, clock);
    reader.childEnded();
    let bytes = 0;
    for (let index = 0; index < 20; index++) {
      await clock.pass(10_000);
      bytes += (await reader.read())!.length;
    }
    assert.strictEqual(bytes, 2_000);
    assert.strictEqual(clock.pending, 0);
    const last = reader.read();
    await clock.pass(1_000);
    assert.isUndefined(await last);
  });

  test("a host that could not look at the clock for long loses nothing: one look is not the end", async () => {
    const clock = new VirtualClock();
    const pipe = new Pipe();
    const reader = new DrainingReader(pipe.stream, clock);
    reader.childEnded();
    const read = reader.read();
    await clock.pass(25);
    pipe.give(7);
    assert.lengthOf((await read)!, 7);
  });

  test("somebody who trickles on cannot keep it open: all waiting together is limited", async () => {
    const clock = new VirtualClock();
    const pipe = new Pipe();
    const reader = new DrainingReader(pipe.stream, clock);
    reader.childEnded();
    let reads = 0;
    for (;; reads++) {
      const read = reader.read();
      await clock.pass(50);
      if (!pipe.cancelled) pipe.give(1);
      if (await read === undefined) break;
      assert.isBelow(reads, 100);
    }
    assert.isTrue(pipe.cancelled);
    assert.strictEqual(clock.pending, 0);
  });

  test("somebody who floods on cannot keep it open either", async () => {
    const pipe = new Pipe((self) => self.give(1024 * 1024));
    const reader = new DrainingReader(pipe.stream, new VirtualClock());
    reader.childEnded();
    let bytes = 0;
    for (let chunk = await reader.read(); chunk !== undefined; chunk = await reader.read()) bytes += chunk.length;
    assert.isTrue(pipe.cancelled);
    assert.isAtLeast(bytes, 16 * 1024 * 1024);
    assert.isBelow(bytes, 20 * 1024 * 1024);
  });

  test("a broken pipe rejects once and is the end afterwards", async () => {
    const pipe = new Pipe();
    const reader = new DrainingReader(pipe.stream, new VirtualClock());
    const read = reader.read();
    const broken = new Error("broken");
    pipe.break(broken);
    assert.strictEqual(await rejection(read), broken);
    assert.isUndefined(await reader.read());
  });

  test("cancelling ends a read that waits", async () => {
    const clock = new VirtualClock();
    const pipe = new Pipe();
    const reader = new DrainingReader(pipe.stream, clock);
    reader.childEnded();
    const read = reader.read();
    await reader.cancel();
    assert.isUndefined(await read);
    assert.isTrue(pipe.cancelled);
    assert.strictEqual(clock.pending, 0);
  });

  test("the output for the consumer is pulled, and cancelling it reaches the pipe", async () => {
    const pipe = new Pipe((self) => self.give(3));
    const output = childOutput(pipe.stream, new VirtualClock());
    const started = deferred<void>();
    setTimeout(() => started.resolve(), 0);
    await started.promise;
    assert.strictEqual(pipe.pulls, 0);
    const reader = output.readable.getReader();
    assert.lengthOf((await reader.read()).value!, 3);
    assert.strictEqual(pipe.pulls, 1);
    await reader.cancel();
    assert.isTrue(pipe.cancelled);
  });
});
