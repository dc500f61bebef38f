import type { JsonObject } from "../../core/json.ts";
import type { ExitStatus } from "../../core/runtime.ts";
import { ScriptError } from "../script_error.ts";
import type { ReplayPlan } from "../record/replay_plan.ts";
import type { ScriptedCliOptions } from "./cli_options.ts";
import type { CliStep } from "./step.ts";

/** Settings of {@linkcode ScriptedCli.program}. */
export interface ProgramOptions {
  /** Command and arguments in front of the program's file. Default: the host's own binary; a compiled host has none to offer. */
  readonly interpreter?: readonly string[];
}

/** One start of a program. */
export interface ScriptedCliRun {
  /** Its process id. */
  readonly pid: number;
  /** Its arguments, those of the interpreter left out. */
  readonly argv: readonly string[];
  /** Its working folder. */
  readonly cwd: string;
  /** Its environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Every frame of the host, in order. */
  readonly received: readonly JsonObject[];
  /** What went wrong, one sentence each. */
  readonly problems: readonly string[];
  /** Steps that were not begun, one word each; undefined while it runs, or when it was killed. */
  readonly unplayed: readonly string[] | undefined;
  /** How it ended by itself; undefined while it runs, or when it was killed. */
  readonly end: ExitStatus | undefined;
}

