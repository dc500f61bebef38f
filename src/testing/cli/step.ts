import type { JsonObject, JsonValue } from "../../core/json.ts";
import type { CliStage } from "./cli_stage.ts";
import type { ControlReplier } from "./control_reply.ts";
import { frame } from "./frame.ts";
import type { FramePattern } from "./frame_pattern.ts";

/** Settings of {@linkcode step.ask}. */
export interface AskOptions {
  /** What the host's `response` (`{ subtype, response | error }`) must look like. Default: anything. */
  readonly check?: FramePattern;
  /** Go on without waiting; {@linkcode step.answered} and {@linkcode step.cancel} refer to it by this name. */
  readonly as?: string;
  /** Id of the request. Default a new UUID, as the CLI uses. */
  readonly requestId?: string;
}

/** Waits for a frame of the host. */
export interface ExpectStep {
  /** Discriminator. */
  readonly kind: "expect";
  /** For error texts. */
  readonly what: string;
  /** What it looks like. */
  readonly pattern: FramePattern;
  /** For a control request: the answer. */
  readonly reply?: ControlReplier;
}

/** Waits for a user line and opens a turn on it. */
export interface BeginStep {
  /** Discriminator. */
  readonly kind: "begin";
  /** What the line looks like. */
  readonly pattern: FramePattern;
  /** Laid over `system/init`; null leaves the frame out. */
  readonly init: JsonObject | null;
}

/** Ends a turn with a result. */
export interface FinishStep {
  /** Discriminator. */
  readonly kind: "finish";
  /** The result; undefined makes one from the last text. */
  readonly result: JsonObject | undefined;
  /** Laid over it. */
  readonly fields: JsonObject;
  /** Whether the session becomes idle, if no line waits. */
  readonly idle: boolean;
}

/** Writes frames. */
export interface EmitStep {
  /** Discriminator. */
  readonly kind: "emit";
  /** The frames, in order. */
  readonly frames: readonly JsonObject[];
}

/** Writes bytes as they are. */
export interface RawStep {
  /** Discriminator. */
  readonly kind: "raw";
  /** The bytes, as base64. */
  readonly base64: string;
}

/** Writes frames byte by byte as it is told: in pieces, not to the end, damaged. */
export interface PiecesStep {
  /** Discriminator. */
  readonly kind: "pieces";
  /** The frames, in order. */
  readonly frames: readonly JsonObject[];
  /** Bytes of each piece; the list is gone through again and again. */
  readonly sizes: readonly number[];
  /** Between two pieces. */
  readonly pauseMs: number;
  /** So many bytes and no more; below 0: all but so many. */
  readonly upTo: number | undefined;
  /** Bytes written in place of others, from `at` on; below 0: counted from the end of the last line. */
  readonly corrupt: { readonly at: number; readonly bytes: readonly number[] } | undefined;
}

/** How {@linkcode step.pieces} writes. */
export interface PiecesOptions {
  /** Bytes of each piece, or of each in turn, again and again. Default: all in one. */
  readonly sizes?: number | readonly number[];
  /** Milliseconds between two pieces. Default 0. */
  readonly pauseMs?: number;
  /** Write so many bytes and no more; below 0: all but so many. */
  readonly upTo?: number;
  /** Write these bytes in place of others, from `at` on; below 0: counted from the end of the last line. */
  readonly corrupt?: { readonly at: number; readonly bytes: readonly number[] };
}

/** Asks the host. */
export interface AskStep {
  /** Discriminator. */
  readonly kind: "ask";
  /** The request, its subtype included. */
  readonly request: JsonObject;
  /** How. */
  readonly options: AskOptions;
}

/** Deals with a request asked before. */
export interface AskedStep {
  /** Discriminator: waits for its answer, or takes it back. */
  readonly kind: "answered" | "cancel";
  /** The name it was given. */
  readonly as: string;
  /** What the answer must look like. */
  readonly check: FramePattern | undefined;
}

/** Does something to the process. */
export type ProcessStep =
  | {
    /** Waits. */
    readonly kind: "sleep";
    /** Milliseconds. */
    readonly ms: number;
  }
  | {
    /** Writes to stderr. */
    readonly kind: "stderr";
    /** The text; a line break is not added. */
    readonly text: string;
  }
  | {
    /** `eof` waits for the end of input, `closeOutput` ends the output, `closeInput` lets go of the input, `stopReading` reads no input any longer, `hang` waits until it is ended. */
    readonly kind: "eof" | "closeOutput" | "closeInput" | "stopReading" | "hang";
  }
  | {
    /** Ends it. */
    readonly kind: "exit";
    /** Exit code. */
    readonly code: number;
  }
  | {
    /** Ends it by a signal to itself. */
    readonly kind: "kill";
    /** Which. */
    readonly signal: "SIGKILL" | "SIGTERM" | "SIGINT";
  };

