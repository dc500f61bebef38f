import type { Options } from "../../core/options/mod.ts";
import { pathRules } from "../../core/paths.ts";
import type { Runtime } from "../../core/runtime.ts";
import { detectRuntime } from "../../runtime/detect.ts";
import { secretsOf } from "../../transport/process/mask_secrets.ts";
import type { FolderStandIn } from "./path_stand_ins.ts";
import type { Redaction } from "./redaction.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * What of this machine and of these options must not be in a recording. What rights do not allow to look up is left out:
 * it is then recognised by its shape only.
 */
export async function hostFacts(options: Options, given: Redaction): Promise<Required<Omit<Redaction, "normalize">>> {
  const runtime = await detectRuntime().catch(() => undefined);
  const env = variables(options, runtime);
  const folders = [...given.folders ?? [], ...foldersOf(options, env, runtime)];
  const real = await Promise.all(folders.map(async ({ path, standIn }) => {
    const target = await runtime?.fs.realPath(path).catch(() => undefined);
    return target === undefined || target === path ? [] : [{ path: target, standIn }];
  }));
  return {
    folders: [...folders, ...real.flat()],
    secrets: [...given.secrets ?? [], ...secretsOf(present(env)), ...serverSecrets(options)],
    users: [...given.users ?? [], ...texts(env.USER, env.LOGNAME, env.USERNAME), ...homeOwner(env)],
    hosts: [...given.hosts ?? [], ...texts(env.HOSTNAME, env.COMPUTERNAME, env.HOST, await hostName())],
  };
}

/** The CLI's environment laid over the host's: both may show. */
function variables(options: Options, runtime: Runtime | undefined): Variables {
  let own: Variables = {};
  try {
    own = runtime?.environment() ?? {};
  } catch {
    // Not allowed to look: nothing of it can be in what the CLI was given either, unless it was given by name.
  }
  return { ...own, ...options.env, ...options.tether?.extraEnv };
}

function foldersOf(options: Options, env: Variables, runtime: Runtime | undefined): FolderStandIn[] {
  const own = attempt(() => runtime?.cwd());
  const { isAbsolute, join } = pathRules(runtime?.platform ?? "linux");
  const full = (path: string | undefined): string | undefined =>
    path === undefined || path === "" || isAbsolute(path) ? path : own === undefined ? undefined : join(own, path);
  const named: (readonly [string | undefined, string])[] = [
    [env.HOME, "/home/user"],
    [env.USERPROFILE, "/home/user"],
    [runtime?.homeDir(), "/home/user"],
    [options.tether?.configDir ?? env.CLAUDE_CONFIG_DIR, "/home/user/.claude"],
    [options.cwd, "/srv/project"],
    ...(options.additionalDirectories ?? []).map((path, index) => [path, `/srv/folder${index + 1}`] as const),
    [own, options.cwd === undefined ? "/srv/project" : "/srv/host"],
    ...[env.CLAUDE_CODE_TMPDIR, env.TMPDIR, env.TMP, env.TEMP].map((path) => [path, "/tmp"] as const),
  ];
  return named.flatMap(([path, standIn]) => {
    const known = full(path);
    return known === undefined || known === "" ? [] : [{ path: known, standIn }];
  });
}

/** What servers are given to log in with. */
function serverSecrets({ mcpServers }: Options): string[] {
  if (typeof mcpServers !== "object") return [];
  return Object.values(mcpServers).flatMap((server) => {
    const { env, headers } = server as { readonly env?: Variables; readonly headers?: Variables };
    return [...secretsOf(present(env ?? {})), ...texts(...Object.values(headers ?? {}))];
  });
}

function homeOwner({ HOME, USERPROFILE }: Variables): string[] {
  const owner = /^(?:\/(?:home|Users)\/|[A-Za-z]:[\\/]Users[\\/])([^\\/]+)/i;
  return texts(owner.exec(HOME ?? "")?.[1], owner.exec(USERPROFILE ?? "")?.[1]);
}

interface Permissions {
  querySync(descriptor: { readonly name: "sys"; readonly kind: "hostname" }): { readonly state: string };
}

/** Deno asks the user before it tells; a recording is no reason to. */
async function hostName(): Promise<string | undefined> {
  const { Deno: deno } = globalThis as { readonly Deno?: { readonly permissions: Permissions } };
  try {
    const right = deno?.permissions.querySync({ name: "sys", kind: "hostname" });
    if (right !== undefined && right.state !== "granted") return undefined;
    return (await import("node:os")).hostname();
  } catch {
    return undefined; // no such module: an edge runtime or a browser, which has no name to tell
  }
}

function present(env: Variables): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => typeof value === "string" ? [[name, value]] : []),
  );
}

function texts(...values: readonly unknown[]): string[] {
  return values.filter((value) => typeof value === "string" && value !== "") as string[];
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
