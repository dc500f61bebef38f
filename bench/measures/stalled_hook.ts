import { type Measure, sdkSides } from "../plan.ts";

/** The other side of back-pressure. */
export const stalledHook: Measure = {
  name: "stalled_hook",
  title: "A hook behind a stalled consumer",
  about:
    "The consumer stops at the first message for 3 s; 20 MB of messages are on their way, and behind them a hook is asked for. " +
    "Told is when it is called, after the first message.",
  rounds: "few",
  figures: [{ key: "hookMs", title: "hook called after, ms", better: "less" }],
  cells(_, setting) {
    const parameters = { aheadMb: 20, pauseMs: { full: 3000, quick: 1000, smoke: 400 }[setting.size] };
    return sdkSides(setting).map((side) => ({
      cases: ["20 MB ahead"],
      side,
      program: "programs/stalled_hook",
      parameters,
    }));
  },
};
