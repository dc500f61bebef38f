/** Installs the pinned tools into `.tools/` with npm, once, and tells where they are. */

import { join } from "node:path";
import { PINS } from "./pins.ts";
import { ROOT } from "./root.ts";
import { runCommand } from "./run_command.ts";

/** A program that npm ships. */
export type NpmTool = "bun" | "node20" | "node22" | "node24" | "typescript";

/** The npm package and the program in it. */
const PROGRAMS: Readonly<Record<NpmTool, readonly [packageName: string, program: string]>> = {
  bun: ["bun", "bun"],
  node20: ["node", "node"],
  node22: ["node", "node"],
  node24: ["node", "node"],
  typescript: ["typescript", "tsc"],
};

/** The path of a tool's binary; installed first if it is missing. @throws with npm's own words if that fails. */
export async function toolPath(tool: NpmTool): Promise<string> {
  const version = PINS[tool];
  if (tool === "node20") {
    // The one that README asks for.
    const found = await runCommand("node", ["--version"]).catch(() => undefined);
    if (found?.output.startsWith("v20.")) return "node";
  }
  const [packageName, program] = PROGRAMS[tool];
  const binary = join(await packageFolder(packageName, version), "node_modules", ".bin", program);
  const check = await runCommand(binary, ["--version"]);
  if (check.code !== 0 || !check.output.includes(version)) {
    throw new Error(`${packageName}@${version} does not run: exit ${check.code}, ${check.output.trim()}`);
  }
  return binary;
}

/**
 * The module of the official SDK, which a suite runs beside Tether; installed first if it is missing. Not its CLI, which is an
 * optional dependency of hundreds of megabytes; and not in `node_modules`, where the search for a CLI would look.
 */
export async function officialSdkPath(): Promise<string> {
  const name = "@anthropic-ai/claude-agent-sdk";
  const folder = await packageFolder(name, PINS[name], ["--omit=optional"]);
  return join(folder, "node_modules", name, "sdk.mjs");
}

/** A folder whose `node_modules` holds one package; installed first, with more arguments for npm, if it is missing. */
export async function packageFolder(name: string, version: string, more: readonly string[] = []): Promise<string> {
  const tools = join(ROOT, ".tools");
  const folder = join(tools, `${name.replace("/", "_")}-${version}`);
  if (await exists(join(folder, "node_modules"))) return folder;

  // Installed aside and moved: a run beside this one, or one cut short, never sees half of it.
  await Deno.mkdir(tools, { recursive: true });
  const aside = await Deno.makeTempDir({ dir: tools, prefix: "installing-" });
  const result = await runCommand("npm", ["install", "--prefix", aside, "--no-save", ...more, `${name}@${version}`]);
  if (result.code !== 0) {
    await Deno.remove(aside, { recursive: true });
    throw new Error(`Cannot install ${name}@${version} with npm (exit ${result.code}):\n${result.output}`);
  }
  try {
    await Deno.rename(aside, folder);
  } catch (error) {
    await Deno.remove(aside, { recursive: true });
    if (!(await exists(join(folder, "node_modules")))) throw error;
  }
  return folder;
}

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}

if (import.meta.main) {
  for (const tool of Object.keys(PROGRAMS) as NpmTool[]) console.log(`${tool}: ${await toolPath(tool)}`);
  console.log(`official SDK: ${await officialSdkPath()}`);
}
