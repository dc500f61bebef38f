/** Where bytes come from: a stream with its source inside, read with and without the stream. */

import { assert } from "chai";
import { type Source, sourceOf, type SourceResult, SourceStream } from "../../src/core/streams/source.ts";
import { rejection } from "../harness/rejects.ts";
import { suite } from "../harness/suite.ts";
import { settle } from "../harness/virtual_clock.ts";

/** Gives numbers up to a last one, and counts what is asked of it. */
class Numbers implements Source<number> {
  reads = 0;
  cancelled: unknown[] = [];
  readonly #last: number;

  constructor(last: number) {
    this.#last = last;
  }

  read(): Promise<SourceResult<number>> {
    this.reads++;
    return Promise.resolve(this.reads > this.#last ? { done: true } : { done: false, value: this.reads });
  }

  cancel(reason?: unknown): Promise<void> {
    this.cancelled.push(reason);
    return Promise.resolve();
  }
}

export default suite("source", (test) => {
  test("as a stream it is asked only when the stream is, and ends with it", async () => {
    const source = new Numbers(2);
    const stream = new SourceStream(source);
    await settle();
    assert.strictEqual(source.reads, 0);
    const reader = stream.getReader();
    assert.deepEqual(await reader.read(), { done: false, value: 1 });
    await settle();
    assert.strictEqual(source.reads, 1);
    assert.deepEqual(await reader.read(), { done: false, value: 2 });
    assert.isTrue((await reader.read()).done);
  });

  test("cancelling the stream cancels the source, with its reason; a failed read is the stream's error", async () => {
    const source = new Numbers(2);
    const reason = new Error("enough");
    await new SourceStream(source).cancel(reason);
    assert.deepEqual(source.cancelled, [reason]);
    const broken = new Error("broken");
    const failing: Source<number> = { read: () => Promise.reject(broken), cancel: () => Promise.resolve() };
    assert.strictEqual(await rejection(new SourceStream(failing).getReader().read()), broken);
  });

  test("taken out of its stream it is the source itself, and the stream is locked", () => {
    const source = new Numbers(2);
    const stream = new SourceStream(source);
    assert.strictEqual(sourceOf(stream), source);
    assert.isTrue(stream.locked);
    assert.throws(() => sourceOf(stream), TypeError);
  });

  test("where somebody has read from the stream before, nothing is overtaken", async () => {
    const source = new Numbers(3);
    const stream = new SourceStream(source);
    const first = stream.getReader();
    assert.strictEqual((await first.read()).value, 1);
    first.releaseLock();
    const rest = sourceOf(stream);
    assert.notStrictEqual(rest, source);
    assert.strictEqual((await rest.read()).value, 2);
  });

  test("any other stream is read by its own reader", async () => {
    const stream = new ReadableStream<string>({
      start(controller) {
        controller.enqueue("a");
        controller.close();
      },
    });
    const source = sourceOf(stream);
    assert.isTrue(stream.locked);
    assert.strictEqual((await source.read()).value, "a");
    assert.isTrue((await source.read()).done);
  });
});
