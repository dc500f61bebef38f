/** Bundles the suites for a place that has no files, no npm and no runtime modules. */

import { build, type BuildOptions, type Plugin } from "esbuild";
import { builtinModules } from "node:module";

/** Where a bundle will run. */
export type EdgePlace = "workerd" | "chromium";

/** npm packages that a suite may use. */
const PACKAGES_OF_TESTS = new Set(["chai", "fast-check"]);

const SETTINGS: Record<EdgePlace, BuildOptions> = {
  workerd: { platform: "neutral", mainFields: ["module", "main"], conditions: ["workerd", "worker", "import"] },
  chromium: { platform: "browser" },
};

/**
 * Makes one ES module of all suites. Nothing is lowered: the place has to take the syntax as it is written. Packages that
 * the product loads when it first needs them are not there: whoever does need one is told so.
 * @throws if anything in the graph imports a module of a runtime, or cannot be resolved.
 */
export async function bundleSuites(
  place: EdgePlace,
  root: string,
  suiteFiles: readonly string[],
  settleMs: number,
): Promise<string> {
  const contents = [
    `import { serve } from "./${place === "workerd" ? "workerd_entry.ts" : "page_entry.ts"}";`,
    ...suiteFiles.map((file, index) => `import suite${index} from ${JSON.stringify(file)};`),
    `export default serve([${suiteFiles.map((_, index) => `suite${index}`).join(", ")}], ${settleMs});`,
  ].join("\n");

  const result = await build({
    ...SETTINGS[place],
    stdin: { contents, resolveDir: `${root}/scripts/edge`, sourcefile: "edge_suites.ts", loader: "ts" },
    absWorkingDir: root,
    bundle: true,
    write: false,
    format: "esm",
    target: "esnext",
    charset: "utf8",
    logLevel: "silent",
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
    plugins: [webOnly()],
  });
  const problems = result.warnings.map(({ text, location }) => `${location?.file}:${location?.line}: ${text}`);
  if (problems.length > 0) throw new Error(`The bundle for ${place} has faults:\n${problems.join("\n")}`);
  return result.outputFiles[0]!.text;
}

/** Fails the bundle for a module that exists in some runtimes only, also where esbuild would let it pass. */
function webOnly(): Plugin {
  return {
    name: "web only",
    setup(bundle) {
      bundle.onResolve({ filter: /^[^./]/ }, ({ path, importer, kind }) => {
        const isBuiltin = /^(node|bun|deno|cloudflare|npm|jsr):/.test(path) || builtinModules.includes(path);
        if (isBuiltin) return { errors: [{ text: `${path} is not there on the edge (imported by ${importer})` }] };
        if (kind === "dynamic-import" && importer.includes("/src/")) return { path, namespace: "absent" };
        if (importer.includes("/node_modules/") || PACKAGES_OF_TESTS.has(path)) return undefined;
        return { errors: [{ text: `${path} may not be used in tests/conformance (imported by ${importer})` }] };
      });
      bundle.onLoad({ filter: /^/, namespace: "absent" }, ({ path }) => ({
        contents: `throw new Error(${JSON.stringify(`${path} is not there on the edge`)});`,
      }));
    },
  };
}

const MODULE_COMMENT = /^\/\/ (\S+\.[cm]?[jt]s)$/;

/** Names the source file for each position in a bundle that a text (a stack) mentions. */
export function nameSources(text: string, bundle: string): string {
  const lines = bundle.split("\n");
  return text.replace(/suites\.js:(\d+):\d+\)?$/gm, (whole, line: string) => {
    const row = Number(line) - 1;
    for (let above = row; above >= 0; above--) {
      const module = MODULE_COMMENT.exec(lines[above] ?? "")?.[1];
      if (module !== undefined) return `${whole} = ${module}, ${(lines[row] ?? "").trim().slice(0, 120)}`;
    }
    return whole;
  });
}
