import { assert } from "chai";
import { join } from "node:path";
import { PINS } from "../../scripts/pins.ts";
import { runCommand } from "../../scripts/run_command.ts";
import { packageFolder, toolPath } from "../../scripts/tools.ts";
import { withConsumer } from "./consumer.ts";

const PROGRAM = `
  import { query, type Query } from "@tether/agent";
  import { scriptedModel } from "@tether/agent/testing";

  const running: Query = query({ prompt: "x", options: { model: "y" } });
  export async function read(): Promise<string[]> {
    const types: string[] = [];
    for await (const message of running) types.push(message.type);
    return types;
  }
  // @ts-expect-error the declarations are read, and not any
  query({ prompt: 1 });
  export { scriptedModel };
`;

/** Ways in which users type-check; skipLibCheck is off in all, so our own declarations are checked as well. */
const SETTINGS = {
  "a bundler, the DOM and no runtime's types": {
    lib: ["ESNext", "DOM", "DOM.AsyncIterable"],
    types: [],
    module: "esnext",
    moduleResolution: "bundler",
  },
  "Node's types and no DOM": { lib: ["ESNext"], types: ["node"], module: "nodenext", moduleResolution: "nodenext" },
} as const;

for (const [name, settings] of Object.entries(SETTINGS)) {
  Deno.test(`a user's program type-checks with ${name}`, () =>
    withConsumer(["zod", "@modelcontextprotocol/sdk"], async (consumer) => {
      await consumer.write("program.ts", PROGRAM);
      const typeRoots = [join(await packageFolder("@types/node", PINS["@types/node"]), "node_modules", "@types")];
      const compilerOptions = {
        ...settings,
        typeRoots,
        strict: true,
        noEmit: true,
        target: "es2022",
        skipLibCheck: false,
      };
      await consumer.write("tsconfig.json", JSON.stringify({ compilerOptions, files: ["program.ts"] }));
      const args = ["-p", consumer.dir, "--listFiles"];
      const { output } = await runCommand(await toolPath("typescript"), args, { cwd: consumer.dir });
      assert.include(output, "node_modules/@tether/agent/types/mod.d.ts");
      // Other packages' declarations may have faults of their own; those are no business of ours.
      const faults = output.split("\n").filter((line) =>
        /\berror TS/.test(line) && !line.includes("node_modules/.deno/")
      );
      assert.deepEqual(faults, []);
    }));
}
