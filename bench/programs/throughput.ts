/** How long an SDK's loop takes to receive what the CLI writes, from the first message to the result. */

import { loadSdk, type SdkMessage } from "../adapters/sdk.ts";
import { readAssignment, report } from "../process/assignment.ts";
import { watchMainThread } from "../process/main_thread_watch.ts";
import { largestMemoryMb, processorMs } from "../process/resources.ts";
import { turnFigures } from "../process/turn_figures.ts";

const { cli, cliEnv, folder, sdk: place, parameters } = readAssignment<
  { script: string; watch?: boolean; maxMessageBytes?: number }
>();
const sdk = await loadSdk(place!);
const stopWatching = parameters.watch ? watchMainThread() : undefined;
const processorBefore = processorMs();
let startedAt = 0;
let endedAt = 0;
let messages = 0;
let result: SdkMessage | undefined;
const messagesOfQuery = sdk.query("go", {
  pathToClaudeCodeExecutable: cli,
  cwd: folder,
  env: { ...cliEnv, BENCH_SCRIPT: parameters.script },
  includePartialMessages: true,
  ...parameters.maxMessageBytes === undefined ? {} : { maxMessageBytes: parameters.maxMessageBytes },
});
for await (const message of messagesOfQuery) {
  if (messages++ === 0) startedAt = performance.now();
  if (message.type === "result") {
    endedAt = performance.now();
    result = message;
  }
}
const [sent] = turnFigures(result!);
// The first is the beginning of the turn, the last its result.
if (messages - 2 !== sent!.messages) throw new Error(`${sent!.messages} messages were sent, ${messages - 2} came`);
report({
  ms: endedAt - startedAt,
  processorMs: processorMs() - processorBefore,
  memoryMb: largestMemoryMb(),
  ...stopWatching === undefined ? {} : { gapMs: stopWatching() },
});
