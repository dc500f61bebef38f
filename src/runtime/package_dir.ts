import { filePath, pathRules } from "../core/paths.ts";
import type { Platform, RuntimeFs } from "../core/runtime.ts";

/**
 * The folder of an npm package as Node's rules find it: `node_modules` beside `from` and in every folder above, links
 * followed. Undefined for a `from` that is not on this disk (`https:`, a bundle). Looks only for the folder, so that
 * an `exports` map cannot hide the package.
 */
export async function findPackageDir(
  fs: Pick<RuntimeFs, "stat" | "realPath">,
  platform: Platform,
  name: string,
  from: string,
): Promise<string | undefined> {
  const paths = pathRules(platform);
  const start = filePath(from, platform);
  if (start === undefined) return undefined;
  for (let folder = start;; folder = paths.dirname(folder)) {
    const candidate = paths.join(folder, "node_modules", ...name.split("/"));
    if ((await fs.stat(candidate))?.kind === "directory") return await fs.realPath(candidate) ?? candidate;
    if (paths.dirname(folder) === folder) return undefined;
  }
}