/** Runs code: for what no other step says. Cannot be played by a program of its own. */
export interface RunStep {
  /** Discriminator. */
  readonly kind: "run";
  /** The code. */
  readonly run: (stage: CliStage) => void | Promise<void>;
  /** Subtypes of control requests that it takes itself; others are answered by default. */
  readonly takes: readonly string[];
}

/** One step of a {@linkcode scriptedCli}; made by {@linkcode step}. */
export type CliStep =
  | ExpectStep
  | BeginStep
  | FinishStep
  | EmitStep
  | RawStep
  | PiecesStep
  | AskStep
  | AskedStep
  | ProcessStep
  | RunStep;

/** Steps, nested as is convenient. */
export type CliScript = readonly (CliStep | CliScript)[];

/** Settings of {@linkcode step.turn}. */
export interface TurnStepOptions {
  /** What the user line looks like. Default: any. */
  readonly user?: FramePattern;
  /** Laid over `system/init`. */
  readonly init?: JsonObject;
  /** Played after `system/init`, before the text: tool calls, asks, pauses. */
  readonly during?: CliScript;
  /** Laid over the result. */
  readonly result?: JsonObject;
}

/** Makes the steps of a {@linkcode scriptedCli}. */
export const step: {
  /** Waits for `initialize` and answers it; `reply` is laid over {@linkcode frame.initializeReply}. Without this step it is answered all the same. */
  initialize(reply?: JsonObject): CliStep;
  /** Waits for a control request of the host and answers it; default: a success without a payload. */
  request(subtype: string, reply?: ControlReplier): CliStep;
  /** Waits for a user line; says nothing back. A string is the text it must have. */
  user(pattern?: string | FramePattern): CliStep;
  /** Waits for any frame. */
  expect(pattern: FramePattern, what?: string): CliStep;
  /** A whole turn as the CLI plays it: user line, lifecycle and state frames, init, text, result. */
  turn(text: string, options?: TurnStepOptions): CliScript;
  /** Waits for a user line and opens a turn: state `running`, lifecycle `queued` and `started`, init. */
  begin(pattern?: string | FramePattern, init?: JsonObject | null): CliStep;
  /** Ends a turn: result (default: a success with the last text), lifecycle `completed`, state `idle`. */
  finish(options?: {
    /** The whole result. */
    readonly result?: JsonObject;
    /** Laid over the result. */
    readonly fields?: JsonObject;
    /** Default true; false where background work goes on. */
    readonly idle?: boolean;
  }): CliStep;
  /** Writes one assistant frame per block; a string is a text block. */
  assistant(...blocks: (string | JsonObject)[]): CliStep;
  /** Writes a tool's result. */
  toolResult(toolUseId: string, content: JsonValue, fields?: JsonObject): CliStep;
  /** Writes frames; a missing `uuid` and `session_id` is filled in. */
  emit(...frames: JsonObject[]): CliStep;
  /** Writes text or bytes as they are: broken lines, banners, torn UTF-8. */
  raw(data: string | Uint8Array): CliStep;
  /**
   * Writes frames in pieces of given sizes (a number, or several in turn), with pauses, up to a byte, or with wrong bytes in
   * them. With `upTo` a line stays unfinished: the host waits for its rest.
   */
  pieces(frames: JsonObject | readonly JsonObject[], options?: PiecesOptions): CliStep;
  /** Sends a control request (`can_use_tool`, `hook_callback`, `mcp_message`, …) and waits for the answer. */
  ask(request: JsonObject, options?: AskOptions): CliStep;
  /** Waits for the answer to an ask that was not waited for. */
  answered(as: string, check?: FramePattern): CliStep;
  /** Takes an ask back. */
  cancel(as: string): CliStep;
  /** Waits. */
  sleep(ms: number): CliStep;
  /** Writes to stderr. */
  stderr(text: string): CliStep;
  /** Waits for the end of input. */
  eof(): CliStep;
  /** Ends the output and lives on. */
  closeOutput(): CliStep;
  /** Lets go of the input and lives on: the host's next writes fail (the first of them may be lost without a word). */
  closeInput(): CliStep;
  /** Reads no input any longer: the host's writes pile up. */
  stopReading(): CliStep;
  /** Does nothing until it is ended from outside, whatever comes in. */
  hang(): CliStep;
  /** Ends with a code. */
  exit(code: number): CliStep;
  /** Ends by a signal to itself. */
  kill(signal: "SIGKILL" | "SIGTERM" | "SIGINT"): CliStep;
  /** Runs code. `takes` names the control requests it takes itself. In-memory only. */
  run(run: (stage: CliStage) => void | Promise<void>, takes?: readonly string[]): CliStep;
} = {
  initialize: (reply = {}) => ({
    kind: "expect",
    what: "initialize",
    pattern: requestPattern("initialize"),
    reply: { initialize: reply },
  }),
  request: (subtype, reply = {}) => ({
    kind: "expect",
    what: `the control request ${subtype}`,
    pattern: requestPattern(subtype),
    reply,
  }),
  user: (pattern = {}) => ({
    kind: "expect",
    what: typeof pattern === "string" ? `a user line that says ${JSON.stringify(pattern)}` : "a user line",
    pattern: userPattern(pattern),
  }),
  expect: (pattern, what = "a frame") => ({ kind: "expect", what, pattern }),
  turn: (text, options = {}) => [
    step.begin(options.user, options.init),
    ...options.during ?? [],
    step.assistant(text),
    step.finish(options.result === undefined ? {} : { fields: options.result }),
  ],
  begin: (pattern = {}, init = {}) => ({ kind: "begin", pattern: userPattern(pattern), init }),
  finish: (options = {}) => ({
    kind: "finish",
    result: options.result,
    fields: options.fields ?? {},
    idle: options.idle ?? true,
  }),
  assistant: (...blocks) => ({ kind: "emit", frames: blocks.map((item) => frame.assistant(item)) }),
  toolResult: (toolUseId, content, fields) => ({
    kind: "emit",
    frames: [frame.toolResult(toolUseId, content, fields)],
  }),
  emit: (...frames) => ({ kind: "emit", frames }),
  raw: (data) => ({ kind: "raw", base64: toBase64(typeof data === "string" ? new TextEncoder().encode(data) : data) }),
  pieces: (frames, { sizes = Number.MAX_SAFE_INTEGER, pauseMs = 0, upTo, corrupt } = {}) => ({
    kind: "pieces",
    frames: isFrameList(frames) ? [...frames] : [frames],
    sizes: typeof sizes === "number" ? [sizes] : [...sizes],
    pauseMs,
    upTo,
    corrupt,
  }),
  ask: (request, options = {}) => ({ kind: "ask", request, options }),
  answered: (as, check) => ({ kind: "answered", as, check }),
  cancel: (as) => ({ kind: "cancel", as, check: undefined }),
  sleep: (ms) => ({ kind: "sleep", ms }),
  stderr: (text) => ({ kind: "stderr", text }),
  eof: () => ({ kind: "eof" }),
  closeOutput: () => ({ kind: "closeOutput" }),
  closeInput: () => ({ kind: "closeInput" }),
  stopReading: () => ({ kind: "stopReading" }),
  hang: () => ({ kind: "hang" }),
  exit: (code) => ({ kind: "exit", code }),
  kill: (signal) => ({ kind: "kill", signal }),
  run: (run, takes = []) => ({ kind: "run", run, takes }),
};

/** All steps in one list. */
export function flattenScript(script: CliScript): CliStep[] {
  return script.flatMap((item) => isScript(item) ? flattenScript(item) : [item]);
}

/** The bytes of a {@linkcode RawStep}. */
export function fromBase64(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (unit) => unit.charCodeAt(0));
}

function isScript(item: CliStep | CliScript): item is CliScript {
  return Array.isArray(item);
}

function isFrameList(frames: JsonObject | readonly JsonObject[]): frames is readonly JsonObject[] {
  return Array.isArray(frames);
}

function toBase64(bytes: Uint8Array): string {
  let units = "";
  for (const byte of bytes) units += String.fromCharCode(byte);
  return btoa(units);
}

function requestPattern(subtype: string): JsonObject {
  return { type: "control_request", request: { subtype } };
}

function userPattern(pattern: string | FramePattern): FramePattern {
  if (typeof pattern === "string") return { type: "user", message: { content: pattern } };
  if (typeof pattern === "function") return (line) => line.type === "user" && pattern(line);
  return { ...pattern, type: "user" };
}
