import { assert } from "chai";
import fc from "fast-check";
import { type MemoryTransportPair, memoryTransportPair } from "../../src/testing/mod.ts";
import { rejection } from "../harness/rejects.ts";
import { suite } from "../harness/suite.ts";

const text = (chunk: Uint8Array | string | undefined) =>
  chunk === undefined ? undefined : typeof chunk === "string" ? chunk : new TextDecoder().decode(chunk);

async function readAll(stream: ReadableStream<Uint8Array | string>): Promise<string> {
  const reader = stream.getReader();
  let all = "";
  for (let next = await reader.read(); !next.done; next = await reader.read()) all += text(next.value);
  return all;
}

/** Lets everything that is ready to run run. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setTimeout(resolve, 0));
}

function cliWrites(pair: MemoryTransportPair, ...parts: string[]): Promise<void> {
  const writer = pair.cli.writable.getWriter();
  return parts.reduce((before, part) => before.then(() => writer.write(part)), Promise.resolve())
    .finally(() => writer.releaseLock());
}

export default suite("transport in memory", (test) => {
  test("what one end writes the other reads, both ways", async () => {
    const pair = memoryTransportPair();
    const host = pair.transport.writable.getWriter();
    await host.write(new TextEncoder().encode("to the CLI"));
    await host.close();
    assert.strictEqual(await readAll(pair.cli.readable), "to the CLI");
    await cliWrites(pair, "to the host");
    pair.cli.exit();
    assert.strictEqual(await readAll(pair.transport.readable), "to the host");
    assert.deepEqual(await pair.transport.exited, { code: 0, signal: null, stderrTail: "" });
  });

  test("bytes come through whole, however they are cut", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 20 }), async (chunks) => {
        const pair = memoryTransportPair({ capacityBytes: 64 });
        const writing = (async () => {
          const writer = pair.cli.writable.getWriter();
          for (const chunk of chunks) await writer.write(chunk);
          pair.cli.exit();
        })();
        const got: number[] = [];
        const reader = pair.transport.readable.getReader();
        for (let next = await reader.read(); !next.done; next = await reader.read()) {
          got.push(...next.value as Uint8Array);
        }
        await writing;
        assert.deepEqual(got, chunks.flatMap((chunk) => [...chunk]));
      }),
      { seed: 20, numRuns: 50 },
    );
  });

  test("a writer waits when nobody reads, and goes on when somebody does", async () => {
    const pair = memoryTransportPair({ capacityBytes: 10 });
    let accepted = 0;
    const writer = pair.cli.writable.getWriter();
    const writing = (async () => {
      for (let count = 0; count < 20; count++) {
        await writer.write("12345");
        accepted++;
      }
    })();
    await settled();
    assert.strictEqual(accepted, 2);
    const reader = pair.transport.readable.getReader();
    for (let read = 0; read < 100;) read += (await reader.read()).value!.length;
    await writing;
    assert.strictEqual(accepted, 20);
    pair.cli.exit();
  });

  test("the writer may use its buffer again", async () => {
    const pair = memoryTransportPair();
    const writer = pair.transport.writable.getWriter();
    const buffer = new TextEncoder().encode("first");
    await writer.write(buffer);
    buffer.fill(0);
    assert.strictEqual(text((await pair.cli.readable.getReader().read()).value), "first");
    pair.cli.exit();
  });

  test("after the exit writes of the host fail, and what was written before it is still read", async () => {
    const pair = memoryTransportPair();
    await cliWrites(pair, "last words");
    pair.cli.exit({ code: 3, stderrTail: "tail" });
    pair.cli.exit({ code: 4 });
    assert.deepEqual(await pair.transport.exited, { code: 3, signal: null, stderrTail: "tail" });
    await rejection(pair.transport.writable.getWriter().write(new Uint8Array([1])));
    assert.strictEqual(await readAll(pair.transport.readable), "last words");
  });

  test("a host that gives up reading breaks the writes of the CLI", async () => {
    const pair = memoryTransportPair({ capacityBytes: 4 });
    const stuck = rejection(cliWrites(pair, "123456", "more"));
    await settled();
    await pair.transport.readable.cancel();
    await stuck;
    pair.cli.exit();
  });

  test("an aborted writable breaks the reads of the CLI", async () => {
    const pair = memoryTransportPair();
    const reading = rejection(readAll(pair.cli.readable));
    await pair.transport.writable.abort(new Error("gone"));
    assert.strictEqual((await reading as Error).message, "gone");
    pair.cli.exit();
  });

  test("the CLI can end its output and live on", async () => {
    const pair = memoryTransportPair();
    await pair.cli.writable.close();
    assert.strictEqual(await readAll(pair.transport.readable), "");
    const writer = pair.transport.writable.getWriter();
    await writer.write(new TextEncoder().encode("still there?"));
    assert.strictEqual(text((await pair.cli.readable.getReader().read()).value), "still there?");
    pair.cli.exit();
  });

  test("close ends the input first, also while the host holds the writable", async () => {
    const pair = memoryTransportPair();
    pair.transport.writable.getWriter();
    const closing = pair.transport.close();
    assert.strictEqual(await readAll(pair.cli.readable), "");
    assert.isFalse(pair.cli.terminated.aborted);
    pair.cli.exit();
    await closing;
    await pair.transport.close();
  });

  test("close goes on to SIGTERM after the grace, and to the end by force (F05, F07)", async () => {
    const pair = memoryTransportPair({ graceMs: 1, termMs: 1 });
    const order: string[] = [];
    pair.cli.terminated.addEventListener("abort", () => order.push("SIGTERM"));
    void pair.transport.exited.then(({ signal }) => order.push(String(signal)));
    await pair.transport.close();
    assert.deepEqual(order, ["SIGTERM", "SIGKILL"]);
    assert.deepEqual(await pair.transport.exited, { code: null, signal: "SIGKILL", stderrTail: "" });
  });

  test("a CLI that leaves on SIGTERM is not forced (F07)", async () => {
    const pair = memoryTransportPair({ graceMs: 60_000 });
    pair.cli.terminated.addEventListener("abort", () => pair.cli.exit({ code: 143 }));
    const slow = pair.transport.close();
    await pair.transport.close({ graceMs: 0 });
    await slow;
    assert.strictEqual((await pair.transport.exited).code, 143);
  });

  test("a longer grace asked for later does not lengthen the wait", async () => {
    const pair = memoryTransportPair({ termMs: 1 });
    const first = pair.transport.close({ graceMs: 1 });
    const second = pair.transport.close({ graceMs: 60_000 });
    await Promise.all([first, second]);
    assert.strictEqual((await pair.transport.exited).signal, "SIGKILL");
  });
});
