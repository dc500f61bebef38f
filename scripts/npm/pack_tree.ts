/** `deno pack` as a compiler: the modules the entries reach as JavaScript with declarations, one file each. */

import { dirname, join, relative } from "node:path";
import { importGraph } from "../import_graph.ts";
import { ROOT } from "../root.ts";
import { runCommand } from "../run_command.ts";
import { jsName, transpile } from "./transpile.ts";
import { urlTargets } from "./url_modules.ts";

/** Where the packed tree lies; the suites of Node 20 run against it where they reach into internals. */
export const PACKED_DIR: string = join(ROOT, ".build", "packed");

/** Packs into {@linkcode PACKED_DIR} and gives back the manifest that `deno pack` wrote. @throws if packing fails. */
export async function packTree(): Promise<PackedManifest> {
  await Deno.remove(PACKED_DIR, { recursive: true }).catch(ignoreMissing);
  await Deno.mkdir(PACKED_DIR, { recursive: true });
  const tarball = join(ROOT, ".build", "packed.tgz");
  // Its source maps name this machine's folders, and the sources are in the repository.
  const args = ["pack", "--allow-dirty", "--no-source-maps", "--output", tarball];
  const packed = await runCommand(Deno.execPath(), args, { cwd: ROOT });
  if (packed.code !== 0) throw new Error(`deno pack failed (exit ${packed.code}):\n${packed.output}`);
  const unpacked = await runCommand("tar", ["-xzf", tarball, "-C", PACKED_DIR, "--strip-components=1"]);
  if (unpacked.code !== 0) throw new Error(`Cannot unpack ${tarball}: ${unpacked.output}`);
  await Deno.remove(tarball);
  // What no entry reaches comes along as source; nothing that is shipped may import it.
  for await (const path of walk(PACKED_DIR)) {
    if (path.endsWith(".ts") && !path.endsWith(".d.ts")) await Deno.remove(path);
  }
  return JSON.parse(await Deno.readTextFile(join(PACKED_DIR, "package.json"))) as PackedManifest;
}

/**
 * Adds what no entry imports to the tree, compiled from source, with what it imports in turn. Files relative to the
 * repository; those already there are left alone. Gives back how many were added.
 */
export async function completeTree(files: readonly string[]): Promise<number> {
  const graph = await importGraph(files);
  const reached = new Set<string>();
  const visit = (file: string): void => {
    if (reached.has(file)) return;
    reached.add(file);
    for (const target of graph.get(file) ?? []) visit(target);
  };
  files.forEach(visit);
  const missing: string[] = [];
  for (const file of reached) {
    if (!file.startsWith("tests/") && !await exists(join(PACKED_DIR, jsName(file)))) missing.push(file);
  }
  if (missing.length > 0) {
    const place = (target: string): string => join(PACKED_DIR, jsName(target));
    await transpile(missing, { outbase: ROOT, outdir: PACKED_DIR, place });
  }
  return missing.length;
}

/**
 * The modules of the tree that code finds by URL, relative to it; those that no entry imports are added first.
 * @throws if one does not exist, or is named by a computed URL.
 */
export async function urlModules(): Promise<string[]> {
  const found = new Set<string>();
  for (let added = 1; added > 0;) {
    const sources = new Set<string>();
    for await (const path of walk(PACKED_DIR)) {
      if (!path.endsWith(".js")) continue;
      const file = relative(PACKED_DIR, path).replaceAll("\\", "/");
      for (const target of urlTargets(await Deno.readTextFile(path), file)) {
        const module = join(dirname(file), target).replaceAll("\\", "/").replace(/\.js$/, ".ts");
        if (!await exists(join(ROOT, module))) throw new Error(`${file} refers to ${target}, which does not exist`);
        sources.add(module);
      }
    }
    added = await completeTree([...sources]);
    for (const source of sources) found.add(jsName(source));
  }
  return [...found].sort();
}

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}

/** The fields of a package.json that `deno pack` writes and that are read here. */
export interface PackedManifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly exports: Readonly<Record<string, { readonly types?: string; readonly import: string }>>;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** All files under a folder. */
export async function* walk(dir: string): AsyncGenerator<string> {
  for await (const entry of Deno.readDir(dir)) {
    const path = join(dir, entry.name);
    if (entry.isDirectory) yield* walk(path);
    else yield path;
  }
}

/** Copies a file, with the folders it needs. */
export async function copyInto(from: string, to: string): Promise<void> {
  await Deno.mkdir(dirname(to), { recursive: true });
  await Deno.copyFile(from, to);
}

/** For a removal of what may not be there. @throws every other error. */
export function ignoreMissing(error: unknown): void {
  if (!(error instanceof Deno.errors.NotFound)) throw error;
}
