/** Many children one after the other: what the runtime itself keeps of each. */

import { readAssignment, report } from "../process/assignment.ts";
import { lineParser } from "../process/line_parsers.ts";
import { type Api, startRawChild } from "../process/raw_child.ts";
import { queriesInTurn, type ReadingsPlan } from "../process/readings.ts";
import { INITIALIZE, PROMPT } from "../process/stream_json.ts";

const { cli, cliEnv, folder, parameters } = readAssignment<ReadingsPlan & { script: string; api: Api }>();
const env = { ...cliEnv, BENCH_SCRIPT: parameters.script };

report(
  await queriesInTurn(parameters, async () => {
    const child = await startRawChild({ command: cli, cwd: folder, env, api: parameters.api });
    child.write(INITIALIZE + PROMPT);
    child.end();
    await child.read(lineParser("bytes", () => {}));
    await child.exited;
  }),
);
