/**
 * Turns the operating system's word for "would not start" into one that can be acted upon. `ENOENT` alone may mean a
 * missing program, a missing folder to start it in, a missing loader or a missing interpreter.
 */

import { SpawnError } from "../core/errors/mod.ts";
import { EXECUTABLE_HEAD_BYTES, executableFormat, libcOfLoader } from "../core/executable_format.ts";
import { pathRules } from "../core/paths.ts";
import type { Platform, RuntimeFs, SpawnFailure, SpawnOptions } from "../core/runtime.ts";

/** Explains why a child could not be started. Never rejects; arguments and environment do not show in the message. */
export async function explainSpawnFailure(
  fs: RuntimeFs,
  platform: Platform,
  options: SpawnOptions,
  cause: unknown,
): Promise<SpawnError> {
  const [failure, text] = await explain(fs, platform, options, cause);
  return new SpawnError(failure, options.command, text, { cause });
}

type Explanation = readonly [failure: SpawnFailure, text: string];

async function explain(
  fs: RuntimeFs,
  platform: Platform,
  options: SpawnOptions,
  cause: unknown,
): Promise<Explanation> {
  const { command } = options;
  const quoted = JSON.stringify(command);
  const { name = "", code = "", message = "" } = (cause ?? {}) as { name?: string; code?: string; message?: string };
  if (name === "NotCapable" || code === "ERR_ACCESS_DENIED") {
    return ["denied", `The host may not start ${quoted} (Deno: --allow-run=${command}; Node: --allow-child-process)`];
  }
  if (code === "E2BIG" || (code === "ENAMETOOLONG" && platform === "win32")) {
    return [
      "too_large",
      `The command line for ${quoted} is too long for this system (${argumentBytes(options)} bytes)`,
    ];
  }
  const cwdFault = await explainCwd(fs, options, message);
  if (cwdFault !== undefined) return ["cwd_missing", cwdFault];
  switch (code) {
    case "ENOENT":
    case "ENOTDIR":
    case "EACCES":
    case "EPERM":
    case "ENOEXEC":
      return await explainProgram(fs, platform, options, code);
    case "ENAMETOOLONG":
      return ["not_found", `There is no ${quoted}: the path is too long`];
  }
  const reason = code || message.replace(/^Failed to spawn '.*?': /s, "") || name || "unknown reason";
  return ["other", `Could not start ${quoted}: ${reason}`];
}

/** What is wrong with the folder to start in; undefined if nothing is, or nothing can be told. */
async function explainCwd(fs: RuntimeFs, { cwd }: SpawnOptions, message: string): Promise<string | undefined> {
  if (cwd === undefined) return undefined;
  const facts = await fs.stat(cwd);
  const quoted = JSON.stringify(cwd);
  // Deno names the folder itself, also where it may not be looked at.
  if (facts === undefined || message.includes("No such cwd")) return `The working directory does not exist: ${quoted}`;
  if ((facts.kind !== "directory" && facts.kind !== "unknown") || message.includes("cwd is not a directory")) {
    return `The working directory is not a directory: ${quoted}`;
  }
  return undefined;
}

async function explainProgram(
  fs: RuntimeFs,
  platform: Platform,
  options: SpawnOptions,
  code: string,
): Promise<Explanation> {
  const { command, cwd } = options;
  const quoted = JSON.stringify(command);
  const paths = pathRules(platform);
  if (paths.isBareWord(command)) {
    return code === "ENOENT" || code === "ENOTDIR"
      ? ["not_found", `There is no ${quoted} on PATH`]
      : ["not_executable", `${quoted} was found on PATH, but may not be executed (${code})`];
  }
  const path = paths.isAbsolute(command) || cwd === undefined ? command : paths.join(cwd, command);
  const facts = await fs.stat(path);
  if (facts === undefined) return ["not_found", `There is no program at ${quoted}`];
  if (facts.kind === "directory") return ["not_executable", `${quoted} is a directory, not a program`];
  if (facts.kind === "unknown") {
    const missing = code === "ENOENT" || code === "ENOTDIR";
    return [missing ? "not_found" : "not_executable", `Could not start ${quoted} (${code})`];
  }
  if (!facts.executable) return ["not_executable", `${quoted} is not marked as executable`];
  const missing = await missingPart(fs, path);
  if (missing !== undefined) return [missing[0], `${quoted} exists but cannot start: ${missing[1]}`];
  if (code === "EPERM" || code === "EACCES") {
    return ["denied", `The system does not allow to start ${quoted} (${code})`];
  }
  return ["not_executable", `${quoted} exists, but is no program for this machine (${code})`];
}

/** The loader or interpreter a program names and which is not there. */
async function missingPart(fs: RuntimeFs, path: string): Promise<Explanation | undefined> {
  const head = await fs.readHead(path, EXECUTABLE_HEAD_BYTES);
  if (head === undefined) return undefined;
  const format = executableFormat(head);
  if (format.kind === "elf" && format.loader !== undefined && (await fs.stat(format.loader)) === undefined) {
    const libc = libcOfLoader(format.loader) ?? "another C library";
    return ["wrong_libc", `it was built for ${libc} (libc), whose loader ${format.loader} is not on this machine`];
  }
  if (format.kind === "script" && (await fs.stat(format.interpreter)) === undefined) {
    return ["not_executable", `its first line names the interpreter ${format.interpreter}, which is not there`];
  }
  return undefined;
}

function argumentBytes({ command, args, env }: SpawnOptions): number {
  const encoder = new TextEncoder();
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  return [command, ...args, ...variables].reduce((sum, text) => sum + encoder.encode(text).length + 1, 0);
}
