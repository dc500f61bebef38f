/** Probes that ask the operating system: Deno, Bun and Node. Those that need `/proc` exist on Linux only. */

import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import process from "node:process";
import type { LeakProbe } from "./leak_probe.ts";

/** All probes this machine can run. */
export function processProbes(): LeakProbe[] {
  const probes = [tempDirProbe()];
  if (existsSync("/proc/self/fd")) probes.push(childProbe(), descriptorProbe());
  return probes;
}

/** Children of this process; one that ended but was not reaped counts as well. */
export function childProbe(): LeakProbe {
  return sinceBegin("children", () => {
    const children = new Map<string, string>();
    for (const pid of readdirSync("/proc")) {
      const stat = /^\d+$/.test(pid) ? readOrGone(`/proc/${pid}/stat`) : undefined;
      if (stat === undefined) continue;
      // pid (comm) state ppid …: the name may hold spaces and parentheses, so read from its end.
      const nameEnd = stat.lastIndexOf(")");
      const [state, parent] = stat.slice(nameEnd + 2).split(" ");
      if (parent !== String(process.pid)) continue;
      const command = (readOrGone(`/proc/${pid}/cmdline`) ?? "").split("\0").join(" ").trim();
      const name = state === "Z" ? "a zombie" : command || stat.slice(stat.indexOf("("), nameEnd + 1);
      children.set(pid, `pid ${pid}, ${name.slice(0, 200)}`);
    }
    return children;
  });
}

/**
 * Open descriptors that are files, pipes or sockets. What a runtime opens for itself (event loops, devices, its caches,
 * modules it loads) is not counted.
 */
export function descriptorProbe(): LeakProbe {
  return sinceBegin("descriptors", () => {
    const open = new Map<string, string>();
    for (const fd of readdirSync("/proc/self/fd")) {
      const target = linkOrGone(`/proc/self/fd/${fd}`);
      if (target === undefined || isRuntimesOwn(target)) continue;
      open.set(`${fd} ${target}`, `fd ${fd}, ${target}`);
    }
    return open;
  });
}

function isRuntimesOwn(target: string): boolean {
  // Deno keeps databases of what it compiled, and opens them when a module is first loaded.
  const cache = process.env["DENO_DIR"];
  if (cache !== undefined && cache !== "" && target.startsWith(`${cache}/`)) return true;
  return /^(anon_inode:|\/dev\/|\/proc\/|\/memfd:)|\/node_modules\/|\.node$/.test(target);
}

/** Folders and files in the temp folder that bear the product's prefix. */
export function tempDirProbe(prefix = "tether-"): LeakProbe {
  return sinceBegin("temp folders", () => {
    const names = readdirSync(tmpdir()).filter((name) => name.startsWith(prefix));
    return new Map(names.map((name) => [name, name]));
  });
}

/** A probe that lists what is there now and compares it with what was there at the beginning. */
function sinceBegin(kind: string, list: () => Map<string, string>): LeakProbe {
  let before = new Map<string, string>();
  return {
    kind,
    begin() {
      before = list();
    },
    leaked: () => [...list()].filter(([key]) => !before.has(key)).map(([, text]) => text),
    end() {
      before = new Map();
    },
  };
}

function readOrGone(path: string): string | undefined {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return undefined; // the process ended between the listing and the read
  }
}

function linkOrGone(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined; // the descriptor of the listing itself, closed by now
  }
}
