import { giantLine } from "./measures/giant_line.ts";
import { importing } from "./measures/importing.ts";
import { leaks } from "./measures/leaks.ts";
import { mainThread } from "./measures/main_thread.ts";
import { manyQueries } from "./measures/many_queries.ts";
import { roundTrips } from "./measures/round_trips.ts";
import { slowConsumer } from "./measures/slow_consumer.ts";
import { stalledHook } from "./measures/stalled_hook.ts";
import { start } from "./measures/start.ts";
import { throughput } from "./measures/throughput.ts";
import type { Measure } from "./plan.ts";

/** Every measure, in the order of the tables. A new one is a file in `measures/` and a line here. */
export const MEASURES: readonly Measure[] = [
  throughput,
  mainThread,
  giantLine,
  roundTrips,
  importing,
  start,
  slowConsumer,
  stalledHook,
  manyQueries,
  leaks,
];
