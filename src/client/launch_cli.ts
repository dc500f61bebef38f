import { type Clock, systemClock } from "../core/clock.ts";
import type { DiagnosticListener } from "../core/diagnostics.ts";
import { OptionError } from "../core/errors/mod.ts";
import type { JsonObject } from "../core/json.ts";
import type { ResolvedLimits, ResolvedTimeouts } from "../core/limits.ts";
import type { Options } from "../core/options/mod.ts";
import type { Runtime } from "../core/runtime.ts";
import { buildArguments, type LaunchContext, type LaunchPlan, withFilePaths } from "../transport/process/arguments.ts";
import { isolateConfig } from "../transport/process/config_dir/isolate_config.ts";
import { buildEnvironment, type TraceVariables } from "../transport/process/environment.ts";
import { locateCli } from "../transport/process/locate_cli.ts";
import { packagedVersion } from "../transport/process/packaged_version.ts";
import { type WriteContext, writePrivateFiles, type WrittenFiles } from "../transport/process/private_files.ts";
import type { PrivateFolder } from "../transport/process/private_folder.ts";
import { probeVersion } from "../transport/process/probe_version.ts";
import { makeSpareFolder } from "../transport/process/spare_folder.ts";
import { startCli } from "../transport/process/start_cli.ts";
import { startSpawned } from "../transport/process/start_spawned.ts";
import type { Transport } from "../transport/transport.ts";

/** What a CLI is launched with, beside its options. */
export interface LaunchCliContext {
  readonly runtime: Runtime;
  readonly limits: ResolvedLimits;
  readonly timeouts: ResolvedTimeouts;
  /** For the deadlines of its end. What waits for the system itself is on the machine's own. */
  readonly clock: Clock;
  readonly onDiagnostic: DiagnosticListener;
  /** What it waits for once it has started, if it is to wait; without a folder an unclaimed one is given an empty one. */
  readonly waits?: "ready" | "unclaimed" | undefined;
  /** The trace that the session is part of. */
  readonly trace?: TraceVariables | undefined;
  /** Asked right before the process is started: true gives up. */
  stopped(): boolean;
}

/** A CLI that runs. */
export interface LaunchedCli {
  readonly transport: Transport;
  /** Its whole environment. */
  readonly env: Readonly<Record<string, string>>;
  /** What `initialize` must carry because the command line could not. */
  readonly delivered: JsonObject;
  /** Asks it for its version in a process of its own; see {@linkcode probeVersion}. Never rejects. */
  version(): Promise<string | undefined>;
  /** Takes away what was written for it; to be called when it is gone. Never rejects. */
  clear(): Promise<void>;
}

/** Finds the CLI and starts it as the options say. Undefined if the query was stopped before. */
export async function launchCli(given: Options, context: LaunchCliContext): Promise<LaunchedCli | undefined> {
  const { runtime, limits, timeouts, clock, onDiagnostic, waits, trace } = context;
  const { platform } = runtime;
  let options = given;
  const environment = (configDir?: string): Record<string, string> => {
    const env = buildEnvironment(options, () => runtime.environment(), { platform, configDir, trace });
    // Lets the CLI say how far its start has come: what a start that takes too long is told with.
    if (waits !== undefined) env.CLAUDE_CODE_SDK_READS_STARTUP_MARKS ??= "1";
    return env;
  };
  let env = environment();
  // What cannot travel is refused before anything is looked for.
  buildArguments(options, { platform });
  const cli = await locateCli(runtime, {
    path: options.pathToClaudeCodeExecutable,
    executable: options.executable,
    executableArgs: options.executableArgs,
    cwd: options.cwd,
    env,
  });
  if (context.stopped()) return undefined;
  const cliVersion = await packagedVersion(runtime, cli.path);
  let folder: PrivateFolder | undefined;
  let spare: PrivateFolder | undefined;
  const clear = async (): Promise<void> => {
    await spare?.remove();
    await folder?.remove();
  };
  try {
    if (options.tether?.isolateConfig === true) {
      const isolated = await isolateConfig(runtime, {
        env,
        cwd: options.cwd,
        clock: systemClock,
        onDiagnostic,
        stopped: () => context.stopped(),
      });
      folder = isolated.folder;
      if (context.stopped()) {
        await clear();
        return undefined;
      }
      env = environment(isolated.dir);
    }
    if (waits === "unclaimed" && options.cwd === undefined) {
      spare = await makeSpareFolder(runtime, env, onDiagnostic);
      options = { ...options, cwd: spare.path };
      env = environment(env.CLAUDE_CONFIG_DIR);
    }
    const { plan, files } = await prepare(options, runtime, cliVersion, { onDiagnostic, folder });
    folder = files.folder;
    if (context.stopped()) {
      await clear();
      return undefined;
    }
    const { cwd, user, spawnClaudeCodeProcess: spawner } = options;
    const args = withFilePaths(plan, files.pathOf);
    if (waits === "unclaimed") args.push("--await-claim");
    const shared = { cwd, env, limits, timeouts, deadlines: clock, onStderr: options.stderr, onDiagnostic };
    const transport = spawner === undefined
      ? await startCli(runtime, cli, { ...shared, args, user, folder: (folder ?? spare)?.path })
      : startSpawned(spawner, { ...shared, command: cli.command, args: [...cli.args, ...args] });
    // A CLI that the user starts elsewhere cannot be asked here.
    const version = (): Promise<string | undefined> =>
      spawner === undefined ? probeVersion(runtime, { cli, env, cwd, clock: systemClock }) : Promise.resolve(undefined);
    return { transport, env, delivered: plan.initialize, version, clear };
  } catch (error) {
    await clear();
    throw error;
  }
}

/** Makes the plan and writes its files; where none can be written, the plan is made without. */
async function prepare(
  options: Options,
  runtime: Runtime,
  cliVersion: string | undefined,
  write: WriteContext,
): Promise<{ plan: LaunchPlan; files: WrittenFiles }> {
  const context = { platform: runtime.platform, cliVersion };
  const plan = buildArguments(options, context);
  try {
    return { plan, files: await writePrivateFiles(runtime, plan.files, write) };
  } catch (cause) {
    // Deno without the right to write, a full disk: `initialize` can carry the same.
    return { plan: withoutFiles(options, context, cause), files: await writePrivateFiles(runtime, [], write) };
  }
}

/** @throws {OptionError} if something can only travel in a file; why none could be written is its cause. */
function withoutFiles(options: Options, context: LaunchContext, cause: unknown): LaunchPlan {
  try {
    return buildArguments(options, { ...context, canWriteFiles: false });
  } catch (error) {
    if (error instanceof OptionError) error.cause ??= cause;
    throw error;
  }
}
