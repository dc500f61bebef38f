import type { DiagnosticListener } from "../../core/diagnostics.ts";
import type { Runtime } from "../../core/runtime.ts";

/** How often a folder that cannot be removed is tried again, and how long after. */
const RETRIES = 5;
const RETRY_MS = 100;

/** What a folder needs of the machine. */
export type FolderHost = Pick<Runtime, "fs" | "onExit" | "processMark">;

/** How the names of these folders begin. Then comes the mark of their host and a dot, where there is one; see `sweepLeftovers`. */
export const PRIVATE_FOLDER_PREFIX = "tether-launch-";

/**
 * A folder of mode 700 for one CLI: it may hold secrets. It goes when {@linkcode PrivateFolder.remove} is called, and with a host
 * that ends in good order; with one that is killed if the watchdog knows of it.
 */
export class PrivateFolder {
  /** Where it is. */
  readonly path: string;
  readonly #host: FolderHost;
  readonly #onDiagnostic: DiagnosticListener;
  readonly #unhook: () => void;
  #removed: Promise<void> | undefined;

  private constructor(host: FolderHost, path: string, onDiagnostic: DiagnosticListener) {
    this.path = path;
    this.#host = host;
    this.#onDiagnostic = onDiagnostic;
    this.#unhook = host.onExit(() => host.fs.removeAtExit(path));
  }

  /** Makes one. @throws where nothing can be written. */
  static async make(host: FolderHost, onDiagnostic: DiagnosticListener): Promise<PrivateFolder> {
    const mark = host.processMark();
    const suffix = mark === undefined ? "" : `${mark}.`;
    return PrivateFolder.of(host, await host.fs.makeTempDir(PRIVATE_FOLDER_PREFIX + suffix), onDiagnostic);
  }

  /** Takes charge of one that is there. */
  static of(host: FolderHost, path: string, onDiagnostic: DiagnosticListener): PrivateFolder {
    return new PrivateFolder(host, path, onDiagnostic);
  }

  /** Takes it away with all that is in it; a folder that will not go is told. Never rejects; a second call does nothing more. */
  remove(): Promise<void> {
    this.#removed ??= this.#remove();
    return this.#removed;
  }

  async #remove(): Promise<void> {
    for (let attempt = 0;; attempt++) {
      try {
        await this.#host.fs.remove(this.path);
        break;
      } catch (cause) {
        // Something the CLI has left running may still write there; on Windows a file may be held for a moment.
        if (attempt === RETRIES) {
          this.#onDiagnostic({ kind: "folder_not_removed", path: this.path, cause });
          return;
        }
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
    this.#unhook();
  }
}
