/** `deno pack` as a compiler: the modules the entries reach as JavaScript with declarations, one file each. */

import { dirname, join } from "node:path";
import { ROOT } from "../root.ts";
import { runCommand } from "../run_command.ts";

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
