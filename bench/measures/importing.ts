import { type Cell, type Measure, sdkSides } from "../plan.ts";

/** What an import costs. */
export const importing: Measure = {
  name: "importing",
  title: "Import",
  about: "A program that imports the main module and ends; the limit is an empty program.",
  rounds: "every",
  warmUp: true,
  figures: [
    { key: "wall", title: "whole process, ms", better: "less" },
    { key: "importMs", title: "the import alone, ms", better: "less" },
    { key: "memoryMb", title: "memory at its end, MB", better: "less" },
  ],
  cells(_, setting) {
    const sdks = sdkSides(setting).map((side): Cell => (
      { cases: ["import"], side, program: "programs/import", parameters: {}, stopwatch: true }
    ));
    return [...sdks, { cases: ["import"], side: "raw", program: "limits/empty", parameters: {}, stopwatch: true }];
  },
};
