import { readFileSync, readlinkSync, rmSync } from "node:fs";
import * as fsPromises from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import type { ChildHandle, Libc, Runtime, RuntimeFs, Signal, SpawnOptions } from "../../core/runtime.ts";
import { nodeStyleFs } from "../node_style_fs.ts";
import { npmArch, npmPlatform } from "../npm_names.ts";
import { findPackageDir } from "../package_dir.ts";
import { parseProcStat, type ProcStat } from "../proc_stat.ts";
import { isProcessGone, type MarkHost, processMark } from "../process_mark.ts";
import { explainSpawnFailure } from "../spawn_failure.ts";
import { startNodeChild } from "./node_child.ts";

const platform = npmPlatform(process.platform);
const fs: RuntimeFs = nodeStyleFs(
  { ...fsPromises, rmSync },
  platform,
  (prefix) => join(tmpdir(), prefix),
  process.getuid?.(),
);

/** Node 20 and later. */
export const nodeRuntime: Runtime = {
  name: "node",
  version: process.versions.node,
  platform,
  arch: npmArch(process.arch),
  fs,

  async spawn(options: SpawnOptions): Promise<ChildHandle> {
    try {
      return await startNodeChild(options, (pid) => procStat(pid)?.zombie === true);
    } catch (cause) {
      throw await explainSpawnFailure(fs, platform, options, cause);
    }
  },

  mayRun: () => permission()?.has("child") ?? true,

  execPath() {
    // A single executable application and Electron are the app itself, not an interpreter.
    const { execPath, versions, env } = process;
    if (isSingleExecutable()) return undefined;
    return versions.electron !== undefined && env.ELECTRON_RUN_AS_NODE === undefined ? undefined : execPath;
  },

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
    const report = process.report as unknown as DiagnosticReport | undefined;
    if (report === undefined) return undefined;
    // Without this a report looks up the name of every peer.
    const excluded = report.excludeNetwork ?? false;
    report.excludeNetwork = true;
    try {
      const { header } = report.getReport();
      return header === undefined ? undefined : header.glibcVersionRuntime === undefined ? "musl" : "glibc";
    } finally {
      report.excludeNetwork = excluded;
    }
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
      return process.kill(pid, signal);
    } catch {
      return false; // ESRCH, or a process of somebody else's
    }
  },
};

/** What is used of `process.report`. */
interface DiagnosticReport {
  excludeNetwork?: boolean;
  getReport(): { readonly header?: { readonly glibcVersionRuntime?: string } };
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
    return undefined; // gone, no /proc, or not allowed
  }
}

function permission(): { has(scope: string): boolean } | undefined {
  return (process as { permission?: { has(scope: string): boolean } }).permission;
}

function isSingleExecutable(): boolean {
  const builtin = (process as { getBuiltinModule?(id: string): { isSea?(): boolean } | undefined }).getBuiltinModule;
  return builtin?.("node:sea")?.isSea?.() === true;
}
