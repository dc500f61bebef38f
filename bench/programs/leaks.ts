/** Many queries one after the other: what is left of each. */

import { loadSdk } from "../adapters/sdk.ts";
import { readAssignment, report } from "../process/assignment.ts";
import { queriesInTurn, type ReadingsPlan } from "../process/readings.ts";

const { cli, cliEnv, folder, sdk: place, parameters } = readAssignment<ReadingsPlan & { script: string }>();
const sdk = await loadSdk(place!);

report(
  await queriesInTurn(parameters, async () => {
    const messages = sdk.query("go", {
      pathToClaudeCodeExecutable: cli,
      cwd: folder,
      env: { ...cliEnv, BENCH_SCRIPT: parameters.script },
      hooks: { PreToolUse: [{ hooks: [() => Promise.resolve({})] }] },
    });
    for await (const _ of messages);
  }),
);
