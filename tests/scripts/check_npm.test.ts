import { assert } from "chai";
import { stop } from "esbuild";
import { dirname, join } from "node:path";
import { checkNpm } from "../../scripts/npm/check_npm.ts";

const GOOD: Readonly<Record<string, string>> = {
  "package.json": JSON.stringify({
    exports: {
      ".": { types: "./types/mod.d.ts", browser: "./edge/mod.js", node: "./mod.js", default: "./mod.js" },
      "./testing": { types: "./types/testing.d.ts", default: "./testing.js" },
    },
    dependencies: { "jsonc-parser": "^3.0.0" },
    peerDependencies: { zod: "^4.0.0" },
  }),
  "mod.js":
    `import { a } from "./chunk_1.js";\nimport "jsonc-parser";\nexport const load = () => import("./adapter.js");\nexport { a };\n`,
  "chunk_1.js": `// using x = 1 in a comment is fine\nexport const a = () => import("zod");\n`,
  "adapter.js": `import "node:child_process";\nexport const w = import.meta.resolve("./worker.js");\n`,
  "worker.js": "export {};\n",
  "edge/mod.js": "export const a = 1;\n",
  "testing.js": `import { createServer } from "node:http";\nexport { createServer };\n`,
  "types/mod.d.ts":
    `/** see "./gone.ts" */\nexport type { X } from "./x.js";\nimport type { ZodType } from "zod";\nexport type Z = ZodType;\n`,
  "types/x.d.ts": "export type X = string;\n",
  "types/testing.d.ts": "export declare const x: string;\n",
};

/** The faults of a package that is good but for some files. */
async function faultsWith(changes: Readonly<Record<string, string | undefined>>): Promise<string[]> {
  const dir = await Deno.makeTempDir({ prefix: "tether-npm-" });
  try {
    for (const [file, text] of Object.entries({ ...GOOD, ...changes })) {
      if (text === undefined) continue;
      await Deno.mkdir(dirname(join(dir, file)), { recursive: true });
      await Deno.writeTextFile(join(dir, file), text);
    }
    return await checkNpm(dir);
  } finally {
    await stop();
    await Deno.remove(dir, { recursive: true });
  }
}

Deno.test("a good package has no faults", async () => {
  assert.deepEqual(await faultsWith({}), []);
});

for (
  const [what, changes, said] of [
    ["no declarations for an export", { "types/testing.d.ts": undefined }, "export ./testing, types: there is no"],
    ["no file for a condition", { "edge/mod.js": undefined }, "export ., browser: there is no ./edge/mod.js"],
    [
      "a static builtin behind the root",
      { "chunk_1.js": `import "node:fs";\nexport const a = 1;\n` },
      ". (./mod.js) reaches node:fs statically, in chunk_1.js",
    ],
    ["a bare builtin", { "chunk_1.js": `import "fs";\nexport const a = 1;\n` }, "reaches fs statically"],
    [
      "a builtin on the edge, even a lazy one",
      { "edge/mod.js": `export const a = () => import("node:fs");\n` },
      ". (./edge/mod.js) reaches node:fs lazily",
    ],
    ["a peer that is loaded at once", { "mod.js": `export * from "zod";\n` }, "reaches zod statically"],
    [
      "a package that the manifest does not name",
      { "testing.js": `export * from "left-pad";\n` },
      "reaches left-pad statically, in testing.js: not in the manifest",
    ],
    [
      "a using declaration",
      { "worker.js": "export function f() {\n  using x = g();\n}\n" },
      "worker.js: a using declaration",
    ],
    [
      "a .ts import",
      { "adapter.js": `export const load = () => import("./x.ts");\n` },
      "adapter.js: imports a .ts file",
    ],
    ["a worker that is not there", { "worker.js": undefined }, "adapter.js: no file for the module URL ./worker.js"],
    [
      "a .ts worker",
      { "adapter.js": `export const u = new URL("./worker.ts", import.meta.url);\n` },
      "no file for the module URL ./worker.ts",
    ],
    [
      "a computed module URL",
      { "adapter.js": `export const u = import.meta.resolve(x ? "./a.js" : "./b.js");\n` },
      "adapter.js: a module URL must be one literal",
    ],
    ["types that point at a missing file", { "types/x.d.ts": undefined }, "types/mod.d.ts: no declarations at ./x.js"],
    [
      "types that point at a .ts file",
      { "types/mod.d.ts": `export type { X } from "./x.ts";\n` },
      "types/mod.d.ts: no declarations at ./x.ts",
    ],
    [
      "types from a builtin",
      { "types/x.d.ts": `export type X = import("node:fs").Stats;\n` },
      "types/x.d.ts: types from node:fs",
    ],
    ["a source file", { "src/x.ts": "export const x = 1;\n" }, "src/x.ts: TypeScript source in the package"],
    [
      "a path of the builder's",
      { "worker.js": `export const at = "file:///builder/x.ts";\n` },
      "worker.js: names a folder",
    ],
  ] as const
) {
  Deno.test(`found: ${what}`, async () => {
    const faults = await faultsWith(changes);
    assert.isTrue(faults.some((fault) => fault.includes(said)), faults.join("\n") || "no faults");
  });
}
