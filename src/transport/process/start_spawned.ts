import { systemClock } from "../../core/clock.ts";
import { guardedListener } from "../../core/diagnostics.ts";
import { SpawnError } from "../../core/errors/mod.ts";
import { DEFAULT_LIMITS, DEFAULT_TIMEOUTS } from "../../core/limits.ts";
import type { SpawnedProcess, SpawnOptions } from "../../core/options/mod.ts";
import { maskArgv } from "./mask_argv.ts";
import { ChildTransport, type ProcessTransport, type StartProcessOptions } from "./process_transport.ts";
import { SpawnedChild } from "./spawned_child.ts";

/** What {@linkcode startSpawned} starts with: as {@linkcode StartProcessOptions}; a watchdog and an account are the spawner's affair. */
export type StartSpawnedOptions = Omit<StartProcessOptions, "user" | "lifeline" | "folder">;

/**
 * Lets the user's own function start the process, and gives the pipe to it. It is closed by the same ladder; its `signal`
 * aborts when patience with it has run out. Output that its spawner buffers is the spawner's affair; we read on demand.
 *
 * @throws {SpawnError} if the function throws, with that as its cause.
 */
export function startSpawned(
  spawner: (options: SpawnOptions) => SpawnedProcess,
  options: StartSpawnedOptions,
): ProcessTransport {
  const { command, args, cwd, env, limits, timeouts } = options;
  const patience = new AbortController();
  let process: SpawnedProcess;
  try {
    process = spawner({
      command,
      args: [...args],
      env: { ...env },
      signal: patience.signal,
      ...cwd === undefined ? {} : { cwd },
    });
  } catch (cause) {
    throw new SpawnError("other", command, "The custom spawner has thrown instead of starting the CLI", { cause });
  }
  const failures: string[] = [];
  const child = new SpawnedChild(process, (error) => failures.push(error.message));
  return new ChildTransport(child, {
    description: { argv: maskArgv(command, args), cwd, pid: child.pid },
    env,
    tailBytes: limits?.stderrTailBytes ?? DEFAULT_LIMITS.stderrTailBytes,
    graceMs: timeouts?.graceMs ?? DEFAULT_TIMEOUTS.graceMs,
    termMs: timeouts?.termMs ?? DEFAULT_TIMEOUTS.termMs,
    onStderr: options.onStderr,
    onDiagnostic: guardedListener(options.onDiagnostic),
    clock: options.clock ?? systemClock,
    deadlines: options.deadlines,
    force: (signal) => {
      patience.abort();
      child.kill(signal);
    },
    reaped: () => {},
    gone: () => Promise.resolve(),
    failures: () => failures,
  });
}
