/** From the start of the process, and from `query()`, to the first message and to the result. */

import { HeldPrompt } from "../adapters/held_prompt.ts";
import { loadSdk } from "../adapters/sdk.ts";
import { mark, readAssignment, report } from "../process/assignment.ts";

const { cli, cliEnv, folder, sdk: place } = readAssignment();
const sdk = await loadSdk(place!);
const prompt = new HeldPrompt();
const askedAt = performance.now();
let firstAt: number | undefined;
const messages = sdk.query(prompt.messages(), {
  pathToClaudeCodeExecutable: cli,
  cwd: folder,
  env: { ...cliEnv, BENCH_SCRIPT: "messages n=1 size=400" },
});
for await (const message of messages) {
  if (firstAt === undefined) {
    firstAt = performance.now();
    mark("first");
  }
  if (message.type !== "result") continue;
  mark("result");
  prompt.end();
}
report({ queryToFirst: firstAt! - askedAt });
