import { type Measure, type RunRecord, sdkSides } from "../plan.ts";

/** A line that no text can hold. */
export const giantLine: Measure = {
  name: "giant_line",
  title: "A line of 600 MB",
  about:
    "Longer than any text that V8 can hold. A query must end with an error that a program can tell apart, in its loop: " +
    "nothing may be thrown outside it, and nothing may be cut off without a word.",
  rounds: "once",
  figures: [
    { key: "typed", title: "ends with a typed error", better: "more", yesNo: true },
    { key: "memoryMb", title: "largest memory of the process, MB", better: "less" },
  ],
  cells(_, setting) {
    const parameters = setting.size === "smoke" ? { mb: 80, patienceMs: 3_000 } : { mb: 600, patienceMs: 20_000 };
    return sdkSides(setting).map((side) => ({ cases: ["600 MB"], side, program: "programs/giant_line", parameters }));
  },
  details(records) {
    return records.map(({ runtime, side, figures, error }) =>
      `- ${runtime}, ${side === "tether" ? "Tether" : "official SDK"}: ${outcome(figures, error)}`
    ).join("\n");
  },
};

function outcome(figures: RunRecord["figures"], error: string | undefined): string {
  return figures === undefined ? `the process died: ${error?.split("\n")[0]}` : String(figures.outcome);
}
