/** What may happen to a query: its consumer, its prompt, its callbacks, its CLI and the clock, in any order. */

import fc from "fast-check";
import type { JsonObject } from "../../../src/core/json.ts";
import type { CliTraits } from "./fuzz_cli.ts";

const nth = fc.nat(6);

/** What a callback comes to: at once, or when its gate is opened. */
const decision = fc.constantFrom(
  "allow",
  "allow",
  "allow with input",
  "deny",
  "deny and interrupt",
  "null",
  "nothing",
  "rubbish",
  "reject",
);

/** Any JSON in the fields that steer a session. */
const anyFrame: fc.Arbitrary<JsonObject> = fc.tuple(
  fc.constantFrom(
    "system",
    "system",
    "system",
    "result",
    "command_lifecycle",
    "conversation_reset",
    "keep_alive",
    "transcript_mirror",
    "control_request",
    "control_response",
    "control_cancel_request",
    "user",
    "assistant",
    "new",
  ),
  fc.dictionary(
    fc.constantFrom(
      "state",
      "tasks",
      "command_uuid",
      "session_id",
      "hook_id",
      "hook_name",
      "task_id",
      "task_type",
      "patch",
      "status",
      "request_id",
      "request",
      "response",
      "startup_mark",
      "commands",
      "is_error",
      "errors",
      "message",
      "uuid",
      "__proto__",
      "constructor",
    ),
    fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom<unknown>(
        "idle",
        "running",
        "requires_action",
        "started",
        "completed",
        "cancelled",
        "local_agent",
        [
          { task_id: "t", task_type: "local_agent" },
        ],
        { status: "completed" },
        { subtype: "can_use_tool" },
        { subtype: "mcp_message" },
        null,
      ),
    ),
    { maxKeys: 5 },
  ),
  fc.constantFrom(
    "init",
    "session_state_changed",
    "background_tasks_changed",
    "task_started",
    "task_updated",
    "task_notification",
    "hook_started",
    "hook_response",
    "control_request_progress",
    "commands_changed",
    "success",
    "new",
  ),
).map(([type, fields, subtype]) => ({ type, subtype, ...fields } as JsonObject));

const kinds = {
  // The CLI.
  begin: fc.record({ kind: fc.constant("begin" as const) }),
  text: fc.record({ kind: fc.constant("text" as const), size: fc.constantFrom(1, 10, 400) }),
  result: fc.record({ kind: fc.constant("result" as const), error: fc.constantFrom(false, false, true) }),
  idle: fc.record({ kind: fc.constant("idle" as const) }),
  tasks: fc.record({ kind: fc.constant("tasks" as const), count: fc.nat(1) }),
  permission: fc.record({
    kind: fc.constant("permission" as const),
    decision,
    gated: fc.boolean(),
    agent: fc.boolean(),
  }),
  question: fc.record({ kind: fc.constant("question" as const), decision, gated: fc.boolean() }),
  hook: fc.record({
    kind: fc.constant("hook" as const),
    decision,
    gated: fc.boolean(),
    id: fc.constantFrom("hook_0", "hook_0", "hook_1", "hook_9"),
  }),
  other: fc.record({
    kind: fc.constant("other" as const),
    subtype: fc.constantFrom("elicitation", "request_user_dialog", "remote_tool_call", "mcp_message", "unheard_of"),
  }),
  repeat: fc.record({ kind: fc.constant("repeat" as const), nth }),
  takeBack: fc.record({ kind: fc.constant("take back" as const), nth }),
  cliAnswer: fc.record({
    kind: fc.constant("CLI answers" as const),
    nth,
    how: fc.constantFrom("success", "error", "list"),
  }),
  frame: fc.record({ kind: fc.constant("frame" as const), frame: anyFrame }),
  noise: fc.record({
    kind: fc.constant("noise" as const),
    text: fc.constantFrom("", "banner", "[1]", '{"torn":', "null"),
  }),
  // The consumer.
  next: fc.record({ kind: fc.constant("next" as const), count: fc.integer({ min: 1, max: 6 }) }),
  call: fc.record({
    kind: fc.constant("call" as const),
    what: fc.constantFrom(
      "interrupt",
      "interrupt",
      "setModel",
      "setPermissionMode",
      "mcpServerStatus",
      "readFile",
      "stopTask",
      "sessionId",
      "initializationResult",
      "supportedCommands",
      "reinitialize",
      "setMcpServers",
    ),
  }),
  input: fc.record({
    kind: fc.constant("input" as const),
    what: fc.constantFrom("a text", "a list", "a source that throws", "a source that hangs", "rubbish", "nothing"),
  }),
  answerPermission: fc.record({ kind: fc.constant("answer permission" as const), nth, allow: fc.boolean() }),
  gate: fc.record({ kind: fc.constant("open gate" as const), nth }),
  prompt: fc.record({ kind: fc.constant("prompt" as const), what: fc.constantFrom("a line", "the end", "a failure") }),
  // Time.
  time: fc.record({ kind: fc.constant("time" as const), ms: fc.constantFrom(1, 1_900, 2_100, 5_100, 61_000, 700_000) }),
  turn: fc.record({ kind: fc.constant("turn" as const) }),
  // The ways out.
  stop: fc.record({
    kind: fc.constant("stop" as const),
    how: fc.constantFrom("close", "return", "throw", "dispose", "abort", "break", "close twice"),
  }),
  death: fc.record({
    kind: fc.constant("death" as const),
    how: fc.constantFrom(
      "leaves",
      "leaves with 1",
      "is killed",
      "ends its output",
      "breaks its output",
      "reads no more",
      "leaves in a record",
      "says too much",
    ),
  }),
};

