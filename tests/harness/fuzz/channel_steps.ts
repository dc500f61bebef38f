/** What may happen to a connection, in any order: its host, its peer, its streams and the clock. */

import fc from "fast-check";

/** Few, so that they meet; of both types, and one that looks like the other. */
export const IDS: readonly (string | number)[] = ["a", "b", "c", 1, 2, "1"];

const id = fc.constantFrom(...IDS);
const nth = fc.nat(12);

/** How a chunk comes: by itself, with what is said next, or torn in pieces. */
const cut = fc.constantFrom("alone", "alone", "with the next", "torn");

const kinds = {
  // The host asks.
  request: fc.record({
    kind: fc.constant("request" as const),
    subtype: fc.constantFrom("get_status", "get_status", "initialize", "set_model"),
    timeoutMs: fc.constantFrom(undefined, undefined, 0, 50, 700, Infinity),
    abortable: fc.boolean(),
  }),
  abort: fc.record({ kind: fc.constant("abort" as const), nth }),
  answer: fc.record({
    kind: fc.constant("answer" as const),
    nth,
    cut,
    how: fc.constantFrom("payload", "payload", "empty", "null", "error", "mute error", "rubbish", "list"),
  }),
  progress: fc.record({ kind: fc.constant("progress" as const), nth, cut }),
  // The peer asks.
  ask: fc.record({
    kind: fc.constant("ask" as const),
    cut,
    id: fc.oneof({ weight: 6, arbitrary: id }, {
      weight: 1,
      arbitrary: fc.constantFrom<unknown>(undefined, null, {}, true),
    }),
    subtype: fc.oneof({ weight: 8, arbitrary: fc.constantFrom("hook_callback", "can_use_tool", "mcp_message") }, {
      weight: 1,
      arbitrary: fc.constantFrom<unknown>(undefined, 5, null),
    }),
    how: fc.constantFrom(
      "at once",
      "at once",
      "gated",
      "gated",
      "throws",
      "throws text",
      "rejects",
      "left open",
      "never",
      "rubbish",
      "list",
    ),
  }),
  redeliver: fc.record({ kind: fc.constant("redeliver" as const), id }),
  takeBack: fc.record({
    kind: fc.constant("take back" as const),
    served: fc.option(nth, { nil: undefined }),
    id: fc.oneof({ weight: 8, arbitrary: id as fc.Arbitrary<unknown> }, {
      weight: 1,
      arbitrary: fc.constantFrom<unknown>(undefined, {}),
    }),
    cut,
  }),
  gate: fc.record({
    kind: fc.constant("open gate" as const),
    nth,
    how: fc.constantFrom("resolve", "resolve", "reject", "leave open", "never"),
  }),
  respond: fc.record({
    kind: fc.constant("respond" as const),
    id,
    served: fc.option(nth, { nil: undefined }),
    error: fc.boolean(),
  }),
  // Lines and messages.
  send: fc.record({ kind: fc.constant("send" as const), good: fc.constantFrom(true, true, true, false) }),
  data: fc.record({
    kind: fc.constant("data" as const),
    cut,
    type: fc.constantFrom("assistant", "user", "stream_event", "result", "brand_new", "system", "command_lifecycle"),
    size: fc.oneof({ weight: 4, arbitrary: fc.nat(300) }, { weight: 1, arbitrary: fc.nat(4_000) }),
    hide: fc.constantFrom(false, false, false, true),
  }),
  // Several in one chunk: what does not fit is held, and what comes after it as well.
  burst: fc.record({
    kind: fc.constant("burst" as const),
    sizes: fc.array(fc.constantFrom(1, 40, 120, 260, 900, 2_900), { minLength: 2, maxLength: 6 }),
    type: fc.constantFrom("assistant", "result"),
  }),
  take: fc.record({ kind: fc.constant("take" as const), count: fc.integer({ min: 1, max: 5 }) }),
  hook: fc.record({ kind: fc.constant("hook" as const), cut, started: fc.boolean(), id: fc.constantFrom("h", "i", 5) }),
  noise: fc.record({
    kind: fc.constant("noise" as const),
    cut,
    text: fc.constantFrom(
      "",
      "banner",
      "[1]",
      "null",
      '{"type":"control_',
      '{"type":"control_response"}',
      '{"type":"control_response","response":{"subtype":"success","request_id":"unknown"}}',
      '{"type":"control_response","response":{"subtype":"success","request_id":7,"response":{}}}',
      '{"type":"keep_alive"}',
      '{"type":"keep_alive","startup_mark":"m"}',
      '{"type":"transcript_mirror","filePath":"f","entries":[]}',
      '{"type":"system","subtype":"control_request_progress","request_id":{}}',
      '{"type":"system","subtype":"hook_response"}',
    ),
  }),
  // Streams and time.
  block: fc.record({ kind: fc.constant("block" as const), on: fc.boolean() }),
  time: fc.record({ kind: fc.constant("time" as const), ms: fc.constantFrom(1, 49, 51, 660, 60_000, 700_000) }),
  turn: fc.record({ kind: fc.constant("turn" as const) }),
  // The ways out, at any time and more than one.
  death: fc.record({
    kind: fc.constant("death" as const),
    how: fc.constantFrom(
      "output ends",
      "output ends in a record",
      "output ends without a line end",
      "output breaks",
      "output is too long",
      "input breaks",
      "idle input breaks",
      "input ends",
      "input is abandoned",
      "drain",
      "drain with a farewell",
      "fail",
      "the observer throws",
    ),
  }),
};

type Kinds = typeof kinds;

/** One thing that happens. */
export type ChannelStep = { [Kind in keyof Kinds]: Kinds[Kind] extends fc.Arbitrary<infer T> ? T : never }[keyof Kinds];

/** The ways out. */
export type Death = Extract<ChannelStep, { kind: "death" }>["how"];

const WEIGHTS: Readonly<Record<keyof Kinds, number>> = {
  request: 8,
  abort: 3,
  answer: 8,
  progress: 2,
  ask: 10,
  redeliver: 1,
  takeBack: 5,
  gate: 5,
  respond: 4,
  send: 5,
  data: 9,
  burst: 3,
  take: 6,
  hook: 2,
  noise: 3,
  block: 4,
  time: 5,
  turn: 9,
  death: 1,
};

/** Any story of a connection. */
export const channelStory: fc.Arbitrary<ChannelStep[]> = fc.array(
  fc.oneof(
    ...(Object.keys(kinds) as (keyof Kinds)[]).map((kind) => ({
      weight: WEIGHTS[kind],
      arbitrary: kinds[kind] as fc.Arbitrary<ChannelStep>,
    })),
  ),
  { maxLength: 60, size: "max" },
);

/** What differs from connection to connection. */
export interface ChannelTraits {
  readonly queueBytes: number;
  /** The peer takes any number of lines in one write. */
  readonly joinsLines: boolean;
  /** The peer is read below its Web stream. */
  readonly readsBelow: boolean;
  /** What `explainEnd` does. */
  readonly explain: "absent" | "names it" | "knows nothing" | "throws";
  /** How it ends when the story is over. */
  readonly ending: "fail" | "drain" | "output ends" | "output ends without a line end";
}

/** Any traits. */
export const channelTraits: fc.Arbitrary<ChannelTraits> = fc.record({
  queueBytes: fc.constantFrom(200, 1_000, 3_000),
  joinsLines: fc.boolean(),
  readsBelow: fc.boolean(),
  explain: fc.constantFrom("absent", "names it", "knows nothing", "throws"),
  ending: fc.constantFrom("fail", "drain", "output ends", "output ends without a line end"),
});
