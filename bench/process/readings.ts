import process from "node:process";
import { children, heapMb, memoryMb, openDescriptors } from "./resources.ts";
import { sleep } from "./sleep.ts";

/** What there is after some queries. */
export interface Reading {
  readonly queries: number;
  readonly memoryMb: number;
  readonly heapMb: number;
  readonly descriptors: number;
  readonly children: number;
  readonly exitListeners: number;
}

/** How often, and when, a process is looked at. */
export interface ReadingsPlan {
  readonly queries: number;
  /** Even: what is judged begins in the middle. */
  readonly readings: number;
}

/** Runs a query again and again, and tells what has grown. */
export async function queriesInTurn(
  { queries, readings }: ReadingsPlan,
  query: () => Promise<void>,
): Promise<Record<string, unknown>> {
  const taken: Reading[] = [];
  let busyMs = 0;
  for (let done = 1; done <= queries; done++) {
    const startedAt = performance.now();
    await query();
    busyMs += performance.now() - startedAt;
    if (done % (queries / readings) === 0) taken.push(await read(done));
  }
  // A runtime takes memory for good in its first hundreds of queries: what is judged is the second half.
  const middle = taken[readings / 2 - 1]!;
  const last = taken.at(-1)!;
  return {
    memoryGrowthMb: last.memoryMb - middle.memoryMb,
    heapGrowthMb: last.heapMb - middle.heapMb,
    descriptorGrowth: last.descriptors - middle.descriptors,
    children: last.children,
    listenerGrowth: last.exitListeners - middle.exitListeners,
    msPerQuery: busyMs / queries,
    readings: taken,
  };
}

async function read(queries: number): Promise<Reading> {
  // What goes by itself is given the time to go.
  for (let round = 0; round < 2; round++) {
    heapMb();
    await sleep(50);
  }
  const heap = heapMb();
  return {
    queries,
    memoryMb: memoryMb(),
    heapMb: heap,
    descriptors: openDescriptors(),
    children: children(),
    exitListeners: process.listenerCount("exit"),
  };
}
