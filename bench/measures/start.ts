import { apisOf, type Cell, type Measure, sdkSides } from "../plan.ts";

/** What the real CLI needs to speak JSON. */
const REAL_ARGUMENTS = ["--output-format", "stream-json", "--verbose", "--input-format", "stream-json"];

/** How soon the first message is there. */
export const start: Measure = {
  name: "start",
  title: "Start",
  about:
    "From the start of the process (import included) to the first message and to the result, with the fast CLI, and with the " +
    "real one on a scripted model. The limit starts the CLI without an SDK.",
  rounds: "every",
  warmUp: true,
  figures: [
    { key: "first", title: "start of the process to first message, ms", better: "less" },
    { key: "queryToFirst", title: "`query()` to first message, ms", better: "less" },
    { key: "result", title: "start of the process to result, ms", better: "less" },
  ],
  cells(runtime, setting) {
    return [false, true].flatMap((realCli): Cell[] => {
      const shared = { cases: [realCli ? "real CLI" : "fast CLI"], realCli, stopwatch: true };
      const raw = apisOf(runtime).map((api): Cell => (
        {
          ...shared,
          side: "raw",
          way: api,
          program: "limits/start",
          parameters: { api, args: realCli ? REAL_ARGUMENTS : [] },
        }
      ));
      return [
        ...sdkSides(setting).map((side): Cell => ({ ...shared, side, program: "programs/start", parameters: {} })),
        ...raw,
      ];
    });
  },
};
