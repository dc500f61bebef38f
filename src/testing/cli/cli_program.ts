/**
 * A double of the CLI as a process of its own: `<runtime> cli_program.ts <script.json> [the CLI's arguments]`. Runs on
 * Deno, Bun and Node; started by what {@linkcode ScriptedCli.program} writes.
 */
import { appendFileSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { systemClock } from "../../core/clock.ts";
import { ReplayPlayer } from "../record/replay_player.ts";
import { resolveCliOptions } from "./cli_options.ts";
import { CliPlayer } from "./cli_player.ts";
import { SCRIPTED_VERSION } from "./frame.ts";
import type { Player, PlayListener } from "./player.ts";
import { openProcessPipe } from "./process_pipe.ts";
import type { ProgramFile, RecordLine } from "./scripted_cli_program.ts";

const [scriptPath = "", ...argv] = process.argv.slice(2);
if (argv.length === 1 && (argv[0] === "-v" || argv[0] === "--version")) {
  writeSync(1, `${SCRIPTED_VERSION} (Claude Code)\n`);
  process.exit(0);
}

const { play, records } = JSON.parse(readFileSync(scriptPath, "utf8")) as ProgramFile;
const recordPath = join(records, `${Date.now()}-${process.pid}.ndjson`);
// Each line is on disk before the next thing happens: what was seen survives SIGKILL.
const record = (line: RecordLine) => appendFileSync(recordPath, JSON.stringify(line) + "\n");

const env = Object.fromEntries(
  Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined || name === "DENO_DIR" ? [] : [[name, value]]
  ),
);
record({ start: { at: Date.now(), pid: process.pid, argv, cwd: process.cwd(), env } });

const pipe = openProcessPipe();
const listener: PlayListener = {
  received: (frame) => record({ received: frame }),
  problem: (problem) => record({ problem }),
};
const readsStates = (env.CLAUDE_CODE_SDK_READS_SESSION_STATE ?? "") !== "";
const player: Player = "replay" in play
  ? new ReplayPlayer(play.replay, systemClock, pipe, listener)
  : new CliPlayer(play.steps, resolveCliOptions(play.options, readsStates), pipe, listener);
const onTerm = () => player.signalled("SIGTERM");
const onInterrupt = () => player.signalled("SIGINT");
process.on("SIGTERM", onTerm);
process.on("SIGINT", onInterrupt);

const status = await player.start();
record({ end: status, unplayed: player.unplayed });
process.off("SIGTERM", onTerm);
process.off("SIGINT", onInterrupt);
if (status.signal === null) process.exit(status.code ?? 0);
process.kill(process.pid, status.signal);
// A signal takes a moment; nothing else may end the process meanwhile.
setInterval(() => {}, 60_000);
