/** `deno task build:npm`: makes the npm package in `npm/` and fails if anything about it is not as it must be. */

import { stop } from "esbuild";
import { join, relative } from "node:path";
import { bundle, type OuterImports } from "./npm/bundle.ts";
import { checkNpm } from "./npm/check_npm.ts";
import { entriesOf, npmManifest, OPTIONAL_PEERS } from "./npm/manifest.ts";
import {
  copyInto,
  ignoreMissing,
  PACKED_DIR,
  type PackedManifest,
  packTree,
  urlModules,
  walk,
} from "./npm/pack_tree.ts";
import { ROOT } from "./root.ts";

/** Where the package is made. */
export const NPM_DIR: string = join(ROOT, "npm");

/** Builds the package. @throws with every fault that was found. */
export async function buildNpm(): Promise<void> {
  const packed = await packTree();
  await Deno.remove(NPM_DIR, { recursive: true }).catch(ignoreMissing);
  const entries = entriesOf(packed);
  const programs = programsOf(await urlModules(), entries.map((entry) => entry.file));
  try {
    const outer = await bundle({ entries, programs, outdir: NPM_DIR });
    await bundle({
      entries: entries.filter((entry) => entry.edge),
      programs,
      outdir: join(NPM_DIR, "edge"),
      edge: true,
    });
    for await (const path of walk(PACKED_DIR)) {
      const file = relative(PACKED_DIR, path);
      if (file.endsWith(".d.ts")) await copyInto(path, join(NPM_DIR, "types", file));
    }
    const pages = ["docs/differences.md", "docs/benchmarks.md"];
    for (const folder of ["docs/decisions", "docs/guide"]) {
      for await (const { name } of Deno.readDir(join(ROOT, folder))) pages.push(`${folder}/${name}`);
    }
    for (const file of ["README.md", "CONTRIBUTING.md", "LICENSE", "CHANGELOG.md", ...pages]) {
      await copyInto(join(ROOT, file), join(NPM_DIR, file));
    }
    const manifest = npmManifest(packed, dependenciesOf(outer, packed), programs.map((program) => program.file));
    await Deno.writeTextFile(join(NPM_DIR, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
    const faults = await checkNpm(NPM_DIR);
    if (faults.length > 0) throw new Error(`The npm package has ${faults.length} faults:\n${faults.join("\n")}`);
  } finally {
    await stop();
  }
}

/** Files for the modules that are found by URL; named after them, with their folder where two would be the same. */
function programsOf(modules: readonly string[], taken: readonly string[]): { module: string; file: string }[] {
  const short = (module: string): string => module.slice(module.lastIndexOf("/") + 1, -".js".length);
  return modules.map((module) => {
    const name = short(module);
    const unique = !taken.includes(name) && modules.filter((other) => short(other) === name).length === 1;
    return { module, file: unique ? name : module.slice(0, -".js".length).replaceAll("/", "_") };
  });
}

/** Versions for what the built files import and the user does not bring along. */
function dependenciesOf(outer: OuterImports, packed: PackedManifest): Record<string, string> {
  const names = [...outer.values()].flat().map(({ specifier }) => specifier).filter((name) =>
    !name.startsWith("node:")
  );
  const dependencies: Record<string, string> = {};
  for (const name of names) {
    const own = Object.keys(packed.dependencies ?? {}).find((known) => name === known || name.startsWith(`${known}/`));
    if (own !== undefined && !Object.hasOwn(OPTIONAL_PEERS, own)) dependencies[own] = packed.dependencies![own]!;
  }
  return dependencies;
}

if (import.meta.main) {
  const startedAt = performance.now();
  await buildNpm();
  let bytes = 0;
  for await (const path of walk(NPM_DIR)) if (path.endsWith(".js")) bytes += (await Deno.stat(path)).size;
  console.log(
    `npm/ built in ${Math.round(performance.now() - startedAt)} ms, ${Math.round(bytes / 1024)} KiB of JavaScript`,
  );
}
