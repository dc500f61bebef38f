import type { DiagnosticListener } from "../../core/diagnostics.ts";
import { OptionError } from "../../core/errors/mod.ts";
import { pathRules } from "../../core/paths.ts";
import type { Runtime } from "../../core/runtime.ts";
import { configSource } from "./config_dir/config_source.ts";
import { PrivateFolder } from "./private_folder.ts";

/** What a spare's folder needs of the machine. */
export type SpareFolderHost = Pick<
  Runtime,
  "fs" | "platform" | "homeDir" | "onExit" | "processMark" | "processGone"
>;

/** How the names of our spares begin. Then comes the mark of their host and a dot; the TypeScript SDK's have no dot. */
const PREFIX = "spare-";

/**
 * Makes an empty folder of mode 700 for a CLI to wait in until it is claimed: `spares/spare-…` in its config directory, as
 * the TypeScript SDK does. Not in the place for temporary files: the CLI reads settings and instructions in the folders
 * above its own, and there anybody may put some. Those of hosts that were killed are removed at the next one.
 *
 * @throws {OptionError} where none can be made: the folder then has to be given.
 */
export async function makeSpareFolder(
  host: SpareFolderHost,
  env: Readonly<Record<string, string>>,
  onDiagnostic: DiagnosticListener,
): Promise<PrivateFolder> {
  const { join, isAbsolute } = pathRules(host.platform);
  const configDir = configSource(host, env)?.dir;
  if (configDir === undefined) throw needed("the user's home is not known");
  // The CLI would look for a relative one below its own folder, which is this one.
  if (!isAbsolute(configDir)) throw needed("the config directory is not a full path");
  const spares = join(configDir, "spares");
  const path = join(spares, `${PREFIX}${host.processMark() ?? ""}.${randomName()}`);
  try {
    for (const folder of [configDir, spares]) await ensureFolder(host, folder);
    await host.fs.makeDir(path, { mode: 0o700 });
  } catch (cause) {
    throw needed("no folder could be made for the CLI to wait in", cause);
  }
  await sweep(host, spares);
  return PrivateFolder.of(host, path, onDiagnostic);
}

/** Somebody else may be making the same one at the same moment. */
async function ensureFolder({ fs }: Pick<Runtime, "fs">, folder: string): Promise<void> {
  try {
    await fs.makeDir(folder, { mode: 0o700 });
  } catch (error) {
    if (await fs.stat(folder) === undefined) throw error;
  }
}

/** Removes spares of hosts that have surely ended. Never rejects: what cannot be removed is in nobody's way. */
async function sweep(host: SpareFolderHost, spares: string): Promise<void> {
  try {
    for (const { name, kind } of await host.fs.readDir(spares) ?? []) {
      const mark = kind === "directory" ? /^spare-([^.]+)\.[^.]+$/.exec(name)?.[1] : undefined;
      if (mark !== undefined && host.processGone(mark)) {
        await host.fs.remove(pathRules(host.platform).join(spares, name));
      }
    }
  } catch {
    // Somebody else may be sweeping as well, or rights may be missing. The next one tries again.
  }
}

function needed(why: string, cause?: unknown): OptionError {
  return new OptionError("cwd", `must be given: ${why}`, { cause });
}

function randomName(): string {
  return [...crypto.getRandomValues(new Uint8Array(6))].map((byte) => (byte % 36).toString(36)).join("");
}
