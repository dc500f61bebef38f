import { CLINotFoundError } from "../../core/errors/mod.ts";
import { pathRules } from "../../core/paths.ts";
import type { Runtime } from "../../core/runtime.ts";
import { unpackedPath } from "./asar.ts";
import { refuseBatchScript } from "./batch_script.ts";
import { installAdvice } from "./install_advice.ts";
import { commandFor, type InterpreterOptions } from "./interpreter.ts";
import { probeLibc } from "./libc.ts";
import type { CliCandidate, LocatedCli } from "./located_cli.ts";
import { findPackagedBuilds } from "./platform_packages.ts";
import { installFolders, pathFolders, searchFolders } from "./search_path.ts";

/** What {@linkcode locateCli} goes by. */
export interface LocateCliOptions extends InterpreterOptions {
  /** What the user named: a path is used as it is, a bare word looked up on PATH. */
  readonly path?: string | undefined;
  /** The folder the CLI will run in; packages installed there are found too. Default: the host's, if it may be known. */
  readonly cwd?: string | undefined;
  /** The module from which packages are looked for. Default: this one. */
  readonly from?: string | undefined;
}

/**
 * Finds the CLI: what the user named → the npm packages with its native builds → `PATH` (of `env`) → the folders installers
 * use. Nothing is looked up before this is called, and nothing at all for a path the user named.
 *
 * @throws {CLINotFoundError} with every place that was tried.
 * @throws {CLIConnectionError} `batch_script_refused` for a `.cmd` or `.bat` on Windows.
 * @throws {OptionError} for a script without anything to run it.
 */
export async function locateCli(runtime: Runtime, options: LocateCliOptions): Promise<LocatedCli> {
  const { path } = options;
  return path === undefined || path === ""
    ? await findInstalled(runtime, options)
    : await takeNamed(runtime, path, options);
}

async function takeNamed(runtime: Runtime, path: string, options: LocateCliOptions): Promise<LocatedCli> {
  const { platform, fs } = runtime;
  refuseBatchScript(path, platform);
  if (!pathRules(platform).isBareWord(path)) {
    const unpacked = unpackedPath(path);
    const isUnpacked = unpacked !== undefined && (await fs.stat(unpacked))?.kind === "file";
    return alone(await commandFor(runtime, isUnpacked ? unpacked : path, "explicit", options));
  }
  const tried: string[] = [];
  const { found, blind } = await searchFolders(runtime, pathFolders(options.env, platform), path, tried);
  if (found !== undefined) return alone(await commandFor(runtime, found, "explicit", options));
  // Where we may not look the system still may: it gets the bare word.
  if (blind) return alone({ command: path, args: options.executableArgs ?? [], path, source: "explicit" });
  throw new CLINotFoundError(
    `There is no ${JSON.stringify(path)} on the PATH that the CLI would get. ${installAdvice(platform)}`,
    tried,
  );
}

async function findInstalled(runtime: Runtime, options: LocateCliOptions): Promise<LocatedCli> {
  const { platform } = runtime;
  const { env } = options;
  const tried: string[] = [];
  const libc = platform === "linux" ? await probeLibc(runtime) : undefined;
  const builds = await findPackagedBuilds(runtime, lookOuts(runtime, options), libc, tried);
  if (builds.length > 0) return await withAlternatives(runtime, builds, "package", options);

  const onPath = await searchFolders(runtime, pathFolders(env, platform), "claude", tried);
  if (onPath.found !== undefined) return await withAlternatives(runtime, [onPath.found], "path", options);
  // What npm's batch script would start, without the batch script.
  const shimmed = await findPackagedBuilds(runtime, onPath.shimFolders, libc, []);
  if (shimmed.length > 0) return await withAlternatives(runtime, shimmed, "path", options);

  const home = env.HOME ?? env.USERPROFILE ?? runtime.homeDir();
  const inFolders = await searchFolders(runtime, installFolders(home, platform), "claude", tried);
  if (inFolders.found !== undefined) return await withAlternatives(runtime, [inFolders.found], "folder", options);
  if (onPath.blind && runtime.mayRun("claude")) {
    return alone({ command: "claude", args: options.executableArgs ?? [], path: "claude", source: "path" });
  }
  const blindness = onPath.blind || inFolders.blind ? " Some places may not be read (Deno: --allow-read)." : "";
  throw new CLINotFoundError(
    `Claude Code was not found (${tried.length} places tried).${blindness} ${installAdvice(platform)}`,
    tried,
  );
}

/** Where packages are looked for from. A bundle may have no address of its own. */
function lookOuts(runtime: Runtime, options: LocateCliOptions): string[] {
  const module: string | undefined = options.from ?? import.meta.url;
  return [module, options.cwd ?? hostFolder(runtime)].filter((place): place is string => Boolean(place));
}

function hostFolder(runtime: Runtime): string | undefined {
  try {
    return runtime.cwd();
  } catch {
    return undefined; // rights forbid to know it; then nothing there could be looked at either
  }
}

async function withAlternatives(
  runtime: Runtime,
  paths: readonly string[],
  source: CliCandidate["source"],
  options: InterpreterOptions,
): Promise<LocatedCli> {
  const candidates: CliCandidate[] = [];
  for (const path of paths) candidates.push(await commandFor(runtime, path, source, options));
  const [first, ...alternatives] = candidates;
  return { ...first!, alternatives };
}

function alone(candidate: CliCandidate): LocatedCli {
  return { ...candidate, alternatives: [] };
}
