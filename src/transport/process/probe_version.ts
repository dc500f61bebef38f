import type { Clock } from "../../core/clock.ts";
import type { Runtime } from "../../core/runtime.ts";
import { askProgram } from "./ask_program.ts";
import type { CliCandidate } from "./located_cli.ts";

/** How long a CLI may take to tell its version (behaviour A09). */
export const PROBE_MS = 2_000;

/** What to ask, and how. */
export interface ProbeOptions {
  /** The CLI. */
  readonly cli: CliCandidate;
  /** Its environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Its folder. */
  readonly cwd: string | undefined;
  /** For the deadline. */
  readonly clock: Clock;
}

/**
 * Asks a CLI for its version by `-v`; for those that do not tell it when they are initialized. Undefined if it does not say
 * within {@linkcode PROBE_MS}: not knowing is no reason to complain (behaviour A10). Settles when the process is gone; never rejects.
 */
export async function probeVersion(runtime: Runtime, options: ProbeOptions): Promise<string | undefined> {
  const { cli, env, cwd, clock } = options;
  try {
    const args = [...cli.args, "-v"];
    const answer = await askProgram(runtime, { command: cli.command, args, cwd, env, clock, ...SHORT });
    return /\d+\.\d+\.\d+/.exec(answer.text)?.[0];
  } catch {
    // It started once, so this says nothing about the query.
    return undefined;
  }
}

const SHORT = { limitMs: PROBE_MS, maxChars: 1_024 };
