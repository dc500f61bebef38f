import { assert } from "chai";
import { deferred } from "../../../src/core/deferred.ts";
import { CLIConnectionError } from "../../../src/core/errors/mod.ts";
import { ChildInput } from "../../../src/transport/process/child_input.ts";
import { rejectsWith } from "../../harness/rejects.ts";
import { suite } from "../../harness/suite.ts";
import { until } from "../../harness/until.ts";

/** A child's stdin that takes a write when told to. */
class Stdin {
  readonly stream: WritableStream<Uint8Array>;
  readonly taken: number[] = [];
  ended = false;
  aborted = false;
  #pending: ReturnType<typeof deferred<void>> | undefined;
  readonly #slow: boolean;

  constructor(slow = false) {
    this.#slow = slow;
    this.stream = new WritableStream({
      write: async (chunk) => {
        if (this.#slow) await (this.#pending = deferred<void>()).promise;
        this.taken.push(chunk[0]!);
      },
      close: () => void (this.ended = true),
      abort: () => void (this.aborted = true),
    });
  }

  get waiting(): boolean {
    return this.#pending !== undefined;
  }

  take(): void {
    const pending = this.#pending;
    this.#pending = undefined;
    pending?.resolve();
  }

  refuse(error: Error): void {
    this.#pending?.reject(error);
  }
}

const chunk = (value: number): Uint8Array => new Uint8Array([value]);

export default suite("child input", (test) => {
  test("a write settles when the pipe took it, and closing is the end of input", async () => {
    const stdin = new Stdin();
    const writer = new ChildInput(stdin.stream).writable.getWriter();
    await writer.write(chunk(1));
    assert.deepEqual(stdin.taken, [1]);
    await writer.close();
    assert.isTrue(stdin.ended);
  });

  test("F04: the end comes after everything handed over before it, and is idempotent", async () => {
    const stdin = new Stdin(true);
    const input = new ChildInput(stdin.stream);
    const writer = input.writable.getWriter();
    const writes = Promise.all([1, 2, 3].map((value) => writer.write(chunk(value))));
    input.end();
    input.end();
    for (let taken = 0; taken < 3; taken++) {
      await until(() => stdin.waiting);
      assert.isFalse(stdin.ended);
      stdin.take();
    }
    await writes;
    await until(() => stdin.ended);
    assert.deepEqual(stdin.taken, [1, 2, 3]);
    const error = await rejectsWith(writer.write(chunk(4)), CLIConnectionError);
    assert.strictEqual(error.code, "input_closed");
  });

  test("F15: the end does not come while the child takes nothing, and nothing hangs when it is gone", async () => {
    const stdin = new Stdin(true);
    const input = new ChildInput(stdin.stream);
    const writer = input.writable.getWriter();
    const writes = [writer.write(chunk(1)), writer.write(chunk(2))];
    await until(() => stdin.waiting);
    input.end();
    const gone = new CLIConnectionError("The CLI has ended (exit code 7)", { code: "process_ended" });
    input.fail(gone);
    for (const write of writes) assert.strictEqual(await rejectsWith(write, CLIConnectionError), gone);
    assert.isFalse(stdin.ended);
  });

  test("F02: after the child's end writes reject with how it ended", async () => {
    const stdin = new Stdin();
    const input = new ChildInput(stdin.stream);
    const gone = new CLIConnectionError("The CLI has ended (by SIGKILL)", { code: "process_ended" });
    input.fail(gone);
    const writer = input.writable.getWriter();
    assert.strictEqual(await rejectsWith(writer.write(chunk(1)), CLIConnectionError), gone);
    await until(() => stdin.aborted);
  });

  test("F03: a pipe that breaks rejects the write with the cause", async () => {
    const stdin = new Stdin(true);
    const writer = new ChildInput(stdin.stream).writable.getWriter();
    const write = writer.write(chunk(1));
    await until(() => stdin.waiting);
    const cause = new Error("EPIPE");
    stdin.refuse(cause);
    const error = await rejectsWith(write, CLIConnectionError);
    assert.deepEqual([error.code, error.cause], ["input_closed", cause]);
    await rejectsWith(writer.write(chunk(2)), CLIConnectionError);
  });

  test("F04: closing the input of a child that is gone is no failure", async () => {
    const input = new ChildInput(
      new WritableStream({
        close() {
          throw new Error("EPIPE");
        },
      }),
    );
    await input.writable.getWriter().close();
  });
});
