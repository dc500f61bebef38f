/** How long it takes to read what the CLI writes and to parse each line, with nothing of an SDK. */

import { readAssignment, report } from "../process/assignment.ts";
import { lineParser, type Split } from "../process/line_parsers.ts";
import { watchMainThread } from "../process/main_thread_watch.ts";
import { type Api, startRawChild } from "../process/raw_child.ts";
import { largestMemoryMb, processorMs } from "../process/resources.ts";
import { INITIALIZE, PROMPT } from "../process/stream_json.ts";

const { cli, cliEnv, folder, parameters } = readAssignment<
  { script: string; api: Api; split: Split; watch?: boolean }
>();
const stopWatching = parameters.watch ? watchMainThread() : undefined;
const processorBefore = processorMs();
let startedAt = 0;
let endedAt = 0;
const child = await startRawChild({
  command: cli,
  cwd: folder,
  env: { ...cliEnv, BENCH_SCRIPT: parameters.script },
  api: parameters.api,
});
child.write(INITIALIZE + PROMPT);
child.end();
await child.read(lineParser(parameters.split, ({ type }) => {
  if (type === "system") startedAt = performance.now();
  else if (type === "result") endedAt = performance.now();
}));
report({
  ms: endedAt - startedAt,
  processorMs: processorMs() - processorBefore,
  memoryMb: largestMemoryMb(),
  ...stopWatching === undefined ? {} : { gapMs: stopWatching() },
});
