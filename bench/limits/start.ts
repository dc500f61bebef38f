/** From the start of the process, and from the spawn, to the first message and to the result; no SDK. */

import { mark, readAssignment, report } from "../process/assignment.ts";
import { lineParser } from "../process/line_parsers.ts";
import { type Api, startRawChild } from "../process/raw_child.ts";
import { INITIALIZE, PROMPT } from "../process/stream_json.ts";

const { cli, cliEnv, folder, parameters } = readAssignment<{ api: Api; args: readonly string[] }>();
const askedAt = performance.now();
let firstAt: number | undefined;
const child = await startRawChild({
  command: cli,
  args: parameters.args,
  cwd: folder,
  env: { ...cliEnv, BENCH_SCRIPT: "messages n=1 size=400" },
  api: parameters.api,
});
child.write(INITIALIZE + PROMPT);
await child.read(lineParser("bytes", ({ type, subtype }) => {
  if (firstAt === undefined && type === "system" && subtype === "init") {
    firstAt = performance.now();
    mark("first");
  }
  if (type !== "result") return;
  mark("result");
  child.end();
}));
await child.exited;
report({ queryToFirst: firstAt! - askedAt });
