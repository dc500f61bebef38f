/** Many queries one after the other: what is left of each. */

import process from "node:process";
import { loadSdk } from "../adapters/sdk.ts";
import { readAssignment, report } from "../process/assignment.ts";
import { children, heapMb, memoryMb, openDescriptors } from "../process/resources.ts";
import { sleep } from "../process/sleep.ts";

/** What is there after some queries. */
interface Reading {
  readonly queries: number;
  readonly memoryMb: number;
  readonly heapMb: number;
  readonly descriptors: number;
  readonly children: number;
  readonly exitListeners: number;
}

const { cli, cliEnv, folder, sdk: place, parameters } = readAssignment<{ queries: number; readings: number }>();
const { queries, readings } = parameters;
const sdk = await loadSdk(place!);
const taken: Reading[] = [];

async function read(done: number): Promise<void> {
  // What goes by itself is given the time to go.
  for (let round = 0; round < 2; round++) {
    heapMb();
    await sleep(50);
  }
  const heap = heapMb();
  taken.push({
    queries: done,
    memoryMb: memoryMb(),
    heapMb: heap,
    descriptors: openDescriptors(),
    children: children(),
    exitListeners: process.listenerCount("exit"),
  });
}

const startedAt = performance.now();
for (let done = 1; done <= queries; done++) {
  const messages = sdk.query("go", {
    pathToClaudeCodeExecutable: cli,
    cwd: folder,
    env: { ...cliEnv, BENCH_SCRIPT: "messages n=20 size=1024" },
    hooks: { PreToolUse: [{ hooks: [() => Promise.resolve({})] }] },
  });
  for await (const _ of messages);
  if (done % (queries / readings) === 0) await read(done);
}
const msPerQuery = (performance.now() - startedAt) / queries;

// A runtime takes some memory for good in its first hundreds of queries: what is judged is the time after.
const settled = taken[Math.floor((readings - 1) / 5)]!;
const last = taken.at(-1)!;
report({
  memoryGrowthMb: last.memoryMb - settled.memoryMb,
  heapGrowthMb: last.heapMb - settled.heapMb,
  descriptorGrowth: last.descriptors - settled.descriptors,
  children: last.children,
  listenerGrowth: last.exitListeners - settled.exitListeners,
  msPerQuery,
  readings: taken,
});
