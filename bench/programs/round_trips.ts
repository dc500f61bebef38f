/** How long the CLI waits for a hook, a permission or a tool of an in-process server, as the CLI measures it. */

import { HeldPrompt } from "../adapters/held_prompt.ts";
import { loadSdk, type SdkOptions } from "../adapters/sdk.ts";
import { readAssignment, report } from "../process/assignment.ts";
import { processorMs } from "../process/resources.ts";
import { callFigures, type StepFigures, turnFigures } from "../process/turn_figures.ts";

const { cli, cliEnv, folder, sdk: place, parameters } = readAssignment<
  { kind: "hook" | "permission" | "mcp"; open: number; count: number; warm: number }
>();
const { kind, open, count, warm } = parameters;
const sdk = await loadSdk(place!);
const asked: Partial<SdkOptions> = kind === "hook"
  ? { hooks: { PreToolUse: [{ hooks: [() => Promise.resolve({})] }] } }
  : kind === "permission"
  ? { canUseTool: (_, input) => Promise.resolve({ behavior: "allow", updatedInput: input }) }
  : { mcpServers: await sdk.addServer() };

const prompt = new HeldPrompt();
const processorBefore = processorMs();
let steps: StepFigures[] = [];
const messages = sdk.query(prompt.messages(), {
  pathToClaudeCodeExecutable: cli,
  cwd: folder,
  env: { ...cliEnv, BENCH_SCRIPT: `calls kind=${kind} open=${open} n=${count} warm=${warm}` },
  ...asked,
});
for await (const message of messages) {
  if (message.type !== "result") continue;
  steps = turnFigures(message);
  prompt.end();
}
const { p50, p99, perSecond } = callFigures(steps);
report({ p50, p99, perSecond, processorUs: (processorMs() - processorBefore) * 1000 / (count + warm) });
