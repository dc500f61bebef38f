import { apisOf, type Cell, type Measure, sdkSides } from "../plan.ts";

const KINDS = { hook: "hook", permission: "permission", mcp: "MCP tool" } as const;

/** How long the CLI waits for answers. */
export const roundTrips: Measure = {
  name: "round_trips",
  title: "Round trips",
  about:
    "Control requests of the CLI, timed by the CLI: a hook, a permission callback, a tool of an in-process MCP server, each " +
    "doing next to nothing; one at a time, and 32 open at once. The limit parses each request and writes an answer.",
  rounds: "every",
  figures: [
    { key: "p50", title: "half are answered within, µs", better: "less" },
    { key: "p99", title: "99 of 100 are answered within, µs", better: "less" },
    { key: "perSecond", title: "answers per second", better: "more" },
    { key: "processorUs", title: "processor time per call, start of the child included, µs", better: "less" },
  ],
  cells(runtime, setting) {
    const [count, warm] = ({ full: [5_000, 500], quick: [3_000, 500], smoke: [100, 10] } as const)[setting.size];
    return [1, 32].flatMap((open): Cell[] => {
      const sdks = Object.entries(KINDS).flatMap(([kind, name]) =>
        sdkSides(setting).map((side): Cell => ({
          cases: [`${name}, ${open} open`],
          side,
          program: "programs/round_trips",
          parameters: { kind, open, count, warm },
        }))
      );
      // One limit for the three kinds: it is the same work.
      const raw = apisOf(runtime).map((api): Cell => ({
        cases: Object.values(KINDS).map((name) => `${name}, ${open} open`),
        side: "raw",
        way: api,
        program: "limits/round_trips",
        parameters: { api, open, count, warm },
      }));
      return [...sdks, ...raw];
    });
  },
};
