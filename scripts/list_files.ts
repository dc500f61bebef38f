import { ROOT } from "./root.ts";
import { runCommand } from "./run_command.ts";

/** The files of the repository as git sees them: tracked, or new and not ignored; relative, with forward slashes. */
export async function listFiles(): Promise<string[]> {
  const args = ["ls-files", "--cached", "--others", "--exclude-standard", "--deduplicate", "-z"];
  const result = await runCommand("git", args, { cwd: ROOT, stdoutOnly: true });
  if (result.code !== 0) throw new Error(`Cannot list the files with git (exit ${result.code}): ${result.stderr}`);
  const names = result.output.split("\0").filter((name) => name !== "");
  const present = await Promise.all(
    names.map((name) => Deno.stat(`${ROOT}/${name}`).then((at) => at.isFile, () => false)),
  );
  const files = names.filter((_, index) => present[index]);
  if (files.length === 0) throw new Error("git lists no files here");
  return files.sort();
}
