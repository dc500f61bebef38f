/** What must hold for the files of the built package. */

import { build } from "esbuild";
import { builtinModules } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { walk } from "./pack_tree.ts";
import { urlTargets } from "./url_modules.ts";

/** The fields of a package.json that are checked. */
export interface CheckedManifest {
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** Every fault of a built package, in words. */
export async function checkNpm(dir: string): Promise<string[]> {
  const manifest = JSON.parse(await Deno.readTextFile(join(dir, "package.json"))) as CheckedManifest;
  const files = new Set<string>();
  for await (const path of walk(dir)) files.add(relative(dir, path).replaceAll("\\", "/"));
  const allowed = new Set([
    ...Object.keys(manifest.dependencies ?? {}),
    ...Object.keys(manifest.peerDependencies ?? {}),
  ]);
  return [
    ...checkExports(manifest, files),
    ...await checkDeclarations(dir, files, allowed),
    ...await checkScripts(dir, files),
    ...await checkReach(dir, manifest, allowed),
  ];
}

/** Each condition of each export points at a file, and each export has types. */
function checkExports(manifest: CheckedManifest, files: ReadonlySet<string>): string[] {
  const faults: string[] = [];
  for (const [name, conditions] of Object.entries(manifest.exports)) {
    if (typeof conditions === "string") {
      if (!files.has(conditions.slice(2))) faults.push(`export ${name}: there is no ${conditions}`);
      continue;
    }
    if (!conditions["types"]?.endsWith(".d.ts")) faults.push(`export ${name} has no types`);
    if (Object.keys(conditions)[0] !== "types") faults.push(`export ${name}: types must come first`);
    if (Object.keys(conditions).at(-1) !== "default") faults.push(`export ${name}: default must come last`);
    for (const [condition, path] of Object.entries(conditions)) {
      if (!files.has(path.slice(2))) faults.push(`export ${name}, ${condition}: there is no ${path}`);
    }
  }
  if (Object.keys(manifest.exports).length === 0) faults.push("The package exports nothing");
  return faults;
}

/** Declarations import declarations that exist, and nothing that a consumer need not have. */
async function checkDeclarations(
  dir: string,
  files: ReadonlySet<string>,
  allowed: ReadonlySet<string>,
): Promise<string[]> {
  const faults: string[] = [];
  for (const file of files) {
    if (!file.endsWith(".d.ts")) continue;
    const text = withoutComments(await Deno.readTextFile(join(dir, file)));
    for (const match of text.matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*)["']([^"']+)["']/g)) {
      const specifier = match[1]!;
      if (specifier.startsWith(".")) {
        const target = join(dirname(file), specifier).replaceAll("\\", "/").replace(/\.js$/, ".d.ts");
        if (!specifier.endsWith(".js") || !files.has(target)) faults.push(`${file}: no declarations at ${specifier}`);
      } else if (!allowed.has(packageName(specifier))) faults.push(`${file}: types from ${specifier}`);
    }
  }
  return faults;
}

/** Nothing that Node 20 cannot parse, nothing that still points at TypeScript, every module URL at a file. */
async function checkScripts(dir: string, files: ReadonlySet<string>): Promise<string[]> {
  const faults: string[] = [];
  for (const file of files) {
    if (file.endsWith(".ts") && !file.endsWith(".d.ts")) faults.push(`${file}: TypeScript source in the package`);
    if (!file.endsWith(".js")) continue;
    const text = withoutComments(await Deno.readTextFile(join(dir, file)));
    if (/^\s*(await )?using [\w$]+ = /m.test(text)) faults.push(`${file}: a using declaration`);
    if (/\bfrom\s*["'][^"']*\.ts["']|\bimport\s*\(?\s*["'][^"']*\.ts["']/.test(text)) {
      faults.push(`${file}: imports a .ts file`);
    }
    try {
      for (const name of urlTargets(text, file)) {
        const target = join(dirname(file), name).replaceAll("\\", "/");
        if (!files.has(target)) faults.push(`${file}: no file for the module URL ${name}`);
      }
    } catch (error) {
      faults.push((error as Error).message);
    }
    if (/\bfile:\/\/\//.test(text)) faults.push(`${file}: names a folder of the machine it was built on`);
  }
  return faults;
}

/** Follows imports from the entries: no builtin from the root but behind import(), and none at all on the edge. */
async function checkReach(dir: string, manifest: CheckedManifest, allowed: ReadonlySet<string>): Promise<string[]> {
  const faults: string[] = [];
  for (const [name, conditions] of Object.entries(manifest.exports)) {
    if (typeof conditions === "string") continue;
    for (const path of new Set(Object.entries(conditions).filter(([key]) => key !== "types").map(([, path]) => path))) {
      if (!await Deno.stat(join(dir, path)).then(() => true, () => false)) continue; // told by checkExports
      const edge = conditions["browser"] === path && conditions["node"] !== path;
      const imports = await outerImports(dir, path).catch((error: Error) => error);
      if (imports instanceof Error) {
        faults.push(`${name} (${path}) cannot be followed: ${imports.message}`);
        continue;
      }
      for (const { file, specifier, lazily } of imports) {
        const place = `${name} (${path}) reaches ${specifier} ${lazily ? "lazily" : "statically"}, in ${file}`;
        if (isBuiltin(specifier)) {
          if (edge || (name === "." && !lazily)) faults.push(place);
        } else if (!allowed.has(packageName(specifier))) faults.push(`${place}: not in the manifest`);
        else if (name === "." && !lazily && manifest.peerDependencies?.[packageName(specifier)] !== undefined) {
          faults.push(place);
        }
      }
    }
  }
  return faults;
}

/** One import that leaves the package. */
interface OuterImport {
  readonly file: string;
  readonly specifier: string;
  /** Only reached through an import() somewhere on the way. */
  readonly lazily: boolean;
}

async function outerImports(dir: string, entry: string): Promise<OuterImport[]> {
  const { metafile } = await build({
    absWorkingDir: dir,
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: "esm",
    platform: "neutral",
    packages: "external",
    external: ["node:*"],
    metafile: true,
    logLevel: "silent",
  });
  const found: OuterImport[] = [];
  const seen = new Map<string, boolean>();
  const visit = (file: string, lazily: boolean): void => {
    const before = seen.get(file);
    if (before === false || before === lazily) return;
    seen.set(file, lazily);
    for (const { path, kind, external } of metafile.inputs[file]?.imports ?? []) {
      const lazy = lazily || kind === "dynamic-import";
      if (external) found.push({ file, specifier: path, lazily: lazy });
      else visit(path, lazy);
    }
  };
  visit(relative(dir, resolve(dir, entry)).replaceAll("\\", "/"), false);
  return found;
}

function isBuiltin(specifier: string): boolean {
  return specifier.startsWith("node:") || specifier.startsWith("bun:") || builtinModules.includes(specifier);
}

function packageName(specifier: string): string {
  return specifier.split("/").slice(0, specifier.startsWith("@") ? 2 : 1).join("/");
}

function withoutComments(source: string): string {
  return source.replace(/\/\*[^]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
}
