import { apisOf, type Cell, type Measure, sdkSides } from "../plan.ts";

/** Many queries at once. */
export const manyQueries: Measure = {
  name: "many_queries",
  title: "50 queries at once",
  about:
    "50 queries started together, each with a CLI of its own that sends 500 messages of 1 KB, until the last of them is over.",
  rounds: "every",
  figures: [
    { key: "ms", title: "time, ms", better: "less" },
    { key: "lastFirstMs", title: "last of the first messages, ms", better: "less" },
    { key: "processorMs", title: "processor time of the process, ms", better: "less" },
    { key: "memoryMb", title: "largest memory of the process, MB", better: "less" },
    { key: "descriptors", title: "most open descriptors", better: "less" },
  ],
  cells(runtime, setting) {
    const smoke = setting.size === "smoke";
    const parameters = { queries: smoke ? 5 : 50, script: `messages n=${smoke ? 20 : 500} size=1024` };
    const raw = apisOf(runtime).map((api): Cell => (
      {
        cases: ["50 × 500 × 1 KB"],
        side: "raw",
        way: api,
        program: "limits/many_queries",
        parameters: { ...parameters, api },
      }
    ));
    return [
      ...sdkSides(setting).map((side): Cell => (
        { cases: ["50 × 500 × 1 KB"], side, program: "programs/many_queries", parameters }
      )),
      ...raw,
    ];
  },
};
