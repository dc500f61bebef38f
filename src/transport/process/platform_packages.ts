import { filePath, pathRules } from "../../core/paths.ts";
import type { Libc, Runtime } from "../../core/runtime.ts";
import { EXECUTABLE_HEAD_BYTES, executableFormat } from "../../core/executable_format.ts";
import { unpackedPath } from "./asar.ts";

/** What looking for packages asks of the machine. */
export type PackageHost = Pick<Runtime, "platform" | "arch" | "fs" | "packageDir">;

/** The packages that bring the CLI, and the prefix of those that hold its native builds. */
const FAMILIES = ["@anthropic-ai/claude-agent-sdk", "@anthropic-ai/claude-code"] as const;

/** The builds for a machine, best first, as the ends of package names. */
export function packageVariants(host: Pick<Runtime, "platform" | "arch">, libc: Libc | undefined): string[] {
  const { platform, arch } = host;
  const own = `${platform}-${arch}`;
  if (platform === "linux") return libc === "musl" ? [`${own}-musl`, own] : [own, `${own}-musl`];
  // macOS and Windows run x64 programs on arm64.
  return arch === "arm64" && (platform === "darwin" || platform === "win32") ? [own, `${platform}-x64`] : [own];
}

/**
 * The native builds that npm installed, best first: beside us (`from`: our module, then the user's folder) and beside the
 * packages that depend on them, which strict package managers keep apart. `tried` takes a line for each place.
 */
export async function findPackagedBuilds(
  host: PackageHost,
  from: readonly string[],
  libc: Libc | undefined,
  tried: string[],
): Promise<string[]> {
  const names = packageVariants(host, libc).flatMap((variant) => FAMILIES.map((family) => `${family}-${variant}`));
  tried.push(...names.map((name) => `package ${name}`));
  for (const origin of from) {
    const found = await buildsSeenFrom(host, await lookOutPlaces(host, origin), names);
    if (found.length > 0) return found;
  }
  return [];
}

async function buildsSeenFrom(
  host: PackageHost,
  places: readonly string[],
  names: readonly string[],
): Promise<string[]> {
  const program = host.platform === "win32" ? "claude.exe" : "claude";
  const found: string[] = [];
  for (const name of names) {
    for (const place of places) {
      const folder = await host.packageDir(name, place);
      if (folder !== undefined) await addFile(host, pathRules(host.platform).join(folder, program), found);
    }
  }
  for (const place of places) await addOwnProgram(host, place, found);
  return found;
}

/** Where to look from: a place, its unpacked twin in an Electron archive, and the packages they can see. */
async function lookOutPlaces(host: PackageHost, origin: string): Promise<string[]> {
  const path = filePath(origin, host.platform);
  if (path === undefined) return [];
  const places = new Set<string>();
  for (const start of [unpackedPath(path), path]) {
    if (start === undefined) continue;
    places.add(start);
    for (const family of [...FAMILIES].reverse()) {
      const folder = await host.packageDir(family, start);
      if (folder !== undefined) places.add(folder);
    }
  }
  return [...places];
}

/**
 * `@anthropic-ai/claude-code` puts the native build in its own `bin` when it is installed; before that a text lies there. Older
 * versions (before 2.1) are a script.
 */
async function addOwnProgram(host: PackageHost, folder: string, found: string[]): Promise<void> {
  const paths = pathRules(host.platform);
  if (!FAMILIES.some((family) => folder.endsWith(paths.join("", ...family.split("/"))))) return;
  const program = paths.join(folder, "bin", "claude.exe");
  const head = await host.fs.readHead(program, EXECUTABLE_HEAD_BYTES);
  const kind = head === undefined ? "unknown" : executableFormat(head).kind;
  if (kind !== "unknown" && kind !== "script") await addFile(host, program, found);
  if (folder.endsWith("claude-code")) await addFile(host, paths.join(folder, "cli.js"), found);
}

async function addFile(host: PackageHost, path: string, found: string[]): Promise<void> {
  for (const candidate of [unpackedPath(path), path]) {
    if (candidate === undefined || found.includes(candidate)) continue;
    if ((await host.fs.stat(candidate))?.kind !== "file") continue;
    found.push(candidate);
    return;
  }
}