/** A program that plays a script. It can be started any number of times. */
export interface ScriptedCliProgram {
  /** An executable file (POSIX: a `sh` script that becomes the interpreter), for `pathToClaudeCodeExecutable`. */
  readonly executable: string;
  /** The same as a command … */
  readonly command: string;
  /** … with arguments; the CLI's own go behind them. */
  readonly args: readonly string[];
  /** What came of each start so far, oldest first. A start that only asked for the version is not among them. */
  runs(): Promise<readonly ScriptedCliRun[]>;
  /** Checks that it was started at least once, and that every run was played to its end without a problem. Rejects with a {@linkcode ScriptError}. */
  verify(): Promise<void>;
  /** Removes its files. Ends nothing that still runs. */
  close(): Promise<void>;
  /** The same as {@linkcode close}. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** What a program plays: steps, or a recording. */
export type ProgramPlay =
  | { readonly steps: readonly CliStep[]; readonly options: ScriptedCliOptions }
  | { readonly replay: ReplayPlan };

/** What a program's file is fed. */
export interface ProgramFile {
  /** What it plays. */
  readonly play: ProgramPlay;
  /** The folder for its records. */
  readonly records: string;
}

/** One line of a record. */
export type RecordLine =
  | { readonly start: Pick<ScriptedCliRun, "pid" | "argv" | "cwd" | "env"> & { readonly at: number } }
  | { readonly received: JsonObject }
  | { readonly problem: string }
  | { readonly end: ExitStatus; readonly unplayed: readonly string[] };

/** Writes the files of a program. */
export async function makeProgram(
  play: ProgramPlay,
  { interpreter }: ProgramOptions = {},
): Promise<ScriptedCliProgram> {
  refuseFunctions(play);
  const fs = await import("node:fs/promises");
  const { tmpdir } = await import("node:os");
  const { join } = await import("node:path");
  const dir = await fs.mkdtemp(join(tmpdir(), "tether-cli-"));
  const records = join(dir, "records");
  const scriptPath = join(dir, "script.json");
  const executable = join(dir, "claude");
  const [command, ...args] = [...interpreter ?? await hostInterpreter(), await programPath(), scriptPath];
  if (command === undefined) throw new ScriptError("scriptedCli", ["there is no interpreter for the program"]);
  const file: ProgramFile = { play, records };
  await fs.mkdir(records);
  await fs.writeFile(scriptPath, JSON.stringify(file));
  await fs.writeFile(executable, shellScript([command, ...args], await denoDir()), { mode: 0o755 });
  const runs = async () => {
    const names = (await fs.readdir(records)).filter((name) => name.endsWith(".ndjson"));
    const texts = await Promise.all(names.map((name) => fs.readFile(join(records, name), "utf8")));
    return texts.flatMap(readRecord).sort((a, b) => a.at - b.at).map(({ run }) => run);
  };
  const close = () => fs.rm(dir, { recursive: true, force: true });
  return {
    executable,
    command,
    args,
    runs,
    verify: async () => verifyRuns(await runs()),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function refuseFunctions(play: ProgramPlay): void {
  const faults = "steps" in play
    ? play.steps.flatMap((item, index) =>
      holdsFunction(item) ? [`step ${index + 1} (${item.kind}) holds a function, which no program can be given`] : []
    )
    : holdsFunction(play.replay)
    ? ["the replay compares by a function, which no program can be given"]
    : [];
  if (faults.length > 0) throw new ScriptError("scriptedCli", faults);
}

function holdsFunction(value: unknown): boolean {
  if (typeof value === "function") return true;
  return typeof value === "object" && value !== null && Object.values(value).some(holdsFunction);
}

/** The program beside this module. One literal: packers follow that, and point it at the compiled file. */
async function programPath(): Promise<string> {
  const { fileURLToPath } = await import("node:url");
  const url = import.meta.resolve("./cli_program.ts");
  return url.startsWith("file:") ? fileURLToPath(url) : url;
}

async function hostInterpreter(): Promise<string[]> {
  const { default: process } = await import("node:process");
  const { execPath } = process;
  if ("Deno" in globalThis) return [execPath, "run", "--quiet", "--allow-all", "--no-config", "--no-lock"];
  if ("Bun" in globalThis) return [execPath];
  return [execPath, "--no-warnings"];
}

/** Where Deno keeps what it has compiled. A home of its own would make every start compile anew. */
async function denoDir(): Promise<string | undefined> {
  if (!("Deno" in globalThis)) return undefined;
  const { default: process } = await import("node:process");
  try {
    return process.env.DENO_DIR;
  } catch {
    return undefined; // not allowed to look: it is only slower without
  }
}

/** `exec` keeps the process id, so that signals reach the program itself. */
function shellScript(command: readonly string[], cache: string | undefined): string {
  const words = command.map((word) => `'${word.replaceAll("'", `'\\''`)}'`);
  const prefix = cache === undefined ? "" : `DENO_DIR='${cache.replaceAll("'", `'\\''`)}' `;
  return `#!/bin/sh\n${prefix}exec ${words.join(" ")} "$@"\n`;
}

function readRecord(text: string): { readonly at: number; readonly run: ScriptedCliRun }[] {
  const received: JsonObject[] = [];
  const problems: string[] = [];
  let start: Extract<RecordLine, { start: unknown }>["start"] | undefined;
  let end: ExitStatus | undefined;
  let unplayed: readonly string[] | undefined;
  for (const line of text.split("\n")) {
    const entry = parseLine(line);
    if (entry === undefined) continue;
    if ("start" in entry) start = entry.start;
    else if ("received" in entry) received.push(entry.received);
    else if ("problem" in entry) problems.push(entry.problem);
    else ({ end, unplayed } = entry);
  }
  if (start === undefined) return [];
  const { at, ...facts } = start;
  return [{ at, run: { ...facts, received, problems, unplayed, end } }];
}

/** A line that is still being written, or was when its writer was killed, is not there yet. */
function parseLine(line: string): RecordLine | undefined {
  try {
    return line === "" ? undefined : JSON.parse(line) as RecordLine;
  } catch {
    return undefined;
  }
}

function verifyRuns(runs: readonly ScriptedCliRun[]): void {
  const problems = runs.flatMap((run, index) => {
    const left = run.unplayed ?? ["it was ended from outside, or still runs"];
    return [...run.problems, ...left.length === 0 ? [] : [`not played: ${left.join(", ")}`]]
      .map((text) => `run ${index}: ${text}`);
  });
  if (runs.length === 0) problems.push("the program was never started");
  if (problems.length > 0) throw new ScriptError("scriptedCli", problems);
}
