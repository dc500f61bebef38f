import type { Clock } from "../../core/clock.ts";
import { systemClock } from "../../core/clock.ts";
import type { JsonObject } from "../../core/json.ts";

/** Settings of {@linkcode scriptedCli}. */
export interface ScriptedCliOptions {
  /**
   * `current` (default) plays CLI 2.1.332; `old` one that sends neither `command_lifecycle` nor `session_state_changed`.
   * A program sends states only where `CLAUDE_CODE_SDK_READS_SESSION_STATE` is set, as the real one.
   */
  readonly cli?: "current" | "old";
  /**
   * Counts the times of steps (`sleep`, pauses) and of closing. Default the machine's. `deadlineMs` and `lifetimeMs` are always
   * on that one: they are there so that a test ends.
   */
  readonly clock?: Clock;
  /** Longest wait of one step, in milliseconds; past it the play ends with a problem. Default 10 s. */
  readonly deadlineMs?: number;
  /** Longest play in all, in milliseconds, so that no double outlives its test. Default 60 s. */
  readonly lifetimeMs?: number;
  /** What the end of input does after the last step: `exit` (default) as the idle CLI, or `ignore`. */
  readonly eof?: "exit" | "ignore";
  /** What SIGTERM does: `exit` (default, code 143 as the real one) or `ignore`. */
  readonly sigterm?: "exit" | "ignore";
  /** Default a new UUID. */
  readonly sessionId?: string;
  /** Answers to control requests that no step expects, by subtype; null leaves one unanswered. Laid over the defaults. */
  readonly answers?: Readonly<Record<string, JsonObject | null>>;
}

/** {@linkcode ScriptedCliOptions} with every default filled in. */
export interface ResolvedCliOptions extends Required<ScriptedCliOptions> {
  /** Whether `session_state_changed` is sent. */
  readonly states: boolean;
}

/** Fills in the defaults. */
export function resolveCliOptions(given: ScriptedCliOptions, states: boolean): ResolvedCliOptions {
  const cli = given.cli ?? "current";
  return {
    cli,
    clock: given.clock ?? systemClock,
    states: states && cli === "current",
    deadlineMs: given.deadlineMs ?? 10_000,
    lifetimeMs: given.lifetimeMs ?? 60_000,
    eof: given.eof ?? "exit",
    sigterm: given.sigterm ?? "exit",
    sessionId: given.sessionId ?? crypto.randomUUID(),
    answers: given.answers ?? {},
  };
}
