/** TypeScript's compiler, run as a user of the package runs it. */

import { type CommandResult, runCommand } from "../../scripts/run_command.ts";
import { toolPath } from "../../scripts/tools.ts";
import type { Consumer } from "./consumer.ts";

/** Runs the compiler on files of a project, with declarations checked; its output names every file it read. */
export async function compile(
  consumer: Consumer,
  files: readonly string[],
  settings: Readonly<Record<string, unknown>>,
): Promise<CommandResult> {
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: "es2022",
    skipLibCheck: false,
    allowImportingTsExtensions: true,
    ...settings,
  };
  await consumer.write("tsconfig.json", JSON.stringify({ compilerOptions, files }));
  const args = ["-p", consumer.dir, "--listFiles", "--pretty", "false"];
  return await runCommand(await toolPath("typescript"), args, { cwd: consumer.dir });
}

/** Faults in programs and in our declarations; those in other packages' declarations are no business of ours. */
export function typeFaults(output: string): string {
  const lines = output.split("\n").filter((line) => /\berror TS/.test(line));
  return lines.filter((line) => !/node_modules\/(\.deno|@types|bun-types|undici-types)\//.test(line)).join("\n");
}
