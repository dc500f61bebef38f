/** The steps that look at files without running the product. Each counts as one. */

import { join } from "node:path";
import { checkBehaviours } from "../check_behaviours.ts";
import { checkFiles, readTextFiles, registryHost } from "../check_files.ts";
import { checkLayers, edgesOf, readGraph } from "../check_layers.ts";
import { listFiles } from "../list_files.ts";
import { ROOT } from "../root.ts";
import { runCommand } from "../run_command.ts";
import { checkPublished } from "./check_published.ts";
import { docFaults } from "./doc_faults.ts";
import { commandStep, denoStep, faultStep, type Step } from "./step.ts";

const PAGE = /^(README|CONTRIBUTING)\.md$|^docs\/.*\.md$/;

/** The pages whose samples must type-check and run. */
export async function samplePages(): Promise<string[]> {
  return (await listFiles()).filter((file) => PAGE.test(file));
}

/** All static steps, cheapest first. */
export async function staticSteps(): Promise<Step[]> {
  const files = await listFiles();
  const sources = files.filter((file) => file.endsWith(".ts"));
  // The tools and their tests may use what is unstable in Deno; what is shipped must do without.
  const tools = sources.filter((file) => /^(scripts|tests\/scripts)\//.test(file));
  const product = sources.filter((file) => !tools.includes(file));
  const neutral = product.filter((file) => /^src\/(core|transport)\//.test(file));
  const pages = files.filter((file) => PAGE.test(file));
  return [
    denoStep("format", "fmt", "--check"),
    denoStep("lint", "lint"),
    fileStep(files),
    faultStep("layers", () => layerFaults(sources)),
    faultStep("behaviours", checkBehaviours),
    denoStep("types", "check", "--quiet", "--doc", ...product),
    // No runtime's types there: what only Deno, Bun or Node has does not compile.
    denoStep("types on the web alone", "check", "--quiet", "--config", "scripts/web_types.json", ...neutral),
    denoStep("types of the tools", "check", "--quiet", ...tools),
    faultStep("documentation", async () => await docFaults(await publicEntries(), product)),
    faultStep("samples", () => sampleFaults(pages)),
    faultStep("publish dry run", () => checkPublished()),
  ];
}

/** The install has to match the lock file, so that every machine tests the same. */
export const installStep: Step = commandStep("install", Deno.execPath(), ["install", "--frozen"]);

/** The files of the public entries. */
export async function publicEntries(): Promise<string[]> {
  const config = JSON.parse(await Deno.readTextFile(join(ROOT, "deno.json"))) as { exports: Record<string, string> };
  return Object.values(config.exports).map((path) => path.replace(/^\.\//, ""));
}

function fileStep(paths: readonly string[]): Step {
  return {
    name: "files",
    async run() {
      const { errors, warnings } = checkFiles(await readTextFiles(paths), await registryHost());
      if (errors.length > 0) return { passed: 0, failed: 1, details: errors.join("\n") };
      const note = warnings.length === 0
        ? ""
        : `       ${warnings.length} files are long:\n       ${warnings.join("\n       ")}`;
      return { passed: 1, failed: 0, details: note };
    },
  };
}

async function layerFaults(sources: readonly string[]): Promise<string[]> {
  const edges = edgesOf(await readGraph(sources));
  return edges.length === 0 ? ["The module graph is empty: nothing was checked"] : checkLayers(edges);
}

/** Type-checks the blocks marked `ts` in the pages against the source; samples.ts says what the marks mean. */
async function sampleFaults(pages: readonly string[]): Promise<string[]> {
  const readme = pages.includes("README.md") ? await Deno.readTextFile(join(ROOT, "README.md")) : undefined;
  if (readme === undefined) return ["There is no README.md"];
  if (!/^```(ts|typescript)\s*$/m.test(readme)) {
    return ["README.md has no sample that is a whole program (a block marked ts)"];
  }
  const result = await runCommand(Deno.execPath(), ["check", "--quiet", "--doc-only", ...pages], { cwd: ROOT });
  return result.code === 0 ? [] : [result.output];
}
