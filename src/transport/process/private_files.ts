import type { Runtime } from "../../core/runtime.ts";
import type { PrivateFile } from "./arguments.ts";

/** Files for one CLI: secrets that must not be on its command line. */
export interface WrittenFiles {
  /** Where they are; undefined if there are none. */
  readonly folder: string | undefined;
  /** Where a file is. */
  pathOf(file: PrivateFile): string;
  /** Takes them away. Never rejects; a second call does nothing. */
  remove(): Promise<void>;
}

/** Writes files with mode 0600 into a new folder of mode 0700. @throws what writing throws; nothing is left behind then. */
export async function writePrivateFiles(runtime: Runtime, files: readonly PrivateFile[]): Promise<WrittenFiles> {
  if (files.length === 0) {
    return { folder: undefined, pathOf: () => "", remove: () => Promise.resolve() };
  }
  const folder = await runtime.fs.makeTempDir("tether-launch-");
  const pathOf = (file: PrivateFile): string => `${folder}/${file.name}`;
  let removed: Promise<void> | undefined;
  const remove = (): Promise<void> => {
    // A folder that somebody else removed, or that cannot be removed, must not end a query.
    removed ??= runtime.fs.remove(folder).catch(() => {});
    return removed;
  };
  try {
    for (const file of files) await runtime.fs.writeFile(pathOf(file), file.content, { mode: 0o600 });
  } catch (error) {
    await remove();
    throw error;
  }
  return { folder, pathOf, remove };
}
