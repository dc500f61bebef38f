/** Many children at once, each line parsed, with nothing of an SDK. */

import { readAssignment, report } from "../process/assignment.ts";
import { lineParser } from "../process/line_parsers.ts";
import { type Api, startRawChild } from "../process/raw_child.ts";
import { largestMemoryMb, openDescriptors, processorMs } from "../process/resources.ts";
import { INITIALIZE, PROMPT } from "../process/stream_json.ts";

const { cli, cliEnv, folder, parameters } = readAssignment<{ queries: number; script: string; api: Api }>();
const firsts: number[] = [];
let descriptors = 0;
const timer = setInterval(() => descriptors = Math.max(descriptors, openDescriptors()), 20);
const processorBefore = processorMs();
const startedAt = performance.now();

async function run(): Promise<void> {
  const env = { ...cliEnv, BENCH_SCRIPT: parameters.script };
  const child = await startRawChild({ command: cli, cwd: folder, env, api: parameters.api });
  child.write(INITIALIZE + PROMPT);
  await child.read(lineParser("bytes", ({ type }) => {
    if (type === "system") firsts.push(performance.now() - startedAt);
    else if (type === "result") child.end();
  }));
  await child.exited;
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
