import { pathRules } from "../../../core/paths.ts";
import type { Runtime } from "../../../core/runtime.ts";

/** The config directory that a CLI with some environment would use. */
export interface ConfigSource {
  /** Settings, login, memory, agents, … */
  readonly dir: string;
  /** The CLI's state; beside the directory if nobody named one (CLI 2.1.332). */
  readonly stateFile: string;
  /** Nobody named another directory. */
  readonly usual: boolean;
}

/** Finds it. Undefined if no directory is named and there is no home. An empty name counts as none. */
export function configSource(
  runtime: Pick<Runtime, "platform" | "homeDir">,
  env: Readonly<Record<string, string>>,
): ConfigSource | undefined {
  const { join } = pathRules(runtime.platform);
  const named = env.CLAUDE_CONFIG_DIR;
  if (named !== undefined && named !== "") return { dir: named, stateFile: join(named, ".claude.json"), usual: false };
  const own = runtime.platform === "win32" ? env.USERPROFILE : env.HOME;
  const home = own === undefined || own === "" ? runtime.homeDir() : own;
  if (home === undefined) return undefined;
  return { dir: join(home, ".claude"), stateFile: join(home, ".claude.json"), usual: true };
}
