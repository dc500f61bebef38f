import type { Platform } from "./runtime.ts";

/** Path rules of one platform as pure text work, so that the rules of another machine can be tested on this one. */
export interface PathRules {
  /** What stands between the entries of `PATH`. */
  readonly delimiter: ":" | ";";
  /** Puts names under a folder. `.` and `..` stay as they are. */
  join(base: string, ...names: readonly string[]): string;
  /** The folder a path lies in; a root is its own. */
  dirname(path: string): string;
  /** The last name of a path. */
  basename(path: string): string;
  /** Whether a path says where it starts. */
  isAbsolute(path: string): boolean;
  /** Whether this is a bare word, to be looked up on `PATH`. */
  isBareWord(command: string): boolean;
}

const posix: PathRules = {
  delimiter: ":",
  join: (base, ...names) => [base === "/" ? "" : base.replace(/\/+$/, ""), ...names].join("/"),
  dirname(path) {
    const trimmed = path.replace(/\/+$/, "");
    const cut = trimmed.lastIndexOf("/");
    if (cut === -1) return path.startsWith("/") ? "/" : ".";
    return trimmed.slice(0, cut).replace(/\/+$/, "") || "/";
  },
  basename: (path) => path.replace(/\/+$/, "").split("/").pop() ?? "",
  isAbsolute: (path) => path.startsWith("/"),
  isBareWord: (command) => !command.includes("/"),
};

const WINDOWS_ROOT = /^(?:[a-z]:[\\/]*|[\\/]{2}[^\\/]+[\\/]+[^\\/]+[\\/]*|[\\/]+)/i;

const windows: PathRules = {
  delimiter: ";",
  join: (base, ...names) => [base.replace(/[\\/]+$/, ""), ...names].join("\\"),
  dirname(path) {
    const root = WINDOWS_ROOT.exec(path)?.[0] ?? "";
    const rest = path.slice(root.length).replace(/[\\/]+$/, "");
    const cut = Math.max(rest.lastIndexOf("\\"), rest.lastIndexOf("/"));
    if (cut === -1) return root || ".";
    return root + rest.slice(0, cut).replace(/[\\/]+$/, "");
  },
  basename: (path) => path.replace(/[\\/]+$/, "").split(/[\\/]/).pop() ?? "",
  isAbsolute: (path) => /^(?:[a-z]:[\\/]|[\\/]{2})/i.test(path),
  isBareWord: (command) => !/[\\/:]/.test(command),
};

/** The path rules of a platform. */
export function pathRules(platform: Platform): PathRules {
  return platform === "win32" ? windows : posix;
}

/** The path of a `file:` URL; undefined for any other URL. An absolute path is given back as it is. */
export function filePath(urlOrPath: string, platform: Platform): string | undefined {
  if (pathRules(platform).isAbsolute(urlOrPath)) return urlOrPath;
  if (!urlOrPath.startsWith("file:")) return undefined;
  let path: string;
  let host: string;
  try {
    const url = new URL(urlOrPath);
    path = decodeURIComponent(url.pathname);
    host = url.hostname;
  } catch {
    // No URL, or an escape that is no UTF-8: nothing on this disk is meant.
    return undefined;
  }
  if (platform !== "win32") return path;
  const windowsPath = path.replaceAll("/", "\\");
  return host === "" ? windowsPath.replace(/^\\+(?=[a-z]:)/i, "") : `\\\\${host}${windowsPath}`;
}
