import { apisOf, type Cell, type Measure, sdkSides } from "../plan.ts";

/** What 1,000 queries leave behind. The same number runs first: on Deno memory grows to its level over about 900. */
export const leaks: Measure = {
  name: "leaks",
  title: "1,000 queries, one after the other",
  about:
    "What grows over 1,000 queries after 1,000 others (in a quick run 200 after 200), each with a hook and 20 messages; garbage is collected before each reading. The limit " +
    "starts a process and parses what it writes.",
  rounds: "once",
  figures: [
    { key: "memoryGrowthMb", title: "memory gained, MB", better: "less", noRatio: true },
    { key: "heapGrowthMb", title: "live objects gained, MB", better: "less", noRatio: true },
    { key: "descriptorGrowth", title: "descriptors gained", better: "less", noRatio: true },
    { key: "children", title: "children left", better: "less", noRatio: true },
    { key: "listenerGrowth", title: "exit listeners gained", better: "less", noRatio: true },
    { key: "msPerQuery", title: "time per query, ms", better: "less" },
  ],
  cells(runtime, setting) {
    const queries = { full: 2000, quick: 400, smoke: 20 }[setting.size];
    const shared = { cases: ["1,000"], gc: true };
    const parameters = { queries, readings: 10, script: "messages n=20 size=1024" };
    return [
      ...sdkSides(setting).map((side): Cell => ({ ...shared, side, program: "programs/leaks", parameters })),
      ...apisOf(runtime).map((api): Cell => (
        { ...shared, side: "raw", way: api, program: "limits/leaks", parameters: { ...parameters, api } }
      )),
    ];
  },
  details(records) {
    const rows = records.flatMap(({ runtime, side, way, figures }) => {
      if (figures === undefined) return [];
      const readings = figures.readings as readonly Reading[];
      const texts = readings.map(({ memoryMb, heapMb }) => `${memoryMb.toFixed(0)} / ${heapMb.toFixed(1)}`);
      return [`| ${runtime} | ${NAMES[side]} ${way} | ${texts.join(" | ")} |`];
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

const NAMES = { raw: "limit,", tether: "Tether", official: "official SDK" };

/** What the program read, as far as it is shown. */
interface Reading {
  readonly queries: number;
  readonly memoryMb: number;
  readonly heapMb: number;
}
