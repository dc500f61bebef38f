import { type Clock, systemClock } from "../../core/clock.ts";
import { playInMemory, type ScriptedCliTransport } from "../cli/play_in_memory.ts";
import { makeProgram, type ProgramOptions, type ScriptedCliProgram } from "../cli/scripted_cli_program.ts";
import type { MemoryTransportOptions } from "../memory_transport_pair.ts";
import { ScriptError } from "../script_error.ts";
import type { Recording } from "./recording.ts";
import { parseRecording } from "./recording_format.ts";
import type { CompareFrames, ReplayPlan } from "./replay_plan.ts";
import { REPLAY, ReplayPlayer } from "./replay_player.ts";

/** Settings of {@linkcode replay}. */
export interface ReplayOptions {
  /** How what the host says is compared with what it said then. Default `loose`. */
  readonly compare?: CompareFrames;
  /** `fast` (default): the CLI says everything as soon as its turn has come. `recorded`: it takes its time, as it did. */
  readonly pace?: "fast" | "recorded";
  /** Counts the recorded time; a virtual one makes it pass at once. Default the machine's. A program has its own. */
  readonly clock?: Clock;
  /** How long the host may say nothing where it said something then, in milliseconds (real ones). Default 10 s. */
  readonly deadlineMs?: number;
}

/** A recording that can be played any number of times, in memory or by a process. */
export interface Replay {
  /**
   * Starts a play in memory: pass it as the transport of a query. A host that says something else than in the recording, or
   * nothing, makes the query reject with a {@linkcode ScriptError} that shows what was expected and what came;
   * `verify()` tells that too, and what was not played.
   */
  transport(options?: MemoryTransportOptions): ScriptedCliTransport;
  /** The same as a program, as {@linkcode ScriptedCli.program} makes one: it ends with words on stderr and exit code 70 then. */
  program(options?: ProgramOptions): Promise<ScriptedCliProgram>;
}

/**
 * Plays the CLI's side of a recording: what the CLI said then it says again, in order, waiting for what the host said then.
 * Ids that a host makes anew (of requests, of user lines, of hooks) are those of the live host in what it says.
 *
 * @param recording A recording, or the text of its file.
 * @throws {RecordingError} `recording_invalid` for a text that is none.
 * @throws {ScriptError} `script_invalid` for settings that cannot be.
 *
 * @example
 * ```ts
 * import { query } from "@tether/agent";
 * import { recordFrames, replay, scriptedCli, step } from "@tether/agent/testing";
 *
 * const recorder = recordFrames();
 * const first = scriptedCli([step.turn("Hello!")]).transport();
 * for await (const _ of query({ prompt: "Hi", options: recorder.options({ tether: { transport: first } }) }));
 *
 * const transport = replay(await recorder.text()).transport();
 * for await (const message of query({ prompt: "Hi", options: { tether: { transport } } })) console.log(message.type);
 * transport.verify();
 * ```
 */
export function replay(recording: Pick<Recording, "entries"> | string, options: ReplayOptions = {}): Replay {
  const { compare = "loose", pace = "fast", clock = systemClock, deadlineMs = 10_000 } = options;
  const faults = [
    ...compare === "loose" || compare === "strict" || typeof compare === "function"
      ? []
      : ['compare must be "loose", "strict" or a function'],
    ...pace === "fast" || pace === "recorded" ? [] : ['pace must be "fast" or "recorded"'],
    ...typeof deadlineMs === "number" && deadlineMs >= 0
      ? []
      : ["deadlineMs must be a number of milliseconds, 0 or more"],
  ];
  if (faults.length > 0) throw new ScriptError(REPLAY, faults, { code: "script_invalid" });
  const { entries } = typeof recording === "string" ? parseRecording(recording) : recording;
  const plan: ReplayPlan = { entries, compare, recordedPace: pace === "recorded", deadlineMs };
  return {
    transport: (memory = {}) =>
      playInMemory(
        (pipe) => new ReplayPlayer(plan, clock, pipe),
        { who: REPLAY, failsReader: true },
        { clock, ...memory },
      ),
    program: (program) => makeProgram({ replay: plan }, program),
  };
}
