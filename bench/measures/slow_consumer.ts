import { type Cell, type Measure, sdkSides } from "../plan.ts";

/** What a consumer that does not read costs. */
export const slowConsumer: Measure = {
  name: "slow_consumer",
  title: "A consumer that stalls",
  about:
    "The CLI has 1 GB to say, in messages of 4 KB. The consumer reads one message per ms for a second and then nothing. The " +
    "limit is a plain reader that reads on only when its consumer does.",
  rounds: "few",
  figures: [
    { key: "memoryGrowthMb", title: "memory gained, MB", better: "less", noRatio: true },
    { key: "takenMb", title: "taken from the CLI, MB", better: "less", noRatio: true },
    { key: "blocked", title: "the CLI waits", better: "more", yesNo: true },
    { key: "read", title: "messages read before", better: "more", noRatio: true },
  ],
  cells(_, setting) {
    const parameters = {
      full: { offeredMb: 1000, readMs: 1000, pauseMs: 4000 },
      quick: { offeredMb: 1000, readMs: 500, pauseMs: 1500 },
      smoke: { offeredMb: 100, readMs: 200, pauseMs: 300 },
    }[setting.size];
    const sides: readonly Cell["side"][] = [...sdkSides(setting), "raw"];
    return sides.map((side) => (
      { cases: ["1 GB"], side, program: `${side === "raw" ? "limits" : "programs"}/slow_consumer`, parameters }
    ));
  },
};
