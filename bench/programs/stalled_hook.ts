/** Whether a hook is answered that the CLI asks for behind messages nobody reads. */

import { HeldPrompt } from "../adapters/held_prompt.ts";
import { loadSdk } from "../adapters/sdk.ts";
import { readAssignment, report } from "../process/assignment.ts";
import { sleep } from "../process/sleep.ts";

const { cli, cliEnv, folder, sdk: place, parameters } = readAssignment<{ aheadMb: number; pauseMs: number }>();
const { aheadMb, pauseMs } = parameters;
const sdk = await loadSdk(place!);
const prompt = new HeldPrompt();
let firstAt: number | undefined;
let hookAt = 0;
const messages = sdk.query(prompt.messages(), {
  pathToClaudeCodeExecutable: cli,
  cwd: folder,
  env: { ...cliEnv, BENCH_SCRIPT: `messages size=4096 n=${Math.floor(aheadMb * 1e6 / 4096)}; calls kind=hook n=1` },
  hooks: {
    PreToolUse: [{
      hooks: [() => {
        hookAt = performance.now();
        return Promise.resolve({});
      }],
    }],
  },
});
for await (const message of messages) {
  if (firstAt === undefined) {
    firstAt = performance.now();
    await sleep(pauseMs);
  }
  if (message.type === "result") prompt.end();
}
report({ hookMs: hookAt - firstAt! });
