import type { Clock } from "../../../core/clock.ts";
import type { DiagnosticListener } from "../../../core/diagnostics.ts";
import { OptionError } from "../../../core/errors/mod.ts";
import { pathRules } from "../../../core/paths.ts";
import type { Runtime } from "../../../core/runtime.ts";
import { PrivateFolder } from "../private_folder.ts";
import { configSource } from "./config_source.ts";
import { keychainCredentials } from "./keychain.ts";
import { seedConfigDir } from "./seed_config_dir.ts";

/** What {@linkcode isolateConfig} must know. */
export interface IsolateContext {
  /** The environment the CLI would have without: it says whose directory is copied. */
  readonly env: Readonly<Record<string, string>>;
  /** The CLI's folder, for a config directory that is named relative to it. */
  readonly cwd: string | undefined;
  readonly clock: Clock;
  /** Told what could not be copied. */
  readonly onDiagnostic: DiagnosticListener;
  /** Asked while it is copied, which may take a while: true gives up. What there is then is the caller's to remove. */
  stopped?(): boolean;
}

/** A config directory for one session. */
export interface IsolatedConfig {
  /** What `CLAUDE_CONFIG_DIR` has to say. */
  readonly dir: string;
  /** The folder it lies in; it takes the directory with it. */
  readonly folder: PrivateFolder;
}

/**
 * Makes a config directory for one session, seeded from the user's; see {@linkcode seedConfigDir}.
 *
 * @throws {OptionError} where it cannot be written; nothing is left behind then.
 */
export async function isolateConfig(runtime: Runtime, context: IsolateContext): Promise<IsolatedConfig> {
  const { env, cwd, clock, onDiagnostic } = context;
  const stopped = (): boolean => context.stopped?.() === true;
  const { join, isAbsolute } = pathRules(runtime.platform);
  let folder: PrivateFolder | undefined;
  try {
    folder = await PrivateFolder.make(runtime, onDiagnostic);
    const dir = join(folder.path, "config");
    await runtime.fs.makeDir(dir, { mode: 0o700 });
    const source = configSource(runtime, env);
    if (source === undefined) {
      onDiagnostic({ kind: "config_not_seeded", path: "~/.claude", reason: "the user's home is not known" });
      return { dir, folder };
    }
    const absolute = (path: string): string => isAbsolute(path) ? path : join(cwd ?? runtime.cwd(), path);
    const { fs, platform } = runtime;
    await seedConfigDir({ dir: absolute(source.dir), stateFile: absolute(source.stateFile) }, dir, {
      fs,
      platform,
      onDiagnostic,
      credentials: source.usual ? await keychainCredentials(runtime, env, clock) : undefined,
      now: Date.now(),
      stopped,
    });
    return { dir, folder };
  } catch (cause) {
    await folder?.remove();
    throw new OptionError("tether.isolateConfig", "cannot be served: no config directory could be made", { cause });
  }
}
