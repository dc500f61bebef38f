/** Receivers that come, wait, leave and come back: every message reaches one of them, in order. */
import { assert } from "chai";
import fc from "fast-check";
import type { SDKMessage } from "../../../mod.ts";
import { Inbox } from "../../../src/client/inbox.ts";
import { Mailbox } from "../../harness/mailbox.ts";
import { rejection } from "../../harness/rejects.ts";
import { suite } from "../../harness/suite.ts";

function numbered(n: number): SDKMessage {
  return { type: "numbered", n } as unknown as SDKMessage;
}

const numberOf = (message: SDKMessage): number => (message as unknown as { readonly n: number }).n;

const operation = fc.constantFrom("put", "ask", "leave", "fresh", "turn");

export default suite("inbox", (test) => {
  test("nothing is lost, doubled or out of order, whoever leaves when", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { maxLength: 60 }), async (operations) => {
        const source = new Mailbox<SDKMessage>();
        const inbox = new Inbox(() => source.next() as Promise<IteratorResult<SDKMessage, void>>);
        const got: number[] = [];
        let put = 0;
        let receiver = inbox.receive(() => false);
        const asked: Promise<void>[] = [];
        for (const what of [...operations, "leave", "fresh"]) {
          if (what === "put") source.put(numbered(put++));
          else if (what === "turn") await new Promise((resolve) => setTimeout(resolve, 0));
          else if (what === "leave") await receiver.return();
          else if (what === "fresh") {
            await receiver.return();
            receiver = inbox.receive(() => false);
          } else {
            asked.push(
              receiver.next().then((item) => {
                if (item.done !== true) got.push(numberOf(item.value));
              }),
            );
          }
        }
        await Promise.all(asked);
        source.end();
        for await (const message of receiver) got.push(numberOf(message));
        assert.deepEqual(got, Array.from({ length: put }, (_, n) => n));
      }),
      { seed: 7, numRuns: 150 },
    );
  });

  test("a rejection that nobody was there for goes to the next receiver, once", async () => {
    const failure = new Error("broken");
    let fail = (_: unknown): void => {};
    const items = [
      new Promise<IteratorResult<SDKMessage, void>>((_, reject) => fail = reject),
      Promise.resolve({ done: true, value: undefined } as const),
    ];
    const inbox = new Inbox(() => items.shift()!);
    const first = inbox.receive(() => false);
    const waiting = first.next();
    await Promise.resolve();
    await first.return();
    assert.isTrue((await waiting).done);
    fail(failure);
    await new Promise((resolve) => setTimeout(resolve, 0));
    assert.strictEqual(await rejection(inbox.receive(() => false).next()), failure);
    assert.isTrue((await inbox.receive(() => false).next()).done);
  });

  test("a receiver that was left while it waited holds up nobody, not even for a moment", async () => {
    const source = new Mailbox<SDKMessage>();
    const inbox = new Inbox(() => source.next() as Promise<IteratorResult<SDKMessage, void>>);
    const first = inbox.receive(() => false);
    const waiting = first.next();
    await new Promise((resolve) => setTimeout(resolve, 0));
    void first.return();
    const second = inbox.receive(() => false);
    const next = second.next();
    assert.isTrue((await waiting).done);
    const refused = await rejection(inbox.receive(() => false).next());
    assert.propertyVal(refused, "code", "already_receiving");
    source.put(numbered(0));
    assert.deepEqual(await next, { done: false, value: numbered(0) });
  });
});
