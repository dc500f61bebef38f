import { pathRules } from "../../core/paths.ts";
import type { FileFacts, Platform, Runtime } from "../../core/runtime.ts";

/** What a search asks of the machine. */
export type SearchHost = Pick<Runtime, "platform" | "fs">;

/** What came of a search. */
export interface SearchResult {
  /** The path of the program. */
  readonly found: string | undefined;
  /** Some places may not be looked at, so that finding nothing says nothing. */
  readonly blind: boolean;
  /** On Windows: folders of `PATH` that hold npm's batch script of that name; what it would start lies near by. */
  readonly shimFolders: readonly string[];
}

/** The folders of a `PATH`, in order. Relative and empty entries are left out: they would mean wherever the host happens to be. */
export function pathFolders(env: Readonly<Record<string, string>>, platform: Platform): string[] {
  const paths = pathRules(platform);
  const value = platform === "win32"
    ? Object.entries(env).find(([name]) => name.toUpperCase() === "PATH")?.[1]
    : env.PATH;
  return (value ?? "").split(paths.delimiter)
    .map((entry) => platform === "win32" ? entry.trim().replace(/^"(.*)"$/, "$1") : entry)
    .filter((entry) => paths.isAbsolute(entry));
}

/**
 * Looks a bare word up in folders, as the system would, but on Windows only as a native `.exe`, wherever a script of that name
 * comes first. `tried` takes each path that was looked at.
 */
export async function searchFolders(
  host: SearchHost,
  folders: readonly string[],
  word: string,
  tried: string[],
): Promise<SearchResult> {
  const { platform, fs } = host;
  const paths = pathRules(platform);
  const isWindows = platform === "win32";
  const name = isWindows && !/\.exe$/i.test(word) ? `${word}.exe` : word;
  const shimFolders: string[] = [];
  let blind = false;
  for (const folder of folders) {
    const path = paths.join(folder, name);
    tried.push(path);
    const facts = await fs.stat(path);
    if (facts?.kind === "unknown") blind = true;
    if (runs(facts)) return { found: path, blind, shimFolders };
    if (isWindows && (await fs.stat(paths.join(folder, `${word}.cmd`)))?.kind === "file") shimFolders.push(folder);
  }
  return { found: undefined, blind, shimFolders };
}

function runs(facts: FileFacts | undefined): boolean {
  return facts?.kind === "file" && facts.executable;
}

/** Where installers put the CLI on a machine whose `PATH` may not say so (A03). */
export function installFolders(home: string | undefined, platform: Platform): string[] {
  const paths = pathRules(platform);
  const under = (...names: string[]): string[] => home === undefined ? [] : [paths.join(home, ...names)];
  if (platform === "win32") return under(".local", "bin");
  return [
    ...under(".npm-global", "bin"),
    "/usr/local/bin",
    ...under(".local", "bin"),
    ...under("node_modules", ".bin"),
    ...under(".yarn", "bin"),
    ...under(".claude", "local"),
    // Apps started from the macOS dock do not get the shell's PATH.
    ...(platform === "darwin" ? ["/opt/homebrew/bin"] : []),
    ...under(".bun", "bin"),
  ];
}
