import { pathRules } from "../../core/paths.ts";
import type { Runtime } from "../../core/runtime.ts";
import { OptionError } from "../../core/errors/mod.ts";
import type { CliCandidate } from "./located_cli.ts";
import { refuseBatchScript } from "./batch_script.ts";
import { pathFolders, searchFolders } from "./search_path.ts";

/** Who is to run a script. */
export interface InterpreterOptions {
  /** `bun`, `deno`, `node`, or a path. Default: a script's own first line, else the host's binary. */
  readonly executable?: string | undefined;
  /** For the interpreter, before the script; for a native CLI, before its own arguments. */
  readonly executableArgs?: readonly string[] | undefined;
  /** Gives the PATH. */
  readonly env: Readonly<Record<string, string>>;
}

const SCRIPT = /\.(?:[cm]?[jt]s|[jt]sx)$/i;

/**
 * How a CLI that was found is started. A native program, or a script that is executable, starts itself, so that a script's
 * first line is honoured; a script that is not executable (on Windows none is) runs under the host's own binary. What the
 * user says goes before either.
 *
 * @throws {OptionError} if a script needs an interpreter and the host's binary is none (a compiled program, Electron).
 */
export async function commandFor(
  runtime: Runtime,
  path: string,
  source: CliCandidate["source"],
  options: InterpreterOptions,
): Promise<CliCandidate> {
  const { executable, executableArgs = [] } = options;
  if (!await needsInterpreter(runtime, path, options)) {
    return { command: path, args: executableArgs, path, source };
  }
  const interpreter = executable === undefined ? hostBinary(runtime) : await named(runtime, executable, options.env);
  const name = pathRules(runtime.platform).basename(interpreter).replace(/\.exe$/i, "").toLowerCase();
  // Deno runs a script without any right unless told otherwise; a CLI that may do nothing is of no use.
  const own = name === "deno" && executableArgs.length === 0 ? ["run", "--allow-all"] : executableArgs;
  return { command: interpreter, args: [...own, path], path, source };
}

async function needsInterpreter(runtime: Runtime, path: string, options: InterpreterOptions): Promise<boolean> {
  if (!SCRIPT.test(path)) return false;
  if (options.executable !== undefined || runtime.platform === "win32") return true;
  const facts = await runtime.fs.stat(path);
  return facts?.kind === "file" && (!facts.executable || (options.executableArgs?.length ?? 0) > 0);
}

function hostBinary(runtime: Runtime): string {
  const binary = runtime.execPath();
  if (binary !== undefined) return binary;
  throw new OptionError(
    "executable",
    "is needed to run a script here: the host's own binary is an app, or may not be looked up. Name deno, bun or node",
  );
}

/** An interpreter by name or path; the host's own kind is the host's own binary. */
async function named(runtime: Runtime, executable: string, env: Readonly<Record<string, string>>): Promise<string> {
  refuseBatchScript(executable, runtime.platform);
  if (executable === runtime.name) {
    const own = runtime.execPath();
    if (own !== undefined) return own;
  }
  if (!pathRules(runtime.platform).isBareWord(executable)) return executable;
  const { found } = await searchFolders(runtime, pathFolders(env, runtime.platform), executable, []);
  return found ?? executable;
}
