import { readFileSync, readlinkSync, rmSync } from "node:fs";
import * as fsPromises from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { SpawnError } from "../../core/errors/mod.ts";
import { pathRules } from "../../core/paths.ts";
import type { ChildHandle, Libc, Runtime, RuntimeFs, Signal, SpawnOptions } from "../../core/runtime.ts";
import { nodeStyleFs } from "../node_style_fs.ts";
import { npmArch, npmPlatform } from "../npm_names.ts";
import { findPackageDir } from "../package_dir.ts";
import { parseProcStat, type ProcStat } from "../proc_stat.ts";
import { isProcessGone, type MarkHost, processMark } from "../process_mark.ts";
import { explainSpawnFailure } from "../spawn_failure.ts";
import { startBunChild } from "./bun_child.ts";
import { bunGlobal } from "./bun_types.ts";

const platform = npmPlatform(process.platform);
const fs: RuntimeFs = nodeStyleFs(
  { ...fsPromises, rmSync },
  platform,
  (prefix) => join(tmpdir(), prefix),
  process.getuid?.(),
);

/** Bun. */
export const bunRuntime: Runtime = {
  name: "bun",
  version: bunGlobal().version,
  platform,
  arch: npmArch(process.arch),
  fs,

  async spawn(options: SpawnOptions): Promise<ChildHandle> {
    const command = onPath(options);
    if (command === undefined) {
      throw new SpawnError("not_found", options.command, `There is no ${JSON.stringify(options.command)} on PATH`);
    }
    try {
      return startBunChild({ ...options, command }, (pid) => procStat(pid)?.zombie === true);
    } catch (cause) {
      throw await explainSpawnFailure(fs, platform, options, cause);
    }
  },

  mayRun: () => true,

  // A compiled program lives in a file system of its own (`/$bunfs`, `B:\~BUN`): its binary is the app.
  execPath: () => /^(?:\/\$bunfs\/|[a-z]:[\\/]~BUN[\\/])/i.test(bunGlobal().main) ? undefined : process.execPath,

  cwd: () => process.cwd(),

  homeDir() {
    try {
      return homedir() || undefined;
    } catch {
      // No HOME, and no entry for this user (containers): there is no home.
      return undefined;
    }
  },

  environment() {
    return Object.fromEntries(
      Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
    );
  },

  packageDir: (name, from) => findPackageDir(fs, platform, name, from),

  libcHint(): Libc | undefined {
    if (platform !== "linux") return undefined;
    const report = process.report as unknown as
      | { getReport(): { header?: { glibcVersionRuntime?: string } } }
      | undefined;
    const header = report?.getReport().header;
    // Absent on musl builds, but also in older versions: only its presence says something.
    return header?.glibcVersionRuntime ? "glibc" : undefined;
  },

  onExit(cleanup) {
    process.on("exit", cleanup);
    return () => void process.off("exit", cleanup);
  },

  processMark: () => processMark(markHost),
  processGone: (mark) => isProcessGone(markHost, mark),

  pidIdentity: (pid) => procStat(pid)?.startTime,

  killPid(pid: number, signal: Signal, identity?: string): boolean {
    const stat = procStat(pid);
    if (pid <= 0 || stat?.zombie === true || (identity !== undefined && stat?.startTime !== identity)) return false;
    try {
      process.kill(pid, signal);
      return true;
    } catch {
      return false; // ESRCH, or a process of somebody else's
    }
  },
};

/** `Bun.spawn` looks a bare word up on the host's PATH; what counts is the child's. */
function onPath({ command, env, cwd }: SpawnOptions): string | undefined {
  if (platform === "win32" || !pathRules(platform).isBareWord(command)) return command;
  return bunGlobal().which(command, { PATH: env.PATH ?? "", ...(cwd === undefined ? {} : { cwd }) }) ?? undefined;
}

const markHost: MarkHost = {
  platform,
  pid: process.pid,
  readText(path) {
    try {
      return readFileSync(path, "latin1");
    } catch (error) {
      return (error as { code?: unknown }).code === "ENOENT" ? null : undefined;
    }
  },
  readLink(path) {
    try {
      return readlinkSync(path);
    } catch {
      return undefined; // no /proc, or not allowed
    }
  },
};

function procStat(pid: number): ProcStat | undefined {
  if (platform !== "linux") return undefined;
  try {
    return parseProcStat(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return undefined; // gone, or no /proc
  }
}
