/** Bundles the packed tree: one file per entry, shared chunks beside it, everything in one folder. */

import { build, type Plugin } from "esbuild";
import { dirname, join, relative, resolve } from "node:path";
import { PACKED_DIR } from "./pack_tree.ts";
import { MODULE_URL } from "./url_modules.ts";

/** One file to make. */
export interface BundleEntry {
  /** Module in the packed tree, relative. */
  readonly module: string;
  /** Name of the output, without extension. */
  readonly file: string;
}

/** What the bundle imports from outside of itself, by output file. */
export type OuterImports = ReadonlyMap<string, readonly { readonly specifier: string; readonly lazy: boolean }[]>;

/** Settings of {@linkcode bundle}. */
export interface BundleOptions {
  readonly entries: readonly BundleEntry[];
  /** Modules that code finds by URL (workers, programs): each stays a file of its own. */
  readonly programs?: readonly BundleEntry[];
  readonly outdir: string;
  /** Leaves the adapters out: for places that have no processes. */
  readonly edge?: boolean;
}

/** Bundles. @throws if a module is missing, or one is referred to by URL that is among neither. */
export async function bundle(options: BundleOptions): Promise<OuterImports> {
  const { entries, programs = [], outdir, edge = false } = options;
  // What runs in a process or a worker is not built twice: the edge build refers to the files of the other one.
  const all = edge ? entries : [...entries, ...programs];
  const placed = [
    ...programs.map(({ module, file }) => [module, `${edge ? ".." : "."}/${file}.js`] as const),
    ...entries.map(({ module, file }) => [module, `./${file}.js`] as const),
  ];
  const result = await build({
    absWorkingDir: PACKED_DIR,
    entryPoints: all.map(({ module, file }) => ({ in: join(PACKED_DIR, module), out: file })),
    outdir,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "neutral",
    // Lowers what Node 20 cannot parse.
    target: "node20",
    packages: "external",
    external: ["node:*"],
    // Beside the entries: what a chunk refers to by URL is found from wherever the code ends up.
    chunkNames: "chunk_[hash]",
    charset: "utf8",
    metafile: true,
    logLevel: "silent",
    // The first plugin that loads a file has the last word.
    plugins: [...(edge ? [withoutAdapters] : []), moduleUrls(new Map(placed))],
  });
  const outer = new Map<string, { specifier: string; lazy: boolean }[]>();
  for (const [file, output] of Object.entries(result.metafile.outputs)) {
    const imports = output.imports.filter((entry) => entry.external).map(({ path, kind }) => (
      { specifier: path, lazy: kind === "dynamic-import" }
    ));
    outer.set(relative(outdir, resolve(PACKED_DIR, file)), imports);
  }
  return outer;
}

/** Points each reference at the file that its module becomes. */
function moduleUrls(places: ReadonlyMap<string, string>): Plugin {
  return {
    name: "module-urls",
    setup(setup) {
      setup.onLoad({ filter: /\.js$/ }, async ({ path }) => {
        const source = await Deno.readTextFile(path);
        const contents = source.replace(MODULE_URL, (_, head: string, quote: string, target: string, tail: string) => {
          const module = relative(PACKED_DIR, resolve(dirname(path), target)).replaceAll("\\", "/").replace(
            /\.ts$/,
            ".js",
          );
          const place = places.get(module);
          if (place === undefined) {
            throw new Error(`${relative(PACKED_DIR, path)} refers to ${target}, which becomes no file of its own`);
          }
          return head + quote + place + quote + tail;
        });
        return { contents, loader: "js" };
      });
    },
  };
}

/** On the edge no adapter is ever asked for; the imports stay so that the code is the same, and say so if reached. */
const withoutAdapters: Plugin = {
  name: "without-adapters",
  setup(setup) {
    setup.onLoad({ filter: /[\\/]src[\\/]runtime[\\/](deno|bun|node)[\\/]/ }, () => ({
      contents: `throw new Error("This is the build for places without processes (conditions workerd and browser)");`,
      loader: "js",
    }));
  },
};
