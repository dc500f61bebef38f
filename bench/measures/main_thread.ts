import { apisOf, type Cell, type Measure, sdkSides } from "../plan.ts";

/** What comes in meanwhile. */
const STREAMS = [
  {
    case: "300 B messages",
    script: "messages n=200000 size=300 kind=partial",
    small: "messages n=4000 size=300 kind=partial",
  },
  { case: "1 MB messages", script: "messages n=200 size=1000000 kind=tool_result", small: "messages n=4 size=1000000" },
] as const;

/** How long a timer waits while messages flood in. */
export const mainThread: Measure = {
  name: "main_thread",
  title: "The main thread while messages come in",
  about: "The longest time a timer of 5 ms came late while a stream was received as fast as it comes.",
  rounds: "few",
  figures: [{ key: "gapMs", title: "longest gap, ms", better: "less" }],
  cells(runtime, setting) {
    return STREAMS.flatMap((stream): Cell[] => {
      const script = setting.size === "smoke" ? stream.small : stream.script;
      const raw = apisOf(runtime).map((api): Cell => ({
        cases: [stream.case],
        side: "raw",
        way: `${api}, split text`,
        program: "limits/throughput",
        parameters: { script, api, split: "text", watch: true },
      }));
      const sdks = sdkSides(setting).map((side): Cell => ({
        cases: [stream.case],
        side,
        program: "programs/throughput",
        parameters: { script, watch: true },
      }));
      return [...sdks, ...raw];
    });
  },
};
