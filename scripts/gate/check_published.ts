import { ROOT } from "../root.ts";
import { runCommand } from "../run_command.ts";

/** What may be published: sources and the four pages about them. */
const PUBLISHED = /^(mod\.ts|(src|workers)\/.*\.ts|deno\.json|README\.md|LICENSE|CHANGELOG\.md)$/;
const REQUIRED = ["mod.ts", "deno.json", "README.md", "LICENSE", "CHANGELOG.md"] as const;

/** Runs `deno publish --dry-run` (slow types are errors there) and checks what it would upload. */
export async function checkPublished(): Promise<string[]> {
  const status = await runCommand("git", ["status", "--porcelain"], { cwd: ROOT });
  const dirty = status.output.trim() !== "";
  // A clean tree is published as it is; work in progress is checked as well.
  const args = ["publish", "--dry-run", ...(dirty ? ["--allow-dirty"] : [])];
  const result = await runCommand(Deno.execPath(), args, { cwd: ROOT });
  if (result.code !== 0) return [`deno ${args.join(" ")} ended with code ${result.code}\n${result.output}`];
  return publishFaults(result.output, new URL(`file://${ROOT}/`).href);
}

/** Faults in the list of files that a dry run prints, as URLs under `base`. */
export function publishFaults(output: string, base: string): string[] {
  const files = [...output.matchAll(/^\s+(file:\/\/\S+) \(/gm)].map((match) => decodeURI(match[1]!));
  const names = files.map((file) => file.startsWith(base) ? file.slice(base.length) : file);
  return [
    ...REQUIRED.filter((name) => !names.includes(name)).map((name) => `${name} would not be published`),
    ...names.filter((name) => !PUBLISHED.test(name)).map((name) => `${name} would be published`),
  ];
}
