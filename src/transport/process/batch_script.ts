import { CLIConnectionError } from "../../core/errors/mod.ts";
import type { Platform } from "../../core/runtime.ts";

/**
 * Whether Windows would run a path through `cmd.exe`, in any of its spellings: a name in it that ends in `.bat` or `.cmd`, once
 * the dots and blanks that Windows drops are off (`claude.cmd.`, `claude.cmd:stream`, `C:claude.cmd`, `x.cmd\..\y`).
 */
export function isBatchScript(path: string): boolean {
  return path.split(/[\\/:]/).some((name) => /\.(?:bat|cmd)$/i.test(name.replace(/[. ]+$/, "")));
}

/**
 * Refuses a batch script on Windows: its command line is read by `cmd.exe`, which no quoting keeps from running what is in the
 * arguments.
 * @throws {CLIConnectionError} `batch_script_refused`
 */
export function refuseBatchScript(path: string, platform: Platform): void {
  if (platform !== "win32" || !isBatchScript(path)) return;
  throw new CLIConnectionError(
    `${JSON.stringify(path)} is a batch script and is not run: cmd.exe would interpret its arguments. ` +
      "Name the native claude.exe instead",
    { code: "batch_script_refused" },
  );
}
