import { join } from "node:path";
import { ROOT } from "../scripts/root.ts";
import { runCommand } from "../scripts/run_command.ts";
import { UsageError } from "./arguments.ts";

/** The programs in `cli/`, compiled. */
export interface CPrograms {
  readonly fastCli: string;
  readonly stopwatch: string;
}

/** Compiles them into a folder. @throws {UsageError} that says what to install where there is no compiler. */
export async function buildCPrograms(into: string, compiler = "cc"): Promise<CPrograms> {
  await Deno.mkdir(into, { recursive: true });
  const build = async (name: string): Promise<string> => {
    const output = join(into, name);
    const source = join(ROOT, "bench", "cli", `${name}.c`);
    const result = await runCommand(compiler, ["-O2", "-Wall", "-Wextra", "-o", output, source]).catch((error) => {
      if (error instanceof Deno.errors.NotFound) throw new UsageError(NO_COMPILER);
      throw error;
    });
    if (result.code !== 0) throw new UsageError(`${compiler} cannot compile bench/cli/${name}.c:\n${result.output}`);
    return output;
  };
  return { fastCli: await build("fast_cli"), stopwatch: await build("stopwatch") };
}

const NO_COMPILER =
  `There is no C compiler (cc) in PATH. The benchmark needs one for the CLI that costs nothing and for its stopwatch.
Install one: apt-get install gcc libc6-dev (Debian, Ubuntu), dnf install gcc (Fedora), apk add gcc musl-dev (Alpine).`;