type Kinds = typeof kinds;

/** One thing that happens. */
export type QueryStep = { [Kind in keyof Kinds]: Kinds[Kind] extends fc.Arbitrary<infer T> ? T : never }[keyof Kinds];

const WEIGHTS: Readonly<Record<keyof Kinds, number>> = {
  begin: 5,
  text: 8,
  result: 5,
  idle: 4,
  tasks: 2,
  permission: 7,
  question: 2,
  hook: 5,
  other: 2,
  repeat: 2,
  takeBack: 4,
  cliAnswer: 4,
  frame: 2,
  noise: 1,
  next: 8,
  call: 6,
  input: 4,
  answerPermission: 3,
  gate: 6,
  prompt: 4,
  time: 4,
  turn: 10,
  stop: 1,
  death: 1,
};

/** Any story of a query. */
export const queryStory: fc.Arbitrary<QueryStep[]> = fc.array(
  fc.oneof(
    ...(Object.keys(kinds) as (keyof Kinds)[]).map((kind) => ({
      weight: WEIGHTS[kind],
      arbitrary: kinds[kind] as fc.Arbitrary<QueryStep>,
    })),
  ),
  { maxLength: 50, size: "max" },
);

/** What differs from query to query. */
export interface QueryTraits extends CliTraits {
  readonly prompt: "a text" | "a source" | "nothing";
  readonly queueBytes: number;
  readonly permissionMs: number;
  readonly blockOnFailure: boolean;
  /** How it ends when the story is over. */
  readonly ending: "close" | "abort" | "the CLI leaves" | "the CLI falls silent" | "both ends at once";
}

/** Any traits. */
export const queryTraits: fc.Arbitrary<QueryTraits> = fc.record({
  initialize: fc.oneof(
    { weight: 8, arbitrary: fc.constant("answers" as const) },
    { weight: 1, arbitrary: fc.constantFrom("refuses", "is silent", "answers rubbish", "is too old") },
  ),
  answers: fc.boolean(),
  leavesAtEnd: fc.constantFrom(true, true, false),
  leavesAtTerm: fc.constantFrom(true, false),
  prompt: fc.constantFrom("a text", "a source", "a source", "nothing"),
  queueBytes: fc.constantFrom(300, 100_000),
  permissionMs: fc.constantFrom(Infinity, Infinity, 1_500),
  blockOnFailure: fc.constantFrom(false, false, true),
  ending: fc.constantFrom("close", "abort", "the CLI leaves", "the CLI falls silent", "both ends at once"),
});
