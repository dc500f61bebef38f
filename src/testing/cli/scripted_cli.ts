import type { ExitStatus } from "../../core/runtime.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Transport } from "../../transport/transport.ts";
import { type MemoryTransportOptions, memoryTransportPair } from "../memory_transport_pair.ts";
import { ScriptError } from "../script_error.ts";
import { resolveCliOptions, type ScriptedCliOptions } from "./cli_options.ts";
import type { CliPipe } from "./cli_pipe.ts";
import { CliPlayer } from "./cli_player.ts";
import { makeProgram, type ProgramOptions, type ScriptedCliProgram } from "./scripted_cli_program.ts";
import type { CliScript } from "./step.ts";

/** What came of one play. */
export interface ScriptedCliPlay {
  /** Every frame of the host, in order. */
  readonly received: readonly JsonObject[];
  /** What went wrong, one sentence each. */
  readonly problems: readonly string[];
  /** Steps that were not begun, one word each. */
  readonly unplayed: readonly string[];
}

/** A double of the CLI in memory, as the transport of a query. */
export interface ScriptedCliTransport extends Transport, ScriptedCliPlay {
  /** Settles with the exit once the play is over; never rejects. */
  readonly played: Promise<ExitStatus>;
  /** Checks that every step was played and nothing went wrong. @throws {ScriptError} */
  verify(): void;
}

/** A script that can be played any number of times, in memory or by a process. */
export interface ScriptedCli {
  /** Starts a play in memory: pass it as the transport of a query. */
  transport(options?: MemoryTransportOptions): ScriptedCliTransport;
  /**
   * Writes a program that plays the script, as a real child process of the host's own runtime (Deno, Bun or Node). Needs
   * the rights to write to the temp folder and, on Deno, to read the variables that name it (`TMPDIR`, `TMP`, `TEMP`).
   *
   * @throws {ScriptError} if the script holds functions: those cannot leave this process.
   */
  program(options?: ProgramOptions): Promise<ScriptedCliProgram>;
}

/**
 * A double of the CLI that speaks its protocol and plays a script: for tests of what a host does, with no CLI at all.
 *
 * It answers `initialize` and other control requests by itself unless a step takes them, refuses malformed lines as the
 * real one does, and never hangs: an expectation that is not met ends the play with a problem and exit code 70.
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
  return {
    transport: (memory) => playInMemory(script, options, memory),
    program: (program) => makeProgram(script, options, program),
  };
}

/** Throws unless the play went as scripted. */
export function verifyPlay(play: ScriptedCliPlay): void {
  const left = play.unplayed.length === 0 ? [] : [`steps that were not played: ${play.unplayed.join(", ")}`];
  const problems = [...play.problems, ...left];
  if (problems.length > 0) throw new ScriptError("scriptedCli", problems);
}

function playInMemory(
  script: CliScript,
  options: ScriptedCliOptions,
  memory: MemoryTransportOptions | undefined,
): ScriptedCliTransport {
  const pair = memoryTransportPair(memory);
  const reader = pair.cli.readable.getReader();
  const writer = pair.cli.writable.getWriter();
  let stderr = "";
  const pipe: CliPipe = {
    read: async () => (await reader.read()).value,
    write: (bytes) => writer.write(bytes),
    closeOutput: () => writer.close(),
    stderr: (text) => stderr += text,
  };
  const player = new CliPlayer(script, resolveCliOptions(options, true), pipe);
  const terminated = () => player.signalled("SIGTERM");
  pair.cli.terminated.addEventListener("abort", terminated);
  // Forced ends come from the pair, the others from the play.
  void pair.cli.exited.then((exit) => player.end({ code: exit.code, signal: exit.signal }));
  const played = player.start().then((status) => {
    pair.cli.terminated.removeEventListener("abort", terminated);
    pair.cli.exit({ ...status, stderrTail: stderr });
    return status;
  });
  const { transport } = pair;
  return {
    readable: transport.readable,
    writable: transport.writable,
    exited: transport.exited,
    close: (close) => transport.close(close),
    played,
    received: player.received,
    problems: player.problems,
    get unplayed() {
      return player.unplayed;
    },
    verify() {
      verifyPlay(this);
    },
  };
}
