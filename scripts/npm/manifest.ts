/** The package.json of the npm package: what `deno pack` knows, and what it drops. */

import type { PackedManifest } from "./pack_tree.ts";

/** Packages the user brings along, and only for the parts of Tether that use them. */
export const OPTIONAL_PEERS: Readonly<Record<string, string>> = {
  // The CLI weighs hundreds of megabytes and many have it already; the lower end is the oldest version the suites ran with.
  "@anthropic-ai/claude-code": ">=2.1.332 <3",
  "@modelcontextprotocol/sdk": "^1.29.0",
  "@opentelemetry/api": "^1.9.0",
  "zod": "^3.25.0 || ^4.0.0",
};

/** One public entry of the package. */
export interface NpmEntry {
  /** As in `exports`: `.`, `./testing`. */
  readonly name: string;
  /** The module in the packed tree, relative: `mod.js`. */
  readonly module: string;
  /** Its file in the package, without extension: `mod`, `testing`. */
  readonly file: string;
  /** There is a build for places without processes too. */
  readonly edge: boolean;
}

/** The entries of the packed tree. Entries that bundle for the edge are the root and what has no process in it. */
export function entriesOf(packed: PackedManifest): NpmEntry[] {
  return Object.entries(packed.exports).map(([name, { import: path }]) => ({
    name,
    module: path.replace(/^\.\//, ""),
    file: name === "." ? "mod" : name.replace(/^\.\//, "").replaceAll("/", "_"),
    edge: name === ".",
  }));
}

/**
 * Writes the manifest as an object. `dependencies` are those the built files really import; `programs` are the files
 * that do something when they load.
 */
export function npmManifest(
  packed: PackedManifest,
  dependencies: Readonly<Record<string, string>>,
  programs: readonly string[],
): Record<string, unknown> {
  const exports: Record<string, unknown> = {};
  for (const { name, module, file, edge } of entriesOf(packed)) {
    const main = `./${file}.js`;
    const types = `./types/${module.replace(/\.js$/, ".d.ts")}`;
    // Order matters: the first condition that holds wins.
    exports[name] = edge
      ? {
        types,
        deno: main,
        bun: main,
        workerd: `./edge/${file}.js`,
        browser: `./edge/${file}.js`,
        node: main,
        default: main,
      }
      : { types, default: main };
  }
  const root = entriesOf(packed).find((entry) => entry.name === ".");
  return {
    name: packed.name,
    version: packed.version,
    description:
      "Drive the claude command line from Deno, Bun, and Node: messages, hooks, permissions and tools. Unofficial.",
    keywords: ["claude", "claude-code", "agent", "sdk", "deno", "bun", "mcp", "hooks", "streaming"],
    license: packed.license,
    author: "The Tether authors",
    type: "module",
    sideEffects: programs.length === 0 ? false : programs.map((file) => `./${file}.js`),
    engines: { node: ">=20" },
    ...(root === undefined ? {} : { main: "./mod.js", types: `./types/${root.module.replace(/\.js$/, ".d.ts")}` }),
    exports: { ...exports, "./package.json": "./package.json" },
    files: ["*.js", "edge", "types", "docs", "README.md", "CONTRIBUTING.md", "LICENSE", "CHANGELOG.md"],
    ...(Object.keys(dependencies).length === 0 ? {} : { dependencies }),
    peerDependencies: OPTIONAL_PEERS,
    peerDependenciesMeta: Object.fromEntries(Object.keys(OPTIONAL_PEERS).map((name) => [name, { optional: true }])),
  };
}
