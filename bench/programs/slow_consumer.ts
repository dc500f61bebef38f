/** A consumer that reads slowly for a second and then stops, while the CLI has far more to say. */

import { loadSdk } from "../adapters/sdk.ts";
import { readAssignment, report } from "../process/assignment.ts";
import { readProgress } from "../process/fast_cli_progress.ts";
import { memoryMb } from "../process/resources.ts";
import { sleep } from "../process/sleep.ts";

const { cli, cliEnv, folder, sdk: place, parameters } = readAssignment<
  { progress: string; offeredMb: number; readMs: number; pauseMs: number }
>();
const { progress, offeredMb, readMs, pauseMs } = parameters;
const sdk = await loadSdk(place!);
const memoryBefore = memoryMb();
const abortController = new AbortController();
const messages = sdk.query("go", {
  pathToClaudeCodeExecutable: cli,
  cwd: folder,
  env: {
    ...cliEnv,
    BENCH_SCRIPT: `messages size=4096 n=${Math.floor(offeredMb * 1e6 / 4096)}`,
    BENCH_PROGRESS: progress,
  },
  abortController,
})[Symbol.asyncIterator]();
let read = 0;
for (const startedAt = performance.now(); performance.now() - startedAt < readMs; read++) {
  await messages.next();
  await sleep(1);
}
await sleep(pauseMs);
const { bytes, blocked } = readProgress(progress);
const memoryGrowthMb = memoryMb() - memoryBefore;
// Not through report(): the CLI would be left writing to nobody.
abortController.abort();
await Promise.race([messages.return?.().catch(() => {}), sleep(500)]);
report({ memoryGrowthMb, takenMb: bytes / 1e6, blocked: blocked ? 1 : 0, read });
