import type { MemoryTransportOptions } from "../memory_transport_pair.ts";
import { checkScript } from "./check_script.ts";
import { resolveCliOptions, type ScriptedCliOptions } from "./cli_options.ts";
import { playInMemory, type ScriptedCliTransport } from "./play_in_memory.ts";
import { CliPlayer } from "./cli_player.ts";
import { makeProgram, type ProgramOptions, type ScriptedCliProgram } from "./scripted_cli_program.ts";
import type { CliScript } from "./step.ts";

/** A script that can be played any number of times, in memory or by a process. */
export interface ScriptedCli {
  /** Starts a play in memory: pass it as the transport of a query. */
  transport(options?: MemoryTransportOptions): ScriptedCliTransport;
  /**
   * Writes a program that plays the script, as a real child process of the host's own runtime (Deno, Bun or Node). Needs
   * the rights to write to the temp folder and, on Deno, to read the variables that name it (`TMPDIR`, `TMP`, `TEMP`).
   *
   * Rejects with a {@linkcode ScriptError} if the script holds functions, or a clock: those cannot leave this process.
   */
  program(options?: ProgramOptions): Promise<ScriptedCliProgram>;
}

/**
 * A double of the CLI that speaks its protocol and plays a script: for tests of what a host does, with no CLI at all.
 *
 * It answers `initialize` and other control requests by itself unless a step takes them, refuses malformed lines as the
 * real one does, and never hangs: an expectation that is not met ends the play with a problem and exit code 70.
 *
 * @throws {ScriptError} `script_invalid` for steps or settings that cannot be played.
 *
 * @example
 * ```ts
 * import { scriptedCli, step } from "@tether/agent/testing";
 *
 * const cli = scriptedCli([step.turn("Hello!")]);
 * const transport = cli.transport();
 * // … run a query on `transport`, then:
 * transport.verify();
 * ```
 */
export function scriptedCli(script: CliScript, options: ScriptedCliOptions = {}): ScriptedCli {
  const steps = checkScript(script, options);
  const { clock, ...rest } = options;
  return {
    transport: (memory = {}) =>
      playInMemory(
        (pipe) => new CliPlayer(steps, resolveCliOptions(options, true), pipe),
        { who: "scriptedCli", failsReader: false },
        clock === undefined ? memory : { clock, ...memory },
      ),
    program: (program) => makeProgram({ steps, options: rest }, program),
  };
}
