import type { ExitStatus } from "../../core/runtime.ts";
import type { Transport } from "../../transport/transport.ts";
import { type MemoryTransportOptions, memoryTransportPair } from "../memory_transport_pair.ts";
import { ScriptError } from "../script_error.ts";
import type { CliPipe } from "./cli_pipe.ts";
import type { Player } from "./player.ts";
import type { ScriptedCliPlay } from "./scripted_cli_play.ts";

/** A double of the CLI in memory, as the transport of a query. */
export interface ScriptedCliTransport extends Transport, ScriptedCliPlay {
  /** Settles with the exit once the play is over; never rejects. */
  readonly played: Promise<ExitStatus>;
  /** Checks that every step was played and nothing went wrong. @throws {ScriptError} */
  verify(): void;
}

/** Throws unless the play went as scripted. */
export function verifyPlay(who: string, play: ScriptedCliPlay): void {
  const left = play.unplayed.length === 0 ? [] : [`not played: ${play.unplayed.join(", ")}`];
  const problems = [...play.problems, ...left];
  if (problems.length > 0) throw new ScriptError(who, problems);
}

/** How a play in memory is told of. */
export interface MemoryPlay {
  /** Names the player in errors. */
  readonly who: string;
  /** The reader of the output is told of a play that went wrong by a {@linkcode ScriptError}, after what was written. */
  readonly failsReader: boolean;
}

/** Plays in memory, on one end of a pair. */
export function playInMemory(
  make: (pipe: CliPipe) => Player,
  { who, failsReader }: MemoryPlay,
  memory: MemoryTransportOptions | undefined,
): ScriptedCliTransport {
  const pair = memoryTransportPair(memory);
  const reader = pair.cli.readable.getReader();
  const writer = pair.cli.writable.getWriter();
  let stderr = "";
  const player = make({
    read: async () => (await reader.read()).value,
    write: (bytes) => writer.write(bytes),
    closeOutput: () => writer.close(),
    closeInput: () => reader.cancel(new Error("The CLI no longer reads")),
    stderr: (text) => stderr += text,
  });
  const terminated = () => player.signalled("SIGTERM");
  pair.cli.terminated.addEventListener("abort", terminated);
  // Forced ends come from the pair, the others from the play.
  void pair.cli.exited.then((exit) => player.end({ code: exit.code, signal: exit.signal }));
  const played = player.start().then((status) => {
    pair.cli.terminated.removeEventListener("abort", terminated);
    const fault = failsReader && player.problems.length > 0 ? new ScriptError(who, player.problems) : undefined;
    pair.cli.exit({ ...status, stderrTail: stderr }, fault);
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
      verifyPlay(who, this);
    },
  };
}
