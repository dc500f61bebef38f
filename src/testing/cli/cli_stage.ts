import type { JsonObject } from "../../core/json.ts";
import type { FramePattern } from "./frame_pattern.ts";
import type { ControlReply } from "./control_reply.ts";
import type { AskOptions, CliScript } from "./step.ts";

/** What code in {@linkcode step.run} can do. */
export interface CliStage {
  /** Every frame of the host so far, in order. */
  readonly received: readonly JsonObject[];
  /** The session the double says it is. */
  readonly sessionId: string;
  /** Whether the host has ended its input. */
  readonly inputEnded: boolean;
  /** Writes frames; a missing `uuid` and `session_id` is filled in. */
  emit(...frames: JsonObject[]): Promise<void>;
  /** Writes text or bytes as they are. */
  raw(data: string | Uint8Array): Promise<void>;
  /** Takes the first frame not taken yet that fits, waiting for it. */
  expect(pattern: FramePattern, what?: string): Promise<JsonObject>;
  /** Answers a control request of the host. */
  reply(request: JsonObject, reply: ControlReply): Promise<void>;
  /** Sends a control request; settles with the host's `response`, or at once (with an empty object) if it has a name. */
  ask(request: JsonObject, options?: AskOptions): Promise<JsonObject>;
  /** Plays further steps. */
  play(script: CliScript): Promise<void>;
}
