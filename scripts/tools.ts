/** Installs the pinned runtimes into `.tools/` with npm, once, and tells where they are. */

import { join } from "node:path";
import { PINS } from "./pins.ts";
import { ROOT } from "./root.ts";
import { runCommand } from "./run_command.ts";

/** A runtime that npm ships. */
export type NpmTool = "bun" | "node20" | "node22" | "node24";

/** The path of a runtime's binary; installed first if it is missing. @throws with npm's own words if that fails. */
export async function toolPath(tool: NpmTool): Promise<string> {
  const version = PINS[tool];
  if (tool === "node20") {
    const found = await runCommand("node", ["--version"]).catch(() => undefined);
    if (found?.output.startsWith("v20.")) return "node";
  }
  const program = tool === "bun" ? "bun" : "node";
  const folder = join(ROOT, ".tools", `${program}-${version}`);
  const binary = join(folder, "node_modules", ".bin", program);
  if (await exists(binary)) return binary;

  // Installed aside and moved: a run beside this one, or one cut short, never sees half of it.
  await Deno.mkdir(join(ROOT, ".tools"), { recursive: true });
  const aside = await Deno.makeTempDir({ dir: join(ROOT, ".tools"), prefix: `${program}-` });
  const result = await runCommand("npm", ["install", "--prefix", aside, "--no-save", `${program}@${version}`]);
  if (result.code !== 0) {
    throw new Error(`Cannot install ${program}@${version} with npm (exit ${result.code}):\n${result.output}`);
  }
  try {
    await Deno.rename(aside, folder);
  } catch (error) {
    await Deno.remove(aside, { recursive: true });
    if (!(await exists(binary))) throw error;
  }
  const check = await runCommand(binary, ["--version"]);
  if (check.code !== 0 || !check.output.includes(version)) {
    throw new Error(
      `npm installed ${program}@${version}, but it does not run: exit ${check.code}, ${check.output.trim()}`,
    );
  }
  return binary;
}

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}

if (import.meta.main) {
  for (const tool of ["bun", "node20", "node22", "node24"] as const) console.log(`${tool}: ${await toolPath(tool)}`);
}
