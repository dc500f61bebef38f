/**
 * Compiles the tests for Node 20, which cannot load TypeScript, file by file into `.build/node20/`:
 *
 * - `npm_tests/`: suites that use the public entries only. Their imports go to the built package in `npm/`.
 * - `tests/`: the others, and the runner. Their imports, public ones too, go to the packed tree in `.build/packed`, which is
 *   what `npm/` is bundled from. So no suite ever sees two copies of one class: it has all of the package or all of the tree.
 *
 * A module that no public entry reaches is not in the packed tree; it is compiled into it from its source.
 */

import { build, type Plugin, stop } from "esbuild";
import { dirname, join, relative, resolve } from "node:path";
import { listSuiteFiles } from "../tests/harness/find_suites.ts";
import { edgesOf, readGraph } from "./check_layers.ts";
import { NPM_DIR } from "./build_npm.ts";
import { listFiles } from "./list_files.ts";
import { entriesOf } from "./npm/manifest.ts";
import { copyInto, ignoreMissing, PACKED_DIR, type PackedManifest } from "./npm/pack_tree.ts";
import { ROOT } from "./root.ts";

/** Where the compiled tests lie. */
export const NODE20_DIR: string = join(ROOT, ".build", "node20");

/** What was compiled. */
export interface CompiledTests {
  /** Suites that run on `npm/` itself. */
  readonly onPackage: number;
  /** Suites that reach into internals and run on the packed tree. */
  readonly onTree: number;
}

/** Imports by importing file, as far as they stay in the repository; paths relative to it. */
type Graph = ReadonlyMap<string, readonly string[]>;

/** Compiles the tests. Needs {@linkcode buildNpm} to have run. */
export async function compileNode20(): Promise<CompiledTests> {
  await Deno.remove(NODE20_DIR, { recursive: true }).catch(ignoreMissing);
  const packed = JSON.parse(await Deno.readTextFile(join(PACKED_DIR, "package.json"))) as PackedManifest;
  const entries = new Map(entriesOf(packed).map(({ module, file }) => [module.replace(/\.js$/, ".ts"), `${file}.js`]));
  const testFiles = (await listFiles()).filter((file) => /^tests\/(?!scripts\/|built\/)/.test(file));
  const modules = testFiles.filter((file) => file.endsWith(".ts") && file !== "tests/run/deno.test.ts");
  try {
    const graph = await importGraph(modules);
    const suites = listSuiteFiles(join(ROOT, "tests"), "ts").map(({ path }) => repositoryPath(path));
    const onPackage = suites.filter((suite) => usesPublicOnly(suite, graph, new Set(entries.keys())));
    const onTree = suites.filter((suite) => !onPackage.includes(suite));
    // Everything but suites goes into both: fixtures are loaded by URL, which no graph shows.
    const shared = modules.filter((file) => !suites.includes(file));
    const data = testFiles.filter((file) => !file.endsWith(".ts"));

    const sources = await compileMissing([...shared, ...onTree], graph);
    await compileInto(join(NODE20_DIR, "tests"), [...shared, ...onTree], (target) => join(PACKED_DIR, jsName(target)));
    if (onPackage.length > 0) {
      await compileInto(join(NODE20_DIR, "npm_tests"), [...shared, ...onPackage], (target) => {
        const file = entries.get(target);
        return file === undefined ? join(PACKED_DIR, jsName(target)) : join(NPM_DIR, file);
      });
    }
    for (const tree of onPackage.length > 0 ? ["tests", "npm_tests"] : ["tests"]) {
      for (const file of data) await copyInto(join(ROOT, file), join(NODE20_DIR, tree, relative("tests", file)));
    }
    await Deno.writeTextFile(join(NODE20_DIR, "package.json"), `{ "type": "module" }\n`);
    if (sources > 0) console.log(`node20: ${sources} modules that no entry reaches were compiled into the packed tree`);
    return { onPackage: onPackage.length, onTree: onTree.length };
  } finally {
    await stop();
  }
}

/** True if a suite, and what it imports from `tests/`, imports something of the product and public entries only. */
export function usesPublicOnly(suite: string, graph: Graph, entries: ReadonlySet<string>): boolean {
  const targets = new Set<string>();
  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const target of graph.get(file) ?? []) {
      if (target.startsWith("tests/")) visit(target);
      else targets.add(target);
    }
  };
  visit(suite);
  return targets.size > 0 && [...targets].every((target) => entries.has(target));
}

/** Who imports whom when the code runs. */
async function importGraph(files: readonly string[]): Promise<Graph> {
  const graph = new Map<string, string[]>();
  for (const { from, to, kind } of edgesOf(await readGraph(files))) {
    if (kind !== "type" && !to.includes(":")) graph.set(from, [...graph.get(from) ?? [], to]);
  }
  return graph;
}

/** Adds to the packed tree what the tests reach and no entry does. */
async function compileMissing(tests: readonly string[], graph: Graph): Promise<number> {
  const reached = new Set<string>();
  const visit = (file: string): void => {
    if (reached.has(file)) return;
    reached.add(file);
    for (const target of graph.get(file) ?? []) visit(target);
  };
  tests.forEach(visit);
  const missing: string[] = [];
  for (const file of reached) {
    if (file.startsWith("tests/")) continue;
    const there = await Deno.stat(join(PACKED_DIR, jsName(file))).then(() => true, () => false);
    if (!there) missing.push(file);
  }
  if (missing.length > 0) await compile(missing, ROOT, PACKED_DIR, (target) => join(PACKED_DIR, jsName(target)));
  return missing.length;
}

async function compileInto(
  outdir: string,
  files: readonly string[],
  product: (target: string) => string,
): Promise<void> {
  await compile(files, join(ROOT, "tests"), outdir, (target) => {
    return target.startsWith("tests/") ? join(outdir, jsName(relative("tests", target))) : product(target);
  });
}

/** Compiles each file for itself; `place` says where an imported file of the repository lies afterwards. */
async function compile(
  files: readonly string[],
  outbase: string,
  outdir: string,
  place: (target: string) => string,
): Promise<void> {
  const rewrite: Plugin = {
    name: "rewrite-imports",
    setup(setup) {
      setup.onResolve({ filter: /^\.{1,2}\// }, ({ path, importer, kind, resolveDir }) => {
        if (kind === "entry-point") return undefined;
        const target = repositoryPath(resolve(resolveDir, path));
        const from = dirname(join(outdir, jsName(relative(outbase, importer))));
        const to = relative(from, place(target)).replaceAll("\\", "/");
        return { path: to.startsWith(".") ? to : `./${to}`, external: true };
      });
      setup.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        const source = await Deno.readTextFile(path);
        // Fixtures that are loaded by URL lie beside their tests, compiled as well.
        const contents = source.replace(/(new URL\(\s*"\.{1,2}\/[^"]+)\.ts("\s*,\s*import\.meta\.url)/g, "$1.js$2");
        return { contents, loader: "ts" };
      });
    },
  };
  await build({
    absWorkingDir: ROOT,
    entryPoints: files.map((file) => join(ROOT, file)),
    outbase,
    outdir,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    packages: "external",
    logLevel: "silent",
    plugins: [rewrite],
  });
}

function jsName(file: string): string {
  return file.replace(/\.ts$/, ".js");
}

function repositoryPath(path: string): string {
  return relative(ROOT, path).replaceAll("\\", "/");
}

if (import.meta.main) {
  const { onPackage, onTree } = await compileNode20();
  console.log(`${onPackage} suites compiled against npm/, ${onTree} against the packed tree`);
}
