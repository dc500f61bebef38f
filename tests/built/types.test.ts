/** The declarations of the built package, as programs of users see them: skipLibCheck is off everywhere. */

import { assert } from "chai";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { PINS } from "../../scripts/pins.ts";
import { ROOT } from "../../scripts/root.ts";
import { runCommand } from "../../scripts/run_command.ts";
import { packageFolder } from "../../scripts/tools.ts";
import { compile, typeFaults } from "./compile.ts";
import { type Consumer, withConsumer } from "./consumer.ts";

/** What the programs import beside the package. */
const PEERS = ["zod", "valibot", "@modelcontextprotocol/sdk"] as const;

/** Programs that use the whole surface; they are checked against the source as well. */
const PROGRAMS = join(ROOT, "tests/types/programs");

/** A short one that uses the other entries too. */
const ENTRIES = `
  import { query, type Query } from "@tether/agent";
  import { createSdkMcpServer } from "@tether/agent/mcp";
  import { scriptedModel } from "@tether/agent/testing";

  const running: Query = query({ prompt: "x", options: { model: "y" } });
  export async function read(): Promise<string[]> {
    const types: string[] = [];
    for await (const message of running) types.push(message.type);
    return types;
  }
  // @ts-expect-error -- the declarations are read, and not any
  query({ prompt: 1 });
  export { createSdkMcpServer, scriptedModel };
`;

const bundler = { module: "esnext", moduleResolution: "bundler" } as const;
const nodenext = { module: "nodenext", moduleResolution: "nodenext" } as const;

/** Ways in which users type-check. */
const SETTINGS = {
  "a bundler, the DOM and no runtime's types": { ...bundler, lib: ["ESNext", "DOM", "DOM.AsyncIterable"], types: [] },
  "Node's types and no DOM": { ...nodenext, lib: ["ESNext"], types: ["node"] },
  "Node's types, the DOM, and every check there is": {
    ...nodenext,
    lib: ["ESNext", "DOM", "DOM.AsyncIterable"],
    types: ["node"],
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noPropertyAccessFromIndexSignature: false,
    noImplicitOverride: true,
    isolatedModules: true,
    verbatimModuleSyntax: true,
  },
  "Bun's types": { ...bundler, lib: ["ESNext"], types: ["bun-types"] },
} as const;

for (const [name, settings] of Object.entries(SETTINGS)) {
  Deno.test(`a user's program type-checks with ${name} (P08)`, () =>
    withPrograms(async (consumer, files) => {
      const roots = [
        join(await packageFolder("@types/node", PINS["@types/node"]), "node_modules", "@types"),
        join(
          await packageFolder("bun-types", PINS["bun-types"], [`@types/node@${PINS["@types/node"]}`]),
          "node_modules",
        ),
      ];
      const { output } = await compile(consumer, files, { ...settings, typeRoots: roots });
      assert.include(output, "node_modules/@tether/agent/types/mod.d.ts");
      assert.strictEqual(typeFaults(output), "");
    }));
}

Deno.test("a user's program type-checks with Deno, the package's declarations checked as well", () =>
  withPrograms(async (consumer, files) => {
    const compilerOptions = { strict: true };
    await consumer.write("deno.json", JSON.stringify({ nodeModulesDir: "manual", compilerOptions }));
    const result = await runCommand(Deno.execPath(), ["check", "--quiet", "--no-lock", "--all", ...files], {
      cwd: consumer.dir,
    });
    // Declarations of other packages may have faults of their own; those are no business of ours.
    const ours = blocksOf(result.output).filter((block) => !block.includes("/node_modules/.deno/"));
    assert.strictEqual(ours.join("\n"), "");
    assert.isTrue(result.code === 0 || blocksOf(result.output).length > 0, result.output);
  }));

Deno.test("a user's program type-checks with Deno against the source, under Deno's own settings", () =>
  withPrograms(async (consumer, files) => {
    const { imports } = JSON.parse(await Deno.readTextFile(join(ROOT, "deno.json"))) as {
      imports: Record<string, string>;
    };
    const source = {
      "@tether/agent": "mod.ts",
      "@tether/agent/mcp": "src/mcp/mod.ts",
      "@tether/agent/testing": "src/testing/mod.ts",
    };
    const own = Object.entries(source).map(([name, file]) => [name, pathToFileURL(join(ROOT, file)).href]);
    const config = { nodeModulesDir: "none", imports: { ...imports, ...Object.fromEntries(own) } };
    await Deno.remove(join(consumer.dir, "node_modules"), { recursive: true });
    await Deno.remove(join(consumer.dir, "package.json"));
    await consumer.write("deno.json", JSON.stringify(config));
    const result = await runCommand(Deno.execPath(), ["check", "--quiet", "--no-lock", ...files], {
      cwd: consumer.dir,
    });
    assert.strictEqual(result.code, 0, result.output);
  }));

/** A project that has the programs in it; their names are relative to it. */
async function withPrograms(work: (consumer: Consumer, files: readonly string[]) => Promise<void>): Promise<void> {
  await withConsumer(PEERS, async (consumer) => {
    await Deno.mkdir(join(consumer.dir, "programs"));
    await Deno.copyFile(join(PROGRAMS, "../assertions.ts"), join(consumer.dir, "assertions.ts"));
    const files = ["entries.ts"];
    await consumer.write("entries.ts", ENTRIES);
    for await (const { name } of Deno.readDir(PROGRAMS)) {
      files.push(`programs/${name}`);
      await Deno.copyFile(join(PROGRAMS, name), join(consumer.dir, "programs", name));
    }
    assert.isAbove(files.length, 5);
    await work(consumer, files);
  });
}

/** The single errors that Deno tells. */
function blocksOf(output: string): string[] {
  return output.split(/^(?=TS\d+ \[ERROR\])/m).filter((block) => /^TS\d+ \[ERROR\]/.test(block));
}
