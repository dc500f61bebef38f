import { readFileSync, readlinkSync, rmSync } from "node:fs";
import * as fsPromises from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { resolve } from "node:path";
import process from "node:process";
import type { ChildHandle, Libc, Runtime, SpawnOptions } from "../../core/runtime.ts";
import { nodeStyleRuntime } from "../node_style_runtime.ts";
import { explainSpawnFailure } from "../spawn_failure.ts";
import { startNodeChild } from "./node_child.ts";

const shared = nodeStyleRuntime({
  process,
  files: { ...fsPromises, rmSync },
  reads: { readFileSync, readlinkSync },
  os: { homedir, tmpdir },
  path: { resolve },
});
const { platform, fs } = shared;

/** Node 20 and later. */
export const nodeRuntime: Runtime = {
  ...shared,
  name: "node",
  version: process.versions.node,

  async spawn(options: SpawnOptions): Promise<ChildHandle> {
    try {
      return await startNodeChild(options, shared.isZombie);
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
};

/** What is used of `process.report`. */
interface DiagnosticReport {
  excludeNetwork?: boolean;
  getReport(): { readonly header?: { readonly glibcVersionRuntime?: string } };
}

function permission(): { has(scope: string): boolean } | undefined {
  return (process as { permission?: { has(scope: string): boolean } }).permission;
}

function isSingleExecutable(): boolean {
  const builtin = (process as { getBuiltinModule?(id: string): { isSea?(): boolean } | undefined }).getBuiltinModule;
  return builtin?.("node:sea")?.isSea?.() === true;
}
