import { type Measure, sdkSides } from "../plan.ts";

/** What 1,000 queries leave behind. */
export const leaks: Measure = {
  name: "leaks",
  title: "1,000 queries, one after the other",
  about:
    "What grows from the 200th to the 1,000th query, each with a hook and 20 messages; garbage is collected before each reading.",
  rounds: "once",
  figures: [
    { key: "memoryGrowthMb", title: "memory gained, MB", better: "less" },
    { key: "heapGrowthMb", title: "live objects gained, MB", better: "less" },
    { key: "descriptorGrowth", title: "descriptors gained", better: "less" },
    { key: "children", title: "children left", better: "less" },
    { key: "listenerGrowth", title: "exit listeners gained", better: "less" },
    { key: "msPerQuery", title: "time per query, ms", better: "less" },
  ],
  cells(_, setting) {
    const queries = { full: 1000, quick: 200, smoke: 20 }[setting.size];
    return sdkSides(setting).map((side) => (
      { cases: ["1,000"], side, program: "programs/leaks", parameters: { queries, readings: 10 }, gc: true }
    ));
  },
  details(records) {
    const rows = records.flatMap(({ runtime, side, figures }) => {
      if (figures === undefined) return [];
      const readings = figures.readings as readonly Reading[];
      const texts = readings.map(({ memoryMb, heapMb }) => `${memoryMb.toFixed(0)} / ${heapMb.toFixed(1)}`);
      return [`| ${runtime} | ${side === "tether" ? "Tether" : "official"} | ${texts.join(" | ")} |`];
    });
    if (rows.length === 0) return "";
    const counts = (records.find(({ figures }) => figures !== undefined)!.figures!.readings as readonly Reading[])
      .map(({ queries }) => queries);
    return [
      "Memory / live objects in MB after so many queries:",
      "",
      `| runtime | | ${counts.join(" | ")} |`,
      `|---|---|${"---|".repeat(counts.length)}`,
      ...rows,
    ].join("\n");
  },
};

/** What the program read, as far as it is shown. */
interface Reading {
  readonly queries: number;
  readonly memoryMb: number;
  readonly heapMb: number;
}
