/** A project of a user's: the built package, packed by npm and installed beside the peers that its parts need. */

import { join } from "node:path";
import { NPM_DIR } from "../../scripts/build_npm.ts";
import { ROOT } from "../../scripts/root.ts";
import { type CommandResult, runCommand } from "../../scripts/run_command.ts";
import { toolPath } from "../../scripts/tools.ts";

/** The runtimes that the package says it runs on. */
export const RUNTIMES = ["deno", "bun", "node20", "node22", "node24"] as const;

/** One of {@linkcode RUNTIMES}. */
export type BuiltRuntime = typeof RUNTIMES[number];

/** A project in a temp folder. */
export interface Consumer {
  readonly dir: string;
  /** Writes a file of the project; gives back its path. */
  write(name: string, text: string): Promise<string>;
  /** Runs a module of the project. Deno gets exactly the permissions given. */
  run(runtime: BuiltRuntime, module: string, options?: RunOptions): Promise<CommandResult>;
}

/** Settings of {@linkcode Consumer.run}. */
export interface RunOptions {
  readonly args?: readonly string[];
  /** Permission flags for Deno. Default none. */
  readonly permissions?: readonly string[];
  /** Laid over PATH, HOME and the temp folder. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Makes a project with the package, what it depends on and some peers, works with it, and removes it afterwards. */
export async function withConsumer(
  peers: readonly string[],
  work: (consumer: Consumer) => Promise<void>,
): Promise<void> {
  const dir = await Deno.realPath(await Deno.makeTempDir({ prefix: "tether-consumer-" }));
  try {
    await install(dir, peers);
    await work({
      dir,
      async write(name, text) {
        const path = join(dir, name);
        await Deno.writeTextFile(path, text);
        return path;
      },
      run: (runtime, module, options = {}) => run(dir, runtime, module, options),
    });
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

async function install(dir: string, peers: readonly string[]): Promise<void> {
  const target = join(dir, "node_modules", "@tether", "agent");
  await Deno.mkdir(target, { recursive: true });
  await must("npm", ["pack", NPM_DIR, "--pack-destination", dir]);
  const { version, dependencies = {} } = JSON.parse(await Deno.readTextFile(join(NPM_DIR, "package.json"))) as {
    version: string;
    dependencies?: Record<string, string>;
  };
  await must("tar", ["-xzf", join(dir, `tether-agent-${version}.tgz`), "-C", target, "--strip-components=1"]);
  for (const name of [...Object.keys(dependencies), ...peers]) {
    const link = join(dir, "node_modules", name);
    await Deno.mkdir(join(link, ".."), { recursive: true });
    await Deno.symlink(await Deno.realPath(join(ROOT, "node_modules", name)), link);
  }
  await Deno.writeTextFile(join(dir, "package.json"), `{ "type": "module", "private": true }\n`);
  for (const folder of ["home", "tmp"]) await Deno.mkdir(join(dir, folder));
}

async function run(dir: string, runtime: BuiltRuntime, module: string, options: RunOptions): Promise<CommandResult> {
  const { args = [], permissions = [], env = {} } = options;
  const base = { PATH: Deno.env.get("PATH") ?? "", HOME: join(dir, "home"), TMPDIR: join(dir, "tmp"), NO_COLOR: "1" };
  const command = runtime === "deno"
    ? [Deno.execPath(), "run", "--no-prompt", "--no-lock", ...permissions]
    : [await toolPath(runtime)];
  return await runCommand(command[0]!, [...command.slice(1), module, ...args], {
    cwd: dir,
    env: { ...base, DENO_NO_UPDATE_CHECK: "1", ...env },
    timeoutMs: 60_000,
    stdoutOnly: true,
  });
}

async function must(command: string, args: readonly string[]): Promise<void> {
  const result = await runCommand(command, args);
  if (result.code !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${result.code}:\n${result.output}`);
}
