/** Compiles single files to JavaScript for Node 20, imports pointed at where the imported files will lie. */

import { build, type Plugin } from "esbuild";
import { dirname, join, relative, resolve } from "node:path";
import { ROOT } from "../root.ts";
import { MODULE_URL } from "./url_modules.ts";

/** Where files come from and go to. */
export interface TranspileOptions {
  /** The folder that outputs are laid out after. */
  readonly outbase: string;
  readonly outdir: string;
  /** Where an imported file, relative to the repository, lies afterwards. */
  place(target: string): string;
}

/** Compiles each file, given relative to the repository, for itself. */
export async function transpile(files: readonly string[], options: TranspileOptions): Promise<void> {
  const { outbase, outdir, place } = options;
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
        // What is loaded by URL lies beside, compiled as well.
        const contents = source.replace(
          MODULE_URL,
          (_, head: string, quote: string, target: string, tail: string) =>
            head + quote + jsName(target) + quote + tail,
        );
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

/** The name of a compiled file. */
export function jsName(file: string): string {
  return file.replace(/\.ts$/, ".js");
}

/** A path relative to the repository, with forward slashes. */
export function repositoryPath(path: string): string {
  return relative(ROOT, path).replaceAll("\\", "/");
}
