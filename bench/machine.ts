/** What the figures were measured on. */

import { PINS } from "../scripts/pins.ts";
import { runCommand } from "../scripts/run_command.ts";
import type { Lab } from "./lab.ts";

/** Facts about a machine and what ran on it, by name. */
export type Machine = Readonly<{ [fact: string]: string }>;

/** Looks at this machine. */
export async function describeMachine({ runtimes }: Lab): Promise<Machine> {
  const cpu = /^model name\s*:\s*(.*)$/m.exec(await Deno.readTextFile("/proc/cpuinfo"))?.[1] ?? "unknown";
  const versions = await Promise.all(
    Object.entries(runtimes).map(async ([name, { command }]) => {
      const { output } = await runCommand(command, ["--version"], { stdoutOnly: true });
      return [name, /\d+\.\d+\.\d+/.exec(output)?.[0] ?? "unknown"];
    }),
  );
  const compiler = await runCommand("cc", ["--version"], { stdoutOnly: true });
  return {
    processor: `${cpu}, ${navigator.hardwareConcurrency} cores`,
    memory: `${(Deno.systemMemoryInfo().total / 2 ** 30).toFixed(0)} GiB`,
    system: `${Deno.build.os} ${Deno.osRelease()}, ${Deno.build.arch}`,
    ...Object.fromEntries(versions),
    cc: compiler.output.split("\n")[0]!,
    CLI: PINS_OF_CLI,
    "official SDK": PINS["@anthropic-ai/claude-agent-sdk"],
  };
}

/** The CLI that is measured where the real one is, and whose ways the fast one has. */
const PINS_OF_CLI = "2.1.332";
