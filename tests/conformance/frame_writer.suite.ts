import { assert } from "chai";
import { type Deferred, deferred } from "../../src/core/deferred.ts";
import { FrameWriter, type Lane } from "../../src/core/protocol/frame_writer.ts";
import { type Sink, sinkOf, SinkStream } from "../../src/core/streams/sink.ts";
import { suite } from "../harness/suite.ts";
import { settle } from "../harness/virtual_clock.ts";
import { until } from "../harness/until.ts";

/** A sink that takes a write when told to. */
class HandSink implements Sink {
  readonly linewise = false;
  readonly #breaks = deferred<unknown>();
  readonly broken: Promise<unknown> = this.#breaks.promise;
  readonly writes: string[] = [];
  readonly ends: string[] = [];
  #open: Deferred<void> | undefined;

  write(data: Uint8Array | string): Promise<void> {
    assert.isUndefined(this.#open, "one write at a time");
    this.writes.push(typeof data === "string" ? data : new TextDecoder().decode(data));
    this.#open = deferred();
    return this.#open.promise;
  }

  close(): Promise<void> {
    this.ends.push("closed");
    return Promise.resolve();
  }

  abort(reason: unknown): Promise<void> {
    this.ends.push(`aborted: ${String(reason)}`);
    return Promise.resolve();
  }

  take(): void {
    const open = this.#open;
    this.#open = undefined;
    open?.resolve();
  }

  refuse(cause: unknown): void {
    const open = this.#open;
    this.#open = undefined;
    open?.reject(cause);
  }

  break(cause: unknown): void {
    this.#breaks.resolve(cause);
  }
}

interface Scene {
  readonly sink: HandSink;
  readonly writer: FrameWriter;
  /** Causes of what broke. */
  readonly broken: unknown[];
  /** Lines that were taken, and those that were not, with a `!`. */
  readonly done: string[];
  push(text: string, lane?: Lane): { withdraw(): boolean };
}

function open(): Scene {
  const sink = new HandSink();
  const broken: unknown[] = [];
  const done: string[] = [];
  const writer = new FrameWriter(new SinkStream(sink), (error) => broken.push(error.cause));
  const push: Scene["push"] = (text, lane = "control") =>
    writer.push(`${text}\n`, lane, (failure) => done.push(failure === undefined ? text : `${text}!`));
  return { sink, writer, broken, done, push };
}

export default suite("frame writer", (test) => {
  test("the first line goes out at once; what is said in the same turn goes out as one write, in order", async () => {
    const { sink, done, push } = open();
    push("a");
    assert.deepEqual(sink.writes, ["a\n"], "nobody waits for company");
    for (const text of ["b", "c", "d"]) push(text);
    sink.take();
    await until(() => sink.writes.length === 2);
    assert.deepEqual(sink.writes, ["a\n", "b\nc\nd\n"]);
    assert.deepEqual(done, ["a"], "what is on its way has not been taken");
    sink.take();
    await until(() => done.length === 4);
    assert.deepEqual(done, ["a", "b", "c", "d"]);
  });

  test("what is withdrawn while it waits is not in the write; what is in it cannot be withdrawn", async () => {
    const { sink, push } = open();
    push("a");
    const [, c] = [push("b"), push("c"), push("d")];
    assert.isTrue(c!.withdraw());
    sink.take();
    await until(() => sink.writes.length === 2);
    assert.strictEqual(sink.writes[1], "b\nd\n");
    assert.isFalse(c!.withdraw());
  });

  test("a write is no longer than a pipe, but for a line that is by itself", async () => {
    const { sink, push } = open();
    const long = "x".repeat(40_000);
    push("a");
    for (const text of [long, "b", long, "y".repeat(100_000), "c"]) push(text);
    for (let count = 2; count <= 5; count++) {
      sink.take();
      await until(() => sink.writes.length === count);
    }
    assert.deepEqual(sink.writes.map((text) => text.length), [2, 40_003, 40_001, 100_001, 2]);
  });

  test("prompts go one by one, behind the control lines that wait", async () => {
    const { sink, writer, push } = open();
    push("p1", "prompt");
    for (const text of ["p2", "p3"]) push(text, "prompt");
    for (const text of ["c1", "c2"]) push(text);
    for (let count = 2; count <= 4; count++) {
      assert.strictEqual(writer.unsentPrompts, [3, 2, 2][count - 2]);
      sink.take();
      await until(() => sink.writes.length === count);
    }
    assert.deepEqual(sink.writes, ["p1\n", "c1\nc2\n", "p2\n", "p3\n"]);
  });

  test("a write that fails fails every line in it, and those that wait", async () => {
    const { sink, writer, broken, done, push } = open();
    push("a");
    for (const text of ["b", "c"]) push(text);
    push("p", "prompt");
    sink.take();
    await until(() => sink.writes.length === 2);
    sink.refuse("EPIPE");
    await until(() => done.length === 4);
    assert.deepEqual(done, ["a", "b!", "c!", "p!"]);
    assert.deepEqual(broken, ["EPIPE"]);
    assert.strictEqual(writer.unsentPrompts, 1);
  });

  test("a sink that breaks between two writes is noticed without a write", async () => {
    const { sink, writer, broken } = open();
    sink.break("gone");
    await until(() => broken.length === 1);
    assert.deepEqual(broken, ["gone"]);
    assert.isTrue(writer.ended);
  });

  test("the end of input comes after what waits; giving up does not wait", async () => {
    const scene = open();
    scene.push("a");
    scene.push("b");
    void scene.writer.end();
    scene.sink.take();
    await until(() => scene.sink.writes.length === 2);
    assert.deepEqual(scene.sink.ends, []);
    scene.sink.take();
    await until(() => scene.sink.ends.length === 1);
    assert.deepEqual(scene.sink.ends, ["closed"]);
    const other = open();
    other.push("a");
    other.push("b");
    other.writer.abort("enough");
    assert.deepEqual(other.sink.ends, ["aborted: enough"]);
    assert.deepEqual(other.done, ["a!", "b!"]);
    other.sink.take();
    await settle();
    assert.deepEqual(other.sink.writes, ["a\n"], "nothing is written after that");
  });

  test("any other stream gets a line a chunk", async () => {
    const chunks: string[] = [];
    const stream = new WritableStream<Uint8Array>({
      write: (chunk) => void chunks.push(new TextDecoder().decode(chunk)),
    });
    const writer = new FrameWriter(stream, () => {});
    for (const text of ["a", "b", "c"]) writer.push(`${text}\n`, "control", () => {});
    await until(() => chunks.length === 3);
    assert.deepEqual(chunks, ["a\n", "b\n", "c\n"]);
  });

  test("a sink that is used as a stream takes what is written, tells when it breaks, and is locked once taken", async () => {
    const sink = new HandSink();
    const stream = new SinkStream(sink);
    const writer = stream.getWriter();
    const write = writer.write(new TextEncoder().encode("a"));
    await until(() => sink.writes.length === 1);
    sink.take();
    await write;
    sink.break("gone");
    assert.strictEqual(await writer.closed.then(() => "closed", (reason) => reason), "gone");
    const taken = new SinkStream(new HandSink());
    sinkOf(taken);
    assert.isTrue(taken.locked);
    assert.throws(() => sinkOf(taken), TypeError);
  });
});
