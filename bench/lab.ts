/** Builds and finds everything that runs need. */

import { build, stop } from "esbuild";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { buildNpm, NPM_DIR } from "../scripts/build_npm.ts";
import { listFiles } from "../scripts/list_files.ts";
import { ROOT } from "../scripts/root.ts";
import { interruptCleanups } from "../scripts/run_command.ts";
import { officialSdkPath, toolPath } from "../scripts/tools.ts";
import { cliEnvironment } from "../src/testing/mod.ts";
import { type Arguments, UsageError } from "./arguments.ts";
import { buildCPrograms, type CPrograms } from "./c_programs.ts";
import type { RuntimeName } from "./plan.ts";
import type { SdkPlace } from "./process/assignment.ts";
import { pinnedCli, startRealCli } from "./real_cli.ts";

/** How a runtime is started. */
export interface Launcher {
  readonly command: string;
  readonly args: readonly string[];
  /** Further arguments that expose the collector of garbage. */
  readonly gcArgs: readonly string[];
}

/** A CLI and its complete environment. */
export interface CliPlace {
  readonly path: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Everything that runs need. */
export interface Lab {
  readonly c: CPrograms;
  /** Where the measured programs are, as JavaScript: no runtime has types to strip while it is timed. */
  readonly programs: string;
  readonly runtimes: Readonly<Record<RuntimeName, Launcher>>;
  readonly sdks: Readonly<{ tether: SdkPlace; official: SdkPlace | undefined }>;
  readonly fastCli: CliPlace;
  /** The real one on a scripted model; undefined if nobody asked for it. */
  readonly realCli: CliPlace | undefined;
  /** The complete environment of a measured process. */
  readonly env: Readonly<Record<string, string>>;
  /** An empty folder in which CLIs run. */
  readonly work: string;
  /** A folder for what a run leaves. */
  readonly temp: string;
  close(): Promise<void>;
}

/** Where things are built. */
const BUILD = join(ROOT, ".build", "bench");

/** The CLI's PATH: it starts nothing of ours. */
const PATH = "/usr/local/bin:/usr/bin:/bin";

/** Builds what is missing or old. @throws {UsageError} where something must be installed first. */
export async function openLab({ peer, node }: Arguments, { realCli }: { readonly realCli: boolean }): Promise<Lab> {
  if (Deno.build.os !== "linux") throw new UsageError("The benchmark reads /proc, so it runs on Linux only.");
  const c = await buildCPrograms(BUILD);
  if (await isOld()) await buildNpm();
  const programs = await buildPrograms();
  const nodePath = await toolPath(`node${node}`);
  const bunPath = await toolPath("bun");
  const official = peer ? await officialSdkPath() : undefined;
  const cliPath = realCli ? await pinnedCli() : undefined;

  const temp = await Deno.makeTempDir({ prefix: "tether-bench-" });
  const remove = (): void => Deno.removeSync(temp, { recursive: true });
  interruptCleanups.add(remove);
  const work = join(temp, "work");
  const home = join(temp, "home");
  await Deno.mkdir(work);
  await Deno.mkdir(join(home, "tmp"), { recursive: true });
  const real = realCli ? await startRealCli(cliPath!, home) : undefined;
  return {
    c,
    programs,
    runtimes: {
      deno: {
        command: Deno.execPath(),
        args: ["run", "-A", "--no-config", "--no-lock", "--node-modules-dir=manual"],
        gcArgs: ["--v8-flags=--expose-gc"],
      },
      bun: { command: bunPath, args: [], gcArgs: [] },
      node: { command: nodePath, args: [], gcArgs: ["--expose-gc"] },
    },
    sdks: {
      tether: place("tether", join(NPM_DIR, "mod.js"), join(ROOT, "node_modules")),
      official: official === undefined ? undefined : place("official", official, join(official, "../../..")),
    },
    // Nobody listens there: the fast CLI calls no one.
    fastCli: { path: c.fastCli, env: cliEnvironment({ url: "http://127.0.0.1:9", home, path: PATH }) },
    realCli: real,
    env: { PATH, HOME: home, TMPDIR: join(home, "tmp"), DENO_DIR: join(BUILD, "deno_dir"), NO_COLOR: "1" },
    work,
    temp,
    async close() {
      await real?.close();
      interruptCleanups.delete(remove);
      remove();
    },
  };
}

function place(name: SdkPlace["name"], module: string, nodeModules: string): SdkPlace {
  const zod = join(nodeModules, "zod", "index.js");
  return { name, url: pathToFileURL(module).href, zodUrl: pathToFileURL(zod).href };
}

/** Whether the package is missing, or something that goes into it has changed since it was built. */
async function isOld(): Promise<boolean> {
  const built = await Deno.stat(join(NPM_DIR, "package.json")).catch(() => undefined);
  if (built === undefined) return true;
  const sources = (await listFiles()).filter((file) => /^(src\/|scripts\/npm\/|mod\.ts$|deno\.json$)/.test(file));
  const times = await Promise.all(sources.map(async (file) => (await Deno.stat(join(ROOT, file))).mtime!.getTime()));
  return times.some((time) => time > built.mtime!.getTime());
}

/** Compiles the measured programs, each into one file. */
async function buildPrograms(): Promise<string> {
  const outdir = join(BUILD, "js");
  const entryPoints: string[] = [];
  for (const folder of ["programs", "limits"]) {
    for await (const { name } of Deno.readDir(join(ROOT, "bench", folder))) {
      entryPoints.push(join(ROOT, "bench", folder, name));
    }
  }
  try {
    await build({
      absWorkingDir: ROOT,
      entryPoints,
      outbase: join(ROOT, "bench"),
      outdir,
      bundle: true,
      format: "esm",
      platform: "node",
      target: "node20",
      logLevel: "silent",
    });
  } finally {
    await stop();
  }
  await Deno.writeTextFile(join(outdir, "package.json"), `{ "type": "module" }\n`);
  return outdir;
}
