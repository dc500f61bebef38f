import type { PrivateFile } from "./arguments.ts";
import { type FolderHost, PrivateFolder } from "./private_folder.ts";
import type { DiagnosticListener } from "../../core/diagnostics.ts";

/** Files for one CLI: secrets that must not be on its command line. */
export interface WrittenFiles {
  /** What they are in; they go with it. Undefined if there are none. */
  readonly folder: PrivateFolder | undefined;
  /** Where a file is. */
  pathOf(file: PrivateFile): string;
}

/** Where files go, if not into a folder of their own. */
export interface WriteContext {
  /** Told of a folder that cannot be removed. */
  readonly onDiagnostic: DiagnosticListener;
  /** A folder that is there already; it is the caller's to remove. */
  readonly folder?: PrivateFolder | undefined;
}

/** Writes files with mode 0600 into a folder of mode 0700. @throws what writing throws; no folder of their own is left behind then. */
export async function writePrivateFiles(
  runtime: FolderHost,
  files: readonly PrivateFile[],
  context: WriteContext,
): Promise<WrittenFiles> {
  const given = context.folder;
  if (files.length === 0) return { folder: given, pathOf: () => "" };
  const folder = given ?? await PrivateFolder.make(runtime, context.onDiagnostic);
  const pathOf = (file: PrivateFile): string => `${folder.path}/${file.name}`;
  try {
    for (const file of files) await runtime.fs.writeFile(pathOf(file), file.content, { mode: 0o600 });
  } catch (error) {
    if (given === undefined) await folder.remove();
    throw error;
  }
  return { folder, pathOf };
}
