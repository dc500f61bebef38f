import type { Runtime, Signal } from "../core/runtime.ts";
import { type NodeStyleFs, nodeStyleFs } from "./node_style_fs.ts";
import { npmArch, npmPlatform } from "./npm_names.ts";
import { findPackageDir } from "./package_dir.ts";
import { nodeStyleMarkHost, type NodeStyleReads, type ProcessTable, processTable } from "./process_table.ts";

/** What is used of Node's modules, which Bun has too. They are handed in, so that this file loads everywhere. */
export interface NodeStyleModules {
  /** `node:process`. */
  readonly process: NodeStyleProcess;
  /** `node:fs/promises`, with `rmSync` of `node:fs`. */
  readonly files: NodeStyleFs;
  /** `node:fs`. */
  readonly reads: NodeStyleReads;
  /** `node:os`. */
  readonly os: { homedir(): string; tmpdir(): string };
  /** `node:path`. */
  readonly path: { resolve(...parts: string[]): string };
}

/** What is used of `node:process`. */
export interface NodeStyleProcess {
  readonly platform: string;
  readonly arch: string;
  readonly pid: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  cwd(): string;
  getuid?(): number;
  kill(pid: number, signal: Signal): unknown;
  on(event: "exit", listener: () => void): unknown;
  off(event: "exit", listener: () => void): unknown;
}

/** The parts of a {@linkcode Runtime} that are the same on Node and Bun. */
export type NodeStyleRuntime =
  & Pick<Runtime, "platform" | "arch" | "fs" | "cwd" | "homeDir" | "environment" | "packageDir" | "onExit">
  & ProcessTable;

/** Makes them. */
export function nodeStyleRuntime({ process, files, reads, os, path }: NodeStyleModules): NodeStyleRuntime {
  const platform = npmPlatform(process.platform);
  // The place may be named by half a path. The CLI works in another folder, and this program may go to one.
  const fs = nodeStyleFs(files, platform, (prefix) => path.resolve(os.tmpdir(), prefix), process.getuid?.());
  const kill = (pid: number, signal: Signal): boolean => {
    process.kill(pid, signal);
    return true;
  };
  return {
    platform,
    arch: npmArch(process.arch),
    fs,
    cwd: () => process.cwd(),
    homeDir() {
      try {
        return os.homedir() || undefined;
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
    onExit(cleanup) {
      process.on("exit", cleanup);
      return () => void process.off("exit", cleanup);
    },
    ...processTable(nodeStyleMarkHost(reads, platform, process.pid), kill),
  };
}
