import { assert } from "chai";
import { query } from "../../mod.ts";
import { scriptedCli } from "../../src/testing/mod.ts";
import { CACHED, CALLS } from "../unit/query/query_calls.ts";
import { OFFICIAL_SURFACE } from "./official_surface.ts";

/** What is no request of its own, or is held to by a body of its own. */
const OTHERS: ReadonlySet<string> = new Set(["close", "next", "return", "throw", "streamInput", "reinitialize"]);

Deno.test("a query has every official method, and each that asks the CLI is held to its words", async () => {
  const running = query({ prompt: [], options: { tether: { transport: scriptedCli([]).transport() } } });
  const methods = running as unknown as Readonly<Record<string, unknown>>;
  for (const name of OFFICIAL_SURFACE.queryMethods) assert.isFunction(methods[name], name);
  await running.close();
  const held = new Set(
    [...CALLS.map(({ name }) => name), ...CACHED.map(([name]) => name)].map((name) => name.split(",")[0]),
  );
  const missing = OFFICIAL_SURFACE.queryMethods.filter((name) => !OTHERS.has(name) && !held.has(name));
  assert.deepEqual(missing, []);
});
