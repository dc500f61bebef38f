import { OptionError } from "../../core/errors/mod.ts";
import type { Runtime } from "../../core/runtime.ts";

/** An account by its numbers. */
export interface UserIds {
  /** The account. */
  readonly uid: number;
  /** Its group; without it the group does not change. */
  readonly gid?: number | undefined;
}

const PASSWD = "/etc/passwd";
const ID = "/usr/bin/id";
/** More than any such file has. */
const PASSWD_BYTES = 4 * 1024 * 1024;

/**
 * The numbers of an account given by name or number: from `/etc/passwd`, else from `id` (directory services, macOS).
 * @throws {OptionError} on Windows, or if there is no such account.
 */
export async function resolveUser(runtime: Runtime, user: string | number): Promise<UserIds> {
  if (runtime.platform === "win32") throw new OptionError("user", "works on POSIX systems only");
  const text = String(user);
  if (text === "" || text.startsWith("-") || /[:\s\0]/.test(text)) throw new OptionError("user", "is no account name");
  const passwd = await runtime.fs.readHead(PASSWD, PASSWD_BYTES);
  const known = passwd === undefined ? undefined : findInPasswd(new TextDecoder().decode(passwd), text);
  if (known !== undefined) return known;
  const uid = /^\d+$/.test(text) ? Number(text) : await askId(runtime, "-u", text);
  if (uid === undefined) throw new OptionError("user", `names no account of this machine: ${JSON.stringify(text)}`);
  return { uid, gid: await askId(runtime, "-g", text) };
}

/** Looks an account up in the text of `/etc/passwd`, by name or number. */
export function findInPasswd(passwd: string, user: string): UserIds | undefined {
  for (const line of passwd.split("\n")) {
    const [name, , uid, gid] = line.split(":");
    if ((name === user || uid === user) && /^\d+$/.test(uid ?? "") && /^\d+$/.test(gid ?? "")) {
      return { uid: Number(uid), gid: Number(gid) };
    }
  }
  return undefined;
}

async function askId(runtime: Runtime, flag: "-u" | "-g", user: string): Promise<number | undefined> {
  // Asked first: on a terminal, trying would prompt the user.
  if (!runtime.mayRun(ID)) return undefined;
  try {
    const child = await runtime.spawn({
      command: ID,
      args: [flag, "--", user],
      env: { PATH: "/usr/bin:/bin" },
      stderr: "null",
    });
    await child.stdin.close().catch(() => {});
    const text = await new Response(child.stdout).text();
    const { code } = await child.exited;
    return code === 0 && /^\d+\s*$/.test(text) ? Number(text) : undefined;
  } catch {
    return undefined; // no `id`, or no right to run it
  }
}
