/** Many queries at once, each in a process of its own. */

import { loadSdk } from "../adapters/sdk.ts";
import { readAssignment, report } from "../process/assignment.ts";
import { largestMemoryMb, openDescriptors, processorMs } from "../process/resources.ts";

const { cli, cliEnv, folder, sdk: place, parameters } = readAssignment<{ queries: number; script: string }>();
const sdk = await loadSdk(place!);
const firsts: number[] = [];
let descriptors = 0;
const timer = setInterval(() => descriptors = Math.max(descriptors, openDescriptors()), 20);
const processorBefore = processorMs();
const startedAt = performance.now();

async function run(): Promise<void> {
  let first = true;
  const messages = sdk.query("go", {
    pathToClaudeCodeExecutable: cli,
    cwd: folder,
    env: { ...cliEnv, BENCH_SCRIPT: parameters.script },
  });
  for await (const _ of messages) {
    if (first) firsts.push(performance.now() - startedAt);
    first = false;
  }
}

await Promise.all(Array.from({ length: parameters.queries }, run));
const ms = performance.now() - startedAt;
clearInterval(timer);
report({
  ms,
  lastFirstMs: Math.max(...firsts),
  processorMs: processorMs() - processorBefore,
  memoryMb: largestMemoryMb(),
  descriptors,
});
