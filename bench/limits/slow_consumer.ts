/** What a plain reader takes that reads on only when its consumer does. */

import { readAssignment, report } from "../process/assignment.ts";
import { readProgress } from "../process/fast_cli_progress.ts";
import { lineParser, type Value } from "../process/line_parsers.ts";
import { startRawChild } from "../process/raw_child.ts";
import { memoryMb } from "../process/resources.ts";
import { sleep } from "../process/sleep.ts";
import { INITIALIZE, PROMPT } from "../process/stream_json.ts";

const { cli, cliEnv, folder, parameters } = readAssignment<
  { progress: string; offeredMb: number; readMs: number; pauseMs: number }
>();
const { progress, offeredMb, readMs, pauseMs } = parameters;
const memoryBefore = memoryMb();
const child = await startRawChild({
  command: cli,
  cwd: folder,
  env: {
    ...cliEnv,
    BENCH_SCRIPT: `messages size=4096 n=${Math.floor(offeredMb * 1e6 / 4096)}`,
    BENCH_PROGRESS: progress,
  },
  api: "node",
});
child.write(INITIALIZE + PROMPT);
const waiting: Value[] = [];
const take = lineParser("bytes", (value) => void waiting.push(value));
const pieces = child.pieces();
let read = 0;
for (const startedAt = performance.now(); performance.now() - startedAt < readMs; read++) {
  while (waiting.length === 0) take((await pieces.next()).value);
  waiting.shift();
  await sleep(1);
}
await sleep(pauseMs);
const { bytes, blocked } = readProgress(progress);
const memoryGrowthMb = memoryMb() - memoryBefore;
child.kill();
report({ memoryGrowthMb, takenMb: bytes / 1e6, blocked: blocked ? 1 : 0, read });
