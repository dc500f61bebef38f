import { CLIConnectionError } from "../../core/errors/mod.ts";
import type { ChildHandle, Libc, Runtime, SpawnOptions } from "../../core/runtime.ts";
import { npmArch, npmPlatform } from "../npm_names.ts";
import { findPackageDir } from "../package_dir.ts";
import type { MarkHost } from "../process_mark.ts";
import { processTable } from "../process_table.ts";
import { explainSpawnFailure } from "../spawn_failure.ts";
import { startDenoChild } from "./deno_child.ts";
import { denoFs } from "./deno_fs.ts";
import { granted } from "./deno_rights.ts";

const platform = npmPlatform(Deno.build.os);

const markHost: MarkHost = {
  platform,
  pid: Deno.pid,
  readText(path) {
    // Not about each pid by itself: the answers would pile up. What is an exception is refused when it is read.
    const place = path.replace(/^(\/proc)\/\d+\/.*/, "$1");
    if (!granted({ name: "read", path: place })) return undefined;
    try {
      return Deno.readTextFileSync(path);
    } catch (error) {
      return error instanceof Deno.errors.NotFound ? null : undefined;
    }
  },
  readLink: (path) => granted({ name: "read", path }) ? allowed(() => Deno.readLinkSync(path)) : undefined,
};

// A pid needs the whole run permission.
const processes = processTable(
  markHost,
  (pid, signal) => granted({ name: "run" }) && (Deno.kill(pid, signal), true),
);

/** Deno. Loading this needs no permission, and nothing here prompts for one. */
export const denoRuntime: Runtime = {
  name: "deno",
  version: Deno.version.deno,
  platform,
  arch: npmArch(Deno.build.arch),
  fs: denoFs,

  async spawn(options: SpawnOptions): Promise<ChildHandle> {
    try {
      return startDenoChild(options, processes.isZombie);
    } catch (cause) {
      throw await explainSpawnFailure(denoFs, platform, options, cause);
    }
  },

  mayRun: (command) => granted({ name: "run", command }),

  execPath() {
    // A compiled program is the app itself, not an interpreter.
    if (Deno.build.standalone) return undefined;
    return allowed(() => Deno.execPath());
  },

  cwd() {
    const cwd = allowed(() => Deno.cwd());
    if (cwd === undefined) {
      throw denied("The working directory may not be read; pass `cwd`, or allow it (--allow-read)");
    }
    return cwd;
  },

  homeDir: () => environmentVariable(platform === "win32" ? "USERPROFILE" : "HOME"),

  environment() {
    if (!granted({ name: "env" })) {
      throw denied("The environment may not be read; pass `env` in full, or allow it (--allow-env)");
    }
    return Deno.env.toObject();
  },

  packageDir: (name, from) => findPackageDir(denoFs, platform, name, from),

  libcHint(): Libc | undefined {
    const { env } = Deno.build;
    return env === "musl" ? "musl" : env === "gnu" ? "glibc" : undefined;
  },

  onExit(cleanup) {
    globalThis.addEventListener("unload", cleanup);
    return () => globalThis.removeEventListener("unload", cleanup);
  },

  processMark: processes.processMark,
  processGone: processes.processGone,
  pidIdentity: processes.pidIdentity,
  killPid: processes.killPid,
};

function environmentVariable(name: string): string | undefined {
  return granted({ name: "env", variable: name }) ? Deno.env.get(name) || undefined : undefined;
}

function allowed<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function denied(message: string): CLIConnectionError {
  return new CLIConnectionError(message, { code: "permission_denied" });
}
