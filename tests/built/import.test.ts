import { assert } from "chai";
import { RUNTIMES, withConsumer } from "./consumer.ts";

/** Imports the root and tells what that changed in its host, and what the root exports. */
const PROBE = `
  const look = () => ({
    globals: Object.getOwnPropertyNames(globalThis).sort().join(),
    env: globalThis.Deno ? "" : JSON.stringify(process.env),
    listeners: globalThis.Deno ? "" : process.eventNames().map((n) => String(n) + process.listenerCount(n)).sort().join(),
  });
  await import("./nothing.mjs");
  const before = look();
  const root = await import("@tether/agent");
  const after = look();
  const changed = Object.keys(before).filter((key) => before[key] !== after[key]);
  console.log(JSON.stringify({ changed, names: Object.keys(root).sort() }));
`;

Deno.test("the root can be imported without peers or permissions, and changes nothing", (t) =>
  withConsumer([], async (consumer) => {
    await consumer.write("nothing.mjs", "export {};\n");
    const probe = await consumer.write("probe.mjs", PROBE);
    const exported = Object.keys(await import("../../mod.ts")).sort();
    assert.isNotEmpty(exported);
    for (const runtime of RUNTIMES) {
      await t.step(runtime, async () => {
        const { code, output, stderr } = await consumer.run(runtime, probe);
        assert.deepEqual([code, stderr], [0, ""], output);
        const told = JSON.parse(output) as { changed: string[]; names: string[] };
        assert.deepEqual(told, { changed: [], names: exported });
      });
    }
  }));
