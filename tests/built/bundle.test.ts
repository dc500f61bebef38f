import { assert } from "chai";
import { build, stop } from "esbuild";
import { builtinModules } from "node:module";
import { withConsumer } from "./consumer.ts";

/**
 * What a program that uses `query` may weigh, minified and compressed, without the peers. The official SDK's weighs 337;
 * more than a quarter of ours is the process transport.
 */
const BUDGET_KIB = 48;

/** Bundles a program that uses `query`, as users do; gives back its size and what it imports. */
async function bundleFor(dir: string, entry: string, conditions: string[], platform: "node" | "browser") {
  const { outputFiles, metafile } = await build({
    absWorkingDir: dir,
    entryPoints: [entry],
    bundle: true,
    write: false,
    minify: true,
    format: "esm",
    platform,
    conditions,
    splitting: true,
    outdir: "out",
    // The optional peers are not there: a program that needs none of them is bundled all the same.
    external: platform === "node" ? ["node:*"] : [],
    metafile: true,
    logLevel: "silent",
  });
  const entryFile = outputFiles.find((file) => file.path.endsWith("program.js"))!;
  const packed = new Blob([entryFile.contents as Uint8Array<ArrayBuffer>]).stream().pipeThrough(
    new CompressionStream("gzip"),
  );
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports)
    .filter((entry) => entry.external).map((entry) => entry.path);
  return { kib: (await new Response(packed).arrayBuffer()).byteLength / 1024, imports, text: entryFile.text };
}

/** Works on the bundle of such a program in a project of its own. */
function withBundle(
  conditions: string[],
  platform: "node" | "browser",
  work: (bundle: Awaited<ReturnType<typeof bundleFor>>) => void,
): Promise<void> {
  return withConsumer([], async (consumer) => {
    const entry = await consumer.write("program.js", `import { query } from "@tether/agent";\nconsole.log(query);\n`);
    try {
      work(await bundleFor(consumer.dir, entry, conditions, platform));
    } finally {
      await stop();
    }
  });
}

for (const condition of ["workerd", "browser"] as const) {
  Deno.test(`the root bundles for ${condition} without a builtin, within its weight`, () =>
    withBundle([condition], "browser", ({ kib, imports, text }) => {
      assert.include(text, "console.log");
      assert.deepEqual(imports.filter((name) => name.startsWith("node:") || builtinModules.includes(name)), []);
      assert.isBelow(kib, BUDGET_KIB);
    }));
}

Deno.test("the root bundles for Node within its weight", () =>
  withBundle(["node"], "node", ({ kib }) => assert.isBelow(kib, BUDGET_KIB)));
