/** Frames as they are pulled: nothing is taken that nobody asked for, and what came whole is delivered (D16). */

import { assert } from "chai";
import { CLIConnectionError, CLIJSONDecodeError, MessageTooLargeError } from "../../src/core/errors/mod.ts";
import type { JsonObject } from "../../src/core/json.ts";
import type { Frame } from "../../src/core/streams/frame.ts";
import { FrameDecoder } from "../../src/core/streams/frame_decoder.ts";
import { FrameReader } from "../../src/core/streams/frame_reader.ts";
import { recordStream } from "../../src/core/streams/record_stream.ts";
import { rejection, rejectsWith } from "../harness/rejects.ts";
import { suite } from "../harness/suite.ts";

const OPTIONS = { maxMessageBytes: 100, onDiagnostic: (): void => {} };

/** A source that gives what it is told, one chunk for a pull, and notes what is done to it. */
class Source {
  pulls = 0;
  cancelled: unknown[] = [];
  readonly stream: ReadableStream<Uint8Array | string>;

  constructor(chunks: readonly (string | Uint8Array | Error | undefined)[]) {
    const rest = [...chunks];
    this.stream = new ReadableStream<Uint8Array | string>({
      pull: (controller) => {
        this.pulls++;
        if (rest.length === 0) return controller.close();
        const chunk = rest.shift();
        // Nothing comes: a child that is alive and silent.
        if (chunk === undefined) return new Promise<void>(() => {});
        if (chunk instanceof Error) return controller.error(chunk);
        controller.enqueue(chunk);
      },
      cancel: (reason) => {
        this.cancelled.push(reason);
      },
    }, { highWaterMark: 0 });
  }
}

function readerOf(source: Source): FrameReader {
  return new FrameReader(source.stream, new FrameDecoder(OPTIONS));
}

function records(frames: readonly Frame[] | undefined): (JsonObject | undefined)[] | undefined {
  return frames?.map((frame) => frame.read());
}

/** Long enough for a loop that should not run to show. */
async function someTurns(): Promise<void> {
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setTimeout(resolve, 0));
}

