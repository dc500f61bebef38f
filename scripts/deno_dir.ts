import { runCommand } from "./run_command.ts";

/** Where Deno keeps what it has downloaded: a program that runs in a home of its own is told, and downloads nothing again. */
export async function denoDir(): Promise<string> {
  const info = await runCommand(Deno.execPath(), ["info", "--json"], { stdoutOnly: true });
  return (JSON.parse(info.output) as { denoDir: string }).denoDir;
}
