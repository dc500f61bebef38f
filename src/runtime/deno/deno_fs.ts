import { pathRules } from "../../core/paths.ts";
import type { FileFacts, FolderEntry, RuntimeFs } from "../../core/runtime.ts";
import { someOf } from "../some_of.ts";
import { granted } from "./deno_rights.ts";

/** The file system on Deno. What the permissions hide is `unknown` to `stat` and absent to the rest; nobody is prompted. */
export const denoFs: RuntimeFs = {
  async stat(path): Promise<FileFacts | undefined> {
    if (!mayRead(path)) return UNKNOWN;
    try {
      const facts = await Deno.stat(path);
      const kind = facts.isFile ? "file" : facts.isDirectory ? "directory" : "other";
      return { kind, executable: Deno.build.os === "windows" || ((facts.mode ?? 0) & 0o111) !== 0 };
    } catch (error) {
      if (isDenied(error)) return UNKNOWN;
      if (isAbsent(error)) return undefined;
      throw error;
    }
  },

  readHead(path, length) {
    return orUndefined(path, async () => {
      const file = await Deno.open(path, { read: true });
      try {
        const buffer = new Uint8Array(length);
        let filled = 0;
        while (filled < length) {
          const read = await file.read(buffer.subarray(filled));
          if (read === null) break;
          filled += read;
        }
        return buffer.subarray(0, filled);
      } finally {
        file.close();
      }
    });
  },

  readFile: (path) => orUndefined(path, () => Deno.readFile(path)),

  readDir(path) {
    return orUndefined(path, async () => {
      const entries: FolderEntry[] = [];
      for await (const { name, isFile, isDirectory, isSymlink } of Deno.readDir(path)) {
        entries.push({ name, kind: isFile ? "file" : isDirectory ? "directory" : isSymlink ? "link" : "other" });
      }
      return entries;
    });
  },

  realPath: (path) => orUndefined(path, () => Deno.realPath(path)),

  async makeTempDir(prefix) {
    const place = tempPlace();
    const path = await Deno.makeTempDir(place === undefined ? { prefix } : { dir: place, prefix });
    // The place may be named by half a path. The CLI works in another folder, and this program may go to one.
    const { isAbsolute, join } = pathRules(Deno.build.os === "windows" ? "win32" : "linux");
    return isAbsolute(path) ? path : join(Deno.cwd(), path);
  },

  async ownTempDirs(prefix, most) {
    const asked = [{ name: "env", variable: "TMPDIR" }, { name: "sys", kind: "uid" }] as const;
    if (!asked.every(granted)) return [];
    const uid = Deno.uid();
    const place = (Deno.env.get("TMPDIR") || "/tmp").replace(/\/+$/, "");
    // Who may not remove them has no use for them, and would be prompted.
    const entries = uid === null || !mayWrite(place) ? undefined : await denoFs.readDir(place);
    const own: string[] = [];
    for (const { name } of someOf((entries ?? []).filter((entry) => entry.name.startsWith(prefix)), most)) {
      const path = `${place}/${name}`;
      const facts = await orUndefined(path, () => Deno.lstat(path));
      if (facts?.isDirectory && facts.uid === uid && ((facts.mode ?? 0) & 0o777) === 0o700) own.push(path);
    }
    return own;
  },

  async writeFile(path, data, { mode }) {
    demandWrite(path);
    // A new file, never the old one: that could be readable to others while it is being written.
    await Deno.remove(path).catch(ignoreAbsent);
    const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
    await Deno.writeFile(path, bytes, { mode, createNew: true });
    if (Deno.build.os !== "windows") await Deno.chmod(path, mode);
  },

  async makeDir(path, { mode }) {
    demandWrite(path);
    await Deno.mkdir(path, { mode });
    if (Deno.build.os !== "windows") await Deno.chmod(path, mode);
  },

  async linkDir(target, path) {
    // Deno wants both rights without limits for it, and would prompt for them.
    for (const name of ["read", "write"] as const) {
      if (Deno.permissions.querySync({ name }).state !== "granted") {
        throw new Deno.errors.NotCapable(`A link needs --allow-${name} without a list`);
      }
    }
    await Deno.symlink(target, path, { type: "junction" });
  },

  async remove(path) {
    demandWrite(path);
    await Deno.remove(path, { recursive: true }).catch(ignoreAbsent);
  },

  removeAtExit(path) {
    try {
      demandWrite(path);
      Deno.removeSync(path, { recursive: true });
    } catch {
      // The host is ending: there is nobody to tell, and nothing else to try.
    }
  },
};

/**
 * Where a temporary folder may be made; undefined for wherever Deno would. Looked at first: on a terminal, trying would
 * prompt the user.
 */
function tempPlace(): string | undefined {
  if (mayWrite()) return undefined;
  const variable = Deno.build.os === "windows" ? "TEMP" : "TMPDIR";
  const named = granted({ name: "env", variable }) ? Deno.env.get(variable) || undefined : undefined;
  const place = named ?? (Deno.build.os === "windows" ? undefined : "/tmp");
  if (place === undefined || !mayWrite(place)) {
    throw new Deno.errors.NotCapable(
      "A private folder needs the right to write where temporary files lie (--allow-write)",
    );
  }
  return place;
}

/** @throws where a try would prompt the user. */
function demandWrite(path: string): void {
  if (!mayWrite(path)) throw new Deno.errors.NotCapable(`Requires write access to "${path}" (--allow-write)`);
}

function mayWrite(path?: string): boolean {
  return granted({ name: "write", ...(path === undefined ? {} : { path }) });
}

const UNKNOWN: FileFacts = { kind: "unknown", executable: false };

function mayRead(path: string): boolean {
  return granted({ name: "read", path });
}

async function orUndefined<T>(path: string, work: () => Promise<T>): Promise<T | undefined> {
  if (!mayRead(path)) return undefined;
  try {
    return await work();
  } catch (error) {
    if (isDenied(error) || isAbsent(error) || error instanceof Deno.errors.IsADirectory) return undefined;
    throw error;
  }
}

function isDenied(error: unknown): boolean {
  return error instanceof Deno.errors.NotCapable || error instanceof Deno.errors.PermissionDenied;
}

function isAbsent(error: unknown): boolean {
  const { code, name } = error as { code?: string; name?: string };
  return name === "NotFound" || code === "ENOTDIR" || code === "ELOOP" || code === "ENAMETOOLONG" || code === "EINVAL";
}

function ignoreAbsent(error: unknown): void {
  if (!isAbsent(error)) throw error;
}
