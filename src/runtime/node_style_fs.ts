import type { FileFacts, FolderEntry, Platform, RuntimeFs } from "../core/runtime.ts";
import { someOf } from "./some_of.ts";

/** What is used of `node:fs/promises` and `node:fs`. It is handed in, so that this file loads everywhere. */
export interface NodeStyleFs {
  /** Follows links. */
  stat(path: string): Promise<{ isFile(): boolean; isDirectory(): boolean; mode: number }>;
  /** Does not follow links. */
  lstat(path: string): Promise<{ isDirectory(): boolean; mode: number; uid: number }>;
  /** Opens a file. */
  open(path: string, flags: string): Promise<{
    read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesRead: number }>;
    close(): Promise<void>;
  }>;
  /** Reads a whole file. */
  readFile(path: string): Promise<Uint8Array>;
  /** Lists a folder. */
  readdir(path: string, options: { withFileTypes: true }): Promise<
    readonly { readonly name: string; isFile(): boolean; isDirectory(): boolean; isSymbolicLink(): boolean }[]
  >;
  /** Makes a folder. */
  mkdir(path: string, options: { mode: number }): Promise<unknown>;
  /** Makes a link; a junction on Windows, which needs no right of its own. */
  symlink(target: string, path: string, type: "junction"): Promise<void>;
  /** Resolves links. */
  realpath(path: string): Promise<string>;
  /** Makes a folder of mode 700 with a random end to its name. */
  mkdtemp(prefix: string): Promise<string>;
  /** Writes a file. */
  writeFile(path: string, data: Uint8Array | string, options: { mode: number; flag: string }): Promise<void>;
  /** Sets the mode, whatever the mask. */
  chmod(path: string, mode: number): Promise<void>;
  /** Removes. */
  rm(path: string, options: { recursive: boolean; force: boolean; maxRetries: number }): Promise<void>;
  /** Removes at once; of `node:fs`. */
  rmSync(path: string, options: { recursive: boolean; force: boolean }): void;
}

/** Codes that mean: there is nothing (a path that cannot exist included). */
const ABSENT = new Set(["ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG", "EINVAL", "ERR_INVALID_ARG_VALUE"]);
/** Codes that mean: we may not look. */
const DENIED = new Set(["EACCES", "EPERM", "ERR_ACCESS_DENIED"]);

/** The file system of a runtime that has `node:fs/promises`. */
export function nodeStyleFs(
  fs: NodeStyleFs,
  platform: Platform,
  tempPrefix: (prefix: string) => string,
  uid: number | undefined,
): RuntimeFs {
  return {
    async stat(path): Promise<FileFacts | undefined> {
      try {
        const facts = await fs.stat(path);
        const kind = facts.isFile() ? "file" : facts.isDirectory() ? "directory" : "other";
        return { kind, executable: platform === "win32" || (facts.mode & 0o111) !== 0 };
      } catch (error) {
        if (ABSENT.has(codeOf(error))) return undefined;
        if (DENIED.has(codeOf(error))) return { kind: "unknown", executable: false };
        throw error;
      }
    },
    readHead(path, length) {
      return orUndefined(async () => {
        const file = await fs.open(path, "r");
        try {
          const buffer = new Uint8Array(length);
          let filled = 0;
          while (filled < length) {
            const { bytesRead } = await file.read(buffer, filled, length - filled, filled);
            if (bytesRead === 0) break;
            filled += bytesRead;
          }
          return buffer.subarray(0, filled);
        } finally {
          await file.close();
        }
      }, ["EISDIR"]);
    },
    readFile: (path) => orUndefined(() => fs.readFile(path), ["EISDIR"]),
    readDir: (path) =>
      orUndefined(async () =>
        (await fs.readdir(path, { withFileTypes: true })).map((entry): FolderEntry => ({
          name: entry.name,
          kind: entry.isFile() ? "file" : entry.isDirectory() ? "directory" : entry.isSymbolicLink() ? "link" : "other",
        }))
      ),
    realPath: (path) => orUndefined(() => fs.realpath(path)),
    makeTempDir: (prefix) => fs.mkdtemp(tempPrefix(prefix)),
    async ownTempDirs(prefix, most) {
      const place = tempPrefix("");
      const entries = uid === undefined
        ? undefined
        : await orUndefined(() => fs.readdir(place, { withFileTypes: true }));
      const own: string[] = [];
      for (const { name } of someOf((entries ?? []).filter((entry) => entry.name.startsWith(prefix)), most)) {
        const facts = await orUndefined(() => fs.lstat(tempPrefix(name)));
        if (facts?.isDirectory() && facts.uid === uid && (facts.mode & 0o777) === 0o700) own.push(tempPrefix(name));
      }
      return own;
    },
    async writeFile(path, data, { mode }) {
      // A new file, never the old one: that could be readable to others while it is being written.
      await fs.rm(path, { recursive: false, force: true, maxRetries: 0 });
      await fs.writeFile(path, data, { mode, flag: "wx" });
      if (platform !== "win32") await fs.chmod(path, mode);
    },
    async makeDir(path, { mode }) {
      await fs.mkdir(path, { mode });
      if (platform !== "win32") await fs.chmod(path, mode);
    },
    linkDir: (target, path) => fs.symlink(target, path, "junction"),
    // The retries are for Windows, where a child that has just ended may hold its folder for a moment.
    remove: (path) => fs.rm(path, { recursive: true, force: true, maxRetries: 5 }),
    removeAtExit(path) {
      try {
        fs.rmSync(path, { recursive: true, force: true });
      } catch {
        // The host is ending: there is nobody to tell, and nothing else to try.
      }
    },
  };
}

async function orUndefined<T>(work: () => Promise<T>, alsoAbsent: readonly string[] = []): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    const code = codeOf(error);
    if (ABSENT.has(code) || DENIED.has(code) || alsoAbsent.includes(code)) return undefined;
    throw error;
  }
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | undefined)?.code ?? "");
}
