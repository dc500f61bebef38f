/** Waiting for what others bring about: nothing that is found is lost. */
import { assert } from "chai";
import { Watch } from "../../src/testing/watch.ts";
import { rejection } from "../harness/rejects.ts";
import { suite } from "../harness/suite.ts";

export default suite("watch", (test) => {
  test("one that takes what it finds takes one, however fast the next follows", async () => {
    const watch = new Watch();
    const items: number[] = [];
    const take = (): Promise<number> => watch.until(() => items.shift(), Infinity, () => new Error("in vain"));
    const first = take();
    for (const item of [1, 2]) {
      items.push(item);
      watch.changed();
    }
    assert.strictEqual(await first, 1);
    assert.strictEqual(await take(), 2);
    const last = rejection(take());
    watch.end();
    assert.propertyVal(await last, "message", "in vain");
  });
});
