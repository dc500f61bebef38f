/** How long the CLI waits for an answer that costs one parse, one text and one write. */

import { readAssignment, report } from "../process/assignment.ts";
import { lineParser } from "../process/line_parsers.ts";
import { type Api, startRawChild } from "../process/raw_child.ts";
import { processorMs } from "../process/resources.ts";
import { INITIALIZE, PROMPT } from "../process/stream_json.ts";
import { callFigures, type StepFigures, turnFigures } from "../process/turn_figures.ts";

const { cli, cliEnv, folder, parameters } = readAssignment<{ api: Api; open: number; count: number; warm: number }>();
const { api, open, count, warm } = parameters;
const processorBefore = processorMs();
let steps: StepFigures[] = [];
const child = await startRawChild({
  command: cli,
  cwd: folder,
  env: { ...cliEnv, BENCH_SCRIPT: `calls kind=hook open=${open} n=${count} warm=${warm}` },
  api,
});
child.write(INITIALIZE + PROMPT);
await child.read(lineParser("bytes", (value) => {
  if (value.type === "control_request") {
    const response = { subtype: "success", request_id: value.request_id, response: {} };
    child.write(`${JSON.stringify({ type: "control_response", response })}\n`);
  } else if (value.type === "result") {
    steps = turnFigures(value);
    child.end();
  }
}));
const { p50, p99, perSecond } = callFigures(steps);
report({ p50, p99, perSecond, processorUs: (processorMs() - processorBefore) * 1000 / (count + warm) });
