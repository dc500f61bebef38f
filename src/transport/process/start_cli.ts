import { CLINotFoundError, SpawnError } from "../../core/errors/mod.ts";
import type { Runtime } from "../../core/runtime.ts";
import { checkCommandLine } from "./command_line.ts";
import { installAdvice } from "./install_advice.ts";
import type { LocatedCli } from "./located_cli.ts";
import { type ProcessTransport, startProcess, type StartProcessOptions } from "./process_transport.ts";

/** What {@linkcode startCli} starts with: as {@linkcode startProcess}, `args` being the CLI's own. */
export type StartCliOptions = Omit<StartProcessOptions, "command">;

/**
 * Starts a CLI that was found. If it will not start for want of its C library, the other builds that are installed are tried.
 *
 * @throws {OptionError} for more than the system lets a command line and an environment hold.
 * @throws {CLINotFoundError} if there is nothing at the path.
 * @throws {SpawnError} if it would not start; `wrong_libc` names every build that was tried.
 */
export async function startCli(runtime: Runtime, cli: LocatedCli, options: StartCliOptions): Promise<ProcessTransport> {
  const refused: SpawnError[] = [];
  for (const candidate of [cli, ...cli.alternatives]) {
    checkCommandLine(runtime.platform, {
      command: candidate.command,
      before: candidate.args,
      args: options.args,
      env: options.env,
    });
    try {
      return await startProcess(runtime, {
        ...options,
        command: candidate.command,
        args: [...candidate.args, ...options.args],
      });
    } catch (error) {
      if (!(error instanceof SpawnError)) throw error;
      if (error.failure === "not_found" && refused.length === 0) {
        throw new CLINotFoundError(`${error.message}. ${installAdvice(runtime.platform)}`, [candidate.command], {
          cause: error,
        });
      }
      if (error.failure !== "wrong_libc") throw error;
      refused.push(error);
    }
  }
  throw noBuildStarts(refused);
}

function noBuildStarts(refused: readonly SpawnError[]): SpawnError {
  const [first] = refused;
  return new SpawnError(
    "wrong_libc",
    first!.command,
    `No build of the CLI fits the C library (libc) of this machine: ${
      refused.map((error) => error.message).join("; ")
    }. ` +
      "Install the package for this machine (names ending in -musl are for musl, the others for glibc), " +
      "or name a CLI that starts in `pathToClaudeCodeExecutable`",
    { cause: first },
  );
}
