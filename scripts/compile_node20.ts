/**
 * Compiles the tests for Node 20, which cannot load TypeScript, file by file into `.build/node20/`:
 *
 * - `npm_tests/`: suites that use the public entries only, and all end-to-end suites. Public imports go to the built package in
 *   `npm/`. What end-to-end suites take from internals are helpers of their own, never what they test.
 * - `tests/`: the others, and the runner. Their imports, public ones too, go to the packed tree in `.build/packed`, which is
 *   what `npm/` is bundled from. So a suite that reaches into internals never sees two copies of one class.
 *
 * A module that no public entry reaches is not in the packed tree; it is compiled into it from its source.
 */

import { stop } from "esbuild";
import { join, relative } from "node:path";
import { listSuiteFiles } from "../tests/harness/find_suites.ts";
import { NPM_DIR } from "./build_npm.ts";
import { type ImportGraph, importGraph } from "./import_graph.ts";
import { listFiles } from "./list_files.ts";
import { entriesOf } from "./npm/manifest.ts";
import { completeTree, copyInto, ignoreMissing, PACKED_DIR, type PackedManifest } from "./npm/pack_tree.ts";
import { jsName, repositoryPath, transpile } from "./npm/transpile.ts";
import { ROOT } from "./root.ts";

/** Where the compiled tests lie. */
export const NODE20_DIR: string = join(ROOT, ".build", "node20");

/** What was compiled. */
export interface CompiledTests {
  /** Suites that run on `npm/`. */
  readonly onPackage: number;
  /** Suites that reach into internals and run on the packed tree. */
  readonly onTree: number;
}

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
    const onPackage = suites.filter((suite) =>
      suite.startsWith("tests/e2e/") || usesPublicOnly(suite, graph, new Set(entries.keys()))
    );
    const onTree = suites.filter((suite) => !onPackage.includes(suite));
    // Everything but suites goes into both: fixtures are loaded by URL, which no graph shows.
    const shared = modules.filter((file) => !suites.includes(file));
    const data = testFiles.filter((file) => !file.endsWith(".ts"));

    const sources = await completeTree([...shared, ...onTree]);
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
export function usesPublicOnly(suite: string, graph: ImportGraph, entries: ReadonlySet<string>): boolean {
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

async function compileInto(
  outdir: string,
  files: readonly string[],
  product: (target: string) => string,
): Promise<void> {
  const place = (target: string): string =>
    target.startsWith("tests/") ? join(outdir, jsName(relative("tests", target))) : product(target);
  await transpile(files, { outbase: join(ROOT, "tests"), outdir, place });
}

if (import.meta.main) {
  const { onPackage, onTree } = await compileNode20();
  console.log(`${onPackage} suites compiled against npm/, ${onTree} against the packed tree`);
}
