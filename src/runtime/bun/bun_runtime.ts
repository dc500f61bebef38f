import { readFileSync, readlinkSync, rmSync } from "node:fs";
import * as fsPromises from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { resolve } from "node:path";
import process from "node:process";
import { SpawnError } from "../../core/errors/mod.ts";
import { pathRules } from "../../core/paths.ts";
import type { ChildHandle, Libc, Runtime, SpawnOptions } from "../../core/runtime.ts";
import { nodeStyleRuntime } from "../node_style_runtime.ts";
import { explainSpawnFailure } from "../spawn_failure.ts";
import { startBunChild } from "./bun_child.ts";
import { bunGlobal } from "./bun_types.ts";

const shared = nodeStyleRuntime({
  process,
  files: { ...fsPromises, rmSync },
  reads: { readFileSync, readlinkSync },
  os: { homedir, tmpdir },
  path: { resolve },
});
const { platform, fs } = shared;

/** Bun. */
export const bunRuntime: Runtime = {
  ...shared,
  name: "bun",
  version: bunGlobal().version,

  async spawn(options: SpawnOptions): Promise<ChildHandle> {
    const command = onPath(options);
    if (command === undefined) {
      throw new SpawnError("not_found", options.command, `There is no ${JSON.stringify(options.command)} on PATH`);
    }
    try {
      return startBunChild({ ...options, command }, shared.isZombie);
    } catch (cause) {
      throw await explainSpawnFailure(fs, platform, options, cause);
    }
  },

  mayRun: () => true,

  // A compiled program lives in a file system of its own (`/$bunfs`, `B:\~BUN`): its binary is the app.
  execPath: () => /^(?:\/\$bunfs\/|[a-z]:[\\/]~BUN[\\/])/i.test(bunGlobal().main) ? undefined : process.execPath,

  libcHint(): Libc | undefined {
    if (platform !== "linux") return undefined;
    const report = process.report as unknown as
      | { getReport(): { header?: { glibcVersionRuntime?: string } } }
      | undefined;
    const header = report?.getReport().header;
    // Absent on musl builds, but also in older versions: only its presence says something.
    return header?.glibcVersionRuntime ? "glibc" : undefined;
  },
};

/** `Bun.spawn` looks a bare word up on the host's PATH; what counts is the child's. */
function onPath({ command, env, cwd }: SpawnOptions): string | undefined {
  if (platform === "win32" || !pathRules(platform).isBareWord(command)) return command;
  return bunGlobal().which(command, { PATH: env.PATH ?? "", ...(cwd === undefined ? {} : { cwd }) }) ?? undefined;
}
