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
  "with the DOM and no runtime's types": { lib: ["ESNext", "DOM", "DOM.AsyncIterable"], types: [] },
  "with Node's types and no DOM": { lib: ["ESNext"], types: ["node"] },
} as const;

for (const [name, settings] of Object.entries(SETTINGS)) {
  for (const [module, moduleResolution] of [["nodenext", "nodenext"], ["esnext", "bundler"]] as const) {
    Deno.test(`a user's program type-checks ${name} (${moduleResolution})`, () =>
      withConsumer(["zod", "@modelcontextprotocol/sdk"], async (consumer) => {
        await consumer.write("program.ts", PROGRAM);
        const typeRoots = [join(await packageFolder("@types/node", PINS["@types/node"]), "node_modules", "@types")];
        const compilerOptions = {
          ...settings,
          module,
          moduleResolution,
          typeRoots,
          strict: true,
          noEmit: true,
          target: "es2022",
        };
        const config = { compilerOptions: { ...compilerOptions, skipLibCheck: false }, files: ["program.ts"] };
        await consumer.write("tsconfig.json", JSON.stringify(config));
        const { code, output } = await runCommand(await toolPath("typescript"), ["-p", consumer.dir], {
          cwd: consumer.dir,
        });
        assert.equal(code, 0, output);
      }));
  }
}