export default suite("framing: reader", (test) => {
  test("a source that nobody reads is not drained", async () => {
    const source = new Source(['{"n":1}\n', '{"n":2}\n', '{"n":3}\n']);
    const reader = readerOf(source);
    await someTurns();
    assert.strictEqual(source.pulls, 0);
    assert.deepEqual(records(await reader.read()), [{ n: 1 }]);
    await someTurns();
    assert.strictEqual(source.pulls, 1);
    await reader.cancel();
    assert.strictEqual(source.pulls, 1);
  });

  test("one read takes one chunk, and another only while no frame is complete", async () => {
    const source = new Source(['{"n":1}\n{"n":2}\n{"n"', ":3", "}", '\n{"n":4}\n', "\n", '{"n":5}']);
    const reader = readerOf(source);
    assert.deepEqual(records(await reader.read()), [{ n: 1 }, { n: 2 }]);
    assert.strictEqual(source.pulls, 1);
    assert.deepEqual(records(await reader.read()), [{ n: 3 }, { n: 4 }]);
    assert.strictEqual(source.pulls, 4);
    assert.deepEqual(records(await reader.read()), [{ n: 5 }]);
    assert.isUndefined(await reader.read());
    assert.isUndefined(await reader.read());
    assert.strictEqual(reader.halfRecordBytes, 0);
    assert.isFalse(source.stream.locked);
  });

  test("output that ends inside a record: the frames, the end, and how much there was of it", async () => {
    const reader = readerOf(new Source(['{"n":1}\n{"n":']));
    assert.deepEqual(records(await reader.read()), [{ n: 1 }]);
    assert.strictEqual(reader.halfRecordBytes, 0);
    assert.isUndefined(await reader.read());
    assert.strictEqual(reader.halfRecordBytes, 5);
  });

  test("frames that came before a record past the limit are delivered before the error", async () => {
    const source = new Source([`{"n":1}\n{"n":"${"x".repeat(100)}`, '"}\n']);
    const reader = readerOf(source);
    assert.deepEqual(records(await reader.read()), [{ n: 1 }]);
    await rejectsWith(reader.read(), MessageTooLargeError);
    await rejectsWith(reader.read(), MessageTooLargeError);
    assert.strictEqual(source.pulls, 1);
    assert.deepEqual(source.cancelled, []);
    await reader.cancel("over");
    assert.deepEqual(source.cancelled, ["over"]);
  });

  test("a source that fails: what came whole before it, then its own error, again and again", async () => {
    const failure = new Error("gone");
    const reader = readerOf(new Source(['{"n":1}\n', "{", failure]));
    assert.deepEqual(records(await reader.read()), [{ n: 1 }]);
    assert.strictEqual(await rejection(reader.read()), failure);
    assert.strictEqual(await rejection(reader.read()), failure);
    await reader.cancel();
  });

  test("a chunk that is neither bytes nor text is a typed error", async () => {
    const reader = readerOf(new Source(['{"n":1}\n', 42 as unknown as string]));
    assert.deepEqual(records(await reader.read()), [{ n: 1 }]);
    assert.strictEqual((await rejectsWith(reader.read(), CLIConnectionError)).code, "bad_chunk");
  });

  test("giving up ends a read that waits, and cancels the source once with the reason", async () => {
    const source = new Source(['{"n":1}\n{"half', undefined]);
    const reader = readerOf(source);
    await reader.read();
    const waiting = reader.read();
    await someTurns();
    await reader.cancel("enough");
    assert.isUndefined(await waiting);
    assert.isUndefined(await reader.read());
    assert.deepEqual(source.cancelled, ["enough"]);
    assert.strictEqual(reader.halfRecordBytes, 0);
  });

  test("giving up after the end, or a source that will not be given up, is no error", async () => {
    const ended = readerOf(new Source([]));
    assert.isUndefined(await ended.read());
    await ended.cancel();
    const stubborn = new ReadableStream<string>({
      cancel() {
        throw new Error("no");
      },
    });
    await new FrameReader(stubborn, new FrameDecoder(OPTIONS)).cancel();
  });

  test("a record stream takes nothing before it is read, and a chunk only when its records are used up", async () => {
    const source = new Source(['{"type":"user","n":1}\n{"n":2}\nnoise\n', '{"n":3}\n']);
    const reader = recordStream(source.stream, OPTIONS).getReader();
    await someTurns();
    assert.strictEqual(source.pulls, 0);
    assert.deepEqual(await reader.read(), { done: false, value: { type: "user", n: 1 } });
    assert.deepEqual(await reader.read(), { done: false, value: { n: 2 } });
    await someTurns();
    assert.strictEqual(source.pulls, 1);
    assert.deepEqual(await reader.read(), { done: false, value: { n: 3 } });
    assert.isTrue((await reader.read()).done);
  });

  test("a record stream ends in the error that fits: half a record, one too large, the source's own", async () => {
    const failure = new Error("gone");
    const cases: [Source, (error: unknown) => void][] = [
      [new Source(['{"n":1}\n{"n":']), (error) => {
        assert.instanceOf(error, CLIJSONDecodeError);
        assert.strictEqual((error as CLIJSONDecodeError).bytes, 5);
      }],
      [new Source(['{"n":1}\n', "x".repeat(101)]), (error) => assert.instanceOf(error, MessageTooLargeError)],
      [new Source(['{"n":1}\n', failure]), (error) => assert.strictEqual(error, failure)],
    ];
    for (const [source, check] of cases) {
      const reader = recordStream(source.stream, OPTIONS).getReader();
      assert.deepEqual((await reader.read()).value, { n: 1 });
      check(await rejection(reader.read()));
      await rejection(reader.closed);
    }
    await someTurns();
    assert.lengthOf(cases[1]![0].cancelled, 1);
  });

  test("a record stream that is cancelled cancels its source, also while it waits", async () => {
    const source = new Source(['{"n":1}\n', undefined]);
    const reader = recordStream(source.stream, OPTIONS).getReader();
    await reader.read();
    const waiting = reader.read();
    await someTurns();
    await reader.cancel("enough");
    assert.isTrue((await waiting).done);
    assert.deepEqual(source.cancelled, ["enough"]);
  });

  test("a record stream skips a frame that turns out broken, and gives the one it is part of", async () => {
    const source = new Source(['{"type":"user","t":"{x}\n', 'y"}\n{"n":2}\n']);
    const reader = recordStream(source.stream, OPTIONS).getReader();
    assert.deepEqual((await reader.read()).value, { type: "user", t: "{x}y" });
    assert.deepEqual((await reader.read()).value, { n: 2 });
    await reader.cancel();
  });
});
